import type { RootDb } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { isTenants, models, tableOfModel } from '../../../src/db/tripwire.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { deleteFrom, type Table, tablesNamed } from '../../../src/engine/work/delete-rows.ts';

/** Rows that may refer to each other in circles, which only one statement for all of them can delete. */
const TOGETHER = 200_000;

export interface DeletedWorkspace {
  /** Tables that had rows, and how many rows were deleted. */
  tables: number;
  rows: number;
}

/**
 * Takes everybody's access away: sessions end, keys are revoked, users are archived, no feature is on. From then on
 * nothing of the workspace changes but by its deletion.
 */
export async function closeWorkspace({ db, identity }: Runtime, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.rows(sql`update workspace set features = '{}' where id = ${id}`);
    await tx.rows(
      sql`update svc_api_key set revoked_at = now() where workspace_id = ${id} and revoked_at is null`,
    );
    await tx.rows(sql`delete from svc_session where workspace_id = ${id}`);
    await tx.rows(sql`update res_users set active = false where workspace_id = ${id} and active`);
  });
  identity.forget(id);
}

/**
 * Deletes every row of a closed workspace in bounded steps, each a transaction of its own, and the workspace at last.
 * One that was interrupted goes on when it is called again. Tables are those of the models, so a new one is included.
 * @throws when rows are left that cannot be deleted, which names their tables
 */
export async function deleteRows(runtime: Runtime, id: number): Promise<DeletedWorkspace> {
  const { db } = runtime;
  const tables = await tablesNamed(db, Object.keys(models()).filter(isTenants).map(tableOfModel));
  const deleted = new Map<string, number>();
  for (let progress = 1; progress > 0; ) {
    progress = 0;
    for (const table of tables) progress += note(deleted, table.name, await deleteFrom(db, table, id));
  }
  for (const [name, count] of await deleteTogether(db, tables, id)) note(deleted, name, count);
  runtime.identity.forget(id);
  return { tables: deleted.size, rows: [...deleted.values()].reduce((sum, count) => sum + count, 0) };
}

function note(deleted: Map<string, number>, name: string, count: number): number {
  if (count > 0) deleted.set(name, (deleted.get(name) ?? 0) + count);
  return count;
}

/** What is left refers to each other in circles, such as users, contacts and companies: it goes in one statement. */
async function deleteTogether(db: RootDb, tables: Table[], id: number): Promise<[string, number][]> {
  const left: [string, number][] = [];
  for (const { name } of tables) {
    const [row] = await db.rows<{ n: number }>(
      sql`select count(*)::int as n from (
         select 1 from ${sql.id(name)} t where t.workspace_id = ${id} limit ${TOGETHER}) rows`,
    );
    if (row!.n > 0) left.push([name, row!.n]);
  }
  const sum = left.reduce((total, [, count]) => total + count, 0);
  if (sum >= TOGETHER)
    throw new Error(`too many rows refer to each other in ${left.map(([name]) => name).join(', ')}`);
  const parts = left.map(([name], at) => part(name, at, id));
  await db.transaction(async (tx) => {
    if (parts.length > 0) await tx.rows(sql`with ${sql.join(parts)} select 1`);
    // Their own traces, such as what subscriptions hear of.
    for (const { name } of tables)
      await tx.rows(sql`delete from ${sql.id(name)} t where t.workspace_id = ${id}`);
    await tx.rows(sql`delete from workspace where id = ${id}`);
  });
  return left;
}

const part = (name: string, at: number, id: number): Sql =>
  sql`${sql.id(`part_${at}`)} as (delete from ${sql.id(name)} t where t.workspace_id = ${id})`;
