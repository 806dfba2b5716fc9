import { sql } from '../../db/sql.ts';
import type { Ctx } from './ctx.ts';

/** Runs `fn` in a savepoint. If `fn` throws, only its changes are rolled back, and the transaction can continue. */
export async function runInSavepoint<T>(tx: Ctx, fn: () => Promise<T>): Promise<T> {
  await tx.db.rows(sql`savepoint part`);
  try {
    const result = await fn();
    await tx.db.rows(sql`release savepoint part`);
    return result;
  } catch (error) {
    // If the connection is lost, the rollback also fails, and only the original error explains why.
    await rollBackSavepoint(tx).catch(() => undefined);
    throw error;
  }
}

async function rollBackSavepoint(tx: Ctx): Promise<void> {
  await tx.db.rows(sql`rollback to savepoint part`);
  await tx.db.rows(sql`release savepoint part`);
}
