import { seal, sealMarked, unseal, unsealMarked } from '../../seal.ts';
import type { Secret } from './plan.ts';

/** A row of an archive. */
export type ArchivedRow = Record<string, unknown>;

/** What a row's secrets are kept by: those of the installation, and the key of the archive; null leaves them out. */
export interface Keys {
  secretKey: string;
  archiveKey: string | null;
}

/** A row as it goes into an archive. */
export function sealRow(secrets: readonly Secret[], row: ArchivedRow, keys: Keys): ArchivedRow {
  const { secretKey, archiveKey } = keys;
  const sealed = { ...row };
  for (const { column, kept } of secrets) {
    const value = row[column];
    const plain = typeof value === 'string' ? opened(kept, secretKey, value) : null;
    sealed[column] = plain === null || archiveKey === null ? null : seal(archiveKey, plain);
  }
  return sealed;
}

/** The row for this installation; what the archive does not have, or was sealed otherwise, is null. */
export function openRow(secrets: readonly Secret[], row: ArchivedRow, keys: Keys): ArchivedRow {
  const { secretKey, archiveKey } = keys;
  const own = { ...row };
  for (const { column, kept } of secrets) {
    const value = row[column];
    const plain = typeof value === 'string' && archiveKey !== null ? unseal(archiveKey, value) : null;
    own[column] = plain === null ? null : closed(kept, secretKey, plain);
  }
  return own;
}

function opened(kept: Secret['kept'], secretKey: string, value: string): string | null {
  if (kept === 'plain') return value;
  return kept === 'sealed' ? unseal(secretKey, value) : unsealMarked(secretKey, value);
}

function closed(kept: Secret['kept'], secretKey: string, plain: string): string {
  if (kept === 'plain') return plain;
  return kept === 'sealed' ? seal(secretKey, plain) : sealMarked(secretKey, plain);
}
