import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { COPY_SETTINGS, quoteIdentifier } from '../backup/tables.ts';
import type { BlobHost } from '../blobs/host.ts';
import { putBlob } from '../blobs/put.ts';
import { getBlobUses } from '../blobs/uses.ts';
import { getIdSource } from '../id-allocator.ts';
import { ANALYZED_ROWS } from '../table-analyzer.ts';
import {
  type ArchiveManifest,
  type ArchiveTotals,
  END_FILE,
  MANIFEST_FILE,
  type NumberedColumn,
} from './manifest.ts';
import type { ArchivePlan } from './plan.ts';
import { type ArchivedRow, decryptRow } from './secrets.ts';
import { type ArchivedTable, loadArchivedTables } from './tables.ts';
import { readTar, type TarEntry } from './tar.ts';

export interface ArchiveImportOptions {
  plan: ArchivePlan;
  numbered: readonly NumberedColumn[];
  /** SQL expressions that replace archived values, by table and column. `r` is the archived row. */
  changed: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Key that encrypts the archive's secrets. Null if the archive has no key. */
  archiveKey: string | null;
  /** Completes rows whose secrets may be missing from the archive. */
  complete(table: string, row: ArchivedRow): ArchivedRow;
  /** Called before the transaction is committed. */
  finish(query: (text: string, values: unknown[]) => Promise<unknown>): Promise<void>;
  onProgress?(rows: number): void;
}

/** Lowest id of a model or field that a workspace defines. Models and fields defined in code have lower ids. */
const FIRST_WORKSPACE_ID = 1_000_000_000;
/** Maximum size of a row file, which is parsed in memory. */
const MAX_PART_BYTES = 512 * 1024 * 1024;

const createDamagedArchiveError = (file: string): Error =>
  new Error(`${file} is not a complete archive of a workspace.`);

/** @throws Error with a one-line message if the file is not an archive or is truncated */
async function* readEntries(file: string): AsyncGenerator<TarEntry> {
  const archive = decompress(file);
  let last = '';
  for await (const entry of readTar(archive, () => createDamagedArchiveError(file))) {
    if (last === '' && entry.name !== MANIFEST_FILE) throw createDamagedArchiveError(file);
    last = entry.name;
    yield entry;
  }
  if (last !== END_FILE) throw createDamagedArchiveError(file);
  // Gunzip verifies the checksum at the end of the stream.
  for await (const _ of archive);
}

async function* decompress(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const plainGunzip = source.pipe(createGunzip());
  source.on('error', (error) => plainGunzip.destroy(error));
  try {
    yield* plainGunzip;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? createDamagedArchiveError(file) : error;
  } finally {
    source.destroy();
  }
}

/** @throws Error with a one-line message if the file is not an archive, or has an unknown format version */
export async function readManifest(file: string): Promise<ArchiveManifest> {
  for await (const { size, body } of readEntries(file)) {
    const manifest = JSON.parse((await readWholeBody(body, size)).toString()) as ArchiveManifest;
    if (manifest.format === 'atrium workspace 1') return manifest;
    break;
  }
  throw new Error(`${file} is an archive of an unknown version.`);
}

async function readWholeBody(body: AsyncIterable<Buffer>, size: number): Promise<Buffer> {
  if (size > MAX_PART_BYTES) throw new Error('the archive is damaged');
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Imports an archive into an empty workspace. Blobs are stored as soon as they are read, and all rows are written in
 * one transaction.
 * @throws Error with a one-line message if the archive is damaged, after rolling back the transaction
 */
export async function importWorkspace(
  url: string,
  host: BlobHost,
  file: string,
  options: ArchiveImportOptions,
): Promise<ArchiveTotals> {
  const client = new pg.Client({ connectionString: url, application_name: 'atrium import' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    await client.query(COPY_SETTINGS);
    await client.query(
      'create temporary table archived_content (was text primary key, now text) on commit drop',
    );
    const writer = await createArchiveWriter(client, host, file, options);
    const end = await loadArchive(writer, host, file, options);
    await linkDeferredRows(writer, file);
    await advanceCounters(client, writer.tables, host.workspace.id);
    await options.finish((text, values) => client.query(text, values));
    await client.query('commit');
    await analyzeTables(client, writer.insertedCounts);
    return end;
  } finally {
    await client.end();
  }
}

interface ArchiveWriter {
  client: pg.Client;
  workspaceId: number;
  tables: ArchivedTable[];
  numbers: { models: string; fields: string };
  inserts: Map<string, string>;
  /** Number of inserted rows by table. */
  insertedCounts: Map<string, number>;
}

async function createArchiveWriter(
  client: pg.Client,
  { workspace }: BlobHost,
  file: string,
  { plan, numbered, changed }: ArchiveImportOptions,
): Promise<ArchiveWriter> {
  const tables = await loadArchivedTables(client, plan.leftOut);
  const manifest = await readManifest(file);
  return {
    client,
    workspaceId: workspace.id,
    tables,
    numbers: {
      models: await buildIdMap(client, plan.numbers.models, manifest.models),
      fields: await buildIdMap(client, plan.numbers.fields, manifest.fields),
    },
    inserts: new Map(
      tables.map((table) => [table.name, buildInsert(table, numbered, changed[table.name] ?? {})]),
    ),
    insertedCounts: new Map(),
  };
}

async function buildIdMap(client: pg.Client, text: string, names: Record<string, string>): Promise<string> {
  const { rows } = await client.query<{ id: number; name: string }>(text);
  const idsByName = new Map(rows.map(({ id, name }) => [name, id]));
  return JSON.stringify(
    Object.fromEntries(Object.entries(names).map(([id, name]) => [id, idsByName.get(name)])),
  );
}

/** `$2` is a JSON array of rows. */
const buildRowsSql = ({ columns }: ArchivedTable): string =>
  `jsonb_to_recordset($2::jsonb) as r(${columns
    .map(({ name, type }) => `${quoteIdentifier(name)} ${type}`)
    .join(', ')})`;

/** `$1` is the workspace, `$2` the rows, `$3` the id map of models, and `$4` the id map of fields. */
function buildInsert(
  table: ArchivedTable,
  columns: readonly NumberedColumn[],
  changedReadonly: Readonly<Record<string, string>>,
): string {
  const contents = new Set(getBlobUses().flatMap((use) => (use.table === table.name ? [use.column] : [])));
  const values = table.columns.map(({ name, type }) => {
    const column = `r.${quoteIdentifier(name)}`;
    const later = table.later.find((item) => item.column === name);
    const number = columns.find((item) => item.table === table.name && item.column === name);
    if (changedReadonly[name]) return changedReadonly[name];
    if (later) return buildDeferredColumn(table, column, type, later.isOwn);
    if (number)
      return `case when ${column} >= ${FIRST_WORKSPACE_ID} then ${column}
        else (${number.to === 'models' ? '$3' : '$4'}::jsonb ->> ${column}::text)::int end`;
    if (contents.has(name))
      return `coalesce((select c.now from archived_content c where c.was = ${column}), ${column})`;
    return column;
  });
  return `insert into ${quoteIdentifier(table.name)} (workspace_id,
      ${table.columns.map(({ name }) => quoteIdentifier(name)).join(', ')})
    select $1::int, ${values.join(', ')} from ${buildRowsSql(table)}
    where $3::text is not null and $4::text is not null`;
}

/**
 * Builds SQL that yields null for references to rows that are not inserted yet. A reference within the table is kept if
 * its target is in this file or an earlier one.
 */
function buildDeferredColumn({ key }: ArchivedTable, column: string, type: string, isOwn: boolean): string {
  if (!isOwn || key.join() !== 'id') return `null::${type}`;
  return `case when ${column} <= max(r.id) over () then ${column} end`;
}

async function loadArchive(
  writer: ArchiveWriter,
  host: BlobHost,
  file: string,
  { plan, archiveKey, complete, onProgress }: ArchiveImportOptions,
): Promise<ArchiveTotals> {
  const totals: ArchiveTotals = { rows: 0, contents: 0 };
  for await (const { name, size, body } of readEntries(file)) {
    const [folder, table, ...rest] = name.split('/');
    if (folder === 'blobs') {
      const storedBlob = await putBlob(host, body);
      await writer.client.query('insert into archived_content (was, now) values ($1, $2)', [
        table,
        storedBlob.hash,
      ]);
      totals.contents++;
    } else if (folder === 'data' && rest.length === 1) {
      const part = await readWholeBody(body, size);
      const secrets = plan.secrets[table!];
      const { secretKey } = host.runtime.config;
      const rows = secrets
        ? decryptRows(part, (row) => complete(table!, decryptRow(secrets, row, { secretKey, archiveKey })))
        : toJsonArray(part);
      totals.rows += await insertRows(writer, table!, rows);
      onProgress?.(totals.rows);
    } else if (name === END_FILE) {
      const statedTotals = JSON.parse((await readWholeBody(body, size)).toString()) as ArchiveTotals;
      if (statedTotals.rows !== totals.rows || statedTotals.contents !== totals.contents)
        throw createDamagedArchiveError(file);
    }
  }
  return totals;
}

async function insertRows(
  { client, workspaceId, inserts, insertedCounts, numbers }: ArchiveWriter,
  table: string,
  rows: string,
) {
  const text = inserts.get(table);
  if (!text) throw new Error(`The archive contains a table ${table} that this installation does not have.`);
  const { rowCount } = await client.query(text, [workspaceId, rows, numbers.models, numbers.fields]);
  insertedCounts.set(table, (insertedCounts.get(table) ?? 0) + (rowCount ?? 0));
  return rowCount ?? 0;
}

/** Without statistics, the planner would expect hardly any rows of the workspace. */
async function analyzeTables(client: pg.Client, insertedCounts: Map<string, number>): Promise<void> {
  for (const [table, count] of insertedCounts)
    if (count >= ANALYZED_ROWS)
      await client.query(`analyze (skip_locked) ${quoteIdentifier(table)}`).catch(() => undefined);
}

const [NEWLINE, COMMA] = [10, 44];

/** Converts JSON Lines to a JSON array without parsing. */
function toJsonArray(part: Buffer): string {
  const lines = Buffer.from(part.at(-1) === NEWLINE ? part.subarray(0, -1) : part);
  for (let index = lines.indexOf(NEWLINE); index >= 0; index = lines.indexOf(NEWLINE, index + 1))
    lines[index] = COMMA;
  return `[${lines.toString()}]`;
}

function decryptRows(part: Buffer, decryptRow: (row: ArchivedRow) => ArchivedRow): string {
  const lines = part.toString().split('\n').filter(Boolean);
  return JSON.stringify(lines.map((line) => decryptRow(JSON.parse(line))));
}

/** Restores the references that were inserted as null, in a second pass over the archive. */
async function linkDeferredRows({ client, workspaceId, tables }: ArchiveWriter, file: string): Promise<void> {
  const linked = new Map(
    tables
      .filter(({ later, key }) => later.length > 0 && key.length > 0)
      .map((table) => [table.name, buildLinkSql(table)]),
  );
  for await (const { name, size, body } of readEntries(file)) {
    const [folder, table] = name.split('/');
    const text = folder === 'data' && linked.get(table!);
    if (text) await client.query(text, [workspaceId, toJsonArray(await readWholeBody(body, size))]);
  }
}

function buildLinkSql(table: ArchivedTable): string {
  const columns = table.later.map(({ column }) => quoteIdentifier(column));
  const set = columns.map((column) => `${column} = r.${column}`).join(', ');
  const isLacking = columns.map((column) => `(t.${column} is null and r.${column} is not null)`).join(' or ');
  const isSame = table.key
    .map((column) => `t.${quoteIdentifier(column)} = r.${quoteIdentifier(column)}`)
    .join(' and ');
  return `update ${quoteIdentifier(table.name)} t set ${set} from ${buildRowsSql(table)}
    where t.workspace_id = $1 and ${isSame} and (${isLacking})`;
}

async function advanceCounters(
  client: pg.Client,
  tables: ArchivedTable[],
  workspaceId: number,
): Promise<void> {
  for (const { name, columns } of tables) {
    if (!columns.some((column) => column.name === 'id')) continue;
    const { counter, idsPerNumber } = getIdSource(name);
    const { rows } = await client.query<{ next: string | null }>(
      `select max(id) / ${idsPerNumber} + 1 as next from ${quoteIdentifier(name)} where workspace_id = $1`,
      [workspaceId],
    );
    const next = rows[0]!.next;
    if (next === null) continue;
    await client.query(
      `insert into workspace_counter as c (workspace_id, name, next) values ($1, $2, $3)
       on conflict (workspace_id, name) do update set next = greatest(c.next, excluded.next)`,
      [workspaceId, counter, next],
    );
  }
}
