import { type Mailbox, parseAddress } from '../../../src/message/address.ts';
import { MailError } from '../kit/operation.ts';

/** Maximum number of recipients in to, cc and bcc combined. */
export const MAX_MESSAGE_RECIPIENTS = 100;

/** @throws MailError if a message has more than the maximum number of recipients */
export function assertRecipientCount(count: number): void {
  if (count > MAX_MESSAGE_RECIPIENTS)
    throw new MailError(`to, cc and bcc may have at most ${MAX_MESSAGE_RECIPIENTS} recipients in total.`);
}

/**
 * Parses recipients as people write them: `Ann <ann@example.org>, bob@example.org; "C, D" <c@example.org>`.
 * @throws MailError with the argument `name` and the first invalid address
 */
export function parseRecipients(name: string, text: string): Mailbox[] {
  const parts = splitRecipients(text);
  assertRecipientCount(parts.length);
  return parts.map((part) => {
    const mailbox = parseAddress(part);
    if (!mailbox)
      throw new MailError(`${name}: ${JSON.stringify(part.slice(0, 100))} is not a valid address.`);
    return mailbox;
  });
}

/** Splits at commas and semicolons outside quotes. */
function splitRecipients(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isQuoted && character === '\\') index++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === ',' || character === ';')) {
      parts.push(text.slice(from, index));
      from = index + 1;
    }
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

export const formatRecipient = ({ name, address }: Mailbox): string =>
  name ? `"${name.replace(/["\\]/g, '\\$&')}" <${address}>` : address;
