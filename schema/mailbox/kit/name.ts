import { hasControlCharacter } from '../../../src/message/header.ts';
import { MailError } from './operation.ts';

/**
 * Validates and trims the name of a label, folder or mailbox.
 * @param maxLength maximum number of code points
 * @throws MailError if the name is empty, too long or not a single line
 */
export function parseName(input: string, maxLength: number, kind: 'label' | 'folder' | 'mailbox'): string {
  const name = input.trim();
  if (name === '') throw new MailError(`A ${kind} must have a name.`);
  if ([...name].length > maxLength)
    throw new MailError(`The name of a ${kind} may have at most ${maxLength} characters.`);
  if (hasControlCharacter(name) || !name.isWellFormed())
    throw new MailError(`The name of a ${kind} must be a single line of text.`);
  return name;
}

export const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
