/** Recipients as people write and paste them: separated by commas, semicolons and lines, but within quotes. Pure. */
export function splitRecipients(text: string): string[] {
  const found: string[] = [];
  let piece = '';
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && /[,;\n]/.test(character)) {
      found.push(piece);
      piece = '';
    } else piece += character;
  }
  return [...found, piece].map((each) => each.trim()).filter((each) => each !== '');
}

/** The bare address of a recipient. Pure. */
export const parseAddress = (recipient: string): string =>
  (/<([^<>]*)>\s*$/.exec(recipient)?.[1] ?? recipient).trim().toLowerCase();

/** Whether it can be an address at all; the server knows better. Pure. */
export const isAddress = (recipient: string): boolean =>
  /^[^\s@<>]+@[^\s@<>]+$/.test(parseAddress(recipient));

/** A person as a recipient is written. Pure. */
export function formatRecipient({ name, email }: { name: string; email: string }): string {
  if (!name || name === email) return email;
  const words = name.replace(/["\\]/g, '');
  return /^[\p{L}\p{N} .'-]+$/u.test(words) ? `${words} <${email}>` : `"${words}" <${email}>`;
}

/** What stands for a recipient where there is little room: its name, else its address. Pure. */
export const getRecipientLabel = (recipient: string): string =>
  recipient
    .replace(/<[^<>]*>\s*$/, '')
    .replaceAll('"', '')
    .trim() || parseAddress(recipient);
