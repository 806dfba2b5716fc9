/** A secret column. The archive contains its values only if they are encrypted with a passphrase. */
export interface ArchivedSecret {
  column: string;
  /**
   * Format in the database. `sealed` values are encrypted with the secret key. `marked` values are encrypted if they
   * have a prefix.
   */
  storage: 'plain' | 'sealed' | 'marked';
}

/** Parts of a workspace that an export omits or converts. */
export interface ArchivePlan {
  leftOut: ReadonlySet<string>;
  /** Columns that are not exported, by table. */
  empty: Readonly<Record<string, readonly string[]>>;
  secrets: Readonly<Record<string, readonly ArchivedSecret[]>>;
  /**
   * Queries that select `id` and `name` of the models and fields defined in code. Their ids differ between
   * installations.
   */
  numbers: { models: string; fields: string };
}
