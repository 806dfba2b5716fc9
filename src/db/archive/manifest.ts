import type { EncryptedKey } from '../backup/encrypted-key.ts';

/** First entry of an archive: `manifest.json`. */
export interface ArchiveManifest {
  format: 'atrium workspace 1';
  /** Atrium version. */
  version: string;
  /** ISO 8601. */
  created: string;
  /** The installation's last migration, which determines the table layout. */
  migration: string;
  workspace: { slug: string; name: string; filled: string[] };
  /** Names of the models and fields defined in code, by the ids that the rows use. */
  models: Record<string, string>;
  fields: Record<string, string>;
  /** Key that encrypts the secrets. Null if they were omitted. */
  key: EncryptedKey | null;
  /** Fingerprint of the secret key that hashes API keys. */
  mark: string;
}

/** Last entry of an archive: `end.json`. An archive without it is truncated. */
export interface ArchiveTotals {
  rows: number;
  contents: number;
}

export const MANIFEST_FILE = 'manifest.json';
export const END_FILE = 'end.json';

/** Columns that refer to models or fields by ids, which differ between installations. */
export interface NumberedColumn {
  table: string;
  column: string;
  to: 'models' | 'fields';
}
