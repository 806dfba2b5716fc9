import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../../apps/kit/app.ts';
import type { RootDb } from '../../../src/db/db.ts';
import { NOW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import { announceCatalogChange } from '../../../src/engine/ctx/announce-catalog-change.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Registry } from '../../../src/engine/model/model.ts';
import { removeModules } from '../../../src/engine/model/remove-modules.ts';
import {
  type DeletableTable,
  type DeletionOptions,
  deleteTableRows,
  emptyColumn,
  loadBackReferences,
  loadTables,
} from '../../../src/engine/work/delete-rows.ts';
import { defineJob, type JobHost } from '../../../src/engine/work/jobs.ts';
import { errors } from '../../../src/errors.ts';
import { recordRuleFaults } from '../ir/field/rule-faults.ts';
import { type Belongings, buildRemovedRowsCondition, collectBelongings } from './belongings.ts';
import { finishRemoval, isLeft, type Removal } from './end-removal.ts';
import { getApp, listWithDependents } from './get-app.ts';
import { buildAppsLock, lockApps, reloadSystemCtx } from './install.ts';
import { loadAppStates, setModuleStates, updateModuleStates } from './module-rows.ts';

// An app is removed in three steps. One transaction hides it from all facades. Its rows are then deleted in batches,
// each in its own transaction. A final transaction deletes the rest, and the app can be installed again. The progress
// is stored, so another process can resume an interrupted removal.

const REMOVAL_BATCH_ROWS = 500;
const MAX_REMOVAL_PAUSE_MS = 500;

export async function planRemoval(
  ctx: Ctx,
  name: string,
): Promise<{ apps: App[]; belongings: Belongings; remainingRegistry: Registry }> {
  const states = await loadAppStates(ctx);
  const installedNames = [...states].flatMap(([item, state]) => (state === 'installed' ? item : []));
  const apps = listWithDependents(name, installedNames);
  const names = apps.map((app) => app.name);
  const remainingRegistry = removeModules(ctx.catalog.registry, names);
  return {
    apps,
    belongings: await collectBelongings(ctx, apps, remainingRegistry),
    remainingRegistry,
  };
}

export async function countRemovedRows(ctx: Ctx, belongings: Belongings): Promise<number[]> {
  const counts: number[] = [];
  for (const part of belongings.parts) {
    const count = await ctx.db.value<number>(
      sql`select count(*)::int from ${sql.id(part.table)} f
       where f.workspace_id = ${ctx.workspace.id} and ${buildRemovedRowsCondition(belongings, part)}`,
    );
    counts.push(count);
  }
  return counts;
}

/**
 * Removes an app and its dependents from the workspace. Their rows are deleted later.
 * @throws NOT_FOUND, or USER_ERROR if the app is not installed
 */
export const beginRemoval = (ctx: Ctx, name: string): Promise<{ removal: Removal; apps: string[] }> =>
  ctx.tx(async (tx) => {
    const { label } = getApp(name);
    await lockApps(tx);
    const state = (await loadAppStates(tx)).get(name);
    if (state === 'to remove') throw errors.user(`${label} is already being removed.`);
    if (state !== 'installed') throw errors.user(`${label} is not installed.`);
    // Reads the catalog in the transaction, because it must include concurrently added fields.
    const systemCtx = await reloadSystemCtx(tx);
    const { apps, belongings } = await planRemoval(systemCtx, name);
    const names = apps.map((app) => app.name);
    const total = (await countRemovedRows(systemCtx, belongings)).reduce((sum, count) => sum + count, 0);
    await setModuleStates(tx, names, 'to remove');
    await recordRuleFaults(await reloadSystemCtx(tx));
    const workspaceId = tx.workspace.id;
    await tx.db.rows(
      sql`insert into svc_app_removal (workspace_id, name, apps, plan, total, started_at, leased_until)
       values (${workspaceId}, ${name}, ${names}, ${JSON.stringify(belongings)}::jsonb, ${total}, ${NOW}, ${NOW})
       on conflict (workspace_id, name) do update set apps = excluded.apps, plan = excluded.plan,
         total = excluded.total, deleted = 0, started_at = excluded.started_at,
         leased_until = excluded.leased_until, ended_at = null`,
    );
    const removal: Removal = { workspaceId, name };
    // The CLI has no job queue. It removes the app itself, and the scheduled job resumes an interrupted removal.
    if (tx.runtime.jobs.ready()) await tx.runtime.jobs.enqueue(tx, REMOVAL_JOB, removal);
    announceCatalogChange(tx);
    return { removal, apps: names };
  });

const REMOVAL_JOB = 'app-removal';

defineJob({
  name: REMOVAL_JOB,
  cron: '* * * * *',
  run: async ({ db, log }, data) => {
    const { name } = (data ?? {}) as Partial<Removal>;
    if (name) return waitForRemoval(db, data as Removal);
    await resumeRemovals(db, log);
  },
});

/** Resumes removals whose lease has expired, and rechecks finished ones. */
export async function resumeRemovals(db: RootDb, log: JobHost['log']): Promise<void> {
  for (const removal of await findAbandonedRemovals(db))
    await recheckEndedRemoval(db, removal)
      .then(() => runRemoval(db, removal))
      .catch((error) =>
        log.error({ err: error, workspace: removal.workspaceId }, `${removal.name} could not be removed`),
      );
}

/** Waits until the removal ends, and continues it whenever no other process holds its lease. */
async function waitForRemoval(db: RootDb, removal: Removal): Promise<void> {
  while (await isRemovalRunning(db, removal)) {
    await runRemoval(db, removal);
    await sleep(POLL_INTERVAL_MS);
  }
}

/**
 * Rechecks a removed app's tables for a day, at growing intervals, because a transaction that started before the
 * removal can still add rows. If it has, the removal is resumed.
 */
function recheckEndedRemoval(db: RootDb, { workspaceId, name }: Removal): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.rows(buildAppsLock(workspaceId));
    const [removal] = await tx.rows<{ apps: string[]; plan: Belongings; old: boolean }>(
      sql`select apps, plan, ended_at < ${NOW} - make_interval(secs => ${RECHECK_PERIOD_SECONDS}) as old
        from svc_app_removal
       where workspace_id = ${workspaceId} and name = ${name} and ended_at is not null for update`,
    );
    if (!removal) return;
    const key = sql`workspace_id = ${workspaceId} and name = ${name}`;
    if (await isLeft(tx, workspaceId, removal.plan)) {
      await updateModuleStates(tx, workspaceId, removal.apps, 'to remove');
      await tx.rows(sql`update svc_app_removal set ended_at = null, leased_until = ${NOW} where ${key}`);
    } else if (removal.old) await tx.rows(sql`delete from svc_app_removal where ${key}`);
    else
      await tx.rows(
        sql`update svc_app_removal set leased_until = ${NOW} + least(${NOW} - ended_at, ${RECHECK_DELAY}) where ${key}`,
      );
  });
}

/** One day, because no transaction takes longer. */
const RECHECK_PERIOD_SECONDS = 86_400;

const RECHECK_DELAY = sql`interval '10 minutes'`;

const POLL_INTERVAL_MS = 500;

const isRemovalRunning = async (db: RootDb, { workspaceId, name }: Removal): Promise<boolean> => {
  const rows = await db.rows(
    sql`select 1 from svc_app_removal
     where workspace_id = ${workspaceId} and name = ${name} and ended_at is null`,
  );
  return rows.length > 0;
};

const findAbandonedRemovals = (db: RootDb): Promise<Removal[]> =>
  db.rows<Removal>(
    sql`select r.workspace_id as "workspaceId", r.name from svc_app_removal r
     where r.workspace_id > 0 and r.leased_until < ${NOW} order by r.ended_at nulls first, r.leased_until
     limit ${REMOVAL_BATCH_SIZE}`,
  );

const REMOVAL_BATCH_SIZE = 20;

/** Another process may take over a removal that makes no progress for this long. */
const LEASE_SECONDS = 15;

/**
 * Removes the apps' data until nothing is left or the time limit is reached. Does nothing while another process holds
 * the lease.
 * @param time limit in milliseconds
 */
export async function runRemoval(
  db: RootDb,
  removal: Removal,
  time = Number.POSITIVE_INFINITY,
): Promise<void> {
  const belongings = await lease(db, removal);
  if (!belongings) return;
  const deadline = performance.now() + time;
  const tables = await loadTables(
    db,
    belongings.parts.map(({ table }) => table),
  );
  try {
    do {
      if (!(await deleteParts(db, removal, belongings, tables, deadline)))
        return await releaseRemoval(db, removal);
    } while (!(await finishRemoval(db, removal, belongings)));
  } catch (error) {
    await releaseRemoval(db, removal);
    throw error;
  }
}

/** @returns null if another process holds the lease or the removal is finished */
async function lease(db: RootDb, { workspaceId, name }: Removal): Promise<Belongings | null> {
  const [row] = await db.rows<{ plan: Belongings }>(
    sql`update svc_app_removal set leased_until = ${NOW} + make_interval(secs => ${LEASE_SECONDS})
     where workspace_id = ${workspaceId} and name = ${name} and ended_at is null and leased_until <= ${NOW}
     returning plan`,
  );
  return row?.plan ?? null;
}

const releaseRemoval = async (db: RootDb, { workspaceId, name }: Removal): Promise<void> => {
  await db.rows(
    sql`update svc_app_removal set leased_until = ${NOW} where workspace_id = ${workspaceId} and name = ${name}`,
  );
};

class DeadlineError extends Error {}

/**
 * Deletes the parts' rows. A row can be deleted only after the rows that refer to it, so references from earlier tables
 * are cleared first, and the tables are visited repeatedly.
 * @returns false if the time limit is reached
 * @throws if remaining rows are still referenced
 */
async function deleteParts(
  db: RootDb,
  removal: Removal,
  belongings: Belongings,
  tables: DeletableTable[],
  end: number,
): Promise<boolean> {
  const stepped = createPacer(db, removal, end);
  const buildDeletion = (
    part: Belongings['parts'][number],
    done: DeletionOptions['done'],
  ): DeletionOptions => ({
    condition: buildRemovedRowsCondition(belongings, part),
    step: REMOVAL_BATCH_ROWS,
    done,
  });
  const parts = tables.flatMap((table) =>
    belongings.parts.filter((part) => part.table === table.name).map((part) => ({ table, part })),
  );
  try {
    for (const { table, column } of await loadBackReferences(db, tables))
      for (const item of parts.filter(({ part }) => part.table === table))
        await emptyColumn(db, item.table, column, removal.workspaceId, buildDeletion(item.part, stepped));
    for (let progress = 1; progress > 0; ) {
      progress = 0;
      const retainedParts = new Set<string>();
      for (const { table, part } of parts) {
        const done = async (count: number | null) => {
          if (count === null) retainedParts.add(table.name);
          await stepped(count);
        };
        progress += await deleteTableRows(db, table, removal.workspaceId, buildDeletion(part, done));
      }
      if (progress === 0 && retainedParts.size > 0)
        throw new Error(`other rows refer to the remaining rows of ${[...retainedParts].join(', ')}`);
    }
    return true;
  } catch (error) {
    if (error instanceof DeadlineError) return false;
    throw error;
  }
}

/** Records each step, then pauses for as long as it took, so that other workspaces get at least half of the time. */
function createPacer(
  db: RootDb,
  { workspaceId, name }: Removal,
  end: number,
): (count: number | null) => Promise<void> {
  let last = performance.now();
  return async (count) => {
    await db.rows(
      sql`update svc_app_removal set deleted = deleted + ${count ?? 0},
         leased_until = ${NOW} + make_interval(secs => ${LEASE_SECONDS})
       where workspace_id = ${workspaceId} and name = ${name}`,
    );
    if (performance.now() > end) throw new DeadlineError();
    await sleep(Math.min(MAX_REMOVAL_PAUSE_MS, performance.now() - last));
    last = performance.now();
  };
}
