import { decryptIfPrefixed, decryptText, encryptText, encryptWithPrefix } from '../../encryption.ts';
import type { ArchivedSecret } from './plan.ts';

/** A row of an archive. */
export type ArchivedRow = Record<string, unknown>;

/** What a row's secrets are kept by: those of the installation, and the key of the archive; null leaves them out. */
export interface ArchiveKeys {
  secretKey: string;
  archiveKey: string | null;
}

/** A row as it goes into an archive. */
export function encryptRow(
  secrets: readonly ArchivedSecret[],
  row: ArchivedRow,
  keys: ArchiveKeys,
): ArchivedRow {
  const { secretKey, archiveKey } = keys;
  const sealed = { ...row };
  for (const { column, kept } of secrets) {
    const value = row[column];
    const plain = typeof value === 'string' ? decryptStored(kept, secretKey, value) : null;
    sealed[column] = plain === null || archiveKey === null ? null : encryptText(archiveKey, plain);
  }
  return sealed;
}

/** The row for this installation; what the archive does not have, or was sealed otherwise, is null. */
export function decryptRow(
  secrets: readonly ArchivedSecret[],
  row: ArchivedRow,
  keys: ArchiveKeys,
): ArchivedRow {
  const { secretKey, archiveKey } = keys;
  const own = { ...row };
  for (const { column, kept } of secrets) {
    const value = row[column];
    const plain = typeof value === 'string' && archiveKey !== null ? decryptText(archiveKey, value) : null;
    own[column] = plain === null ? null : encryptForStorage(kept, secretKey, plain);
  }
  return own;
}

function decryptStored(kept: ArchivedSecret['kept'], secretKey: string, value: string): string | null {
  if (kept === 'plain') return value;
  return kept === 'sealed' ? decryptText(secretKey, value) : decryptIfPrefixed(secretKey, value);
}

function encryptForStorage(kept: ArchivedSecret['kept'], secretKey: string, plain: string): string {
  if (kept === 'plain') return plain;
  return kept === 'sealed' ? encryptText(secretKey, plain) : encryptWithPrefix(secretKey, plain);
}
