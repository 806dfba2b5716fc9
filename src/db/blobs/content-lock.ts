import { type Sql, sql } from '../sql.ts';

// A shared lock on the blobs of a workspace stops their deletion, so that a reader of a snapshot finds every blob.
// Holders of the lock do not block each other.

const LOCK_NAME = 'contents of a workspace';

/**
 * Locks the blobs until the connection ends, after waiting for a running collection. The parameter is the workspace id.
 */
export const LOCK_CONTENTS = `select pg_advisory_lock_shared(hashtext('${LOCK_NAME}'), $1::int)`;

/** Acquires the exclusive lock until the end of the transaction. False if a reader has the shared lock. */
export const tryLockContents = (workspaceId: number): Sql =>
  sql`select pg_try_advisory_xact_lock(hashtext(${LOCK_NAME}), ${sql.param(workspaceId)}::int) as free`;
