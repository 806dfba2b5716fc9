import pg from 'pg';
import { migrateDatabase } from '../migrations/migrate.ts';
import { type Migration, readMigrations } from '../migrations/migration-files.ts';
import type { BackupResult } from './backup.ts';
import {
  type BackupHeader,
  type BackupPiece,
  type BackupTotals,
  readPieces,
  type TableHeader,
} from './backup-file.ts';
import { copyIn } from './copy.ts';
import { COPY_SETTINGS, joinColumns, loadTableHeaders, quoteIdentifier } from './tables.ts';

interface RestoreResult extends BackupResult {
  jobs: BackupTotals['jobs'];
}

/** @throws Error with a one-line message if the file is not a backup */
export async function readBackupHeader(file: string): Promise<BackupHeader> {
  for await (const piece of readPieces(file)) {
    if (piece.kind === 'header' && piece.value.format === 'atrium backup 1') return piece.value;
    break;
  }
  throw new Error(`${file} is a backup of an unknown version.`);
}

/**
 * Restores a backup into an empty database in one transaction, and migrates it to this version.
 * @param accept called before the commit with the values of `installation` by name; may throw to abort
 * @throws Error with a one-line message if the database is not empty, or the backup is damaged or from a newer version
 */
export async function restoreDatabase(
  url: string,
  file: string,
  accept: (installation: Map<string, string>) => void,
): Promise<RestoreResult> {
  const { migrations } = await readBackupHeader(file);
  const knownMigrations = findKnownMigrations(migrations);
  await assertEmptyDatabase(url, migrations);
  await migrateDatabase(url, undefined, knownMigrations);
  const client = new pg.Client({ connectionString: url, application_name: 'atrium restore' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const totals = await loadBackup(client, file, accept);
    await migrateDatabase(url);
    await client.query('analyze');
    return totals;
  } finally {
    await client.end();
  }
}

function findKnownMigrations(migrations: BackupHeader['migrations']): Migration[] {
  const all = new Map(readMigrations().map((migration) => [migration.name, migration]));
  return migrations.map(({ name, checksum }) => {
    const knownMigration = all.get(name);
    if (knownMigration?.checksum === checksum) return knownMigration;
    throw new Error(`The backup is from another version of Atrium: its migration ${name} is unknown here.`);
  });
}

/**
 * Checks that the database is empty. Also accepts a database left by an interrupted restore, which has only the first
 * migrations of the backup and no workspace.
 */
async function assertEmptyDatabase(url: string, migrations: BackupHeader['migrations']): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const names = (await loadTableHeaders(client)).map(({ table }) => table);
    if (names.length === 0) return;
    if (names.includes('_prisma_migrations') && (names.length === 1 || names.includes('workspace'))) {
      const { rows } = await client.query<{ name: string }>(
        `select migration_name as name from _prisma_migrations order by migration_name`,
      );
      const isPrefix = rows.every(({ name }, index) => name === migrations[index]?.name);
      if (isPrefix && (names.length === 1 || !(await isDatabaseUsed(client)))) return;
    }
    throw createDatabaseNotEmptyError();
  } finally {
    await client.end();
  }
}

const createDatabaseNotEmptyError = (): Error =>
  new Error('The database is not empty. A backup can only be restored into an empty database.');

async function isDatabaseUsed(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select from workspace limit 1');
  return rows.length > 0;
}

async function loadBackup(
  client: pg.Client,
  file: string,
  accept: (installation: Map<string, string>) => void,
): Promise<RestoreResult> {
  const pieces = readPieces(file);
  try {
    await client.query('begin');
    await client.query(COPY_SETTINGS);
    const { before, after } = await loadConstraintToggles(client);
    for (const statement of before) await client.query(statement);
    const headers = await loadTableHeaders(client);
    // A server or another restore may have written before the tables were locked.
    if (await isDatabaseUsed(client)) throw createDatabaseNotEmptyError();
    await client.query(`truncate ${headers.map(({ table }) => quoteIdentifier(table)).join(', ')}`);
    const totals = await fillTables(client, pieces, new Map(headers.map((head) => [head.table, head])));
    for (const statement of after) await client.query(statement);
    const { rows } = await client.query<{ name: string; value: string }>(
      `select name, value from installation`,
    );
    accept(new Map(rows.map(({ name, value }) => [name, value])));
    await client.query('commit');
    return totals;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    // A corrupt file can cause an error in PostgreSQL. Reading it to the end reports the checksum error instead.
    for await (const _ of readPieces(file));
    throw error;
  } finally {
    await pieces.return(undefined);
  }
}

/**
 * Builds statements that disable triggers and drop foreign keys before the rows are loaded, and restore them
 * afterwards. Triggers must not run again for restored rows, and foreign keys are circular. Restoring a foreign key
 * checks all references.
 */
async function loadConstraintToggles(client: pg.Client): Promise<{ before: string[]; after: string[] }> {
  const { rows } = await client.query<{ before: string; after: string }>(
    `select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as before,
       format('alter table %s enable %s trigger %I', tgrelid::regclass,
         case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, tgname) as after
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = current_schema()::regnamespace and not tgisinternal and tgenabled <> 'D'
       and tgparentid = 0
     union all
     select format('alter table %s drop constraint %I', conrelid::regclass, conname),
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     from pg_constraint
     where connamespace = current_schema()::regnamespace and contype = 'f' and conparentid = 0`,
  );
  return { before: rows.map((row) => row.before), after: rows.map((row) => row.after) };
}

async function fillTables(
  client: pg.Client,
  pieces: AsyncGenerator<BackupPiece>,
  headers: Map<string, TableHeader>,
): Promise<RestoreResult> {
  let tables = 0;
  let rows = 0;
  for (;;) {
    const { value: piece } = await pieces.next();
    if (piece?.kind === 'table') {
      rows += await fillTable(client, piece.value, pieces, headers);
      tables++;
    } else if (piece?.kind === 'end') {
      if (piece.value.tables !== tables || piece.value.rows !== rows)
        throw new Error(`The backup has ${rows} rows instead of ${piece.value.rows}.`);
      for (const { sequence, value, called } of piece.value.sequences)
        await client.query('select setval($1::regclass, $2::bigint, $3)', [
          quoteIdentifier(sequence),
          value,
          called,
        ]);
      // Gunzip verifies the checksum at the end of the stream.
      for await (const _ of pieces);
      return { tables, rows, jobs: piece.value.jobs };
    } else if (piece?.kind !== 'header') throw new Error('The backup is damaged.');
  }
}

async function fillTable(
  client: pg.Client,
  header: TableHeader,
  pieces: AsyncGenerator<BackupPiece>,
  headers: Map<string, TableHeader>,
): Promise<number> {
  const { table, columns } = header;
  const targetColumns = headers.get(table)?.columns ?? [];
  if (columns.some((column) => !targetColumns.includes(column)))
    throw new Error(`The backup has a table ${table} whose columns differ from this database.`);
  let expectedCount = -1;
  const rows = async function* (): AsyncGenerator<Buffer> {
    for (;;) {
      const { value: piece } = await pieces.next();
      if (piece?.kind === 'rows') yield piece.value;
      else if (piece?.kind === 'end of table') {
        expectedCount = piece.value.rows;
        return;
      } else throw new Error('The backup is damaged.');
    }
  };
  const count = await copyIn(
    client,
    `copy ${quoteIdentifier(table)} (${joinColumns(header)}) from stdin`,
    rows(),
  );
  if (count !== expectedCount)
    throw new Error(`Table ${table} has ${count} rows instead of ${expectedCount}.`);
  return count;
}
