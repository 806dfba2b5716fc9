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

/** Lines are sealed some minutes after they were written. Costs nothing for a workspace without new ones. */
defineJob({
  name: 'audit-seal',
  cron: '*/10 * * * *',
  run: async ({ db, config }) => {
    for (const log of Object.keys(CHAINED_LOGS) as ChainedLog[]) await chainLog(db, config, log);
    await deleteOldBlocks(db);
  },
});

/** Seals the new lines of all workspaces, oldest first, until a few are left that may still get company. */
export async function chainLog(db: Db, config: Config, log: ChainedLog): Promise<void> {
  const end = await loadSafeHorizon(db);
  for (;;) {
    const until = await findNextSlice(db, log, end);
    if (until === null) return;
    for (const workspaceId of await loadWorkspaces(db, log, until))
      await chainWorkspace(db, config, log, workspaceId, until);
    await db.rows(
      sql`insert into installation (name, value) values (${buildInstallationKey(log)}, ${until})
       on conflict (name) do update set value = excluded.value`,
    );
  }
}

/** Seals lines of an imported workspace that are older than what is sealed here. */
export async function chainImportedLogs(db: Db, config: Config, workspaceId: number): Promise<void> {
  for (const log of Object.keys(CHAINED_LOGS) as ChainedLog[]) {
    const until = await findChainEnd(db, log);
    if (until !== null) await chainWorkspace(db, config, log, workspaceId, until);
  }
}

/** Under which the installation keeps until when the lines of a log are sealed. */
const buildInstallationKey = (log: ChainedLog): string => `sealed ${log}`;

/** Until when all lines of the log are sealed; null before the first are. */
export async function findChainEnd(db: Db, log: ChainedLog): Promise<string | null> {
  const [row] = await db.rows<{ value: string }>(
    sql`select value from installation where name = ${buildInstallationKey(log)}`,
  );
  return row?.value ?? null;
}

/** A line has the time at which its transaction began, so none is to come that is older than the oldest of them. */
async function loadSafeHorizon(db: Db): Promise<string> {
  const [row] = await db.rows<{ until: string }>(
    sql`select least(now() - make_interval(secs => ${limits.call.sealAfter / 1000}), min(xact_start))
       ::timestamp(3)::text as until
     from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return row!.until;
}

const isUnchained = (log: ChainedLog): Sql =>
  sql`l.create_date > coalesce((select value::timestamp from installation where name = ${buildInstallationKey(log)}), '-infinity')`;

/** The date up to which a batch of unsealed lines goes; null when there are none. */
async function findNextSlice(db: Db, log: ChainedLog, end: string): Promise<string | null> {
  const [row] = await db.rows<{ until: string | null }>(
    sql`select max(create_date)::text as until from (
       select l.create_date from ${sql.id(log)} l
       where l.workspace_id > 0 and ${isUnchained(log)} and l.create_date < ${end}::timestamp
       order by l.create_date limit ${sql.literal(limits.sql.batchRows)}) slice`,
  );
  return row!.until;
}

async function loadWorkspaces(db: Db, log: ChainedLog, until: string): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    sql`select distinct l.workspace_id as id from ${sql.id(log)} l
     where l.workspace_id > 0 and ${isUnchained(log)} and l.create_date <= ${until}::timestamp order by 1`,
  );
  return rows.map(({ id }) => id);
}

/** Of two processes that add a block at once one does; the other looks again what is left. */
async function chainWorkspace(
  db: Db,
  config: Config,
  log: ChainedLog,
  workspaceId: number,
  until: string,
): Promise<void> {
  while (!(await addBlock(db, config, log, workspaceId, until)));
}

/**
 * Adds a block with the lines of the workspace that no block has.
 * @returns false when another process has added one meanwhile
 */
async function addBlock(
  db: Db,
  config: Config,
  log: ChainedLog,
  workspaceId: number,
  until: string,
): Promise<boolean> {
  const workspace = sql.param(workspaceId);
  const [last] = await db.rows<AuditBlock>(
    sql`select ${BLOCK_COLUMNS} from svc_audit_block
     where workspace_id = ${workspace} and log = ${log} order by number desc limit 1`,
  );
  const after = last?.until ?? null;
  const [found] = await db.rows<Pick<AuditBlock, 'lines' | 'since' | 'digest'>>(
    selectDigest(log, sql`l.workspace_id = ${workspace} and ${isWithin(after, until)}`),
  );
  if (found!.lines === 0) return true;
  const block = { number: (last?.number ?? 0) + 1, after, until, before: last?.hash ?? '', ...found! };
  const hash = computeBlockHash(config.secretKey, workspaceId, log, block);
  const added = await db.rows(
    sql`insert into svc_audit_block (workspace_id, log, number, after, since, until, lines, digest, before, hash)
     values (${workspace}, ${log}, ${block.number}, ${after}::timestamp, ${block.since}::timestamp,
       ${until}::timestamp, ${block.lines}, ${block.digest}, ${block.before}, ${hash})
     on conflict do nothing returning number`,
  );
  return added.length > 0;
}

const isWithin = (after: string | null, until: string): Sql =>
  sql`l.create_date > coalesce(${after}::timestamp, '-infinity') and l.create_date <= ${until}::timestamp`;

/** Blocks go with their lines; the last one that is empty stays, because the next continues it. */
const deleteOldBlocks = (db: Db): Promise<number> =>
  purgeRows(db, {
    table: 'svc_audit_block',
    time: 'until',
    before: buildRetentionStart(),
    key: { log: 'text', number: 'bigint' },
    also: (workspace) => sql`exists (select 1 from svc_audit_block n
      where n.workspace_id = ${workspace} and n.log = t.log and n.number = t.number + 1 and n.until < ${buildRetentionStart()})`,
  });

/** Older lines may be purged. */
export const buildRetentionStart = (): Sql =>
  sql`(now() - make_interval(days => ${limits.call.auditDays}))::timestamp`;
