import pg from 'pg';
import { NO_TIMEOUTS } from '../session.ts';
import { assertNodesReady, assertNoOtherConnections, assertTablesDistributable } from './checks.ts';
import { findUnplacedTables, placeTable } from './place-tables.ts';
import type { PlacedTable } from './placement.ts';

/**
 * Name of the `installation` row that saves dropped foreign keys and triggers, so that an interrupted run can be
 * completed.
 */
const SAVED_CONSTRAINTS_KEY = 'bonds while distributing';

/**
 * Triggers that can run on a worker, because they read and write only their own row. Other triggers are not restored.
 */
const WORKER_SAFE_TRIGGERS = new Set(['state']);

interface DistributionResult {
  tables: string[];
  restored: number;
}

interface SavedConstraint {
  table: string;
  name: string;
  statement: string;
}

/**
 * Distributes the workspace tables over the workers of a Citus cluster, and copies shared tables to every node. Can be
 * repeated: finished steps are skipped, and an interrupted run is completed.
 * @param bringUpToDate runs pending migrations after the nodes are checked
 * @throws Error with the unmet requirements, before any table is moved
 */
export async function distributeTables(
  url: string,
  shards: number,
  bringUpToDate: () => Promise<unknown>,
  log: (line: string) => void = () => undefined,
): Promise<DistributionResult> {
  const client = new pg.Client({ connectionString: url, application_name: 'distribute' });
  await client.connect();
  try {
    await client.query(NO_TIMEOUTS);
    // Without the lock, concurrent runs would deadlock.
    await client.query(`select pg_advisory_lock(hashtext('distribute'))`);
    await assertNodesReady(client);
    await bringUpToDate();
    await assertTablesDistributable(client);
    const waitingTables = await findUnplacedTables(client);
    if (waitingTables.length > 0) await assertNoOtherConnections(client);
    await runInTransaction(client, () => dropConstraints(client, waitingTables));
    for (const item of waitingTables) {
      await runInTransaction(client, () => placeTable(client, item, shards));
      log(`${item.table}: ${item.placement}`);
    }
    await distributeFunctions(client);
    return {
      tables: waitingTables.map(({ table }) => table),
      restored: await restoreConstraints(client, log),
    };
  } finally {
    await client.end();
  }
}

async function runInTransaction(client: pg.Client, run: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await run();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Creates the functions on the workers, where distributed statements call them. Citus only does this for functions
 * created after the workers were added.
 */
async function distributeFunctions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = current_schema()::regnamespace and p.prorettype <> 'trigger'::regtype
       and not exists (
         select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
       and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)`,
  );
  for (const { name } of rows) await client.query('select create_distributed_function($1)', [name]);
}

/** Foreign keys are circular, so no order of tables would satisfy all of them. */
async function dropConstraints(client: pg.Client, tables: PlacedTable[]): Promise<void> {
  const names = tables.map(({ table }) => table);
  const keys = await client.query<SavedConstraint>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
         as statement
     from pg_constraint where contype = 'f' and conparentid = 0
       and (conrelid = any ($1::text[]::regclass[]) or confrelid = any ($1::text[]::regclass[]))
     order by 1, 2`,
    [names],
  );
  const triggers = await client.query<SavedConstraint>(
    `select tgrelid::regclass::text as table, quote_ident(tgname) as name, pg_get_triggerdef(oid) as statement
     from pg_trigger where not tgisinternal and tgparentid = 0 and tgrelid = any ($1::text[]::regclass[])`,
    [names],
  );
  const guards = triggers.rows.filter(({ name }) => WORKER_SAFE_TRIGGERS.has(name));
  if (keys.rows.length + guards.length > 0)
    await saveConstraints(client, [...(await loadSavedConstraints(client)), ...keys.rows, ...guards]);
  for (const { table, name } of keys.rows) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { table, name } of triggers.rows) await client.query(`drop trigger ${name} on ${table}`);
}

async function loadSavedConstraints(client: pg.Client): Promise<SavedConstraint[]> {
  const { rows } = await client.query('select value from installation where name = $1', [
    SAVED_CONSTRAINTS_KEY,
  ]);
  return rows[0] ? JSON.parse(rows[0].value) : [];
}

async function saveConstraints(client: pg.Client, constraints: SavedConstraint[]): Promise<void> {
  await client.query(
    `insert into installation (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
    [SAVED_CONSTRAINTS_KEY, JSON.stringify(constraints)],
  );
}

async function restoreConstraints(client: pg.Client, log: (line: string) => void): Promise<number> {
  const constraints = await loadSavedConstraints(client);
  if (constraints.length === 0) return 0;
  log(`restoring ${constraints.length} foreign keys and triggers`);
  // Citus considers all triggers on distributed tables unsafe.
  await client.query('set citus.enable_unsafe_triggers to on');
  const { rows } = await client.query<SavedConstraint>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint where contype = 'f'
     union all select tgrelid::regclass::text, quote_ident(tgname) from pg_trigger where not tgisinternal`,
  );
  const existingNames = new Set(rows.map(({ table, name }) => `${table} ${name}`));
  const missingConstraints = constraints.filter(({ table, name }) => !existingNames.has(`${table} ${name}`));
  for (const { statement } of missingConstraints) await client.query(statement);
  await client.query('delete from installation where name = $1', [SAVED_CONSTRAINTS_KEY]);
  return missingConstraints.length;
}
