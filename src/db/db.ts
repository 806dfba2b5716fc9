import type { Sql } from './sql.ts';

/** A place to run SQL: the pool, or one transaction. Rows are plain objects keyed by column. */
export interface Db {
  rows<R = Record<string, unknown>>(statement: Sql): Promise<R[]>;
  transaction<T>(fn: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Nothing follows what has been asked in this turn: the commit of this transaction goes along. Without effect outside
   * of one, and in one that is part of another.
   */
  finish(): void;
  /** Whether what is written here may yet be undone. */
  isTransaction: boolean;
  /** Runs `fn` once what was written here is committed, or may be; at once outside of a transaction. */
  afterCommit(fn: (root: RootDb) => void): void;
  /**
   * Counts the bytes of a large answer until the client has it; of no one in particular where no workspace asks.
   * @throws BUSY when the answers that wait for their readers are too many
   */
  trackResponse(bytes: number): void;
  /** The ids of new rows. */
  idAllocator: IdAllocator;
}

/** Hands out the ids of new rows: every workspace counts its own. See docs/adr/0022-numbers.md. */
export interface IdAllocator {
  /** Ids for `count` new rows of `table`, rising. Some may never be used. */
  allocate(workspaceId: number, table: string, count: number): Promise<number[]>;
  /** A workspace that a transaction is creating counts in memory, until `keep` writes how far it came. */
  begin(workspaceId: number): { keep(db: Db): Promise<void>; end(): void };
}

/** What outlives a transaction. */
export interface RootDb extends Db {
  notify(channel: string, payload: string): Promise<void>;
  /** Runs `fn` before the connections are closed. */
  onClose(fn: () => Promise<void>): void;
}
