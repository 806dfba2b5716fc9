import { type Sql, sql } from '../sql.ts';

// While the contents of a workspace are held, none of them is given up: who reads many of them, as they were at one
// moment, finds each. Holders do not keep each other out.

const LOCK_NAME = 'contents of a workspace';

/** Holds them until the connection ends; waits until a collection has ended. The parameter is the workspace. */
export const LOCK_CONTENTS = `select pg_advisory_lock_shared(hashtext('${LOCK_NAME}'), $1::int)`;

/** Whether they are not held, and will not be before the end of the transaction. */
export const tryLockContents = (workspaceId: number): Sql =>
  sql`select pg_try_advisory_xact_lock(hashtext(${LOCK_NAME}), ${sql.param(workspaceId)}::int) as free`;
