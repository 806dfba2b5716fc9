import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_CURSORS_PER_USER } from '../../src/db/cursor.ts';
import { sql } from '../../src/db/sql.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { STREAMED_CHUNK_ROWS } from '../../src/engine/read/records.ts';
import { RowStream } from '../../src/engine/read/row-stream.ts';
import { create } from '../../src/engine/write/write.ts';
import { errors } from '../../src/errors.ts';
import { streamBody } from '../../src/http/stream-body.ts';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { createRpcClients } from '../harness/facades/rpc.ts';
import { parseJson, postWeb, signInWeb } from '../harness/facades/web.ts';
import { expectError } from './error.ts';

/** Rows read from the operation below, and whether its generator was closed. */
const received = { rows: 0, ended: false };

defineOperation('testStream', {
  effects: ['reads'],
  address: 'res.partner/test_stream',
  policy: { auth: ['USER'], scope: 'read' },
  description: 'Numbers, piece by piece; an error after some of them when asked to.',
  args: (arg) => ({ rows: arg.int({ required: true }), failAt: arg.int({ defaultValue: -1 }) }),
  run: (ctx, { rows, failAt }) =>
    ctx.streaming
      ? new RowStream(() => generateNumbers(rows, failAt ?? -1))
      : Array.from({ length: rows }, (_, i) => i),
});

async function* generateNumbers(rows: number, failAt: number): AsyncGenerator<string[]> {
  Object.assign(received, { rows: 0, ended: false });
  try {
    for (let i = 0; i < rows; i++) {
      if (i === failAt) throw errors.user('It ends here.');
      received.rows++;
      yield [JSON.stringify(i)];
    }
  } finally {
    received.ended = true;
  }
}

const app = setUpApp();

const buildExpected = (rows: number) => Array.from({ length: rows }, (_, i) => i);
const requestStream = (rows: number, failAt?: number) =>
  json2(app, 'res.partner/test_stream', { rows, fail_at: failAt }, app.main.admin.key);

describe('a long response', () => {
  test.each([0, 1, 5, 3000])('of %i rows is sent in chunks as one JSON document', async (rows) => {
    const answer = await requestStream(rows);
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, null]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual(buildExpected(rows));
    expect(received.ended).toBe(true);
  });

  test('returns an error if it fails before its first chunk, and aborts if it fails later', async () => {
    expectError(await requestStream(5, 0), 422, 'odoo.exceptions.UserError', /It ends here/);
    await expect(requestStream(5, 3)).rejects.toThrow();
    expect((await requestStream(5)).status).toBe(200);
  });

  test('stops reading when the client disconnects', async () => {
    const maxBytes = 50_000_000;
    await new Promise<void>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${app.main.admin.key}` };
      const path = '/json/2/res.partner/test_stream';
      const sentRequest = request(
        { port: app.port, host: '127.0.0.1', path, method: 'POST', headers },
        (response) =>
          response.once('data', () => {
            sentRequest.destroy();
            resolve();
          }),
      );
      sentRequest.on('error', reject).end(JSON.stringify({ rows: maxBytes }));
    });
    await expect.poll(() => received.ended, { timeout: 5_000 }).toBe(true);
    expect(received.rows).toBeLessThan(maxBytes / 10);
  });

  test('is sent in chunks over JSON-RPC and XML-RPC', async () => {
    const { id, key } = app.main.admin;
    const args = ['main', id, key, 'res.partner', 'test_stream', [4]];
    const params = { service: 'object', method: 'execute_kw', args };
    const response = await postWeb(app, '/jsonrpc', params);
    expect(response.headers['content-length']).toBeUndefined();
    expect(parseJson(response)).toEqual({ jsonrpc: '2.0', id: 7, result: buildExpected(4) });
    const cookie = await signInWeb(app);
    const call = { model: 'res.partner', method: 'test_stream', args: [], kwargs: { rows: 4 } };
    expect(parseJson(await postWeb(app, '/web/dataset/call_kw', call, { cookie })).result).toEqual(
      buildExpected(4),
    );
    const failing = { ...call, kwargs: { rows: 4, fail_at: 0 } };
    expect(
      parseJson(await postWeb(app, '/web/dataset/call_kw', failing, { cookie })).error.data.message,
    ).toBe('It ends here.');
    const { execute } = createRpcClients(app);
    expect((await execute('res.partner', 'test_stream', [4])).value).toEqual(buildExpected(4));
    expect((await execute('res.partner', 'test_stream', [4, 0])).fault?.faultString).toMatch(/It ends here/);
    await expect(execute('res.partner', 'test_stream', [3000, 2999])).rejects.toThrow();
  });
});

describe('a result larger than one chunk', () => {
  const COUNT = STREAMED_CHUNK_ROWS * 2 + 1;
  const search = { domain: [['ref', '=', 'many']], fields: ['name', 'parent_id'], order: 'id' };
  const searchRead = (overrides: object = {}) =>
    json2(app, 'res.partner/search_read', { ...search, ...overrides }, app.main.admin.key);

  beforeAll(async () => {
    const rows = Array.from({ length: COUNT }, (_, i) => ({
      name: `Row ${i} é`,
      ref: 'many',
      // Exceeds the buffers of sockets.
      comment: 'x'.repeat(5_000),
    }));
    await create(app.main.ctx, 'res.partner', rows);
  });

  test('returns the same rows as smaller pages', async () => {
    const answer = await searchRead();
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, null]);
    const rows = answer.json();
    expect(rows.map((row: { name: string }) => row.name)).toEqual(
      buildExpected(COUNT).map((i) => `Row ${i} é`),
    );
    const page = await searchRead({ offset: COUNT - 10, limit: 20 });
    expect(page.json()).toEqual(rows.slice(-10));
    expect(page.headers.get('content-length')).not.toBeNull();
  });

  test('is the same over XML-RPC', async () => {
    const { domain, fields, order } = search;
    const result = await createRpcClients(app).execute('res.partner', 'search_read', [
      domain,
      fields,
      0,
      null,
      order,
    ]);
    expect(result.value).toEqual((await searchRead()).json());
  });

  test('occupies at most two connections per user, while colleagues are served', async () => {
    const { admin, user } = app.main;
    const large = { ...search, fields: ['comment'] };
    const clients = Array.from({ length: 8 }, () => openPausedClient(large, admin.key));
    const { pool } = app.runtime.db;
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(MAX_CURSORS_PER_USER);
    const { status } = await json2(app, 'res.partner/search_read', search, user.key);
    expect(status).toBe(200);
    // The colleague's connection may be released after the response.
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(MAX_CURSORS_PER_USER);
    for (const client of clients) client.destroy();
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
    expect((await searchRead()).json()).toHaveLength(COUNT);
  });

  test('ends when its database connection is lost, and the user can read again', async () => {
    const { db } = app.runtime;
    for (let round = 0; round <= MAX_CURSORS_PER_USER; round++) {
      const client = openPausedClient({ ...search, fields: ['comment'] }, app.main.admin.key);
      await once(client, 'readable');
      const closed = once(client, 'close');
      await expect
        .poll(() =>
          db.rows(sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and state = 'active'`),
        )
        .toHaveLength(1);
      client.resume();
      await closed;
    }
    await expect.poll(() => db.pool.totalCount - db.pool.idleCount).toBe(0);
    expect((await searchRead()).json()).toHaveLength(COUNT);
  });

  test('releases its database connection when the client disconnects', async () => {
    const clients = Array.from({ length: 30 }, async () => {
      const stop = new AbortController();
      const response = await fetch(`${app.url}/json/2/res.partner/search_read`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${app.main.admin.key}` },
        body: JSON.stringify(search),
        signal: stop.signal,
      });
      expect(response.status).toBe(200);
      stop.abort();
    });
    await Promise.all(clients);
    const { pool } = app.runtime.db;
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
    expect((await searchRead()).json()).toHaveLength(COUNT);
  });
});

/** Sends a request and never reads the response. */
function openPausedClient(body: object, key: string): Socket {
  const text = JSON.stringify(body);
  const socket = connect(app.port, '127.0.0.1').pause();
  socket.write(
    `POST /json/2/res.partner/search_read HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
  );
  return socket;
}

describe('streamBody', () => {
  const generateParts = (...texts: string[]) =>
    (async function* () {
      yield* texts;
    })();

  const rethrow = (error: unknown) => {
    throw error;
  };

  test.each([[[]], [['']], [['[', '"é漢"', ']']]])('joins the chunks %j', async (texts) => {
    expect(await new Response(await streamBody(generateParts(...texts), rethrow)).text()).toBe(
      texts.join(''),
    );
  });

  test('does not read ahead of the consumer', async () => {
    let count = 0;
    async function* generateRows() {
      for (; count < 100; count++) yield 'x';
    }
    const reader = (await streamBody(generateRows(), rethrow)).getReader();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(count).toBe(0);
    await reader.cancel();
  });

  test('fails when the missing chunk is read, not while an earlier one is being sent', async () => {
    async function* generateRows() {
      yield 'x';
      throw new Error('It ends here.');
    }
    const cuts: unknown[] = [];
    const reader = (await streamBody(generateRows(), (error) => cuts.push(error))).getReader();
    await reader.read();
    const state = reader.closed.catch(() => 'failed');
    const sent = new Promise((resolve) => setImmediate(resolve, 'open'));
    expect([await Promise.race([state, sent]), cuts]).toEqual(['open', []]);
    await expect(reader.read()).rejects.toThrow('It ends here.');
    expect([await state, cuts.length]).toEqual(['failed', 1]);
  });
});
