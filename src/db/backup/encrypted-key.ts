import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

/** A secret key encrypted with a passphrase. Binary values are in base64. */
export interface EncryptedKey {
  kdf: 'scrypt';
  cost: { N: number; r: number; p: number };
  salt: string;
  cipher: 'aes-256-gcm';
  nonce: string;
  tag: string;
  text: string;
}

interface ScryptCost {
  N: number;
  r: number;
  p: number;
  maxmem: number;
}
const scryptAsync = promisify<string, Buffer, number, ScryptCost, Buffer>(scrypt);
/** Parameters recommended by OWASP. Each guess takes 128 MiB of memory. */
const SCRYPT_COST = { N: 2 ** 17, r: 8, p: 1 };
const MAX_SCRYPT_BYTES = 256 * 1024 * 1024;

export async function encryptKey(key: string, passphrase: string): Promise<EncryptedKey> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', await derivePassphraseKey(passphrase, salt), nonce);
  const text = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
  const [saltText, nonceText, tag] = [salt, nonce, cipher.getAuthTag()].map((item) =>
    item.toString('base64'),
  );
  return {
    kdf: 'scrypt',
    cost: SCRYPT_COST,
    salt: saltText!,
    cipher: 'aes-256-gcm',
    nonce: nonceText!,
    tag: tag!,
    text: text.toString('base64'),
  };
}

/** @throws Error with a one-line message if the passphrase is wrong */
export async function decryptKey(
  { salt, nonce, tag, text }: EncryptedKey,
  passphrase: string,
): Promise<string> {
  const [saltBytes, nonceBytes, tagBytes, textBytes] = [salt, nonce, tag, text].map((item) =>
    Buffer.from(item, 'base64'),
  ) as [Buffer, Buffer, Buffer, Buffer];
  const decipher = createDecipheriv(
    'aes-256-gcm',
    await derivePassphraseKey(passphrase, saltBytes),
    nonceBytes,
  );
  decipher.setAuthTag(tagBytes);
  try {
    return Buffer.concat([decipher.update(textBytes), decipher.final()]).toString('utf8');
  } catch {
    throw new Error(
      'BACKUP_PASSPHRASE does not match this backup. Set it to the passphrase used to create it.',
    );
  }
}

const derivePassphraseKey = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  scryptAsync(passphrase, salt, 32, { ...SCRYPT_COST, maxmem: MAX_SCRYPT_BYTES });
