/** Splits typed or pasted recipients at commas, semicolons and line breaks, except within quotes. */
export function splitRecipients(text: string): string[] {
  const recipients: string[] = [];
  let part = '';
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && /[,;\n]/.test(character)) {
      recipients.push(part);
      part = '';
    } else part += character;
  }
  return [...recipients, part].map((item) => item.trim()).filter((item) => item !== '');
}

/** Returns a recipient's address in lowercase, without the name. */
export const parseAddress = (recipient: string): string =>
  (/<([^<>]*)>\s*$/.exec(recipient)?.[1] ?? recipient).trim().toLowerCase();

/** Plausibility check: the domain has at least two labels. The server validates the address. */
export const isAddress = (recipient: string): boolean =>
  /^[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/.test(parseAddress(recipient));

export function formatRecipient({ name, email }: { name: string; email: string }): string {
  if (!name || name === email) return email;
  const text = name.replace(/["\\]/g, '');
  return /^[\p{L}\p{N} .'-]+$/u.test(text) ? `${text} <${email}>` : `"${text}" <${email}>`;
}

/** Returns a recipient's name, or the address if there is none. */
export const getRecipientLabel = (recipient: string): string =>
  recipient
    .replace(/<[^<>]*>\s*$/, '')
    .replaceAll('"', '')
    .trim() || parseAddress(recipient);

export const removeDuplicateRecipients = (recipients: readonly string[]): string[] => [
  ...new Map(recipients.map((recipient) => [parseAddress(recipient), recipient])).values(),
];
