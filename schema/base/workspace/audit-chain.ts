import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { purgeRows } from '../../../src/engine/work/purge.ts';
import { limits } from '../../../src/limits.ts';
import {
  type AuditBlock,
  BLOCK_COLUMNS,
  CHAINED_LOGS,
  type ChainedLog,
  computeBlockHash,
  selectDigest,
} from './audit-block.ts';

/** Adds log entries to the hash chain a few minutes after they are written. Idle workspaces need no work. */
defineJob({
  name: 'audit-seal',
  cron: '*/10 * * * *',
  run: async ({ db, config }) => {
    for (const log of Object.keys(CHAINED_LOGS) as ChainedLog[]) await chainLog(db, config, log);
    await deleteOldBlocks(db);
  },
});

/**
 * Adds all workspaces' new entries to the hash chain, oldest first. Skips the most recent ones, because open
 * transactions can still add entries before them.
 */
export async function chainLog(db: Db, config: Config, log: ChainedLog): Promise<void> {
  const end = await loadSafeHorizon(db);
  for (;;) {
    const limit = await findNextSlice(db, log, end);
    if (limit === null) return;
    for (const workspaceId of await loadWorkspaces(db, log, limit))
      await chainWorkspace(db, config, log, workspaceId, limit);
    await db.rows(
      sql`insert into installation (name, value) values (${buildInstallationKey(log)}, ${limit})
       on conflict (name) do update set value = excluded.value`,
    );
  }
}

/** Adds an imported workspace's existing entries to the hash chain, up to the chain's current end. */
export async function chainImportedLogs(db: Db, config: Config, workspaceId: number): Promise<void> {
  for (const log of Object.keys(CHAINED_LOGS) as ChainedLog[]) {
    const end = await findChainEnd(db, log);
    if (end !== null) await chainWorkspace(db, config, log, workspaceId, end);
  }
}

/** Returns the key in `installation` under which the chain's end is stored. */
const buildInstallationKey = (log: ChainedLog): string => `sealed ${log}`;

/** Returns the time up to which all log entries are in the chain. Null before the first run. */
export async function findChainEnd(db: Db, log: ChainedLog): Promise<string | null> {
  const [row] = await db.rows<{ value: string }>(
    sql`select value from installation where name = ${buildInstallationKey(log)}`,
  );
  return row?.value ?? null;
}

/**
 * Returns the start of the oldest open transaction. Entries have the start time of their transaction, so no new entry
 * can be older.
 */
function loadSafeHorizon(db: Db): Promise<string> {
  return db.value<string>(
    sql`select least(now() - make_interval(secs => ${limits.call.sealAfter / 1000}), min(xact_start))
       ::timestamp(3)::text
     from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
}

const isUnchained = (log: ChainedLog): Sql =>
  sql`l.create_date > coalesce((select value::timestamp from installation where name = ${buildInstallationKey(log)}),
    '-infinity')`;

/** Returns the end of the next batch of unchained entries. */
function findNextSlice(db: Db, log: ChainedLog, end: string): Promise<string | null> {
  return db.value<string | null>(
    sql`select max(create_date)::text from (
       select l.create_date from ${sql.id(log)} l
       where l.workspace_id > 0 and ${isUnchained(log)} and l.create_date < ${end}::timestamp
       order by l.create_date limit ${sql.literal(limits.sql.batchRows)}) slice`,
  );
}

async function loadWorkspaces(db: Db, log: ChainedLog, end: string): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    sql`select distinct l.workspace_id as id from ${sql.id(log)} l
     where l.workspace_id > 0 and ${isUnchained(log)} and l.create_date <= ${end}::timestamp order by 1`,
  );
  return rows.map(({ id }) => id);
}

/** Retries if another process adds a block at the same time. */
async function chainWorkspace(
  db: Db,
  config: Config,
  log: ChainedLog,
  workspaceId: number,
  end: string,
): Promise<void> {
  while (!(await addBlock(db, config, log, workspaceId, end)));
}

/**
 * Adds a block with all of the workspace's unchained entries.
 * @returns false if another process has added a block in the meantime
 */
async function addBlock(
  db: Db,
  config: Config,
  log: ChainedLog,
  workspaceId: number,
  end: string,
): Promise<boolean> {
  const workspace = sql.param(workspaceId);
  const [last] = await db.rows<AuditBlock>(
    sql`select ${BLOCK_COLUMNS} from svc_audit_block
     where workspace_id = ${workspace} and log = ${log} order by number desc limit 1`,
  );
  const after = last?.until ?? null;
  const [lastBlock] = await db.rows<Pick<AuditBlock, 'lines' | 'since' | 'digest'>>(
    selectDigest(log, sql`l.workspace_id = ${workspace} and ${isInBlockPeriod(after, end)}`),
  );
  if (lastBlock!.lines === 0) return true;
  const block = {
    number: (last?.number ?? 0) + 1,
    after,
    until: end,
    before: last?.hash ?? '',
    ...lastBlock!,
  };
  const hash = computeBlockHash(config.secretKey, workspaceId, log, block);
  const addedRows = await db.rows(
    sql`insert into svc_audit_block (workspace_id, log, number, after, since, until, lines, digest, before, hash)
     values (${workspace}, ${log}, ${block.number}, ${after}::timestamp, ${block.since}::timestamp,
       ${end}::timestamp, ${block.lines}, ${block.digest}, ${block.before}, ${hash})
     on conflict do nothing returning number`,
  );
  return addedRows.length > 0;
}

const isInBlockPeriod = (after: string | null, end: string): Sql =>
  sql`l.create_date > coalesce(${after}::timestamp, '-infinity') and l.create_date <= ${end}::timestamp`;

/** Deletes blocks whose entries have been purged, except the last one, because the next block contains its hash. */
const deleteOldBlocks = (db: Db): Promise<number> =>
  purgeRows(db, {
    table: 'svc_audit_block',
    time: 'until',
    before: buildRetentionStart(),
    key: { log: 'text', number: 'bigint' },
    also: (workspace) => sql`exists (select 1 from svc_audit_block n
      where n.workspace_id = ${workspace} and n.log = t.log and n.number = t.number + 1
        and n.until < ${buildRetentionStart()})`,
  });

/** Older entries may have been purged. */
export const buildRetentionStart = (): Sql =>
  sql`(now() - make_interval(days => ${limits.call.auditDays}))::timestamp`;
