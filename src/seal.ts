import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';

const keyFrom = (secretKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'atrium', 'seal', 32));

/** Closes a text so that it can be kept in the database: only who has the secret key can open it. */
export function seal(secretKey: string, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv(ALGORITHM, keyFrom(secretKey), iv);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
}

/** The text that was sealed; null when it was sealed with another key or changed since. */
export function unseal(secretKey: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const decipher = createDecipheriv(ALGORITHM, keyFrom(secretKey), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString();
  } catch {
    return null;
  }
}

/** Distinguishes a sealed text from one that an older version kept as it is. */
export const SEALED = 'sealed.v1:';

export const sealMarked = (secretKey: string, text: string): string => SEALED + seal(secretKey, text);

/** What `sealMarked` was given, and a text without the mark as it is; null when it was sealed with another key. */
export const unsealMarked = (secretKey: string, kept: string): string | null =>
  kept.startsWith(SEALED) ? unseal(secretKey, kept.slice(SEALED.length)) : kept;
