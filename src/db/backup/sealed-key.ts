import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

/** A secret key that only a passphrase opens. Binary values are in base64. */
export interface SealedKey {
  kdf: 'scrypt';
  cost: { N: number; r: number; p: number };
  salt: string;
  cipher: 'aes-256-gcm';
  nonce: string;
  tag: string;
  text: string;
}

interface Cost {
  N: number;
  r: number;
  p: number;
  maxmem: number;
}
const derive = promisify<string, Buffer, number, Cost, Buffer>(scrypt);
/** OWASP's parameters: 128 MB for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 };
const MEMORY = 256 * 1024 * 1024;

export async function sealKey(key: string, passphrase: string): Promise<SealedKey> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce);
  const text = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
  const [saltText, nonceText, tag] = [salt, nonce, cipher.getAuthTag()].map((each) =>
    each.toString('base64'),
  );
  return {
    kdf: 'scrypt',
    cost: COST,
    salt: saltText!,
    cipher: 'aes-256-gcm',
    nonce: nonceText!,
    tag: tag!,
    text: text.toString('base64'),
  };
}

/** @throws Error with one line when it is not the passphrase */
export async function openKey({ salt, nonce, tag, text }: SealedKey, passphrase: string): Promise<string> {
  const [saltBytes, nonceBytes, tagBytes, textBytes] = [salt, nonce, tag, text].map((each) =>
    Buffer.from(each, 'base64'),
  ) as [Buffer, Buffer, Buffer, Buffer];
  const decipher = createDecipheriv('aes-256-gcm', await keyOf(passphrase, saltBytes), nonceBytes);
  decipher.setAuthTag(tagBytes);
  try {
    return Buffer.concat([decipher.update(textBytes), decipher.final()]).toString('utf8');
  } catch {
    throw new Error('BACKUP_PASSPHRASE is not the one this backup was made with.');
  }
}

const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  derive(passphrase, salt, 32, { ...COST, maxmem: MEMORY });
