import { type Mailbox, parseAddress } from '../../../src/message/address.ts';
import { MailError } from '../kit/mail-error.ts';

/**
 * Parses recipients as people write them: `Ann <ann@example.org>, bob@example.org; "C, D" <c@example.org>`.
 * @param name name of the argument
 * @throws MailError that names the first invalid address
 */
export function parseRecipients(name: string, text: string): Mailbox[] {
  return splitRecipients(text).map((piece) => {
    const mailbox = parseAddress(piece);
    if (!mailbox)
      throw new MailError(`${name}: not a valid address: ${JSON.stringify(piece.slice(0, 100))}.`);
    return mailbox;
  });
}

/** Splits at commas and semicolons outside quotes. */
function splitRecipients(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === '\\') at++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === ',' || character === ';')) {
      pieces.push(text.slice(from, at));
      from = at + 1;
    }
  }
  pieces.push(text.slice(from));
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

export const formatRecipient = ({ name, address }: Mailbox): string =>
  name ? `"${name.replace(/["\\]/g, '\\$&')}" <${address}>` : address;
