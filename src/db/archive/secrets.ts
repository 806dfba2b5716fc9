import { decryptIfPrefixed, decryptText, encryptText, encryptWithPrefix } from '../../encryption.ts';
import type { ArchivedSecret } from './plan.ts';

export type ArchivedRow = Record<string, unknown>;

/** Secrets are omitted if `archiveKey` is null. */
interface ArchiveKeys {
  secretKey: string;
  archiveKey: string | null;
}

export function encryptRow(
  secrets: readonly ArchivedSecret[],
  row: ArchivedRow,
  keys: ArchiveKeys,
): ArchivedRow {
  const { secretKey, archiveKey } = keys;
  const encrypted = { ...row };
  for (const { column, storage } of secrets) {
    const value = row[column];
    const plainText = typeof value === 'string' ? decryptStoredSecret(storage, secretKey, value) : null;
    encrypted[column] = plainText === null || archiveKey === null ? null : encryptText(archiveKey, plainText);
  }
  return encrypted;
}

/**
 * Converts the secrets of an archived row to the installation's format. A secret that is missing or cannot be decrypted
 * becomes null.
 */
export function decryptRow(
  secrets: readonly ArchivedSecret[],
  row: ArchivedRow,
  keys: ArchiveKeys,
): ArchivedRow {
  const { secretKey, archiveKey } = keys;
  const decrypted = { ...row };
  for (const { column, storage } of secrets) {
    const value = row[column];
    const plainText =
      typeof value === 'string' && archiveKey !== null ? decryptText(archiveKey, value) : null;
    decrypted[column] = plainText === null ? null : encryptForStorage(storage, secretKey, plainText);
  }
  return decrypted;
}

function decryptStoredSecret(
  storage: ArchivedSecret['storage'],
  secretKey: string,
  value: string,
): string | null {
  if (storage === 'plain') return value;
  return storage === 'sealed' ? decryptText(secretKey, value) : decryptIfPrefixed(secretKey, value);
}

function encryptForStorage(storage: ArchivedSecret['storage'], secretKey: string, plaintext: string): string {
  if (storage === 'plain') return plaintext;
  return storage === 'sealed' ? encryptText(secretKey, plaintext) : encryptWithPrefix(secretKey, plaintext);
}
