import { hasControl } from '../../../src/mail/header.ts';
import { MailError } from './mail-error.ts';

/**
 * A name as a person gives it to a label or a folder, without white space around it.
 * @param maxLength characters
 * @throws MailRefusal for one that is empty, too long or not a single line of text
 */
export function parseName(input: string, maxLength: number, kind: 'label' | 'folder' | 'mailbox'): string {
  const name = input.trim();
  if (name === '') throw new MailError(`A ${kind} needs a name.`);
  if ([...name].length > maxLength)
    throw new MailError(`The name of a ${kind} has at most ${maxLength} characters.`);
  if (hasControl(name) || !name.isWellFormed())
    throw new MailError(`The name of a ${kind} is one line of text.`);
  return name;
}

/** Names are the same when they differ in case alone. */
export const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
