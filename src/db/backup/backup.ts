import pg from 'pg';
import type { Header, Piece, TableHead, Totals } from './backup-file.ts';
import { writePieces } from './backup-file.ts';
import { copyOut } from './copy.ts';
import type { SealedKey } from './sealed-key.ts';
import { columnsIn, quoted, SETTINGS, sequencesOf, tablesOf } from './tables.ts';

export interface BackupResult {
  tables: number;
  rows: number;
}

/**
 * Writes the database as it is at one moment into a file, while it is in use.
 * @param about the version of Atrium, and the secret key when it is to be in the file
 */
export async function backUp(
  url: string,
  file: string,
  about: { version: string; key: SealedKey | null },
): Promise<BackupResult> {
  const client = new pg.Client({ connectionString: url, application_name: 'atrium backup' });
  let broken: Error | null = null;
  client.on('error', (error) => {
    broken = error;
  });
  await client.connect();
  try {
    const heads = await begin(client);
    let totals: Totals | null = null;
    const pieces = async function* (): AsyncGenerator<Piece> {
      yield { kind: 'header', value: await headerOf(client, about) };
      totals = yield* tables(client, heads);
      yield { kind: 'end', value: totals };
    };
    await writePieces(file, pieces());
    return { tables: totals!.tables, rows: totals!.rows };
  } catch (error) {
    throw broken ?? error;
  } finally {
    await client.end();
  }
}

/**
 * Opens the transaction that sees the moment. A migration that rewrites a table or empties it would leave nothing
 * for a snapshot from before, so each is held first; the snapshot begins with the first statement after that.
 */
async function begin(client: pg.Client): Promise<TableHead[]> {
  for (;;) {
    const known = namesOf(await tablesOf(client));
    await client.query('begin isolation level repeatable read read only');
    await client.query(SETTINGS);
    await client.query(`lock table ${known} in access share mode`);
    const heads = await tablesOf(client);
    if (namesOf(heads) === known) return heads;
    await client.query('rollback');
  }
}

const namesOf = (heads: TableHead[]): string => heads.map(({ table }) => quoted(table)).join(', ');

async function headerOf(
  client: pg.Client,
  { version, key }: { version: string; key: SealedKey | null },
): Promise<Header> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `select migration_name as name, checksum from _prisma_migrations
     where finished_at is not null and rolled_back_at is null order by migration_name`,
  );
  return { format: 'atrium backup 1', version, created: new Date().toISOString(), migrations: rows, key };
}

async function* tables(client: pg.Client, heads: TableHead[]): AsyncGenerator<Piece, Totals> {
  let rows = 0;
  for (const head of heads) {
    yield { kind: 'table', value: head };
    const text = `copy (select ${columnsIn(head)} from ${quoted(head.table)}) to stdout`;
    const count = yield* rowsOf(client, text);
    yield { kind: 'end of table', value: { rows: count } };
    rows += count;
  }
  return { sequences: await sequencesOf(client), jobs: await jobsOf(client), tables: heads.length, rows };
}

async function* rowsOf(client: pg.Client, text: string): AsyncGenerator<Piece, number> {
  const copy = copyOut(client, text);
  for (;;) {
    const { value, done } = await copy.next();
    if (done) return value;
    yield { kind: 'rows', value };
  }
}

/** Those that the clock starts anyway have no data. */
async function jobsOf(client: pg.Client): Promise<Totals['jobs']> {
  const { rows } = await client.query(`select to_regclass('pgboss.job') is not null as has`);
  if (!rows[0].has) return [];
  const waiting = await client.query(
    `select name, data from pgboss.job
     where state in ('created', 'retry', 'active') and data is not null and data <> '{}'::jsonb
     order by created_on limit 100000`,
  );
  return waiting.rows;
}
