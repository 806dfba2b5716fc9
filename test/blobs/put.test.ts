import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { CHUNK_BYTES } from '../../src/db/blobs/frames.ts';
import type { BlobHost } from '../../src/db/blobs/host.ts';
import { putBlob } from '../../src/db/blobs/put.ts';
import { type ByteRange, readBlob } from '../../src/db/blobs/read.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';

const app = setUpApp();
let otherTenant: Tenant;
beforeAll(async () => {
  otherTenant = await app.tenant('other');
});

const readContent = async (host: BlobHost, hash: string, range?: ByteRange): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of readBlob(host, hash, range)) chunks.push(chunk);
  return Buffer.concat(chunks);
};

async function* toPieces(content: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += length) yield content.subarray(start, start + length);
}

async function countBlobs({ ctx: { workspace } }: Tenant): Promise<{ heads: number; chunks: number }> {
  const [row] = await app.runtime.db.rows<{ heads: number; chunks: number }>(
    sql`select (select count(*)::int from svc_blob b where b.workspace_id = ${workspace.id}) as heads,
       (select count(*)::int from svc_blob_chunk c where c.workspace_id = ${workspace.id}) as chunks`,
  );
  return row!;
}

/** Returns all stored bytes: the chunks of all workspaces, and all other rows of the store. */
async function loadStoredBytes(): Promise<Buffer> {
  const { rows } = await app.runtime.db.pool.query(
    `select content from svc_blob_chunk union all select convert_to(t::text, 'UTF8') from svc_blob t
     union all select convert_to(t::text, 'UTF8') from svc_blob_key t`,
  );
  return Buffer.concat(rows.map(({ content }) => content));
}

const SIZES = [
  0,
  1,
  65_535,
  65_536,
  65_537,
  CHUNK_BYTES - 1,
  CHUNK_BYTES,
  CHUNK_BYTES + 1,
  2 * CHUNK_BYTES,
  5 * CHUNK_BYTES + 77,
];

describe.each([
  ['sealed', 'on'],
  ['unencrypted', 'off'],
])('blobs stored %s', (_, setting) => {
  const buildHost = (): BlobHost => ({
    db: app.runtime.db,
    workspace: app.main.ctx.workspace,
    runtime: {
      config: { ...app.runtime.config, blobs: { bucket: null, encrypts: setting === 'on' } },
    },
  });

  test.each(SIZES)('returns %d bytes in full and in part, from a buffer and from a stream', async (size) => {
    const content = randomBytes(size);
    const streamedBlob = await putBlob(buildHost(), toPieces(content, 100_001));
    expect(streamedBlob).toMatchObject({ size, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const before = await countBlobs(app.main);
    expect(await putBlob(buildHost(), content)).toEqual(streamedBlob);
    expect(await putBlob(buildHost(), toPieces(content, 65_536))).toEqual(streamedBlob);
    expect(await countBlobs(app.main)).toEqual(before);
    expect((await readContent(buildHost(), streamedBlob.hash)).equals(content)).toBe(true);
    for (const [from, to] of [
      [0, 1],
      [size - 1, size],
      [65_530, 65_540],
      [CHUNK_BYTES - 3, CHUNK_BYTES + 3],
      [1, size - 1],
      [size, size + 10],
    ] as const) {
      if (from < 0) continue;
      const part = await readContent(buildHost(), streamedBlob.hash, { from, to });
      expect(part.equals(content.subarray(from, Math.max(from, to)))).toBe(true);
    }
  });
});

test('stores neither the content nor its hash in plain text', async () => {
  const secret = Buffer.from(`the plans of ${randomBytes(12).toString('hex')}`);
  const content = Buffer.concat([randomBytes(CHUNK_BYTES - 10), secret, randomBytes(CHUNK_BYTES)]);
  for (const item of [secret, content]) await putBlob(app.main.ctx, item);
  expect((await loadStoredBytes()).includes(secret)).toBe(false);
  const { createHash } = await import('node:crypto');
  const digest = createHash('sha256').update(secret).digest('hex');
  expect((await loadStoredBytes()).includes(digest)).toBe(false);
  // Control: without encryption the search finds the secret.
  const plain = { ...app.runtime.config, blobs: { bucket: null, encrypts: false } };
  await putBlob({ ...app.main.ctx, runtime: { config: plain } }, Buffer.concat([secret, Buffer.from('.')]));
  expect((await loadStoredBytes()).includes(secret)).toBe(true);
});

test('stores identical content in two workspaces under different names, bytes and keys', async () => {
  const content = randomBytes(1_000);
  const [ownBlob, otherBlob] = [
    await putBlob(app.main.ctx, content),
    await putBlob(otherTenant.ctx, content),
  ];
  expect(ownBlob.hash).not.toBe(otherBlob.hash);
  await expect(readContent(otherTenant.ctx, ownBlob.hash)).rejects.toThrow('is missing');
  // Rows copied from one workspace are useless in another.
  for (const text of [
    `insert into svc_blob (workspace_id, hash, size, sealed, store, place)
     select $2, hash, size, sealed, store, place from svc_blob
     where workspace_id = $1 and hash = $3`,
    `insert into svc_blob_chunk select $2, c.place, c.no, c.content from svc_blob_chunk c
     join svc_blob b on b.workspace_id = $1 and b.place = c.place and b.hash = $3 where c.workspace_id = $1`,
  ])
    await app.runtime.db.pool.query(text, [
      app.main.ctx.workspace.id,
      otherTenant.ctx.workspace.id,
      ownBlob.hash,
    ]);
  await expect(readContent(otherTenant.ctx, ownBlob.hash)).rejects.toThrow('is not what was put');
});

test('detects changed bytes, moved chunks and truncation', async () => {
  const content = randomBytes(3 * CHUNK_BYTES);
  const ws = app.main.ctx.workspace.id;
  for (const harm of [
    `update svc_blob_chunk set content = set_byte(content, 70000, get_byte(content, 70000) # 1)
     where workspace_id = $1 and place = $2 and no = 1`,
    `update svc_blob_chunk c set content = d.content from svc_blob_chunk d
     where c.workspace_id = $1 and c.place = $2 and c.no = 0
       and d.workspace_id = $1 and d.place = $2 and d.no = 1`,
    `update svc_blob set size = ${2 * CHUNK_BYTES} where workspace_id = $1 and place = $2`,
    `update svc_blob_chunk set content = substring(content for 65552)
     where workspace_id = $1 and place = $2 and no = 2`,
  ]) {
    content[0]!++;
    const { hash } = await putBlob(app.main.ctx, content);
    const place = await app.runtime.db.value<string>(
      sql`select place from svc_blob where workspace_id = ${ws} and hash = ${hash}`,
    );
    await app.runtime.db.pool.query(harm, [ws, place]);
    await expect(readContent(app.main.ctx, hash)).rejects.toThrow('is not what was put');
  }
});

test('stores nothing if a blob is too large or its source fails', async () => {
  const before = await countBlobs(app.main);
  const putContent = (source: Buffer | AsyncIterable<Buffer>) =>
    putBlob(app.main.ctx, source, { limit: 2 * CHUNK_BYTES });
  await expect(putContent(randomBytes(2 * CHUNK_BYTES + 1))).rejects.toMatchObject({ status: 413 });
  await expect(putContent(toPieces(randomBytes(4 * CHUNK_BYTES), 50_000))).rejects.toMatchObject({
    status: 413,
  });
  async function* streamUntilError() {
    yield randomBytes(CHUNK_BYTES + 1);
    yield randomBytes(CHUNK_BYTES + 1);
    throw new Error('the line is dead');
  }
  await expect(putBlob(app.main.ctx, streamUntilError())).rejects.toThrow('the line is dead');
  expect(await countBlobs(app.main)).toEqual(before);
  expect((await putContent(randomBytes(2 * CHUNK_BYTES))).size).toBe(2 * CHUNK_BYTES);
});

test('stores nothing, not even an encryption key, if the transaction is rolled back', async () => {
  const newTenant = await app.tenant('fresh');
  const contents = [randomBytes(10), randomBytes(CHUNK_BYTES + 10)];
  const undone = newTenant.ctx.tx(async (tx) => {
    for (const content of contents) {
      const { hash } = await putBlob(tx, content);
      expect((await readContent(tx, hash)).equals(content)).toBe(true);
    }
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  expect(await countBlobs(newTenant)).toEqual({ heads: 0, chunks: 0 });
  for (const content of contents) {
    const { hash } = await newTenant.ctx.tx((tx) => putBlob(tx, content));
    expect((await readContent(newTenant.ctx, hash)).equals(content)).toBe(true);
  }
});

test("stores the same content once under concurrent puts, even if it is the workspace's first", async () => {
  const youngTenant = await app.tenant('young');
  const smallBuffer = randomBytes(5_000);
  const largeBuffer = randomBytes(2 * CHUNK_BYTES);
  const puts = Array.from({ length: 16 }, (_, i) =>
    putBlob(
      { ...youngTenant.ctx, db: app.runtime.db },
      i % 4 === 0
        ? smallBuffer
        : i % 4 === 1
          ? toPieces(smallBuffer, 999)
          : i % 4 === 2
            ? largeBuffer
            : toPieces(largeBuffer, 99_999),
    ),
  );
  const hashes = new Set((await Promise.all(puts)).map(({ hash }) => hash));
  expect(hashes.size).toBe(2);
  expect(await countBlobs(youngTenant)).toEqual({ heads: 2, chunks: 3 });
  for (const hash of hashes)
    expect([5_000, 2 * CHUNK_BYTES]).toContain((await readContent(youngTenant.ctx, hash)).length);
});

test('rejects reads with another secret key', async () => {
  const { hash } = await putBlob(app.main.ctx, Buffer.from('closed'));
  const config = { ...app.runtime.config, secretKey: 'another key of at least 32 characters' };
  await expect(readContent({ ...app.main.ctx, runtime: { config } }, hash)).rejects.toThrow(
    'another SECRET_KEY',
  );
});

describe('attachments', () => {
  const create = async (tenant: Tenant, values: object) => {
    const answer = await json2(app, 'ir.attachment/create', { vals_list: [values] }, tenant.admin.key);
    expect(answer.status, answer.text).toBe(200);
    return answer.json()[0] as number;
  };
  const readRows = async (tenant: Tenant, method: string, args: object) => {
    const answer = await json2(app, `ir.attachment/${method}`, args, tenant.admin.key);
    return { status: answer.status, json: answer.json() };
  };
  const get = (tenant: Tenant, id: number, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/web/content/${id}`, {
      headers: { authorization: `Bearer ${tenant.admin.key}`, ...headers },
    });

  test('are independent in two workspaces, even with the same content', async () => {
    const datas = randomBytes(700_000).toString('base64');
    const [ownPut, otherPut] = [
      await create(app.main, { name: 'a', datas }),
      await create(otherTenant, { name: 'a', datas }),
    ];
    await readRows(app.main, 'unlink', { ids: [ownPut] });
    const { json } = await readRows(otherTenant, 'read', { ids: [otherPut], fields: ['datas'] });
    expect(json[0].datas).toBe(datas);
    // The internal name of a blob can be neither written nor read.
    for (const values of [
      { name: 'b', store_hash: 'x' },
      { name: 'b', kept: 'x' },
    ])
      expect((await readRows(otherTenant, 'create', { vals_list: [values] })).status).toBe(422);
    expect((await readRows(otherTenant, 'read', { ids: [otherPut], fields: ['store_hash'] })).status).toBe(
      422,
    );
  });

  test('store text that looks like a content reference as plain text', async () => {
    const { CONTENT_MARK } = await import('../../src/engine/sql/projection.ts');
    const id = await create(app.main, { name: `b${'0'.repeat(64)}`, raw: 'plain', description: '"x"' });
    const { json } = await readRows(app.main, 'read', {
      ids: [id],
      fields: ['name', 'raw', 'datas', 'description'],
    });
    expect(json).toEqual([
      { id, name: `b${'0'.repeat(64)}`, raw: 'plain', datas: 'cGxhaW4=', description: '"x"' },
    ]);
    expect(JSON.stringify(json)).not.toContain(CONTENT_MARK);
  });

  test('are returned in lists and nested reads, as sizes on request, and as false when empty', async () => {
    const id = await create(app.main, { name: 'size', raw: 'x'.repeat(1_536) });
    const empty = await create(app.main, { name: 'none' });
    const context = { bin_size: true };
    const sizes = await readRows(app.main, 'read', { ids: [id, empty], fields: ['datas', 'raw'], context });
    expect(sizes.json).toEqual([
      { id, datas: '1.50 Kb', raw: '1.50 Kb' },
      { id: empty, datas: false, raw: false },
    ]);
    const listedResponse = await readRows(app.main, 'search_read', {
      domain: [
        ['datas', '!=', false],
        ['id', 'in', [id, empty]],
      ],
      fields: ['raw'],
    });
    expect(listedResponse.json).toEqual([{ id, raw: 'x'.repeat(1_536) }]);
    const web = await readRows(app.main, 'web_read', { ids: [id], specification: { raw: {}, name: {} } });
    expect(web.json).toEqual([{ id, raw: 'x'.repeat(1_536), name: 'size' }]);
  });

  test('are rejected in a list that exceeds the response limit, but returned individually', {
    tags: 'soak',
  }, async () => {
    const datas = randomBytes(26 * 1024 * 1024).toString('base64');
    const ids = [await create(app.main, { name: 'a', datas }), await create(app.main, { name: 'b', datas })];
    const { status, json } = await readRows(app.main, 'read', { ids, fields: ['datas'] });
    expect([status, json.message]).toEqual([422, expect.stringContaining('too large')]);
    const bytes = Buffer.from(await (await get(app.main, ids[0]!)).arrayBuffer());
    expect(bytes.equals(Buffer.from(datas, 'base64'))).toBe(true);
  });

  test('are served in ranges', async () => {
    const content = randomBytes(900_000);
    const id = await create(app.main, { name: 'film.bin', datas: content.toString('base64') });
    const cases: [range: string, from: number, to: number][] = [
      ['bytes=0-0', 0, 1],
      ['bytes=262140-262150', 262_140, 262_151],
      ['bytes=899999-', 899_999, 900_000],
      ['bytes=800000-9999999', 800_000, 900_000],
      ['bytes=-5', 899_995, 900_000],
    ];
    for (const [range, from, to] of cases) {
      const response = await get(app.main, id, { range });
      expect([response.status, response.headers.get('content-range')]).toEqual([
        206,
        `bytes ${from}-${to - 1}/900000`,
      ]);
      expect(response.headers.get('content-length')).toBe(String(to - from));
      expect(Buffer.from(await response.arrayBuffer()).equals(content.subarray(from, to))).toBe(true);
    }
    const behindResponse = await get(app.main, id, { range: 'bytes=900000-' });
    expect([behindResponse.status, behindResponse.headers.get('content-range')]).toEqual([
      416,
      'bytes */900000',
    ]);
    for (const headers of [
      { range: 'bytes=0-1,5-6' },
      { range: 'bytes=5-2' },
      { range: 'lines=1-2' },
      { range: 'bytes=0-1', 'if-range': '"other"' },
    ]) {
      const wholeResponse = await get(app.main, id, headers as unknown as Record<string, string>);
      expect([wholeResponse.status, (await wholeResponse.arrayBuffer()).byteLength]).toEqual([200, 900_000]);
    }
  });
});
