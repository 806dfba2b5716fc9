import { seal, sealMarked, unseal, unsealMarked } from '../../seal.ts';

// Values that an archive has only where a passphrase seals them. Everything else in it is readable by who has it.

type Row = Record<string, unknown>;

interface Secret {
  column: string;
  /** How the installation keeps it: as it is, or sealed with its secret key. */
  kept: 'plain' | 'sealed' | 'marked';
}

const SECRETS: Readonly<Record<string, Secret[]>> = {
  res_users: [{ column: 'password', kept: 'plain' }],
  svc_api_key: [{ column: 'hash', kept: 'plain' }],
  svc_domain: [
    { column: 'dkim_private', kept: 'sealed' },
    { column: 'dkim_next_private', kept: 'sealed' },
  ],
  svc_webhook: [
    { column: 'secret', kept: 'marked' },
    { column: 'old_secret', kept: 'marked' },
  ],
};

/** Columns that an archive never has: they open something without sign-in. */
const NEVER: Readonly<Record<string, string[]>> = {
  ir_attachment: ['access_token'],
  svc_mcp_log: ['undo_token'],
};

export const hasSecrets = (table: string): boolean => Object.hasOwn(SECRETS, table);

/** Columns that are empty in an archive. */
export const neverIn = (table: string): string[] => NEVER[table] ?? [];

/** A row as it goes into an archive. @param archiveKey null leaves secrets out */
export function sealRow(table: string, row: Row, secretKey: string, archiveKey: string | null): Row {
  const sealed = { ...row };
  for (const { column, kept } of SECRETS[table] ?? []) {
    const value = row[column];
    const plain = typeof value === 'string' ? opened(kept, secretKey, value) : null;
    sealed[column] = plain === null || archiveKey === null ? null : seal(archiveKey, plain);
  }
  return sealed;
}

/** The row for this installation; what the archive does not have, or was sealed otherwise, is null. */
export function openRow(table: string, row: Row, secretKey: string, archiveKey: string | null): Row {
  const own = { ...row };
  for (const { column, kept } of SECRETS[table] ?? []) {
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
