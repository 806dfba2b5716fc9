import pg from 'pg';
import type { BackupHeader, BackupPiece, BackupTotals, TableHeader } from './backup-file.ts';
import { writePieces } from './backup-file.ts';
import { copyOut } from './copy.ts';
import type { EncryptedKey } from './encrypted-key.ts';
import { COPY_SETTINGS, joinColumns, loadSequences, loadTableHeaders, quoteIdentifier } from './tables.ts';

export interface BackupResult {
  tables: number;
  rows: number;
}

/**
 * Backs up a consistent snapshot of the database, which can be in use.
 * @param about the Atrium version, and the encrypted secret key to include, if any
 */
export async function backUp(
  url: string,
  file: string,
  about: { version: string; key: EncryptedKey | null },
): Promise<BackupResult> {
  const client = new pg.Client({ connectionString: url, application_name: 'atrium backup' });
  let connectionError: Error | null = null;
  client.on('error', (error) => {
    connectionError = error;
  });
  await client.connect();
  try {
    const heads = await beginSnapshot(client);
    let totals: BackupTotals | null = null;
    const generatePieces = async function* (): AsyncGenerator<BackupPiece> {
      yield { kind: 'header', value: await buildHeader(client, about) };
      totals = yield* streamTables(client, heads);
      yield { kind: 'end', value: totals };
    };
    await writePieces(file, generatePieces());
    return { tables: totals!.tables, rows: totals!.rows };
  } catch (error) {
    throw connectionError ?? error;
  } finally {
    await client.end();
  }
}

/**
 * Begins the snapshot transaction. Locks every table before the snapshot is taken, because a table that a migration
 * rewrites or truncates appears empty to older snapshots.
 */
async function beginSnapshot(client: pg.Client): Promise<TableHeader[]> {
  for (;;) {
    const tableNames = joinTableNames(await loadTableHeaders(client));
    await client.query('begin isolation level repeatable read read only');
    await client.query(COPY_SETTINGS);
    await client.query(`lock table ${tableNames} in access share mode`);
    const heads = await loadTableHeaders(client);
    if (joinTableNames(heads) === tableNames) return heads;
    await client.query('rollback');
  }
}

const joinTableNames = (heads: TableHeader[]): string =>
  heads.map(({ table }) => quoteIdentifier(table)).join(', ');

async function buildHeader(
  client: pg.Client,
  { version, key }: { version: string; key: EncryptedKey | null },
): Promise<BackupHeader> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `select migration_name as name, checksum from _prisma_migrations
     where finished_at is not null and rolled_back_at is null order by migration_name`,
  );
  return { format: 'atrium backup 1', version, created: new Date().toISOString(), migrations: rows, key };
}

async function* streamTables(
  client: pg.Client,
  heads: TableHeader[],
): AsyncGenerator<BackupPiece, BackupTotals> {
  let rows = 0;
  for (const head of heads) {
    yield { kind: 'table', value: head };
    const text = `copy (select ${joinColumns(head)} from ${quoteIdentifier(head.table)}) to stdout`;
    const count = yield* streamRows(client, text);
    yield { kind: 'end of table', value: { rows: count } };
    rows += count;
  }
  return { sequences: await loadSequences(client), jobs: await loadJobs(client), tables: heads.length, rows };
}

async function* streamRows(client: pg.Client, text: string): AsyncGenerator<BackupPiece, number> {
  const copy = copyOut(client, text);
  for (;;) {
    const { value, done } = await copy.next();
    if (done) return value;
    yield { kind: 'rows', value };
  }
}

/** Loads unfinished jobs that have data. Jobs without data are scheduled and run again anyway. */
async function loadJobs(client: pg.Client): Promise<BackupTotals['jobs']> {
  const { rows } = await client.query(`select to_regclass('pgboss.job') is not null as has`);
  if (!rows[0].has) return [];
  const waitingResult = await client.query(
    `select name, data from pgboss.job
     where state in ('created', 'retry', 'active') and data is not null and data <> '{}'::jsonb
     order by created_on limit 100000`,
  );
  return waitingResult.rows;
}
