import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { sendRequest } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { postJsonRpc } from '../harness/facades/rpc.ts';
import { parseJson, postWeb } from '../harness/facades/web.ts';
import { postXml } from '../harness/facades/xmlrpc.ts';
import { createScene, type Person } from './scene.ts';

const app = setUpApp({ TRUSTED_PROXIES: 'none' });
const scene = createScene(app);
let serial = 0;

beforeAll(async () => {
  // All calls come from one address, so its limit is raised.
  vi.spyOn(limits.identity, 'sourceFailures', 'get').mockReturnValue(1_000 as never);
});
afterAll(() => vi.restoreAllMocks());

const addPerson = (): Promise<Person> => scene.addPerson(`person${++serial}`);

type Outcome = 'in' | 'wrong' | 'paused';
type SignInMethod = (user: { id: number; login: string }, secret: string) => Promise<Outcome>;

/** Throws an error if the response has another cause, such as an overloaded server. */
function parseOutcome(text: string, isIn: boolean): Outcome {
  if (isIn) return 'in';
  if (/Too many login failures/.test(text)) return 'paused';
  if (/Access ?Denied|Wrong login|wrong/i.test(text)) return 'wrong';
  throw new Error(text);
}

const executed = ['res.users', 'search_count', [[]]];

const SIGN_IN_METHODS: Record<string, SignInMethod> = {
  'execute_kw over XML-RPC': async ({ id }, secret) => {
    const { text, value } = await postXml(`${app.url}/xmlrpc/2/object`, 'execute_kw', [
      'main',
      id,
      secret,
      ...executed,
    ]);
    return parseOutcome(text, typeof value === 'number');
  },
  'execute_kw over JSON-RPC': async ({ id }, secret) => {
    const { text, json } = await postJsonRpc(app, 'object', 'execute_kw', ['main', id, secret, ...executed]);
    return parseOutcome(text, typeof json().result === 'number');
  },
  '/web/session/authenticate': async ({ login }, password) => {
    const response = await postWeb(app, '/web/session/authenticate', { db: 'main', login, password });
    return parseOutcome(response.text, Boolean(parseJson(response).result?.uid));
  },
  'the sign-in page': async ({ login }, password) => {
    const form = new URLSearchParams({ workspace: 'main', login, password }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await sendRequest(app, 'POST', '/login', type, form);
    return parseOutcome(response.text, response.status === 303);
  },
};

/** Methods that return false for any error, as clients expect. */
const QUIET: Record<string, SignInMethod> = {
  'authenticate over XML-RPC': async ({ login }, secret) => {
    const { value } = await postXml(`${app.url}/xmlrpc/2/common`, 'authenticate', [
      'main',
      login,
      secret,
      {},
    ]);
    return value === false ? 'wrong' : 'in';
  },
  'login over JSON-RPC': async ({ login }, secret) => {
    const answer = await postJsonRpc(app, 'common', 'login', ['main', login, secret]);
    return answer.json().result === false ? 'wrong' : 'in';
  },
};

const repeat = async (count: number, fn: () => Promise<Outcome>): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (let i = 0; i < count; i++) outcomes.push(await fn());
  return outcomes;
};

describe.each(Object.entries(SIGN_IN_METHODS))('password check by %s', (_name, facade) => {
  test('fails after five wrong passwords, even with the correct one', async () => {
    const person = await addPerson();
    expect(await repeat(5, () => facade(person, 'wrong'))).toEqual(Array(5).fill('wrong'));
    expect(await facade(person, 'wrong')).toBe('paused');
    expect(await facade(person, person.password)).toBe('paused');
  });

  test('succeeds again after an administrator sets a password', async () => {
    const person = await addPerson();
    await repeat(5, () => facade(person, 'wrong'));
    expect(await facade(person, person.password)).toBe('paused');
    const password = 'another password by hand';
    await scene.admin.value('res.users/write', { ids: [person.id], vals: { password } });
    expect(await facade(person, password)).toBe('in');
    expect(await repeat(5, () => facade(person, 'wrong'))).toEqual(Array(5).fill('wrong'));
  });

  test('resets the count after a successful sign-in', async () => {
    const person = await addPerson();
    await repeat(4, () => facade(person, 'wrong'));
    expect(await facade(person, person.password)).toBe('in');
    expect(await repeat(5, () => facade(person, 'wrong'))).toEqual(Array(5).fill('wrong'));
    expect(await facade(person, 'wrong')).toBe('paused');
  });

  test('counts concurrent attempts', { repeats: 4 }, async () => {
    // On a busy machine, password hashing could take longer than a shorter pause.
    const pause = vi.spyOn(limits.identity, 'loginPause', 'get').mockReturnValue(600_000 as never);
    onTestFinished(() => pause.mockRestore());
    const person = await addPerson();
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, n) => facade(person, `wrong ${n}`)));
    // Concurrent attempts may be counted twice.
    const wrongCount = outcomes.filter((outcome) => outcome === 'wrong').length;
    expect([3, 4, 5]).toContain(wrongCount);
    expect(outcomes.filter((outcome) => outcome === 'paused')).toHaveLength(12 - wrongCount);
  });

  test('does not affect other users at the same address', async () => {
    const [person, otherPerson] = [await addPerson(), await addPerson()];
    await repeat(6, () => facade(person, 'wrong'));
    expect(await facade(otherPerson, otherPerson.password)).toBe('in');
  });

  test('does not count or reject keys', async () => {
    const person = await addPerson();
    const invalidKey = `uk_aaaaaaaaaa_${'0'.repeat(32)}`;
    expect(await repeat(8, () => facade(person, invalidKey))).toEqual(Array(8).fill('wrong'));
    expect(await facade(person, person.password)).toBe('in');
    await repeat(6, () => facade(person, 'wrong'));
    expect(await facade(person, person.key)).toBe('in');
    // A valid key does not reset the failure count.
    expect(await facade(person, 'wrong')).toBe('paused');
  });

  test('treats an unknown user like an existing one', async () => {
    const unknownUser = { id: 2_000_000_000 + ++serial, login: `nobody ${serial}` };
    expect(await repeat(5, () => facade(unknownUser, 'wrong'))).toEqual(Array(5).fill('wrong'));
    expect(await facade(unknownUser, 'wrong')).toBe('paused');
  });
});

describe.each(Object.entries(QUIET))('password check by %s', (_name, facade) => {
  test('returns false while passwords are rejected, and still accepts keys', async () => {
    const person = await addPerson();
    expect(await repeat(4, () => facade(person, 'wrong'))).toEqual(Array(4).fill('wrong'));
    expect(await facade(person, person.password)).toBe('in');
    await repeat(5, () => facade(person, 'wrong'));
    expect(await facade(person, person.password)).toBe('wrong');
    expect(await facade(person, person.key)).toBe('in');
  });
});

describe('password checks across facades', () => {
  test('reject a login in all facades', async () => {
    const person = await addPerson();
    await repeat(5, () => QUIET['authenticate over XML-RPC']!(person, 'wrong'));
    expect(await SIGN_IN_METHODS['/web/session/authenticate']!(person, person.password)).toBe('paused');
    expect(await SIGN_IN_METHODS['the sign-in page']!(person, person.password)).toBe('paused');
    expect(await QUIET['login over JSON-RPC']!(person, person.password)).toBe('wrong');
  });

  test('reject a user id in all facades', async () => {
    const person = await addPerson();
    await repeat(5, () => SIGN_IN_METHODS['execute_kw over XML-RPC']!(person, 'wrong'));
    expect(await SIGN_IN_METHODS['execute_kw over JSON-RPC']!(person, person.password)).toBe('paused');
  });

  test("still accept the user's password from another address", async () => {
    const person = await addPerson();
    await repeat(6, () => SIGN_IN_METHODS['execute_kw over JSON-RPC']!(person, 'wrong'));
    const args = ['main', person.id, person.password, ...executed];
    const body = {
      jsonrpc: '2.0',
      method: 'call',
      id: 1,
      params: { service: 'object', method: 'execute_kw', args },
    };
    expect(JSON.parse(await postFrom('127.0.0.1', body)).error.data.message).toMatch(/Too many/);
    expect(JSON.parse(await postFrom('127.0.0.2', body)).result).toBeGreaterThan(0);
    // The client's forwarded headers are ignored, because they would bypass the limit.
    const headers = { 'x-forwarded-for': '10.1.2.3', forwarded: 'for=10.1.2.3' };
    expect(await postFrom('127.0.0.1', body, headers)).toMatch(/Too many/);
  });

  test('never reject bearer keys', async () => {
    const call = (key: string) => json2(app, 'res.users/search_count', { domain: [] }, key);
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, n) => call(`uk_aaaaaaaaaa_${String(n).padStart(32, '0')}`)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await call(app.main.admin.key)).status).toBe(200);
  });

  test('do not reveal whether a login exists', async () => {
    const person = await addPerson();
    const readText = async (login: string) =>
      (await postWeb(app, '/web/session/authenticate', { db: 'main', login, password: 'wrong' })).text;
    expect(await readText(person.login)).toBe(await readText('nobody at all'));
  });
});

function postFrom(
  localAddress: string,
  body: object,
  overrides: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...overrides };
    const options = {
      host: '127.0.0.1',
      port: app.port,
      method: 'POST',
      path: '/jsonrpc',
      localAddress,
      headers,
    };
    const call = request({ ...options, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    });
    call.on('error', reject);
    call.end(JSON.stringify(body));
  });
}
