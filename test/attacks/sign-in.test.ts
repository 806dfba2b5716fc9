import { scryptSync } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { createRuntime } from '../../boot/server.ts';
import { loadConfig } from '../../src/config.ts';
import { sql } from '../../src/db/sql.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import {
  computeBackoff,
  computeCooldowns,
  FIRST_SOURCE_COOLDOWN_MS,
  getNetworkSite,
  isCoolingDown,
  isSampled,
  MAX_USER_FAILURES,
} from '../../src/engine/identity/failures.ts';
import { getNetwork } from '../../src/engine/identity/password.ts';
import { MAX_KEY_FAILURES } from '../../src/engine/identity/sign-in.ts';
import { hashPassword, isOutdatedHash, verifyPassword } from '../../src/engine/value/keys.ts';
import { createSlots } from '../../src/engine/value/slots.ts';
import { limits } from '../../src/limits.ts';
import { createLog } from '../../src/log.ts';
import { post, setUpApp } from '../harness/app.ts';
import { sendRequest } from '../harness/facades/graphql.ts';
import { CHEAP_PASSWORD_COST, SECRET_KEY } from '../harness/tenant.ts';
import { createScene, type Person } from '../rights/scene.ts';

// The app runs behind a proxy on the same machine, as the guide describes.

const app = setUpApp();
const scene = createScene(app);
let serial = 0;

const addPerson = (): Promise<Person> => scene.addPerson(`guessed${++serial}`);
const buildForwardedFor = (address: string) => ({ 'x-forwarded-for': address });
const call = (service: string, method: string, args: unknown[], headers: Record<string, string>) =>
  post(`${app.url}/jsonrpc`, { params: { service, method, args } }, undefined, headers);

async function authenticate(login: string, password: string, headers: Record<string, string>) {
  const params = { db: 'main', login, password };
  const { text } = await post(`${app.url}/web/session/authenticate`, { params }, undefined, headers);
  return parseOutcome(text, /"uid":\d/);
}

async function execute(id: number, password: string, headers: Record<string, string>) {
  const args = ['main', id, password, 'res.users', 'search_count', [[]]];
  return parseOutcome((await call('object', 'execute_kw', args, headers)).text, /"result":\d/);
}

const parseOutcome = (text: string, success: RegExp): 'in' | 'paused' | 'wrong' =>
  success.test(text) ? 'in' : /Too many login failures/.test(text) ? 'paused' : 'wrong';

interface Line {
  event: string;
  channel: string;
  success: boolean;
  user_id: number | null;
  summary: string;
}

const loadAuditLines = async (event: string): Promise<Line[]> =>
  app.runtime.db.rows<Line>(
    sql`select event, channel, success, user_id, summary from svc_audit_event
      where workspace_id = ${app.main.ctx.workspace.id} and summary like ${`%${event}%`} order by id`,
  );

describe('sign-in behind a proxy', () => {
  test('does not lock out other clients when one guesses passwords', async () => {
    const person = await addPerson();
    for (let i = 0; i < 6; i++)
      await authenticate(person.login, `wrong ${i}`, buildForwardedFor('198.51.100.7'));
    expect(await authenticate(person.login, person.password, buildForwardedFor('198.51.100.7'))).toBe(
      'paused',
    );
    expect(await authenticate(person.login, person.password, buildForwardedFor('192.0.2.20'))).toBe('in');
  });

  test('ignores forwarded addresses that the proxy has not set', async () => {
    const person = await addPerson();
    for (let i = 0; i < 5; i++)
      await authenticate(person.login, `wrong ${i}`, buildForwardedFor(`10.9.8.${i}, 198.51.100.8`));
    expect(await authenticate(person.login, 'wrong', buildForwardedFor('10.9.8.99, 198.51.100.8'))).toBe(
      'paused',
    );
  });

  test('counts failures by login and by user id together', async () => {
    const person = await addPerson();
    for (let i = 0; i < 3; i++)
      await authenticate(person.login, `wrong ${i}`, buildForwardedFor('198.51.100.9'));
    for (let i = 0; i < 2; i++) await execute(person.id, `wrong ${i}`, buildForwardedFor('198.51.100.9'));
    expect(await execute(person.id, person.password, buildForwardedFor('198.51.100.9'))).toBe('paused');
    expect(await authenticate(person.login, person.password, buildForwardedFor('198.51.100.9'))).toBe(
      'paused',
    );
  });

  test('delays one address that tries many user names', async () => {
    const outcomes = [];
    for (let i = 0; i <= limits.identity.sourceFailures; i++)
      outcomes.push(await authenticate(`nobody ${i}`, 'wrong', buildForwardedFor('198.51.100.10')));
    expect(new Set(outcomes.slice(0, -1))).toEqual(new Set(['wrong']));
    expect(outcomes.at(-1)).toBe('paused');
    const { login, password } = app.main.user;
    expect(await authenticate(login, password, buildForwardedFor('192.0.2.21'))).toBe('in');
  });

  test('delays addresses of one IPv6 network that try many user names', async () => {
    const siteFailures = vi.spyOn(limits.identity, 'siteFailures', 'get').mockReturnValue(10 as never);
    try {
      const attempt = (i: number) =>
        authenticate(`no one ${i}`, 'wrong', buildForwardedFor(`2001:db8:7:${i}::1`));
      for (let i = 0; i < 10; i++) expect(await attempt(i)).toBe('wrong');
      expect(await attempt(11)).toBe('paused');
      expect(await authenticate('no one', 'wrong', buildForwardedFor('2001:db8:8:1::1'))).toBe('wrong');
    } finally {
      siteFailures.mockRestore();
    }
  });

  test('slows down guesses against one user from many addresses without locking the user out', async () => {
    const person = await addPerson();
    const delay = vi.spyOn(limits.identity, 'userDelay', 'get').mockReturnValue(1 as never);
    try {
      for (let i = 0; i < MAX_USER_FAILURES + 5; i++)
        expect(await execute(person.id, 'wrong', buildForwardedFor(`203.0.113.${i}`))).toBe('wrong');
      expect(await execute(person.id, person.password, buildForwardedFor('192.0.2.22'))).toBe('in');
      expect(delay).toHaveBeenCalled();
    } finally {
      delay.mockRestore();
    }
  });
});

test('shares failure counts with other processes', async () => {
  const person = await addPerson();
  for (let i = 0; i < 5; i++) await execute(person.id, `wrong ${i}`, buildForwardedFor('198.51.100.11'));
  const config = { ...loadConfig({ LOG_LEVEL: 'fatal', SECRET_KEY }), passwordCost: CHEAP_PASSWORD_COST };
  const other: Runtime = await createRuntime(config, app.databaseUrl, createLog('fatal', 2));
  try {
    const attempt = { source: '198.51.100.11', failed: async () => undefined };
    const secret = person.password;
    await expect(other.identity.byUser('main', { login: person.login }, secret, attempt)).rejects.toThrow(
      'Too many login failures',
    );
    const otherAttempt = { ...attempt, source: '192.0.2.23' };
    expect(await other.identity.byUser('main', { login: person.login }, secret, otherAttempt)).not.toBeNull();
  } finally {
    await other.db.close();
  }
});

describe('sign-in audit trail', () => {
  test('records successful and failed sign-ins over classic RPC with the client address', async () => {
    const person = await addPerson();
    const buildArgs = (password: string) => ['main', person.login, password, {}];
    await call('common', 'authenticate', buildArgs('wrong'), buildForwardedFor('192.0.2.30'));
    await execute(person.id, 'wrong', buildForwardedFor('192.0.2.30'));
    for (let i = 0; i < 3; i++)
      await call('common', 'authenticate', buildArgs(person.password), buildForwardedFor('192.0.2.30'));
    const lines = (await loadAuditLines('192.0.2.30')).map(({ summary, ...line }) => ({
      ...line,
      ...JSON.parse(summary),
    }));
    const common = { event: 'sign.in', channel: 'rpc', source: '192.0.2.30' };
    expect(lines).toEqual([
      { ...common, success: false, user_id: null, login: person.login },
      { ...common, success: false, user_id: null, login: person.id },
      { ...common, success: true, user_id: person.id, login: person.login },
    ]);
  });

  test('records uses of a revoked key in every facade and aggregates repeats', async () => {
    const person = await addPerson();
    await app.runtime.db.rows(
      sql`update svc_api_key set revoked_at = now()
        where workspace_id = ${app.main.ctx.workspace.id} and user_id = ${person.id}`,
    );
    app.runtime.identity.invalidate();
    const facades: [string, string][] = [
      ['/json/2/res.users/search_count', 'json'],
      ['/api/v1/emails', 'rest'],
      ['/graphql', 'graphql'],
      ['/mcp', 'mcp'],
    ];
    for (const [path] of facades)
      expect(
        (await post(`${app.url}${path}`, {}, person.key, buildForwardedFor('192.0.2.31'))).status,
        path,
      ).not.toBe(200);
    const args = ['main', person.id, person.key, 'res.users', 'search_count', [[]]];
    await call('object', 'execute_kw', args, buildForwardedFor('192.0.2.31'));
    const lines = await loadAuditLines('192.0.2.31');
    expect(lines.map(({ channel }) => channel)).toEqual([...facades.map(([, channel]) => channel), 'rpc']);
    expect(lines.every(({ success, event }) => !success && event === 'sign.in')).toBe(true);
    const delay = vi.spyOn(limits.identity, 'keyDelay', 'get').mockReturnValue(1 as never);
    try {
      for (let i = 0; i < 100; i++)
        await post(
          `${app.url}/json/2/res.users/search_count`,
          {},
          person.key,
          buildForwardedFor('192.0.2.31'),
        );
      expect((await loadAuditLines('192.0.2.31')).length).toBe(MAX_KEY_FAILURES + 1);
      expect(delay).toHaveBeenCalled();
    } finally {
      delay.mockRestore();
    }
  });

  test('aggregates repeated failures, so it cannot be flooded', async () => {
    const pause = vi.spyOn(limits.identity, 'maxLoginPause', 'get').mockReturnValue(0 as never);
    for (let i = 0; i < 20; i++)
      await execute(app.main.user.id, `wrong ${i}`, buildForwardedFor('192.0.2.32'));
    pause.mockRestore();
    const lines = await loadAuditLines('192.0.2.32');
    // The first five failures are logged, then the tenth and the twentieth.
    expect(lines.map(({ summary }) => JSON.parse(summary).failures)).toEqual([
      ...Array(5).fill(undefined),
      10,
      20,
    ]);
  });
});

test('upgrades an outdated password hash at sign-in and then requires a new password', async () => {
  const person = await addPerson();
  const salt = Buffer.alloc(16, 1);
  const old = `scrypt$${salt.toString('base64')}$${scryptSync('from before', salt, 32).toString('base64')}`;
  const readStored = () =>
    app.runtime.db.value<string>(
      sql`select password from res_users where workspace_id = ${app.main.ctx.workspace.id} and id = ${person.id}`,
    );
  await app.runtime.db.rows(
    sql`update res_users set password = ${old}
      where workspace_id = ${app.main.ctx.workspace.id} and id = ${person.id}`,
  );
  expect(await execute(person.id, 'wrong', buildForwardedFor('192.0.2.33'))).toBe('wrong');
  expect(await readStored()).toBe(old);
  expect(await execute(person.id, 'from before', buildForwardedFor('192.0.2.33'))).toBe('in');
  expect(await readStored()).toMatch(/^scrypt\$1024\$8\$1\$/);
  expect(await authenticate(person.login, 'from before', buildForwardedFor('192.0.2.33'))).toBe('in');
});

describe('password hashing', () => {
  test('always uses the cost that OWASP recommends, regardless of environment variables', async () => {
    const { passwordCost } = loadConfig({ SECRET_KEY, PASSWORD_COST: '1', NODE_ENV: 'test' });
    expect(passwordCost).toEqual({ N: 2 ** 15, r: 8, p: 3 });
    const stored = await hashPassword('a password', passwordCost);
    expect(stored).toMatch(/^scrypt\$32768\$8\$3\$/);
    expect(await verifyPassword('a password', stored, passwordCost, 'x')).toBe(true);
    expect(await verifyPassword('another one', stored, passwordCost, 'x')).toBe(false);
    expect([isOutdatedHash(stored, passwordCost), isOutdatedHash(stored, CHEAP_PASSWORD_COST)]).toEqual([
      false,
      true,
    ]);
  });

  test('limits concurrency, queues further calls, and rejects excess calls earlier for a single source', async () => {
    const slots = createSlots(2, 4, 2);
    let end: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      end = resolve;
    });
    let runningCount = 0;
    const run = (holder: string) =>
      slots.run(holder, async () => {
        runningCount++;
        await until;
      });
    const runs = [run('a'), run('a'), run('a'), run('a')];
    await expect(run('a')).rejects.toMatchObject({ kind: 'BUSY', status: 503 });
    runs.push(run('b'), run('c'));
    await expect(run('d')).rejects.toMatchObject({ kind: 'BUSY' });
    expect(runningCount).toBe(2);
    end();
    await Promise.all(runs);
    expect(runningCount).toBe(6);
    await run('d');
  });
});

test('increases delays up to a maximum', () => {
  const pauses = [4, 5, 6, 7, 20, 5_000].map((failures) => computeBackoff(failures, 5, 10, 100));
  expect(pauses).toEqual([0, 10, 20, 40, 100, 100]);
  expect([1, 5, 6, 10, 15, 20, 39, 40].filter((count) => isSampled(count, 5))).toEqual([1, 5, 10, 20, 40]);
});

test('counts failures from all addresses of a network together', () => {
  const buildFailures = (failures: number) => ({ failures, age: 0 });
  const none = buildFailures(0);
  const { siteFailures } = limits.identity;
  const counts = { pair: none, source: none, site: buildFailures(siteFailures), user: none, all: none };
  expect(computeCooldowns(counts, 0).source).toBe(FIRST_SOURCE_COOLDOWN_MS);
  expect(isCoolingDown(computeCooldowns({ ...counts, site: buildFailures(siteFailures - 1) }, 0))).toBe(
    false,
  );
  expect(['2001:db8:1:2::/64', '0:0:0:0::/64', '192.0.2.1'].map(getNetworkSite)).toEqual([
    '2001:db8:1::/48',
    '0:0:0::/48',
    null,
  ]);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('counts %s as %s', (address, network) => {
  expect(getNetwork(address)).toBe(network);
});

describe('the client address of a request', () => {
  test.each([
    [{ 'x-forwarded-for': '192.0.2.50' }, '192.0.2.50'],
    [{ 'x-forwarded-for': '1.1.1.1, 192.0.2.51, 127.0.0.9' }, '192.0.2.51'],
    [{ 'x-forwarded-for': '192.0.2.52:4711' }, '192.0.2.52'],
    [{ 'x-forwarded-for': '[2001:db8::7]:4711' }, '2001:db8::7'],
    [{ 'x-forwarded-for': '::ffff:192.0.2.53' }, '192.0.2.53'],
    [{ 'x-forwarded-for': '192.0.2.54', forwarded: 'for=192.0.2.99' }, '192.0.2.54'],
    [{ forwarded: 'for=1.1.1.1;proto=https, proto=https;for="[2001:db8::8]:1"' }, '2001:db8::8'],
    [{ 'x-forwarded-for': 'somebody' }, '127.0.0.1'],
  ])('is derived from %j as %s', async (headers, source) => {
    const login = `address ${source} ${++serial}`;
    await call('common', 'login', ['main', login, 'wrong'], headers as Record<string, string>);
    const [line] = await loadAuditLines(login);
    expect(JSON.parse(line!.summary).source).toBe(source);
  });
});

describe('a malformed Host header', () => {
  const HOSTS = [
    'a b',
    'a/b',
    '[::1',
    'a@b:c',
    'x:99999',
    'a\\b',
    '<script>',
    '%zz',
    'ä',
    'a:b:c',
    '256.1.1.1',
  ];
  const PATHS = ['/', '/login', '/api/v1/emails?page=1', '/graphql?query=x', '/doc', '/api/health'];
  test.each(HOSTS)('is rejected with 400: %j', async (host) => {
    for (const path of PATHS) expect(await requestStatus(path, host), path).toBe(400);
  });

  test('rejects a sign-in submitted from a page of another origin', async () => {
    expect((await sendRequest(app, 'POST', '/login', { origin: 'http://[' }, 'login=x')).status).toBe(403);
  });
});

function requestStatus(path: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(app.port, '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('close', () => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? 0)));
    socket.on('error', reject);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${app.main.teamKey}\r\nConnection: close\r\n\r\n`,
    );
  });
}
