import { emptyBucket } from '../../../src/db/blobs/empty-bucket.ts';
import type { RootDb } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { getPrismaModels, isTenantModel, toTableName } from '../../../src/db/tripwire.ts';
import { getDomainIdentities } from '../../../src/email/provider-identities.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { type DeletableTable, deleteTableRows, loadTables } from '../../../src/engine/work/delete-rows.ts';
import { defineJob, type JobHost } from '../../../src/engine/work/jobs.ts';
import { errors } from '../../../src/errors.ts';
import { buildOwnerTag } from '../../email/domains/domain-check.ts';

/** Maximum number of rows with circular references. A single statement must delete them all. */
const MAX_STATEMENT_ROWS = 200_000;

interface DeletedWorkspace {
  tables: number;
  rows: number;
}

/**
 * Closes a workspace until it is deleted. Sign-in, keys, mail and jobs stop working. The rows are kept, so that the
 * workspace can be restored.
 */
export async function closeWorkspace({ db, identity }: Runtime, id: number, purgeAt: Date): Promise<void> {
  await db.rows(sql`update workspace set purge_at = ${toInstant(purgeAt)}::timestamp where id = ${id}`);
  identity.invalidate(id);
}

/** @throws BAD_REQUEST if the workspace's deletion has started */
export async function reopenWorkspace({ db, identity }: Runtime, id: number): Promise<void> {
  const rows = await db.rows(
    sql`update workspace set purge_at = null where id = ${id} and purging_at is null returning id`,
  );
  if (rows.length === 0)
    throw errors.badRequest(
      'The workspace cannot be restored, because its deletion has started and some data is already deleted.',
    );
  identity.invalidate(id);
}

/** Drops the `Z`, because timestamp columns have no time zone and store UTC. */
const toInstant = (time: Date): string => time.toISOString().slice(0, 23);

/**
 * Deletes a closed workspace: its sending domains at the provider, its blobs and its rows. Can be called again to
 * resume an interrupted deletion. Does nothing if the workspace is open or does not exist.
 * @throws if the provider or the bucket is unreachable, before any row is deleted
 */
export async function purgeWorkspace(host: JobHost, id: number): Promise<DeletedWorkspace> {
  const { db, config } = host;
  const identities = await getDomainIdentities(config);
  const [closedWorkspace] = await db.rows(
    sql`update workspace set purging_at = ${toInstant(new Date())}::timestamp
     where id = ${id} and purge_at is not null returning id`,
  );
  if (!closedWorkspace) return { tables: 0, rows: 0 };
  const domains = await db.rows<{ name: string }>(
    sql`select name from svc_domain where workspace_id = ${id}`,
  );
  for (const { name } of identities ? domains : []) await identities!.remove(name, buildOwnerTag(config, id));
  await emptyBucket({ db, workspace: { id }, runtime: { config } });
  return deleteRows(db, id);
}

/**
 * Deletes a closed workspace's rows in batches, each in its own transaction, and then the workspace. Covers the tables
 * of all models.
 * @throws an error that names the tables if rows cannot be deleted
 */
async function deleteRows(db: RootDb, id: number): Promise<DeletedWorkspace> {
  const tables = await loadTables(db, Object.keys(getPrismaModels()).filter(isTenantModel).map(toTableName));
  const deleted = new Map<string, number>();
  for (let progress = 1; progress > 0; ) {
    progress = 0;
    for (const table of tables)
      progress += addCount(deleted, table.name, await deleteTableRows(db, table, id));
  }
  for (const [name, count] of await deleteCircularRows(db, tables, id)) addCount(deleted, name, count);
  return { tables: deleted.size, rows: [...deleted.values()].reduce((sum, count) => sum + count, 0) };
}

function addCount(deleted: Map<string, number>, name: string, count: number): number {
  if (count > 0) deleted.set(name, (deleted.get(name) ?? 0) + count);
  return count;
}

/** Deletes the remaining rows in one statement, because users, contacts and companies have circular references. */
async function deleteCircularRows(
  db: RootDb,
  tables: DeletableTable[],
  id: number,
): Promise<[string, number][]> {
  const remainingCounts: [string, number][] = [];
  for (const { name } of tables) {
    const [row] = await db.rows<{ n: number }>(
      sql`select count(*)::int as n from (
         select 1 from ${sql.id(name)} t where t.workspace_id = ${id} limit ${MAX_STATEMENT_ROWS}) rows`,
    );
    if (row!.n > 0) remainingCounts.push([name, row!.n]);
  }
  const sum = remainingCounts.reduce((total, [, count]) => total + count, 0);
  if (sum >= MAX_STATEMENT_ROWS)
    throw new Error(
      `too many rows refer to each other in ${remainingCounts.map(([name]) => name).join(', ')}`,
    );
  const parts = remainingCounts.map(([name], index) => buildDeleteCte(name, index, id));
  await db.transaction(async (tx) => {
    if (parts.length > 0) await tx.rows(sql`with ${sql.join(parts)} select 1`);
    // Deletes rows that the deletion itself creates, such as change events for subscriptions.
    for (const { name } of tables)
      await tx.rows(sql`delete from ${sql.id(name)} t where t.workspace_id = ${id}`);
    await tx.rows(sql`delete from workspace where id = ${id}`);
  });
  return remainingCounts;
}

const buildDeleteCte = (name: string, index: number, id: number): Sql =>
  sql`${sql.id(`part_${index}`)} as (delete from ${sql.id(name)} t where t.workspace_id = ${id})`;

const WORKSPACE_BATCH_SIZE = 20;

/** A failed deletion is retried in an hour and does not block the others. */
defineJob({
  name: 'workspace-purge',
  cron: '11 * * * *',
  run: async (host) => {
    const now = toInstant(new Date());
    const due = await host.db.rows<{ id: number }>(
      sql`select id from workspace where purge_at < ${now}::timestamp order by purge_at limit ${WORKSPACE_BATCH_SIZE}`,
    );
    for (const { id } of due)
      await purgeWorkspace(host, id).catch((error) =>
        host.log.error({ err: error, workspace: id }, 'could not delete a workspace; retrying in an hour'),
      );
  },
});
