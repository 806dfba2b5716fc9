import { EventEmitter } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type ConnectionLimiter,
  type ConnectionSlot,
  createConnectionLimiter,
  divideConnections,
} from '../../src/db/connection-limiter.ts';
import { createResponseMemory, MIN_READ_RATE } from '../../src/db/response-memory.ts';
import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { MAX_WAITING_EXPENSIVE_CALLS, runInTurn } from '../../src/engine/operation/expensive-calls.ts';
import { limits } from '../../src/limits.ts';
import { createJsonClient, json2 } from '../harness/facades/json2.ts';
import { runTool, switchMcp } from '../harness/facades/mcp.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { createRpcClients } from '../harness/facades/rpc.ts';
import type { Tenant } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';

// Costs that one caller's queries impose on others: connections, rows, memory and process time.

const team = setUpTeam();
let otherTenant: Tenant;
beforeAll(async () => {
  otherTenant = await team.tenant('other');
  await switchMcp(team, team.main, true);
});

const createTagged = async (name: string, count: number): Promise<{ partner: number; tags: number[] }> => {
  const admin = createJsonClient(team);
  const tags = await admin.value('res.partner.category/create', {
    vals_list: Array.from({ length: count }, (_, index) => ({ name: `${name} ${index}` })),
  });
  return { partner: await admin.create('res.partner', { name, category_id: [[6, 0, tags]] }), tags };
};

describe('query rows', () => {
  test('are grouped only once by a list field that is given four times', async () => {
    const { partner } = await createTagged('grouped', 60);
    const groups = await createJsonClient(team).value('res.partner/formatted_read_group', {
      domain: [['id', '=', partner]],
      groupby: Array(4).fill('category_id'),
      aggregates: ['__count'],
    });
    expect(groups).toHaveLength(60);
    expect(groups[0].__extra_domain).toEqual([['category_id', '=', groups[0].category_id[0]]]);
  });

  test('cannot be grouped by more than two list fields', async () => {
    const admin = createJsonClient(team);
    const [model] = await admin.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
    const names = ['x_one_ids', 'x_two_ids'];
    for (const name of names)
      await admin.create('ir.model.fields', {
        model_id: model,
        name,
        field_description: name,
        ttype: 'many2many',
        relation: 'res.partner.category',
      });
    const groupBy = (groupby: string[]) =>
      json2(team, 'res.partner/formatted_read_group', { domain: [], groupby }, team.main.admin.key);
    expect((await groupBy(names)).status).toBe(200);
    const response = await groupBy(['category_id', ...names]);
    expect([response.status, response.json().message]).toEqual([
      422,
      'a call can group by at most 2 list fields',
    ]);
  });

  const PATH = 'user_id.partner_id.parent_id.user_id.partner_id';
  const leaves = ['name', 'email', 'phone', 'city', 'street', 'zip', 'ref', 'website'];
  const paths = leaves.map((leaf) => `${PATH}.${leaf}`);

  test.each([
    ['equal sort terms', 'search', { domain: [], order: Array(20).fill(`${PATH}.name`).join(', ') }],
    ['a sort order', 'search', { domain: [], order: paths.join(' desc, ') }],
    ['groupings', 'formatted_read_group', { domain: [], groupby: paths, aggregates: ['__count'] }],
    ['conditions', 'search_count', { domain: paths.map((path) => [path, 'ilike', 'a']) }],
    [
      'conditions combined with OR',
      'search_count',
      { domain: [...paths.slice(1).fill('|'), ...paths.map((path) => [path, '=', 'a'])] },
    ],
    ['opposites', 'search_count', { domain: paths.flatMap((path) => ['!', [path, '=', 'a']]) }],
  ])('are joined once per step for %s on the same path', async (_, method, body) => {
    const rowsSpy = vi.spyOn(team.runtime.db, 'rows');
    onTestFinished(() => rowsSpy.mockRestore());
    await createJsonClient(team).value(`res.partner/${method}`, body);
    const texts = rowsSpy.mock.calls.map(([statement]) => statement.render().text);
    const text = texts.find((text) => text.includes('"res_users"'))!;
    expect(text.match(/"res_(?:users|partner)" t\d/g)).toHaveLength(5);
  });

  test('are paged in the same order as the full list when sorted by paths', async () => {
    const admin = createJsonClient(team);
    const [one, two] = [
      await admin.create('res.partner', { name: 'b' }),
      await admin.create('res.partner', { name: 'a' }),
    ];
    for (const parent of [one, two, false])
      await admin.create('res.partner', { name: 'child', parent_id: parent, user_id: team.main.user.id });
    const order = 'parent_id.name desc, parent_id.active, user_id.partner_id.name, parent_id, name, NAME asc';
    const all = await admin.value('res.partner/search', { domain: [], order });
    const pages = [];
    for (let after = 0; pages.length < all.length; after = pages.at(-1)) {
      const [row] = await admin.value('res.partner/search_read', {
        domain: [],
        fields: [],
        order,
        limit: 1,
        ...(after && { after }),
      });
      pages.push(row.id);
    }
    expect(pages).toEqual(all);
  });

  test('cannot be sorted or grouped by paths with too many links in total', async () => {
    const links = ['user_id', 'parent_id', 'company_id', 'country_id', 'state_id', 'create_uid'];
    const paths = links.flatMap((link) => [
      `parent_id.${link}`,
      `user_id.partner_id.${link}`,
      `commercial_partner_id.${link}`,
    ]);
    const order = paths.map((path) => `${path}.create_date`);
    for (const [method, body] of [
      ['search', { domain: [], order: order.join() }],
      ['formatted_read_group', { domain: [], groupby: order.map((path) => `${path}:day`), aggregates: [] }],
      ['web_search_read', { domain: [], specification: { child_ids: { order: order.join(), fields: {} } } }],
    ] as const)
      expect(await createJsonClient(team).expectError(422, `res.partner/${method}`, body)).toMatchObject({
        message:
          'The sort order or grouping follows more than 20 links to other records. Use fewer or shorter paths.',
      });
    const terms = Array(21).fill('name').join();
    expect(
      await createJsonClient(team).expectError(422, 'res.partner/search', { domain: [], order: terms }),
    ).toMatchObject({
      message: 'The sort order has more than 20 terms. Sort by fewer fields.',
    });
  });

  test('are not read if nested lists would contain too many records', async () => {
    const admin = createJsonClient(team);
    const tag = await admin.create('res.partner.category', { name: 'crowd' });
    const crowd = Array.from({ length: 50 }, (_, index) => ({
      name: `one of the crowd ${index}`,
      category_id: [[6, 0, [tag]]],
    }));
    await admin.value('res.partner/create', { vals_list: crowd });
    const buildMembers = (fields: object) => ({ partner_ids: { fields: { category_id: { fields } } } });
    const readTag = (specification: object) =>
      json2(team, 'res.partner.category/web_read', { ids: [tag], specification }, team.main.admin.key);
    expect((await readTag(buildMembers(buildMembers({ name: {} })))).status).toBe(200);
    const response = await readTag(buildMembers(buildMembers(buildMembers({ name: {} }))));
    expect([response.status, response.json().message]).toEqual([
      422,
      'the nested lists contain more than 50000 records: request fewer records or levels',
    ]);
    const searched = await json2(
      team,
      'res.partner.category/web_search_read',
      { domain: [['id', '=', tag]], specification: buildMembers(buildMembers(buildMembers({ name: {} }))) },
      team.main.admin.key,
    );
    expect(searched.status).toBe(422);
  });

  test('use at most 1 GB of temporary files per connection', async () => {
    const tempFileLimit = await team.runtime.db.value<string>(sql`show temp_file_limit`);
    expect(tempFileLimit).toBe('1GB');
  });
});

/** Locks the contact tags while `fn` runs, so that all queries on them wait. */
async function runWhileTagsLocked(fn: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: team.databaseUrl });
  await client.connect();
  try {
    await client.query('begin; lock table res_partner_category in access exclusive mode');
    await fn();
  } finally {
    await client.end();
  }
}

const searchTags = (key: string) => json2(team, 'res.partner.category/search', { domain: [] }, key);

const findBlockedQueries = async (): Promise<string[]> => {
  const rows = await team.runtime.db.rows<{ query: string }>(
    sql`select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.map(({ query }) => query);
};

/** Number of concurrent statements per workspace: the initial limit and the maximum. */
const [FIRST, SHARE] = [2, 8];

describe('database connections', () => {
  test('are limited for a workspace with slow statements, so that other workspaces are unaffected', async () => {
    let slowResponses: Promise<{ status: number }[]> = Promise.resolve([]);
    await runWhileTagsLocked(async () => {
      slowResponses = Promise.all(Array.from({ length: 40 }, () => searchTags(team.main.admin.key)));
      await until(async () => (await findBlockedQueries()).length >= FIRST, 'the share is used');
      for (let times = 0; times < 5; times++) {
        expect(
          (await json2(team, 'res.country/search_count', { domain: [] }, otherTenant.admin.key)).status,
        ).toBe(200);
        expect((await fetch(`${team.url}/api/ready`)).status).toBe(200);
      }
      expect((await findBlockedQueries()).length).toBeLessThanOrEqual(SHARE);
    });
    expect((await slowResponses).map(({ status }) => status)).toEqual(Array(40).fill(200));
  });

  test('are limited for a user with slow statements, so that colleagues are unaffected', async () => {
    const { admin, user } = team.main;
    let slowResponses: Promise<{ status: number }[]> = Promise.resolve([]);
    await runWhileTagsLocked(async () => {
      slowResponses = Promise.all(Array.from({ length: 8 }, () => searchTags(admin.key)));
      await until(async () => (await findBlockedQueries()).length >= FIRST, 'the share is used');
      for (let times = 0; times < 5; times++) {
        const since = performance.now();
        const { status } = await json2(team, 'res.country/search_count', { domain: [] }, user.key);
        expect([status, performance.now() - since < limits.sql.connectTime / 4]).toEqual([200, true]);
        expect((await team.ask('GET', '/api/v1/contactBooks')).status).toBe(200);
      }
    });
    expect((await slowResponses).map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  test('time out sooner for reads, with an error in every facade', async () => {
    const { key } = team.main.admin;
    const { readTime } = limits.sql;
    onTestFinished(() => void Object.assign(limits.sql, { readTime }));
    Object.assign(limits.sql, { readTime: 500 });
    const model = 'res.partner.category';
    await runWhileTagsLocked(async () => {
      const longExp = /A query took too long and was stopped/;
      const json = await searchTags(key);
      expect([json.status, json.headers.get('retry-after'), json.json().message]).toEqual([
        503,
        '1',
        expect.stringMatching(longExp),
      ]);
      const streamed = await json2(team, `${model}/search_read`, { domain: [] }, key);
      expect([streamed.status, streamed.json().message]).toEqual([503, expect.stringMatching(longExp)]);
      const { errors } = await team.graphql('{ resPartnerCategories { totalCount nodes { name } } }');
      expect(errors).toMatchObject([
        { message: expect.stringMatching(longExp), extensions: { code: 'BUSY' } },
      ]);
      const { jsonExecute, execute } = createRpcClients(team);
      expect(JSON.stringify(await jsonExecute(model, 'search_count', [[]]))).toMatch(longExp);
      expect((await execute(model, 'search', [[]])).fault?.faultString).toMatch(longExp);
      expect(JSON.stringify(await runTool(team, key, 'count', { model }))).toMatch(longExp);
      expect(await findBlockedQueries()).toEqual([]);
    });
    expect((await searchTags(key)).status).toBe(200);
  });

  test('are shared by the root fields of a GraphQL request', async () => {
    let pendingResponse: Promise<{ errors: unknown }> | undefined;
    await runWhileTagsLocked(async () => {
      const roots = Array.from(
        { length: 25 },
        (_, n) => `a${n}: recordSearchCount(model: "res.partner.category", domain: [])`,
      );
      pendingResponse = team.graphql(`{ ${roots.join(' ')} }`);
      await until(async () => (await findBlockedQueries()).length > 0, 'the first is asked');
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(await findBlockedQueries()).toHaveLength(1);
    });
    expect((await pendingResponse!).errors).toEqual([]);
  });

  test('are refused after a wait, and every facade asks the client to retry', async () => {
    const { key } = team.main.admin;
    const time = limits.sql.connectTime;
    let slow: Promise<unknown> = Promise.resolve();
    try {
      await runWhileTagsLocked(async () => {
        slow = Promise.all(Array.from({ length: 40 }, () => searchTags(key)));
        await until(async () => (await findBlockedQueries()).length >= FIRST, 'the share is used');
        Object.assign(limits.sql, { connectTime: 100 });
        const json = await json2(team, 'res.country/search', { domain: [] }, key);
        expect([json.status, json.headers.get('retry-after')]).toEqual([503, '1']);
        const { errors } = await team.graphql('{ recordSearchCount(model: "res.country", domain: []) }');
        expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BUSY']);
        const busyExp = /too many requests/;
        const { jsonExecute, execute } = createRpcClients(team);
        expect(JSON.stringify(await jsonExecute('res.country', 'search', [[]]))).toMatch(busyExp);
        expect((await execute('res.country', 'search', [[]])).fault?.faultString).toMatch(busyExp);
        const result = await runTool(team, key, 'count', { model: 'res.country' });
        expect(JSON.stringify(result)).toMatch(busyExp);
      });
    } finally {
      Object.assign(limits.sql, { connectTime: time });
    }
    await slow;
  });

  test('cancel the statements of a client that disconnects', async () => {
    await runWhileTagsLocked(async () => {
      const leavingRequests = Array.from({ length: SHARE }, () => {
        const request = httpRequest(`${team.url}/json/2/res.partner.category/search`, {
          method: 'POST',
          headers: { authorization: `Bearer ${team.main.admin.key}`, 'content-type': 'application/json' },
        });
        request.on('error', () => undefined);
        request.end('{"domain":[]}');
        return request;
      });
      await until(async () => (await findBlockedQueries()).length > 1, 'some wait');
      for (const request of leavingRequests) request.destroy();
      await until(async () => (await findBlockedQueries()).length === 0, 'all have been stopped', 10_000);
    });
  });

  test('roll back the change of a disconnected client without affecting later statements', async () => {
    const admin = createJsonClient(team);
    const tag = await admin.create('res.partner.category', { name: 'made' });
    await runWhileTagsLocked(async () => {
      const request = httpRequest(`${team.url}/json/2/res.partner.category/write`, {
        method: 'POST',
        headers: { authorization: `Bearer ${team.main.admin.key}`, 'content-type': 'application/json' },
      });
      request.on('error', () => undefined);
      request.end(JSON.stringify({ ids: [tag], vals: { name: 'never made' } }));
      await until(async () => (await findBlockedQueries()).length === 1, 'it waits');
      request.destroy();
      await until(async () => (await findBlockedQueries()).length === 0, 'it has been stopped', 10_000);
    });
    for (let times = 0; times < 30; times++)
      expect(
        await admin.value('res.partner.category/search_count', { domain: [['name', '=', 'never made']] }),
      ).toBe(0);
  });
});

/** Sends a request without ever reading the response. */
function openSlowReader(path: string, body: object, key: string): Promise<Socket> {
  const text = JSON.stringify(body);
  const socket = connect(team.port, '127.0.0.1');
  socket.write(
    `POST /json/2/${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
  );
  return new Promise((resolve) => {
    socket.once('data', () => resolve(socket.pause()));
  });
}

describe('large responses', () => {
  test('are limited in memory per workspace until clients read them', async () => {
    const rows = Array.from({ length: 10 }, () => ({ name: 'large', comment: 'x'.repeat(1024 * 1024) }));
    const ids = await createJsonClient(team).value('res.partner/create', { vals_list: rows });
    const body = { ids, fields: ['comment'] };
    const { key } = team.main.admin;
    const { answersOfOne } = limits.http;
    Object.assign(limits.http, { answersOfOne: 25 * 1024 * 1024 });
    onTestFinished(() => void Object.assign(limits.http, { answersOfOne }));
    const readers = await Promise.all([1, 2].map(() => openSlowReader('res.partner/read', body, key)));
    const response = await json2(team, 'res.partner/read', body, key);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(response.json().message).toMatch(/Too many large responses are waiting/);
    expect((await json2(team, 'res.country/search_read', { domain: [] }, otherTenant.admin.key)).status).toBe(
      200,
    );
    for (const reader of readers) reader.destroy();
    await until(
      async () => (await json2(team, 'res.partner/read', body, key)).status === 200,
      'the share is free again',
    );
  });

  test('are aborted if the client reads below the minimum rate', () => {
    vi.useFakeTimers();
    try {
      const responses = createResponseMemory();
      const createResponse = () => {
        const events = new EventEmitter();
        const answer = {
          destroyed: false,
          writableEnded: true,
          writableLength: 50_000_000,
          once: (event: 'close', listener: () => void) => events.once(event, listener),
          destroy() {
            answer.destroyed = true;
            events.emit('close');
          },
        };
        return answer;
      };
      const [slow, fast] = [createResponse(), createResponse()];
      for (const item of [slow, fast]) responses.track(1, 60_000_000, item);
      expect(() => responses.track(1, 60_000_000, createResponse())).toThrow(
        /Too many large responses are waiting/,
      );
      for (let second = 0; second < 60; second++) {
        slow.writableLength -= MIN_READ_RATE / 2;
        fast.writableLength -= MIN_READ_RATE;
        vi.advanceTimersByTime(1_000);
      }
      expect([slow.destroyed, fast.destroyed]).toEqual([true, false]);
      responses.track(1, 60_000_000, createResponse());
    } finally {
      vi.useRealTimers();
    }
  });
});

test('a response with many large parts is counted until it is read, with one listener', () => {
  const responses = createResponseMemory();
  const createSocket = () =>
    Object.assign(new EventEmitter(), {
      destroyed: false,
      writableEnded: true,
      writableLength: 0,
      destroy() {},
    });
  const outgoing = createSocket();
  const fill = () => {
    for (let part = 0; part < 20; part++) responses.track(1, 5_000_000, outgoing);
  };
  fill();
  expect(outgoing.listenerCount('close')).toBe(1);
  expect(() => responses.track(1, 60_000_000, createSocket())).toThrow(/Too many large responses/);
  outgoing.emit('close');
  fill();
});

describe('the connection limiter', () => {
  const requestConnection = (limiter: ConnectionLimiter, workspace: number, user?: number) => {
    const slot = limiter.acquire(workspace, user);
    const connectionSlot = slot instanceof Promise ? slot : Promise.resolve(slot);
    // Requests still waiting at the end of the test are rejected.
    connectionSlot.catch(() => undefined);
    return { place: connectionSlot, waits: slot instanceof Promise };
  };
  /** Creates a limiter in which these workspaces have already run quick statements. */
  const createProvenLimiter = async (
    connections: number,
    ...workspaces: number[]
  ): Promise<ConnectionLimiter> => {
    const limiter = createConnectionLimiter(connections);
    for (const workspace of workspaces)
      for (let n = 0; n < connections; n++)
        limiter.release(await requestConnection(limiter, workspace).place);
    return limiter;
  };

  test('grants a single workspace half of the connections, and each of several a quarter', async () => {
    expect(divideConnections(20)).toEqual({ all: 16, alone: 8, shared: 4, slow: 2 });
    expect(divideConnections(4)).toEqual({ all: 3, alone: 2, shared: 1, slow: 1 });
    const startRequests = (limiter: ConnectionLimiter, workspace: number) =>
      Array.from({ length: 9 }, () => requestConnection(limiter, workspace)).filter(({ waits }) => !waits)
        .length;
    expect(startRequests(await createProvenLimiter(20, 1), 1)).toBe(8);
    const gate = await createProvenLimiter(20, 1, 2, 3, 4);
    expect([1, 2, 3, 4].map((workspace) => startRequests(gate, workspace))).toEqual([4, 4, 4, 4]);
    expect(requestConnection(gate, 5).waits).toBe(true);
  });

  test('grants a new workspace few connections and one more for each quick statement', async () => {
    const limiter = createConnectionLimiter(20);
    const requests = Array.from({ length: 9 }, () => requestConnection(limiter, 1));
    expect(requests.map(({ waits }) => waits)).toEqual([false, false, ...Array(7).fill(true)]);
    const granted: number[] = [];
    for (const [number, { place }] of requests.entries())
      place.then(
        () => granted.push(number),
        () => undefined,
      );
    limiter.release(await requests[0]!.place);
    await Promise.resolve();
    expect(granted).toEqual([0, 1, 2, 3]);
  });

  test('grants an extra slot at intervals to requests that wait for endless statements', async () => {
    vi.useFakeTimers();
    try {
      const limiter = createConnectionLimiter(20);
      const requests = Array.from({ length: 9 }, () => requestConnection(limiter, 1));
      let grantedCount = 0;
      for (const { place } of requests)
        place.then(
          () => grantedCount++,
          () => undefined,
        );
      await vi.advanceTimersByTimeAsync(1_900);
      expect(grantedCount).toBe(2);
      await vi.advanceTimersByTimeAsync(200);
      expect(grantedCount).toBe(3);
      // By now the workspace counts as slow and gets no more slots.
      await vi.advanceTimersByTimeAsync(60_000);
      expect(grantedCount).toBe(3);
    } finally {
      vi.useRealTimers();
    }
  });

  test('prefers users without slow statements to colleagues with slow ones', async () => {
    vi.useFakeTimers();
    try {
      const limiter = createConnectionLimiter(20);
      const heavy = Array.from({ length: 8 }, () => requestConnection(limiter, 1, 7));
      const light = requestConnection(limiter, 1, 8);
      expect(light.waits).toBe(false);
      limiter.release(await light.place);
      await vi.advanceTimersByTimeAsync(9_000);
      const nextRequest = requestConnection(limiter, 1, 8);
      expect([nextRequest.waits, requestConnection(limiter, 1, 7).waits]).toEqual([false, true]);
      const second = requestConnection(limiter, 1, 9);
      const third = requestConnection(limiter, 1, 9);
      expect([second.waits, third.waits]).toEqual([false, true]);
      const granted: string[] = [];
      third.place.then(() => granted.push('third'));
      for (const { place } of heavy) place.then(() => granted.push('heavy'));
      await Promise.resolve();
      granted.length = 0;
      limiter.release(await second.place);
      limiter.release(await heavy[0]!.place);
      await Promise.resolve();
      expect(granted[0]).toBe('third');
    } finally {
      vi.useRealTimers();
    }
  });

  test('does not grant connections that colleagues earn to a user with slow statements', async () => {
    vi.useFakeTimers();
    try {
      const limiter = createConnectionLimiter(20);
      const heavy = Array.from({ length: 8 }, () => requestConnection(limiter, 1, 7));
      let grantedCount = 0;
      for (const { place } of heavy)
        place.then(
          () => grantedCount++,
          () => undefined,
        );
      const runQuick = async () => {
        const { waits, place } = requestConnection(limiter, 1, 8);
        limiter.release(await place);
        return waits;
      };
      await vi.advanceTimersByTimeAsync(1_000);
      for (let tick = 0; tick < 20; tick++) {
        expect([await runQuick(), await runQuick(), await runQuick()]).toEqual([false, false, false]);
        await vi.advanceTimersByTimeAsync(250);
      }
      expect(grantedCount).toBe(3);
    } finally {
      vi.useRealTimers();
    }
  });

  test('grants a connection to a user with slow statements while a colleague uses the share', async () => {
    vi.useFakeTimers();
    try {
      const limiter = createConnectionLimiter(20);
      const slow = requestConnection(limiter, 1, 8);
      await vi.advanceTimersByTimeAsync(1_000);
      limiter.release(await slow.place);
      const heavy = Array.from({ length: 8 }, () => requestConnection(limiter, 1, 7));
      expect(heavy.filter(({ waits }) => !waits)).toHaveLength(2);
      const next = [requestConnection(limiter, 1, 8), requestConnection(limiter, 1, 8)];
      expect(next.map(({ waits }) => waits)).toEqual([false, true]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("grants a connection to another user after a user's statements have occupied the whole share", async () => {
    vi.useFakeTimers();
    try {
      const limiter = await createProvenLimiter(20, 1);
      const blocked = Array.from({ length: 9 }, () => requestConnection(limiter, 1, 7));
      expect(blocked.filter(({ waits }) => !waits)).toHaveLength(8);
      await vi.advanceTimersByTimeAsync(3_000);
      const next = [requestConnection(limiter, 1, 8), requestConnection(limiter, 1, 9)];
      expect(next.map(({ waits }) => waits)).toEqual([false, true]);
      expect(limiter.chooseUser(1, [7, 8])).toBe(8);
    } finally {
      vi.useRealTimers();
    }
  });

  test('grants a free slot to the workspace with the fewest slots', async () => {
    const limiter = await createProvenLimiter(20, 1, 2, 3, 4);
    const first = Array.from({ length: 16 }, (_, n) => requestConnection(limiter, (n % 4) + 1).place);
    const later = [1, 2, 5].map((workspace) =>
      requestConnection(limiter, workspace).place.then(() => workspace),
    );
    limiter.release(await first[0]!);
    expect(await Promise.race(later)).toBe(5);
  });

  test.each([
    ['users of a workspace', (n: number) => [1, n]],
    ['workspaces', (n: number) => [n, 1]],
  ] as const)('serves %s in turn if all of them always wait', async (_, toOrigin) => {
    const limiter = await createProvenLimiter(4, 1, 2, 3, 4, 5, 6);
    const grants = new Map<number, number>();
    const active: { slot: ConnectionSlot; origin: number }[] = [];
    const request = (origin: number) => {
      const [workspace, user] = toOrigin(origin);
      const onGrant = (slot: ConnectionSlot) => {
        grants.set(origin, (grants.get(origin) ?? 0) + 1);
        active.push({ slot, origin });
      };
      requestConnection(limiter, workspace!, user).place.then(onGrant, () => undefined);
    };
    for (const origin of [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]) request(origin);
    for (let release = 0; release < 60; release++) {
      await Promise.resolve();
      const { slot, origin } = active.shift()!;
      request(origin);
      limiter.release(slot);
    }
    const counts = [1, 2, 3, 4, 5, 6].map((origin) => grants.get(origin) ?? 0);
    expect(Math.max(...counts) - Math.min(...counts), counts.join()).toBeLessThanOrEqual(2);
  });

  test('limits the number of waiting requests', async () => {
    const limiter = await createProvenLimiter(4, 1);
    for (let n = 0; n < 2 + limits.sql.waiting; n++) requestConnection(limiter, 1);
    expect(() => limiter.acquire(1)).toThrow(/too many requests/);
    expect(requestConnection(limiter, 2).waits).toBe(false);
  });

  test('grants a workspace with slow statements fewer connections for a while', async () => {
    vi.useFakeTimers();
    try {
      const limiter = await createProvenLimiter(20, 1, 2);
      const places = await Promise.all(Array.from({ length: 4 }, () => requestConnection(limiter, 1).place));
      vi.advanceTimersByTime(5_000);
      for (const slot of places) limiter.release(slot);
      for (let n = 0; n < 20; n++) limiter.release(await requestConnection(limiter, 2).place);
      expect(Array.from({ length: 3 }, () => requestConnection(limiter, 1).waits)).toEqual([
        false,
        false,
        true,
      ]);
      expect(Array.from({ length: 4 }, () => requestConnection(limiter, 2).waits)).not.toContain(true);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('filter conditions', () => {
  const buildAlternatives = (count: number, item: (n: number) => unknown[]) => [
    ...Array(count - 1).fill('|'),
    ...Array.from({ length: count }, (_, n) => item(n)),
  ];
  const longPath = `${'category_id.partner_ids.'.repeat(3)}name`;
  const COSTLY: [string, unknown[]][] = [
    ['patterns on names', buildAlternatives(600, (n) => ['name', 'ilike', `x${n}`])],
    ['patterns on long texts', buildAlternatives(120, (n) => ['comment', 'not like', `x${n}`])],
    [
      'patterns of many characters',
      buildAlternatives(100, (n) => ['name', 'ilike', `${n}`.padEnd(500, 'x')]),
    ],
    ['patterns on parts of dates', buildAlternatives(150, (n) => ['create_date.tz', 'ilike', `x${n}`])],
    ['lists of lists', [[longPath, 'ilike', 'x']]],
    [
      'conditions on lists',
      buildAlternatives(200, (n) => ['category_id', 'any', [['name', 'ilike', `x${n}`]]]),
    ],
    [
      'conditions on what lists lack',
      buildAlternatives(200, (n) => ['child_ids.email', 'not ilike', `${n}`]),
    ],
    ['hierarchies', buildAlternatives(250, (n) => ['id', 'child_of', n + 1])],
    ['hierarchies of names', buildAlternatives(80, (n) => ['parent_id', 'child_of', `x${n}`])],
  ];

  test.each(COSTLY)('rejects costly %s before reading', async (_, domain) => {
    const rowsSpy = vi.spyOn(team.runtime.db, 'rows');
    onTestFinished(() => rowsSpy.mockRestore());
    const { message } = await createJsonClient(team).expectError(422, 'res.partner/search_count', { domain });
    expect(message).toMatch(/^The conditions are too expensive: their cost is \d+, but the maximum is 2000/);
    const texts = rowsSpy.mock.calls.map(([statement]) => statement.render().text);
    expect(texts.filter((text) => /count\(|res_partner/.test(text))).toEqual([]);
  });

  test.each([
    ['a thousand equal values', buildAlternatives(1_000, (n) => ['name', '=', `x${n}`])],
    [
      'long lists',
      buildAlternatives(20, (k) => ['id', 'in', Array.from({ length: 5_000 }, (_, n) => k * 5_000 + n)]),
    ],
    ['a hundred patterns', buildAlternatives(100, (n) => ['name', 'ilike', `x${n}`])],
    ['a pattern through two lists', [['category_id.partner_ids.name', 'ilike', 'x']]],
  ])('accepts %s', async (_, domain) => {
    expect(await createJsonClient(team).value('res.partner/search_count', { domain })).toBeTypeOf('number');
  });

  test("rejects costly conditions and overlong patterns in each protocol's error format", async () => {
    const { jsonExecute, execute } = createRpcClients(team);
    const long = [['name', 'ilike', 'x'.repeat(limits.domain.pattern + 1)]];
    for (const [domain, pattern] of [
      [COSTLY[0]![1], /The conditions are too expensive/],
      [long, /The text to search for is too long/],
    ] as const) {
      const expectedError = { message: expect.stringMatching(pattern), extensions: { code: 'BAD_VALUE' } };
      const graph = 'query ($d: JSON!) { recordSearchCount(model: "res.partner", domain: $d) }';
      expect((await team.graphql(graph, { d: domain })).errors).toMatchObject([expectedError]);
      const where = {
        or: domain.flatMap((item) => (Array.isArray(item) ? [{ name: { contains: item[2] } }] : [])),
      };
      const typed = 'query ($w: PartnerWhere) { partners(where: $w) { totalCount } }';
      expect((await team.graphql(typed, { w: where })).errors).toMatchObject([expectedError]);
      expect(JSON.stringify(await jsonExecute('res.partner', 'search_count', [domain]))).toMatch(pattern);
      expect((await execute('res.partner', 'search', [domain])).fault?.faultString).toMatch(pattern);
      const result = await runTool(team, team.main.admin.key, 'search', { model: 'res.partner', domain });
      expect(JSON.stringify(result)).toMatch(pattern);
    }
  });

  test('alternates expensive calls between users and runs at most two per user at a time', async () => {
    const order: string[] = [];
    let runningCount = 0;
    let count = 0;
    const { promise: allowedCallsRun, resolve } = Promise.withResolvers<void>();
    const call = (userId: number, name: string, domain: unknown, workspace = -1) => {
      const requestDb = { isClientGone: () => false };
      const ctx = { workspace: { id: workspace }, principal: { userId }, requestDb } as unknown as Ctx;
      return runInTurn(ctx, { domain }, async () => {
        order.push(name);
        if (userId === 1) count = Math.max(count, ++runningCount);
        if (count === 3) resolve();
        // A nested call does not wait for a turn.
        await runInTurn(ctx, { domain }, async () => {
          if (userId === 1) await allowedCallsRun;
          await new Promise((resolve) => setTimeout(resolve, 5));
        });
        if (userId === 1) runningCount--;
      });
    };
    const values = Array.from({ length: 1_001 }, (_, n) => n);
    const nested = { and: [{ id: { in: values } }] };
    const listed = [['parent_id', 'any', [['id', 'in', values]]]];
    const calls = [0, 1, 2, 3].map((n) => call(1, `first ${n}`, listed));
    calls.push(call(2, 'second', nested), call(1, 'few values', [['id', 'in', values.slice(10)]]));
    expect(order).toEqual(['few values']);
    await Promise.all(calls);
    expect(order.indexOf('second')).toBeLessThan(order.indexOf('first 2'));
    expect([order.length, count]).toEqual([6, 3]);
    const many = Array.from({ length: MAX_WAITING_EXPENSIVE_CALLS + 1 }, () => call(1, 'many', nested, -2));
    await expect(call(1, 'one more', nested, -2)).rejects.toThrow(
      'Too many of your large requests are waiting',
    );
    await call(2, 'colleague', nested, -2);
    expect(order.filter((name) => name === 'many').length).toBeLessThan(10);
    await Promise.all(many);
  });

  test('limits the total number of conditions in a GraphQL request', async () => {
    const domain = [
      ...Array(599).fill('|'),
      ...Array.from({ length: 600 }, (_, n) => ['name', '=', `x${n}`]),
    ];
    const buildAliases = (field: string) => Array.from({ length: 29 }, (_, n) => `a${n}: ${field}`).join(' ');
    for (const query of [
      `query ($d: JSON) { ${buildAliases('partners(domain: $d) { totalCount }')} }`,
      `query ($d: JSON!) { ${buildAliases('recordSearchCount(model: "res.partner", domain: $d)')} }`,
    ]) {
      const { errors } = await team.graphql(query, { d: domain });
      const limitErrors = errors.filter(({ message }) =>
        message.includes('the request has more than 5000 conditions'),
      );
      // A connection is non-nullable, so its error is the only one.
      expect(limitErrors.length).toBeGreaterThan(0);
    }
  });
});
