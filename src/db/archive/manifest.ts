import type { EncryptedKey } from '../backup/encrypted-key.ts';

/** Content of `manifest.json`, the first entry of an archive. */
export interface ArchiveManifest {
  format: 'atrium workspace 1';
  version: string;
  created: string;
  /** Last migration of the exporting installation. It determines the table layout. */
  migration: string;
  workspace: { slug: string; name: string; filled: string[] };
  /** Names of the models and fields defined in code, by their ids in the archive. */
  models: Record<string, string>;
  fields: Record<string, string>;
  /** Key that encrypts the secrets. Null if they were omitted. */
  key: EncryptedKey | null;
  /** Fingerprint of the secret key that API keys are hashed with. */
  mark: string;
}

/** Content of `end.json`, the last entry of an archive. An archive without it is truncated. */
export interface ArchiveTotals {
  rows: number;
  contents: number;
}

export const MANIFEST_FILE = 'manifest.json';
export const END_FILE = 'end.json';

/** A column that contains ids of models or fields, which differ between installations. */
export interface NumberedColumn {
  table: string;
  column: string;
  to: 'models' | 'fields';
}
