import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  MAX_PENDING_UPLOADS,
  MAX_PENDING_WORKSPACE_BYTES,
} from '../../schema/base/uploads/receive-upload.ts';
import { sql } from '../../src/db/sql.ts';
import { allocateIds } from '../../src/engine/ctx/allocate-ids.ts';
import { listScheduledJobs } from '../../src/engine/work/jobs.ts';
import { limits } from '../../src/limits.ts';
import { post, setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';

const app = setUpApp();
let otherTenant: Tenant;
let partner: string;

beforeAll(async () => {
  otherTenant = await app.tenant('other');
  const papers = await queryGraphql('mutation { partnerCreate(input: { name: "Papers" }) { id } }');
  partner = papers.data.partnerCreate.id;
});

const buildBearer = (key: string) => ({ authorization: `Bearer ${key}` });
const queryGraphql = async (query: string, variables: object = {}, key = app.main.admin.key) =>
  (await post(`${app.url}/graphql`, { query, variables }, key)).json();

async function putFile(body: BodyInit, name = 'a.txt', headers = buildBearer(app.main.admin.key)) {
  const response = await fetch(`${app.url}/web/uploads?filename=${encodeURIComponent(name)}`, {
    method: 'PUT',
    body,
    headers,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit);
  return { status: response.status, body: await response.json() };
}

const ATTACH = `mutation ($upload: ID!, $id: ID!) {
  attachmentCreate(input: { name: "paper.pdf", resModel: "res.partner", resId: $id, uploadId: $upload }) {
    id fileSize mimetype checksum uploadId
  }
}`;
const attach = (upload: string, key = app.main.admin.key) =>
  queryGraphql(ATTACH, { upload, id: partner }, key);

const loadWaiting = (workspace = app.main.ctx.workspace.id) =>
  app.runtime.db.rows<{ id: number; size: number; hash: string | null }>(
    sql`select id, size, hash from svc_upload where workspace_id = ${workspace} order by id`,
  );

describe('record uploads', () => {
  test('accept 20 MB as a stream, and become an attachment with the same content', async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(20 * 1024 * 1024)]);
    const place = await queryGraphql('mutation { fileUpload(filename: "paper.pdf") { path maxBytes } }');
    expect(place.data.fileUpload).toEqual({
      path: '/web/uploads?filename=paper.pdf',
      maxBytes: limits.upload.fileBytes,
    });
    const { status, body } = await putFile(bytes, 'paper.pdf');
    expect([status, body]).toEqual([200, { id: expect.any(String), name: 'paper.pdf', size: bytes.length }]);
    const uploads = 'query { uploads { nodes { id name size checksum } } }';
    const checksum = createHash('sha1').update(bytes).digest('hex');
    expect((await queryGraphql(uploads)).data.uploads.nodes).toEqual([{ ...body, checksum }]);
    const { id, ...file } = (await attach(body.id)).data.attachmentCreate;
    expect(file).toEqual({ fileSize: bytes.length, mimetype: 'application/pdf', checksum, uploadId: null });
    const download = await fetch(`${app.url}/web/content/${id}`, {
      headers: buildBearer(app.main.admin.key),
    });
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await loadWaiting()).toEqual([]);
    expect((await attach(body.id)).errors![0]!.extensions.code).toBe('MISSING');
  });

  test('reject a form in place of a file', async () => {
    const form = new FormData();
    form.set('file', new Blob(['abc']), 'a.txt');
    const { status, body } = await putFile(form);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('--data-binary')]);
    expect(await loadWaiting()).toEqual([]);
  });

  test('store chunks as they arrive', async () => {
    const readChunks = () =>
      app.runtime.db.value<number>(
        sql`select count(*)::int from svc_blob_chunk where workspace_id = ${app.main.ctx.workspace.id}`,
      );
    const before = await readChunks();
    let sentCount = 0;
    let wereStored = 0;
    const body = new ReadableStream({
      async pull(controller) {
        if (sentCount === 4) {
          for (const end = Date.now() + 10_000; wereStored <= 0 && Date.now() < end; )
            wereStored = (await readChunks()) - before;
          controller.close();
        } else controller.enqueue(new Uint8Array(randomBytes(1024 * 1024)));
        sentCount += 1;
      },
    });
    const upload = await putFile(body);
    expect(upload.status).toBe(200);
    expect(wereStored).toBeGreaterThan(0);
    await queryGraphql('mutation ($id: ID!) { fileUploadDiscard(id: $id) }', { id: upload.body.id });
    expect(await loadWaiting()).toEqual([]);
  });

  test('index the text of a file, and derive its type from the name', async () => {
    const { id: text } = (await putFile('the word aardvark')).body;
    const attachment = await queryGraphql(
      `mutation ($upload: ID!) {
        attachmentCreate(input: { name: "n.csv", uploadId: $upload }) { mimetype indexContent }
      }`,
      { upload: text },
    );
    expect(attachment.data.attachmentCreate).toEqual({
      mimetype: 'text/csv',
      indexContent: 'the word aardvark',
    });
  });

  test('replace the content of an attachment in every facade', async () => {
    const attachment = await json2(
      app,
      'ir.attachment/create',
      { vals_list: { name: 'a.txt', raw: 'old' } },
      app.main.admin.key,
    );
    const [id] = attachment.json();
    const { body } = await putFile('new content');
    const vals = { upload_id: Number(body.id) };
    expect((await json2(app, 'ir.attachment/write', { ids: [id], vals }, app.main.admin.key)).status).toBe(
      200,
    );
    const result = await fetch(`${app.url}/web/content/${id}`, { headers: buildBearer(app.main.admin.key) });
    expect(await result.text()).toBe('new content');
    const both = { upload_id: Number((await putFile('x')).body.id), raw: 'y' };
    const response = await json2(app, 'ir.attachment/write', { ids: [id], vals: both }, app.main.admin.key);
    expect(response.status).toBe(422);
    expect(await loadWaiting()).toHaveLength(1);
  });

  test('cannot be used or deleted by other users or workspaces', async () => {
    const ownUpload = (await putFile('mine')).body.id;
    for (const [key, code] of [
      [app.main.user.key, 'ACCESS_ERROR'],
      [otherTenant.user.key, 'MISSING'],
      [otherTenant.admin.key, 'MISSING'],
    ] as const) {
      const alone = `mutation { attachmentCreate(input: { name: "a", uploadId: "${ownUpload}" }) { id } }`;
      const { data, errors } = await queryGraphql(alone, {}, key);
      expect([data?.attachmentCreate ?? null, errors[0].extensions.code]).toEqual([null, code]);
      const dropped = await queryGraphql(
        'mutation ($id: ID!) { fileUploadDiscard(id: $id) }',
        { id: ownUpload },
        key,
      );
      expect(dropped.errors![0]!.extensions.code).toBe('MISSING');
      expect(
        (await queryGraphql('query ($id: ID!) { upload(id: $id) { name } }', { id: ownUpload }, key)).data
          .upload,
      ).toBe(null);
    }
    expect((await attach(ownUpload)).errors).toBeUndefined();
  });

  test('remain available if the caller may not write the record', async () => {
    const key = app.main.user.key;
    const { id } = (await putFile('for a record', 'a.txt', buildBearer(key))).body;
    const response = await attach(id, key);
    expect(response.errors[0].extensions.code).toBe('ACCESS_ERROR');
    expect((await loadWaiting()).map((item) => String(item.id))).toContain(id);
    const alone = `mutation { attachmentCreate(input: { name: "a", uploadId: "${id}" }) { fileSize } }`;
    expect((await queryGraphql(alone, {}, key)).data.attachmentCreate).toEqual({ fileSize: 12 });
  });

  test('are rejected for visitors, other sites, read-only keys and keys without a user', async () => {
    const before = await loadWaiting();
    expect((await putFile('x', 'x', {} as never)).status).toBe(401);
    expect((await putFile('x', 'x', buildBearer(app.main.readOnlyKey))).status).toBe(403);
    expect((await putFile('x', 'x', buildBearer(app.main.teamKey))).status).toBe(403);
    expect((await putFile('x', '..')).status).toBe(422);
    const foreign = { cookie: 'session_id=x', origin: 'https://evil.example' };
    expect((await putFile('x', 'x', foreign as never)).status).toBe(403);
    expect(await loadWaiting()).toEqual(before);
  });

  test('are rejected over the size limit, whether or not their size is announced', {
    tags: 'soak',
  }, async () => {
    const before = await loadWaiting();
    const largeBlob = new Blob([new Uint8Array(limits.upload.fileBytes + 1)]);
    const announcedResponse = await putFile(largeBlob);
    expect([announcedResponse.status, announcedResponse.body.error.code]).toEqual([413, 'BAD_REQUEST']);
    expect((await putFile(largeBlob.stream())).status).toBe(413);
    expect(await loadWaiting()).toEqual(before);
  });

  test('are limited per user and workspace, even if they run concurrently', async () => {
    const { workspace } = app.main.ctx;
    await app.runtime.db.rows(sql`delete from svc_upload where workspace_id = ${workspace.id}`);
    const fill = async (user: number, size: number, count: number) => {
      const ids = await allocateIds(app.main.ctx, 'svc_upload', count);
      await app.runtime.db.rows(
        sql`insert into svc_upload (workspace_id, id, user_id, name, size)
         select ${workspace.id}::int, i, ${user}::int, 'x', ${size}::int from unnest(${ids}::int[]) i`,
      );
    };
    await fill(app.main.admin.id, 1, MAX_PENDING_UPLOADS - 2);
    const responses = await Promise.all(['a', 'b', 'c', 'd'].map((item) => putFile(item)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(responses.find(({ status }) => status !== 200)!.body.error.message).toMatch(/50 files or 500 MB/);
    const rest = 2 ** 30;
    for (let remainingBytes = MAX_PENDING_WORKSPACE_BYTES; remainingBytes > 0; remainingBytes -= rest)
      await fill(app.main.user.id, Math.min(remainingBytes, rest), 1);
    await app.runtime.db.rows(
      sql`delete from svc_upload where workspace_id = ${workspace.id} and user_id = ${app.main.admin.id}`,
    );
    expect((await putFile('e')).body.error.message).toMatch(/This workspace has too many uploads/);
    expect((await putFile('f', 'f', buildBearer(otherTenant.user.key))).status).toBe(200);
    await app.runtime.db.rows(sql`delete from svc_upload where workspace_id = ${workspace.id}`);
  });

  test('are deleted if they are not used or the connection breaks', async () => {
    const [old, young] = [(await putFile('old')).body.id, (await putFile('young')).body.id];
    await app.runtime.db.rows(
      sql`update svc_upload set create_date = now() - interval '25 hours'
       where workspace_id = ${app.main.ctx.workspace.id} and id = ${Number(old)}`,
    );
    await listScheduledJobs()
      .find(({ name }) => name === 'upload-purge')!
      .run(app.runtime, null);
    expect((await loadWaiting()).map(({ id }) => String(id))).toEqual([young]);
    const abort = await startUpload();
    await abort();
    await expect.poll(async () => (await loadWaiting()).length, { timeout: 10_000 }).toBe(1);
  });

  test('are deleted after the connection breaks, even if the deletion has to wait', async () => {
    const before = await loadWaiting();
    const abort = await startUpload();
    const holder = await app.runtime.db.pool.connect();
    await holder.query('begin; lock table svc_upload in share mode');
    await abort();
    // Longer than other statements run without a client.
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like 'delete from svc_upload%' and query_start < clock_timestamp() - interval '1 second'`;
    try {
      await expect
        .poll(async () => (await app.runtime.db.pool.query(waiting)).rowCount, { timeout: 10_000 })
        .toBe(1);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    await expect.poll(() => loadWaiting(), { timeout: 10_000 }).toEqual(before);
  });

  /** Sends the first part of a file. Returns a function that closes the connection. */
  async function startUpload() {
    const { length } = await loadWaiting();
    const stop = new AbortController();
    let hasStarted = false;
    const body = new ReadableStream({
      pull(controller) {
        if (!hasStarted) controller.enqueue(new Uint8Array(1_000_000));
        hasStarted = true;
      },
    });
    const upload = fetch(`${app.url}/web/uploads?filename=torn`, {
      method: 'PUT',
      body,
      headers: buildBearer(app.main.admin.key),
      duplex: 'half',
      signal: stop.signal,
    } as RequestInit);
    await expect.poll(async () => (await loadWaiting()).length).toBe(length + 1);
    return async () => {
      stop.abort();
      await expect(upload).rejects.toThrow();
    };
  }
});
