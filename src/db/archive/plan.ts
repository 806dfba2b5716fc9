/** A secret column. The archive contains its values only if they are encrypted with a passphrase. */
export interface ArchivedSecret {
  column: string;
  /**
   * Storage format in the installation: plain text, or one of two formats encrypted with the installation's secret key.
   */
  storage: 'plain' | 'sealed' | 'marked';
}

/** Rules for the contents of an archive, beyond copying all rows. */
export interface ArchivePlan {
  /** Tables whose rows are not exported. */
  leftOut: ReadonlySet<string>;
  /** Columns that are exported empty, by table. */
  empty: Readonly<Record<string, readonly string[]>>;
  /** Secret columns by table. */
  secrets: Readonly<Record<string, readonly ArchivedSecret[]>>;
  /**
   * Queries that select `id` and `name` of the models and fields defined in code. Their ids differ between
   * installations.
   */
  numbers: { models: string; fields: string };
}
