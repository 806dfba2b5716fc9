import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { collectBlobs } from '../../src/db/blobs/collect.ts';
import { CHUNK_BYTES } from '../../src/db/blobs/frames.ts';
import type { BlobHost } from '../../src/db/blobs/host.ts';
import { putBlob } from '../../src/db/blobs/put.ts';
import { type ByteRange, readBlob } from '../../src/db/blobs/read.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import { parseBlobSettings } from '../../src/settings/blob-settings.ts';
import { startApp } from '../harness/app.ts';
import { runCli, runCliJson } from '../harness/cli.ts';
import { json2 } from '../harness/facades/json2.ts';
import { definePeer } from '../harness/peer.ts';
import { setUp } from '../harness/set-up.ts';
import { SECRET_KEY, type Tenant } from '../harness/tenant.ts';
import { startS3 } from '../standins/s3.ts';

const s3 = setUp(startS3);
const app = setUp(() => startApp({ BLOB_URL: s3.url }));
const dataDir = mkdtempSync(join(tmpdir(), 'atrium bucket '));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const buildEnv = (url = s3.url) => ({
  DATABASE_URL: app.databaseUrl,
  DATA_DIR: dataDir,
  SECRET_KEY,
  BLOB_URL: url,
});

const buildHost = (tenant: Tenant, url = s3.url): BlobHost => ({
  db: app.runtime.db,
  workspace: tenant.ctx.workspace,
  runtime: {
    config: {
      secretKey: SECRET_KEY,
      blobs: parseBlobSettings({ BLOB_URL: url, BLOB_ENCRYPTION: 'on' }, undefined),
    },
  },
});

async function readContent(host: BlobHost, hash: string, range?: ByteRange): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBlob(host, hash, range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* toPieces(content: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += length) yield content.subarray(start, start + length);
}

const loadHeads = (tenant: Tenant) =>
  app.runtime.db.rows<{ hash: string; store: string; place: string; copied: boolean }>(
    sql`select hash, store, place, copied_at is not null as copied from svc_blob b
     where b.workspace_id = ${tenant.ctx.workspace.id} order by put_at`,
  );

const buildObjectKey = (tenant: Tenant, place: string) => `some/prefix/${tenant.ctx.workspace.id}/${place}`;

async function backdate(tenant: Tenant, hours: number): Promise<void> {
  await app.runtime.db.rows(
    sql`update svc_blob set put_at = put_at - make_interval(hours => ${hours}),
       marked_at = marked_at - make_interval(hours => ${hours}),
       copied_at = copied_at - make_interval(hours => ${hours})
     where workspace_id = ${tenant.ctx.workspace.id}`,
  );
}

/** Tests that every store must pass. */
function testStore(url: () => string): void {
  test.each([0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 9 * 1024 * 1024, 20 * 1024 * 1024 + 3])(
    'returns a blob of %d bytes in full and in part',
    async (size) => {
      const tenant = app.main;
      const host = buildHost(tenant, url());
      const content = randomBytes(size);
      const { hash } = await putBlob(host, toPieces(content, 99_999));
      expect(await putBlob(host, content)).toEqual({ hash, size });
      expect((await loadHeads(tenant)).find((head) => head.hash === hash)?.store).toBe('s3');
      expect((await readContent(host, hash)).equals(content)).toBe(true);
      for (const [from, to] of [
        [0, 10],
        [CHUNK_BYTES - 2, CHUNK_BYTES + 2],
        [Math.max(0, size - 7), size],
      ] as const)
        expect((await readContent(host, hash, { from, to })).equals(content.subarray(from, to))).toBe(true);
    },
  );

  test('removes deleted content from the bucket', async () => {
    const tenant = await app.tenant(`t${randomBytes(4).toString('hex')}`);
    const host = buildHost(tenant, url());
    const { hash } = await putBlob(host, randomBytes(10));
    for (const hours of [25, 2]) {
      await backdate(tenant, hours);
      await collectBlobs(host);
    }
    expect(await loadHeads(tenant)).toEqual([]);
    await expect(readContent(host, hash)).rejects.toThrow('is missing');
  });
}

describe("s3rver with the SDK's checksums", () => {
  testStore(() => `${s3.url}&checksums=supported`);
});

describe('s3rver', () => {
  testStore(() => s3.url);

  test('stores only encrypted objects, and stores identical content once', async () => {
    const tenant = await app.tenant('twice');
    const secret = Buffer.from(`the plans of ${randomBytes(12).toString('hex')}`);
    const content = Buffer.concat([randomBytes(2 * CHUNK_BYTES), secret]);
    const host = buildHost(tenant);
    await Promise.all([1, 2, 3].map(() => putBlob(host, toPieces(content, 70_000))));
    const [head, ...others] = await loadHeads(tenant);
    expect(others).toEqual([]);
    const getMine = () => s3.objects().filter((name) => name.startsWith(buildObjectKey(tenant, '')));
    expect(getMine()).toEqual([buildObjectKey(tenant, head!.place)]);
    expect(s3.bytesOf(getMine()[0]!).includes(secret)).toBe(false);
  });

  test('detects a store that loses objects, and leaves no trace of the put', async () => {
    const tenant = await app.tenant('liar');
    const requestedPaths: string[] = [];
    const liar = createServer((request, response) => {
      requestedPaths.push(request.method!);
      request.resume();
      request.on('end', () => response.end(request.method === 'GET' ? 'something else' : undefined));
    });
    liar.listen(0, '127.0.0.1');
    await once(liar, 'listening');
    const { port } = liar.address() as AddressInfo;
    const host = buildHost(tenant, `s3://a:b@contents?region=eu-west-1&endpoint=http://127.0.0.1:${port}`);
    await expect(putBlob(host, randomBytes(CHUNK_BYTES + 1))).rejects.toThrow('is not what was put');
    liar.closeAllConnections();
    liar.close();
    expect(requestedPaths).toContain('DELETE');
    expect(await loadHeads(tenant)).toEqual([]);
  });

  test('rejects a put to an unreachable bucket without leaving a trace', async () => {
    const tenant = await app.tenant('away');
    const host = buildHost(tenant, 's3://a:b@contents?region=eu-west-1&endpoint=http://127.0.0.1:9');
    await expect(putBlob(host, randomBytes(10))).rejects.toThrow();
    await backdate(tenant, 25);
    const returnedHost = buildHost(tenant);
    await collectBlobs(returnedHost);
    await backdate(tenant, 2);
    await collectBlobs(returnedHost);
    expect(await loadHeads(tenant)).toEqual([]);
  });

  test('reads from the bucket and writes to PostgreSQL with write=off', async () => {
    const tenant = await app.tenant('leaving');
    const { hash } = await putBlob(buildHost(tenant), Buffer.from('there'));
    const host = buildHost(tenant, `${s3.url}&write=off`);
    await putBlob(host, Buffer.from('here'));
    expect((await loadHeads(tenant)).map(({ store }) => store)).toEqual(['s3', 'pg']);
    expect((await readContent(host, hash)).toString()).toBe('there');
  });
});

describe('moving content between stores', () => {
  const attach = async (tenant: Tenant, content: Buffer): Promise<number> => {
    const vals_list = [{ name: 'a', datas: content.toString('base64') }];
    const answer = await json2(app, 'ir.attachment/create', { vals_list }, tenant.admin.key);
    expect(answer.status, answer.text).toBe(200);
    return answer.json()[0];
  };
  const readBytes = async (tenant: Tenant, id: number) => {
    const response = await fetch(`${app.url}/web/content/${id}`, {
      headers: { authorization: `Bearer ${tenant.admin.key}` },
    });
    return Buffer.from(await response.arrayBuffer());
  };
  const readChunks = (tenant: Tenant) =>
    app.runtime.db.value<number>(
      sql`select count(*)::int from svc_blob_chunk where workspace_id = ${tenant.ctx.workspace.id}`,
    );

  test('moves blobs in both directions while they are read, and deletes old copies a day later', async () => {
    const tenant = await app.tenant('mover');
    const contents = [1, CHUNK_BYTES, 3 * CHUNK_BYTES + 5].map((size) => randomBytes(size));
    const ids: number[] = [];
    for (const content of contents) ids.push(await attach(tenant, content));
    const check = async () => {
      for (const [index, id] of ids.entries())
        expect((await readBytes(tenant, id)).equals(contents[index]!)).toBe(true);
    };
    const readStores = async () => (await loadHeads(tenant)).map(({ store }) => store);
    expect(await readStores()).toEqual(['pg', 'pg', 'pg']);
    const move = (to: string) => runCliJson(buildEnv(), 'blob', 'move', '--to', to, '--workspace', 'mover');
    expect(await move('s3')).toEqual({ to: 's3', contents: 3, bytes: 4 * CHUNK_BYTES + 6 });
    expect(await move('s3')).toEqual({ to: 's3', contents: 0, bytes: 0 });
    expect(await readStores()).toEqual(['s3', 's3', 's3']);
    await check();
    expect(await readChunks(tenant)).toBe(6);
    await backdate(tenant, 25);
    await collectBlobs(buildHost(tenant));
    expect(await readChunks(tenant)).toBe(0);
    await check();
    expect(await runCliJson(buildEnv(), 'blob', 'check', '--workspace', 'mover')).toEqual({
      contents: 3,
      bytes: 4 * CHUNK_BYTES + 6,
      missing: 0,
      wrong: 0,
    });
    // Moves the blobs back and forth within a day.
    for (const to of ['pg', 's3', 'pg']) expect(await move(to)).toMatchObject({ contents: 3 });
    await check();
    await backdate(tenant, 25);
    await collectBlobs(buildHost(tenant));
    expect(s3.objects().filter((name) => name.startsWith(buildObjectKey(tenant, '')))).toEqual([]);
    await check();
  });

  test('completes a move that was interrupted at any statement', { tags: 'soak' }, async () => {
    const { moveBlobs } = await import('../../src/db/blobs/move.ts');
    const tenant = await app.tenant('interrupted');
    const contents = [randomBytes(10), randomBytes(2 * CHUNK_BYTES + 1)];
    const ids = [await attach(tenant, contents[0]!), await attach(tenant, contents[1]!)];
    const { db } = app.runtime;
    for (const to of ['s3', 'pg'] as const) {
      for (let stop = 1; stop < 40; stop++) {
        let remaining = stop;
        const readRows = async (statement: Sql) => {
          if (--remaining === 0) throw new Error('killed');
          return db.rows(statement);
        };
        const host = { ...buildHost(tenant), db: { ...db, rows: readRows } as never };
        const result = await moveBlobs(host, to).catch(() => null);
        for (const [index, id] of ids.entries())
          expect((await readBytes(tenant, id)).equals(contents[index]!)).toBe(true);
        if (result) break;
      }
      expect((await loadHeads(tenant)).map(({ store }) => store)).toEqual([to, to]);
    }
    await backdate(tenant, 25);
    await collectBlobs(buildHost(tenant));
    expect(s3.objects().filter((name) => name.startsWith(buildObjectKey(tenant, '')))).toEqual([]);
    expect(await readChunks(tenant)).toBe(1 + 3);
  });

  test('reports a missing bucket, and counts lost or changed blobs in a check', async () => {
    const result = await runCli(buildEnv(''), 'blob', 'move', '--to', 's3');
    expect([result.code, result.stderr]).toEqual([
      1,
      'BLOB_URL is not set. Set it to the URL of the bucket.\n',
    ]);
    const tenant = await app.tenant('checked');
    const host = buildHost(tenant);
    for (let i = 0; i < 4; i++) await putBlob(host, randomBytes(1_000 + i));
    const [first, second] = await loadHeads(tenant);
    s3.remove(buildObjectKey(tenant, first!.place));
    const changed = s3.bytesOf(buildObjectKey(tenant, second!.place));
    changed[500]!++;
    s3.put(buildObjectKey(tenant, second!.place), changed);
    const checkRun = await runCli(buildEnv(), 'blob', 'check', '--workspace', 'checked');
    expect([checkRun.code, checkRun.stderr]).toEqual([1, '1 of 4 blobs are missing and 1 are corrupt.\n']);
  });

  test('leaves nothing in the bucket after a workspace is deleted', async () => {
    const tenant = await app.tenant('gone');
    await putBlob(buildHost(tenant), randomBytes(10));
    const getMine = () => s3.objects().filter((name) => name.startsWith(buildObjectKey(tenant, '')));
    expect(getMine()).toHaveLength(1);
    const otherCount = s3.objects().length - 1;
    const result = await runCli(buildEnv(''), 'workspace', 'delete', 'gone', '--now', '--confirm', 'gone');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('set BLOB_URL to its URL');
    const { code, stderr } = await runCli(
      buildEnv(),
      'workspace',
      'delete',
      'gone',
      '--now',
      '--confirm',
      'gone',
    );
    expect([code, stderr]).toEqual([0, '']);
    expect([getMine(), s3.objects().length]).toEqual([[], otherCount]);
    expect(await loadHeads(tenant)).toEqual([]);
  });
});

const realPeer = definePeer(
  process.env.BLOB_TEST_URL ?? null,
  'a bucket of a real S3 store (BLOB_TEST_URL=s3://key:secret@bucket/prefix?endpoint=…&region=…)',
  false,
);
realPeer.describe('a real store', () => {
  testStore(() => realPeer.module);
});
realPeer.describe('a real store, with the checksums of the SDK', () => {
  testStore(() => `${realPeer.module}${realPeer.module.includes('?') ? '&' : '?'}checksums=supported`);
});
