import { sql } from '../../db/sql.ts';
import type { Ctx } from './ctx.ts';

/** Does a part of a transaction. Where it throws, the part is undone and the transaction can go on. */
export async function runInSavepoint<T>(tx: Ctx, fn: () => Promise<T>): Promise<T> {
  await tx.db.rows(sql`savepoint part`);
  try {
    const done = await fn();
    await tx.db.rows(sql`release savepoint part`);
    return done;
  } catch (error) {
    // Where the connection is lost there is nothing to go on with, and what was thrown says why.
    await rollBackSavepoint(tx).catch(() => undefined);
    throw error;
  }
}

async function rollBackSavepoint(tx: Ctx): Promise<void> {
  await tx.db.rows(sql`rollback to savepoint part`);
  await tx.db.rows(sql`release savepoint part`);
}
