import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { copyOut } from '../backup/copy.ts';
import { encryptKey } from '../backup/encrypted-key.ts';
import { COPY_SETTINGS, quoteIdentifier } from '../backup/tables.ts';
import { LOCK_CONTENTS } from '../blobs/content-lock.ts';
import type { BlobHost } from '../blobs/host.ts';
import { readBlob } from '../blobs/read.ts';
import { getBlobUses } from '../blobs/uses.ts';
import { type ArchiveManifest, END_FILE, MANIFEST_FILE } from './manifest.ts';
import type { ArchivePlan } from './plan.ts';
import { type ArchivedRow, encryptRow } from './secrets.ts';
import { type ArchivedTable, loadArchivedTables } from './tables.ts';
import { buildTarHeader, buildTarPadding, TAR_END } from './tar.ts';

interface ArchiveExportOptions {
  plan: ArchivePlan;
  version: string;
  /** Fingerprint of the secret key that API keys are hashed with. */
  mark: string;
  /** Encrypts the secrets. Null to omit them. */
  passphrase: string | null;
  /** `done` and `total` count rows and blobs. */
  onProgress?(done: number, total: number): Promise<void> | void;
}

/** Minimum size of a row file, except for a table's last one. */
const PART_BYTES = 128 * 1024;
const NEWLINE = 10;

/**
 * Exports a workspace as a tar archive: blobs first, then each table's rows as JSON Lines. Reads from one snapshot, so
 * the workspace can be in use.
 */
export async function* exportWorkspace(
  url: string,
  host: BlobHost,
  options: ArchiveExportOptions,
): AsyncGenerator<Buffer> {
  const client = new pg.Client({ connectionString: url, application_name: 'atrium export' });
  let connectionError: Error | null = null;
  client.on('error', (error) => {
    connectionError = error;
  });
  await client.connect();
  try {
    await client.query(LOCK_CONTENTS, [host.workspace.id]);
    await client.query('begin isolation level repeatable read read only');
    await client.query(COPY_SETTINGS);
    yield* streamArchive(client, host, options);
  } catch (error) {
    throw connectionError ?? error;
  } finally {
    await client.end();
  }
}

async function* streamArchive(
  client: pg.Client,
  host: BlobHost,
  options: ArchiveExportOptions,
): AsyncGenerator<Buffer> {
  const tables = await loadArchivedTables(client, options.plan.leftOut);
  const contents = await loadContents(client, host.workspace.id, tables);
  const archiveKey = options.passphrase === null ? null : randomBytes(32).toString('base64');
  const total = contents.length + (await countRows(client, tables, host.workspace.id));
  let doneCount = 0;
  const reportProgress = async (more: number) => {
    doneCount += more;
    await options.onProgress?.(doneCount, total);
  };
  yield* streamFile(
    MANIFEST_FILE,
    Buffer.from(JSON.stringify(await buildManifest(client, host, options, archiveKey))),
  );
  for (const { hash, size } of contents) {
    yield buildTarHeader(`blobs/${hash}`, size);
    yield* readBlob(host, hash);
    yield buildTarPadding(size);
    await reportProgress(1);
  }
  let rows = 0;
  for (const table of tables)
    for await (const { part, partNumber, count } of streamParts(
      client,
      table,
      host,
      options.plan,
      archiveKey,
    )) {
      yield* streamFile(`data/${table.name}/${String(partNumber).padStart(6, '0')}.jsonl`, part);
      rows += count;
      await reportProgress(count);
    }
  yield* streamFile(END_FILE, Buffer.from(JSON.stringify({ rows, contents: contents.length })));
  yield TAR_END;
}

function* streamFile(name: string, body: Buffer): Generator<Buffer> {
  yield buildTarHeader(name, body.length);
  yield body;
  yield buildTarPadding(body.length);
}

async function buildManifest(
  client: pg.Client,
  { workspace }: BlobHost,
  { version, mark, passphrase, plan }: ArchiveExportOptions,
  archiveKey: string | null,
): Promise<ArchiveManifest> {
  const { rows } = await client.query<Pick<ArchiveManifest, 'migration' | 'workspace' | 'models' | 'fields'>>(
    `select (select max(migration_name) from _prisma_migrations where finished_at is not null) as migration,
       json_build_object('slug', w.slug, 'name', w.name, 'filled', w.filled) as workspace,
       (select json_object_agg(id, name) from (${plan.numbers.models}) m) as models,
       (select json_object_agg(id, name) from (${plan.numbers.fields}) f) as fields
     from workspace w where w.id = $1`,
    [workspace.id],
  );
  const key = passphrase === null ? null : await encryptKey(archiveKey!, passphrase);
  return { format: 'atrium workspace 1', version, created: new Date().toISOString(), ...rows[0]!, key, mark };
}

async function countRows(client: pg.Client, tables: ArchivedTable[], workspaceId: number): Promise<number> {
  const counts = tables.map(
    ({ name }) => `(select count(*) from ${quoteIdentifier(name)} where workspace_id = $1)`,
  );
  const { rows } = await client.query<{ n: string }>(`select ${counts.join(' + ')} as n`, [workspaceId]);
  return Number(rows[0]!.n);
}

async function loadContents(
  client: pg.Client,
  workspaceId: number,
  tables: ArchivedTable[],
): Promise<{ hash: string; size: number }[]> {
  const names = new Set(tables.map(({ name }) => name));
  const used = getBlobUses()
    .filter(({ table }) => names.has(table))
    .map(
      ({ table, column }) =>
        `select ${quoteIdentifier(column)} from ${quoteIdentifier(table)} where workspace_id = $1`,
    );
  const { rows } = await client.query<{ hash: string; size: string }>(
    `select hash, size from svc_blob where workspace_id = $1 and hash in (${used.join(' union ')}) order by hash`,
    [workspaceId],
  );
  return rows.map(({ hash, size }) => ({ hash, size: Number(size) }));
}

/**
 * Builds a COPY statement that outputs one JSON object per line. JSON text contains no raw control characters, so it
 * needs no escaping in CSV with \x01 as the quote and \x02 as the delimiter.
 */
function buildCopyStatement(
  { name, columns, key }: ArchivedTable,
  workspaceId: number,
  { empty }: ArchivePlan,
): string {
  const columnList = columns
    .filter((column) => !empty[name]?.includes(column.name))
    .map((column) => quoteIdentifier(column.name));
  const order = key.length > 0 ? ` order by ${key.map(quoteIdentifier).join(', ')}` : '';
  return (
    `copy (select to_jsonb(r)::text from (select ${columnList.join(', ')} from ${quoteIdentifier(name)} ` +
    `where workspace_id = ${workspaceId}${order}) r) to stdout with (format csv, quote e'\\x01', delimiter e'\\x02')`
  );
}

async function* streamParts(
  client: pg.Client,
  table: ArchivedTable,
  { workspace, runtime }: BlobHost,
  plan: ArchivePlan,
  archiveKey: string | null,
): AsyncGenerator<{ part: Buffer; partNumber: number; count: number }> {
  let buffers: Buffer[] = [];
  let bytes = 0;
  let partNumber = 0;
  const buildPart = (lines: Buffer) => {
    const secrets = plan.secrets[table.name];
    const { secretKey } = runtime.config;
    const part = secrets
      ? mapRows(lines, (row) => encryptRow(secrets, row, { secretKey, archiveKey }))
      : lines;
    return { part, partNumber: ++partNumber, count: countLines(lines) };
  };
  for await (const chunk of copyOut(client, buildCopyStatement(table, workspace.id, plan))) {
    buffers.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES || !chunk.includes(NEWLINE)) continue;
    const all = Buffer.concat(buffers);
    const end = all.lastIndexOf(NEWLINE) + 1;
    yield buildPart(all.subarray(0, end));
    buffers = [all.subarray(end)];
    bytes = all.length - end;
  }
  if (bytes > 0) yield buildPart(Buffer.concat(buffers));
}

function countLines(part: Buffer): number {
  let lines = 0;
  for (let index = part.indexOf(NEWLINE); index >= 0; index = part.indexOf(NEWLINE, index + 1)) lines++;
  return lines;
}

function mapRows(part: Buffer, change: (row: ArchivedRow) => ArchivedRow): Buffer {
  const lines = part.toString().split('\n').filter(Boolean);
  return Buffer.from(lines.map((line) => `${JSON.stringify(change(JSON.parse(line)))}\n`).join(''));
}
