import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { ARCHIVE_PLAN } from '../../schema/base/archive/plan.ts';
import { exportWorkspace } from '../../src/db/archive/export.ts';
import { CHUNK_BYTES } from '../../src/db/blobs/frames.ts';
import type { BlobHost } from '../../src/db/blobs/host.ts';
import { putBlob } from '../../src/db/blobs/put.ts';
import { readWholeBlob } from '../../src/db/blobs/read.ts';
import type { Db } from '../../src/db/db.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import { listScheduledJobs } from '../../src/engine/work/jobs.ts';
import { sweepDueWorkspaces } from '../../src/engine/work/sweep.ts';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { cleanUp } from '../harness/cleanup.ts';
import { json2 } from '../harness/facades/json2.ts';
import { SECRET_KEY, type Tenant } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';

const app = setUpApp();

const query = async <R extends pg.QueryResultRow>(text: string, params: unknown[] = []) =>
  (await app.runtime.db.pool.query<R>(text, params)).rows;

const getWorkspaceId = ({ ctx: { workspace } }: Tenant) => workspace.id;

async function readContents(tenant: Tenant): Promise<Map<string, boolean>> {
  const rows = await query<{ hash: string; marked: boolean }>(
    'select hash, marked_at is not null as marked from svc_blob where workspace_id = $1',
    [getWorkspaceId(tenant)],
  );
  return new Map(rows.map(({ hash, marked }) => [hash, marked]));
}

const readChunks = async (tenant: Tenant): Promise<number> =>
  (
    await query<{ n: number }>('select count(*)::int as n from svc_blob_chunk where workspace_id = $1', [
      getWorkspaceId(tenant),
    ])
  )[0]!.n;

/** Backdates all blobs of a workspace and runs the job. */
async function ageBlobs(tenant: Tenant, hours: number): Promise<void> {
  await query(
    `update svc_blob set put_at = put_at - make_interval(hours => $2),
       marked_at = marked_at - make_interval(hours => $2), copied_at = copied_at - make_interval(hours => $2)
     where workspace_id = $1`,
    [getWorkspaceId(tenant), hours],
  );
  await collect(tenant);
}

async function collect(tenant: Tenant, host = app.runtime): Promise<void> {
  await query(
    `insert into svc_due (workspace_id, kind, next_at) values ($1, 'blobs', now() - interval '1 second')
     on conflict (workspace_id, kind) do update set next_at = excluded.next_at`,
    [getWorkspaceId(tenant)],
  );
  await findPurgeJob().run(host, {});
}

const findPurgeJob = () => listScheduledJobs().find(({ name }) => name === 'blob-purge')!;

async function attach(tenant: Tenant, content: Buffer): Promise<number> {
  const vals_list = [{ name: 'a', datas: content.toString('base64') }];
  const answer = await json2(app, 'ir.attachment/create', { vals_list }, tenant.admin.key);
  expect(answer.status, answer.text).toBe(200);
  return answer.json()[0];
}

const unlink = async (tenant: Tenant, id: number) => {
  const answer = await json2(app, 'ir.attachment/unlink', { ids: [id] }, tenant.admin.key);
  expect(answer.status, answer.text).toBe(200);
};

test('marks unused content after a day and deletes it an hour later', async () => {
  const tenant = await app.tenant('collected');
  const used = await attach(tenant, randomBytes(CHUNK_BYTES + 1));
  const keptHash = await putBlob(tenant.ctx, randomBytes(100));
  const largeBlob = await putBlob(tenant.ctx, randomBytes(3 * CHUNK_BYTES));
  const readMarks = async () =>
    [keptHash, largeBlob].map(async ({ hash }) => (await readContents(tenant)).get(hash));
  await ageBlobs(tenant, 23);
  expect(await Promise.all(await readMarks())).toEqual([false, false]);
  await ageBlobs(tenant, 2);
  expect(await Promise.all(await readMarks())).toEqual([true, true]);
  await ageBlobs(tenant, 0);
  expect(await Promise.all(await readMarks())).toEqual([true, true]);
  await ageBlobs(tenant, 2);
  expect((await readContents(tenant)).size).toBe(1);
  expect(await readChunks(tenant)).toBe(2);
  await unlink(tenant, used);
  await ageBlobs(tenant, 25);
  expect([...(await readContents(tenant)).values()]).toEqual([true]);
  await ageBlobs(tenant, 2);
  expect([(await readContents(tenant)).size, await readChunks(tenant)]).toEqual([0, 0]);
});

test('keeps marked content that is stored, copied or used again', async () => {
  const tenant = await app.tenant('again');
  const [bytes, used] = [randomBytes(50), randomBytes(60)];
  const { hash } = await putBlob(tenant.ctx, bytes);
  await unlink(tenant, await attach(tenant, used));
  const source = await attach(tenant, randomBytes(70));
  await ageBlobs(tenant, 25);
  expect([...(await readContents(tenant)).values()].sort()).toEqual([false, true, true]);
  await putBlob(tenant.ctx, bytes);
  await attach(tenant, used);
  const copy = await json2(app, 'ir.attachment/copy', { ids: [source] }, tenant.admin.key);
  expect(copy.status).toBe(200);
  await unlink(tenant, source);
  // A blob that is stored again is kept for another day, during which its use is detected.
  await ageBlobs(tenant, 23);
  expect([...(await readContents(tenant)).values()]).toEqual([false, false, false]);
  await ageBlobs(tenant, 2);
  await ageBlobs(tenant, 2);
  expect([...(await readContents(tenant)).keys()]).not.toContain(hash);
  expect((await readContents(tenant)).size).toBe(2);
  const { datas } = (
    await json2(app, 'ir.attachment/read', { ids: copy.json(), fields: ['datas'] }, tenant.admin.key)
  ).json()[0];
  expect(Buffer.from(datas, 'base64')).toHaveLength(70);
});

test('exports all content present at the start, even if it is deleted during the export', async () => {
  const tenant = await app.tenant('held');
  const bytes = randomBytes(2 * CHUNK_BYTES);
  const used = await attach(tenant, bytes);
  const options = { plan: ARCHIVE_PLAN, version: '1', mark: '', passphrase: null };
  const chunks = exportWorkspace(app.runtime.db.directUrl, tenant.ctx, options);
  await chunks.next();
  await unlink(tenant, used);
  await ageBlobs(tenant, 25);
  await ageBlobs(tenant, 2);
  expect([...(await readContents(tenant)).values()]).toEqual([true]);
  const rest: Buffer[] = [];
  for await (const chunk of chunks) rest.push(chunk);
  expect(Buffer.concat(rest).includes(bytes)).toBe(true);
  await ageBlobs(tenant, 0);
  expect((await readContents(tenant)).size).toBe(0);
});

test('keeps content that is referenced while it is being marked', async () => {
  const tenant = await app.tenant('saved');
  const { hash } = await putBlob(tenant.ctx, randomBytes(50));
  const id = await attach(tenant, randomBytes(60));
  await ageBlobs(tenant, 25);
  await query('update ir_attachment set store_hash = $3 where workspace_id = $1 and id = $2', [
    getWorkspaceId(tenant),
    id,
    hash,
  ]);
  await ageBlobs(tenant, 2);
  expect((await readContents(tenant)).get(hash)).toBe(false);
});

test('collects many blobs in statements of limited size that never span all workspaces', async () => {
  const tenant = await app.tenant('many');
  await attach(tenant, randomBytes(10));
  const count = 2 * limits.sql.batchRows + 1;
  await query(
    `insert into svc_blob (workspace_id, hash, size, sealed, store, place, put_at, marked_at)
     select $1, 'x' || g, 0, false, 'pg', 'x' || g, now() - interval '2 days', now() - interval '2 hours'
     from generate_series(1, ${count}) g`,
    [getWorkspaceId(tenant)],
  );
  const { db } = app.runtime;
  const seenContents: string[] = [];
  let peak = 0;
  const spyOnStatements = (db: Db) => {
    const readRows = async (statement: Sql) => {
      const { text } = statement.render();
      seenContents.push(text);
      const response = await db.rows(statement);
      peak = Math.max(peak, response.length);
      return response;
    };
    return { ...db, rows: readRows as never };
  };
  const transaction = <T>(run: (tx: Db) => Promise<T>) => db.transaction((tx) => run(spyOnStatements(tx)));
  await collect(tenant, { ...app.runtime, db: { ...db, ...spyOnStatements(db), transaction } });
  expect((await readContents(tenant)).size).toBe(1);
  expect(peak).toBeLessThanOrEqual(limits.sql.batchRows);
  const ofBlobs = seenContents.filter((text) => text.includes('svc_blob'));
  expect(ofBlobs.length).toBeGreaterThan(10);
  expect(ofBlobs.filter((text) => !/workspace_id = \$\d/.test(text))).toEqual([]);
});

test('sweeps for workspaces with blobs, and checks each of them once a day', async () => {
  const tenant = await app.tenant('swept');
  const next = async () =>
    (
      await query<{ hours: number }>(
        `select extract(epoch from next_at - now())::float8 / 3600 as hours from svc_due
         where workspace_id = $1 and kind = 'blobs'`,
        [getWorkspaceId(tenant)],
      )
    )[0]?.hours;
  const sweep = async () => {
    await query(`update svc_due set next_at = now() where workspace_id = $1 and kind = 'sweep'`, [
      getWorkspaceId(tenant),
    ]);
    await sweepDueWorkspaces(app.runtime);
  };
  await sweep();
  expect(await next()).toBeUndefined();
  await attach(tenant, randomBytes(10));
  await sweep();
  expect(await next()).toBeCloseTo(24, 1);
  await collect(tenant);
  expect(await next()).toBeGreaterThan(17);
  const { hash } = await putBlob(tenant.ctx, randomBytes(11));
  await ageBlobs(tenant, 25);
  expect((await readContents(tenant)).get(hash)).toBe(true);
  expect(await next()).toBeCloseTo(1, 1);
});

/** Starts a process that stores blobs from standard input. */
function startPut(tenant: Tenant) {
  const script = `
    import { openDatabase } from './src/db/pool.ts';
    import { putBlob } from './src/db/blobs/put.ts';
    import { createLog } from './src/log.ts';
    const [url, workspace, secretKey] = process.argv.slice(1);
    const db = openDatabase(url, createLog('fatal', 2));
    const config = { secretKey, blobs: { bucket: null, encrypts: true } };
    const put = await putBlob({ db, workspace: { id: Number(workspace) }, runtime: { config } }, process.stdin);
    process.stdout.write(JSON.stringify(put));
    await db.close();`;
  const args = [
    '--input-type=module',
    '-e',
    script,
    app.databaseUrl,
    String(getWorkspaceId(tenant)),
    SECRET_KEY,
  ];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  cleanUp(() => child.kill('SIGKILL'));
  return child;
}

test('stores a blob again after the chunks of a killed put are collected', {
  tags: 'slow',
}, async () => {
  const tenant = await app.tenant('killed');
  const content = randomBytes(20 * CHUNK_BYTES);
  const host: BlobHost = { ...tenant.ctx, db: app.runtime.db };
  for (const part of [1.5, 7.5, 19.5]) {
    const child = startPut(tenant);
    child.stdin.on('error', () => undefined);
    child.stdin.write(content.subarray(0, part * CHUNK_BYTES));
    const before = await readChunks(tenant);
    await until(async () => (await readChunks(tenant)) >= before + Math.floor(part), 'chunks are there');
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  expect([...(await readContents(tenant)).keys()].every((hash) => hash.startsWith('~'))).toBe(true);
  expect((await readContents(tenant)).size).toBe(3);
  const wholeStdio = startPut(tenant);
  wholeStdio.stdin.end(content);
  let output = '';
  for await (const piece of wholeStdio.stdout) output += piece;
  const { hash, size } = JSON.parse(output);
  expect(size).toBe(content.length);
  expect((await readWholeBlob(host, hash)).equals(content)).toBe(true);
  expect(await putBlob(host, content)).toEqual({ hash, size });
  await ageBlobs(tenant, 25);
  await putBlob(host, content);
  await ageBlobs(tenant, 2);
  expect([...(await readContents(tenant)).keys()]).toEqual([hash]);
  expect(await readChunks(tenant)).toBe(20);
});

test('leaves nothing behind if the process is killed between releasing and deleting content', async () => {
  const tenant = await app.tenant('half');
  await putBlob(tenant.ctx, randomBytes(2 * CHUNK_BYTES));
  await ageBlobs(tenant, 25);
  const { db } = app.runtime;
  const readRows = async (statement: Sql) => {
    if (statement.render().text.includes('delete from svc_blob_chunk')) throw new Error('killed');
    return db.rows(statement);
  };
  await query(`update svc_blob set marked_at = now() - interval '2 hours' where workspace_id = $1`, [
    getWorkspaceId(tenant),
  ]);
  await collect(tenant, { ...app.runtime, db: { ...db, rows: readRows as never } });
  expect(await readChunks(tenant)).toBe(2);
  await collect(tenant);
  expect([(await readContents(tenant)).size, await readChunks(tenant)]).toEqual([0, 0]);
});

test('keeps recent blobs, however often the job runs', async () => {
  const { hash } = await putBlob(app.main.ctx, Buffer.from('young'));
  for (let i = 0; i < 3; i++) await collect(app.main);
  const [row] = await app.runtime.db.rows<{ marked: boolean }>(
    sql`select marked_at is not null as marked from svc_blob
     where workspace_id = ${getWorkspaceId(app.main)} and hash = ${hash}`,
  );
  expect(row).toEqual({ marked: false });
});
