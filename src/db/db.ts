import type { Sql } from './sql.ts';

/** A place to run SQL: the pool, or one transaction. Rows are plain objects keyed by column. */
export interface Db {
  rows<R = Record<string, unknown>>(statement: Sql): Promise<R[]>;
  transaction<T>(fn: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Counts the bytes of a large answer until the client has it; of nobody in particular where no workspace asks.
   * @throws BUSY when the answers that wait for their readers are too many
   */
  keep(bytes: number): void;
}
