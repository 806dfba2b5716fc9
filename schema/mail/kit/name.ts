import { hasControl } from '../../../src/mail/header.ts';
import { MailRefusal } from './refusal.ts';

/**
 * A name as a person gives it to a label or a folder, without white space around it.
 * @param most characters
 * @throws MailRefusal for one that is empty, too long or not a single line of text
 */
export function nameOf(given: string, most: number, noun: 'label' | 'folder' | 'mailbox'): string {
  const name = given.trim();
  if (name === '') throw new MailRefusal(`A ${noun} needs a name.`);
  if ([...name].length > most) throw new MailRefusal(`The name of a ${noun} has at most ${most} characters.`);
  if (hasControl(name) || !name.isWellFormed())
    throw new MailRefusal(`The name of a ${noun} is one line of text.`);
  return name;
}

/** Names are the same when they differ in case alone. */
export const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
