import type { Sql } from './sql.ts';

/** Executes SQL on the pool or in one transaction. Rows are plain objects keyed by column. */
export interface Db {
  rows<R = Record<string, unknown>>(statement: Sql): Promise<R[]>;
  /** Returns the value of a statement that selects one column of one row. */
  value<T>(this: Pick<Db, 'rows'>, statement: Sql): Promise<T>;
  transaction<T>(fn: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Declares that the statements issued in this tick are the last, so that the commit is sent with them. Has no effect
   * outside a transaction or in a nested one.
   */
  finish(): void;
  /** True if writes can still be rolled back. */
  isTransaction: boolean;
  /** Runs `fn` after the commit, or if its outcome is unknown. Runs it immediately outside a transaction. */
  afterCommit(fn: (root: RootDb) => void): void;
  /**
   * Counts a large response against its workspace until the client has read it. Responses without a workspace count
   * toward the platform.
   * @throws BUSY if too many large responses wait for their clients
   */
  trackResponse(bytes: number): void;
  idAllocator: IdAllocator;
}

/** Assigns ids to new rows, from counters per workspace. See docs/adr/0022-ids-per-workspace.md. */
export interface IdAllocator {
  /** Reserves ascending ids for `count` new rows of `table`. Some may remain unused. */
  allocate(workspaceId: number, table: string, count: number): Promise<number[]>;
  /** Counts ids in memory for a workspace that a transaction is creating. `keep` stores the counters. */
  begin(workspaceId: number): { keep(db: Db): Promise<void>; end(): void };
}

export interface RootDb extends Db {
  notify(channel: string, payload: string): Promise<void>;
  onClose(fn: () => Promise<void>): void;
}

/** Implements `Db.value`. Calls `this.rows`, so that a wrapper that replaces `rows` sees the statement. */
export async function readValue<T>(this: Pick<Db, 'rows'>, statement: Sql): Promise<T> {
  const [row] = await this.rows<Record<string, T>>(statement);
  return Object.values(row!)[0]!;
}

/**
 * Runs statements in one transaction and one round trip. On Citus, this involves only the workspace's node, whereas a
 * single statement that reads from an insert in a `with` query involves all nodes.
 * @returns the rows of each statement
 */
export async function runTogether(db: Db, statements: readonly Sql[]): Promise<Record<string, unknown>[][]> {
  if (statements.length === 1) return [await db.rows(statements[0]!)];
  return db.transaction(async (tx) => {
    const results = statements.map((statement) => tx.rows(statement));
    tx.finish();
    return Promise.all(results);
  });
}
