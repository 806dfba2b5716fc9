/** A value that an archive has only where a passphrase seals it. */
export interface ArchivedSecret {
  column: string;
  /** How the installation keeps it: as it is, or sealed with its secret key. */
  kept: 'plain' | 'sealed' | 'marked';
}

/** What of a workspace goes into an archive, beyond the rows of its tables. */
export interface ArchivePlan {
  /** Tables whose rows stay behind. */
  leftOut: ReadonlySet<string>;
  /** Columns that are empty in an archive, by table. */
  empty: Readonly<Record<string, readonly string[]>>;
  /** By table. */
  secrets: Readonly<Record<string, readonly ArchivedSecret[]>>;
  /** Queries of `id` and `name` of the code's models and fields, whose numbers are each installation's own. */
  numbers: { models: string; fields: string };
}
