import { type Sql, sql } from '../sql.ts';

// A shared lock on a workspace's blobs prevents their deletion, so that every blob of a snapshot can be read.

const LOCK_NAME = 'contents of a workspace';

/** Locks the blobs until the connection ends. Waits for a running collection. `$1` is the workspace id. */
export const LOCK_CONTENTS = `select pg_advisory_lock_shared(hashtext('${LOCK_NAME}'), $1::int)`;

/**
 * Tries to acquire the exclusive lock until the end of the transaction. `free` is false if a reader holds the shared
 * lock.
 */
export const tryLockContents = (workspaceId: number): Sql =>
  sql`select pg_try_advisory_xact_lock(hashtext(${LOCK_NAME}), ${sql.param(workspaceId)}::int) as free`;
