import type { EncryptedKey } from '../backup/encrypted-key.ts';

/** The beginning of an archive: `manifest.json`. */
export interface ArchiveManifest {
  format: 'atrium workspace 1';
  /** Version of Atrium. */
  version: string;
  /** ISO. */
  created: string;
  /** The last migration of the installation: its tables are those of this version. */
  migration: string;
  workspace: { slug: string; name: string; filled: string[] };
  /** Names of the code's models and fields by the numbers that rows refer to them by. */
  models: Record<string, string>;
  fields: Record<string, string>;
  /** By what secrets are sealed; null: they were left out. */
  key: EncryptedKey | null;
  /** Which secret key API keys are recognised with. */
  mark: string;
}

/** The end, without which an archive is not whole: `end.json`. */
export interface ArchiveTotals {
  rows: number;
  contents: number;
}

export const MANIFEST_FILE = 'manifest.json';
export const END_FILE = 'end.json';

/** Columns that refer to models or fields by their numbers, which each installation has its own of. */
export interface NumberedColumn {
  table: string;
  column: string;
  to: 'models' | 'fields';
}
