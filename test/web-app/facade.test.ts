import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { type GraphQLObjectType, getNamedType, isLeafType, isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_CHECKED_OPERATIONS } from '../../schema/base/workspace/viewer.ts';
import type { FieldDef, FieldRole } from '../../schema/graph/plan/definition.ts';
import { type App, startApp } from '../harness/app.ts';
import { postGraphql, sendRequest } from '../harness/facades/graphql.ts';
import { buildApplication } from './browser.ts';

let app: App;
let cookie: string;

/** Error codes for operations that the caller may not call. */
/** Operations that check the record, even if it does not exist. */
const BY_RECORD = /^calendarAttendee/;
const REFUSED = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'FEATURE_OFF', 'ACCESS_ERROR']);

const BROWSER = { accept: 'text/html,application/xhtml+xml' };

async function signIn(at: App): Promise<string> {
  const form = new URLSearchParams({ login: 'admin', password: at.main.admin.password }).toString();
  const type = 'application/x-www-form-urlencoded';
  const { headers } = await sendRequest(at, 'POST', '/login', { ...BROWSER, 'content-type': type }, form);
  return String(headers['set-cookie']).split(';')[0]!;
}

const requestBytes = (path: string, encoding: string) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    request(`${app.url}${path}`, { headers: { 'accept-encoding': encoding } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) }),
      );
    })
      .on('error', reject)
      .end();
  });

function splitInlineScript(page: string): [page: string, script: string] {
  const [before, script, after] = page.split(/<script>(.*?)<\/script>/s, 3);
  return [`${before}${after}`, script!];
}

describe('browser application facade', () => {
  beforeAll(async () => {
    buildApplication();
    app = await startApp();
    cookie = await signIn(app);
  });
  afterAll(() => app?.close());

  it.each(['/app', '/app/', '/app/email/emails?status=BOUNCED', '/app/no/such/page'])(
    'serves the page at %s with a policy that allows only its own scripts',
    async (path) => {
      const { status, text, headers } = await sendRequest(app, 'GET', path, { ...BROWSER, cookie });
      expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
      expect(text).toContain('<div id="root"></div>');
      const [page, script] = splitInlineScript(text);
      expect(page).not.toMatch(/<script(?! type="module" crossorigin src="\/app\/assets\/)|<style|https?:/);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("require-trusted-types-for 'script'");
      const hash = createHash('sha256').update(script).digest('base64');
      expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    },
  );

  it('redirects a visitor to the sign-in page, and to the requested URL after sign-in', async () => {
    const { status, headers } = await sendRequest(app, 'GET', '/app/email/emails?q=a%20b', BROWSER);
    expect([status, headers.location]).toEqual([303, '/login?next=%2Fapp%2Femail%2Femails%3Fq%3Da%2520b']);
  });

  it('reports an expired session on the sign-in page, and redirects to the previous page after sign-in', async () => {
    const expiredHeaders = { ...BROWSER, cookie: `${cookie.split('=')[0]}=${'x'.repeat(43)}` };
    const { status, headers } = await sendRequest(app, 'GET', '/app/email/emails?q=a', expiredHeaders);
    const location = '/login?ended=1&next=%2Fapp%2Femail%2Femails%3Fq%3Da';
    expect([status, headers.location]).toEqual([303, location]);
    const { text } = await sendRequest(app, 'GET', location, BROWSER);
    expect(text).toContain('Your session has ended.');
    expect(text).toContain('value="/app/email/emails?q=a"');
    expect((await sendRequest(app, 'GET', '/login', BROWSER)).text).not.toContain('has ended');
  });

  it('serves immutable assets in a compression format that the browser accepts', async () => {
    const name = readdirSync('web/dist/assets').find((item) => /^libraries-.*\.js$/.test(item))!;
    const path = `/app/assets/${name}`;
    const [plainResponse, zippedResponse, smallResponse] = await Promise.all(
      ['identity', 'gzip', 'gzip, deflate, br'].map((encoding) => requestBytes(path, encoding)),
    );
    expect(plainResponse!.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(gunzipSync(zippedResponse!.body)).toEqual(plainResponse!.body);
    expect(smallResponse!.headers['content-encoding']).toBe('br');
    expect(smallResponse!.body.length).toBeLessThan(zippedResponse!.body.length);
  });

  it.each(['nothing.js', '../index.html', '..%2f..%2fpackage.json', 'index.js.br', ''])(
    'serves no file for %j',
    async (name) => {
      expect((await requestBytes(`/app/assets/${name}`, 'gzip')).status).not.toBe(200);
    },
  );

  it('rejects methods other than GET', async () => {
    expect((await sendRequest(app, 'POST', '/app', { cookie })).status).toBe(405);
  });

  it('returns 404 if WEB is off, and shows the start page at `/`', async () => {
    const without = await startApp({ WEB: 'off' });
    try {
      const session = { ...BROWSER, cookie: await signIn(without) };
      expect((await sendRequest(without, 'GET', '/app', session)).status).toBe(404);
      expect((await sendRequest(without, 'GET', '/', session)).text).toContain(
        'Signed in as <strong>admin</strong>',
      );
    } finally {
      await without.close();
    }
  });
});

describe('viewer.can', () => {
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app?.close());

  const can = async (key: string, operations: string[]) => {
    const query = 'query ($operations: [String!]!) { viewer { can(operations: $operations) } }';
    return postGraphql(app, query, { key, variables: { operations } });
  };

  const operationNames = ['emails', 'domainAdd', 'partners', 'partnerChanged'];

  it('returns the operations that the caller may run', async () => {
    expect((await can(app.main.admin.key, operationNames)).data.viewer.can).toEqual(operationNames);
    expect((await can(app.main.user.key, operationNames)).data.viewer.can).toEqual([
      'partners',
      'partnerChanged',
    ]);
  });

  it.each(['crmLeadCraete', 'noSuchThing', 'constructor', '__proto__', ''])(
    'rejects %j, which is not an operation',
    async (name) => {
      const { errors } = await can(app.main.admin.key, ['partners', name]);
      expect(errors[0]!.extensions).toMatchObject({ code: 'BAD_VALUE', argument: 'operations' });
      if (name === 'crmLeadCraete') expect(errors[0]!.message).toContain('Did you mean crmLeadCreate?');
    },
  );

  it('matches the outcome of actual calls', async () => {
    // Samples every third operation across all models and apps.
    const listRoots = (type: GraphQLObjectType, role: FieldRole) =>
      Object.values(type.getFields())
        .filter(({ extensions }) => (extensions.def as FieldDef | undefined)?.role === role)
        .map(({ name }) => name)
        .filter((_, index) => index % 3 === 0);
    const { schema } = app.runtime;
    const lists = listRoots(schema.getQueryType()!, 'readMany');
    const deletions = listRoots(schema.getMutationType()!, 'deleteOne');
    expect(Math.min(lists.length, deletions.length)).toBeGreaterThan(20);
    const readOnly = await postGraphql(
      app,
      'mutation { keyCreate(name: "reads", permission: READ) { key } }',
      {
        key: app.main.user.key,
      },
    );
    for (const key of [app.main.admin.key, app.main.user.key, readOnly.data.keyCreate.key, app.main.teamKey])
      for (const [kind, names, call] of [
        ['query', lists, (name: string) => `${name}(first: 0) { totalCount }`],
        ['mutation', deletions, (name: string) => `${name}(id: "2000000011") { count }`],
      ] as const) {
        const allowed: string[] = [];
        for (const name of names) {
          const { errors } = await postGraphql(app, `${kind} { ${call(name)} }`, { key });
          if (!errors.some(({ extensions }) => REFUSED.has(String(extensions.code)))) allowed.push(name);
        }
        expect((await can(key, [...names])).data.viewer.can).toEqual(allowed);
      }
  });

  it('matches the outcome of calling operations on records', async () => {
    const names = Object.values(app.runtime.schema.getMutationType()!.getFields())
      .filter(({ args }) => args.filter(isRequiredArgument).every(({ name }) => name === 'ids'))
      .filter(({ args, name }) => args.some(({ name }) => name === 'ids') && !BY_RECORD.test(name))
      .map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['crmLeadMarkWon', 'saleOrderConfirm', 'helpdeskTicketRevokeLink']),
    );
    for (const key of [app.main.admin.key, app.main.user.key, app.main.teamKey]) {
      const allowed: string[] = [];
      for (const name of names) {
        const selection = getNamedType(app.runtime.schema.getMutationType()!.getFields()[name]!.type);
        const { errors } = await postGraphql(
          app,
          `mutation { ${name}(ids: ["2000000011"]) ${isLeafType(selection) ? '' : '{ __typename }'} }`,
          { key },
        );
        if (!errors.some(({ extensions }) => REFUSED.has(String(extensions.code)))) allowed.push(name);
      }
      expect((await can(key, names)).data.viewer.can).toEqual(allowed);
    }
    const others = ['parameterGet', 'parameterSet', 'partnerNameCreate', 'accessOfUser', 'websitePageDelete'];
    expect((await can(app.main.user.key, others)).data.viewer.can).toEqual([]);
    expect((await can(app.main.admin.key, others)).data.viewer.can).toEqual(others);
  });

  it('returns only operations whose workspace feature is on', async () => {
    const set = (isOn: boolean) =>
      postGraphql(app, `mutation { featureSet(feature: EMAIL, on: ${isOn}) { id } }`, admin);
    const admin = { key: app.main.admin.key };
    await set(false);
    expect((await can(app.main.admin.key, operationNames)).data.viewer.can).toEqual([
      'partners',
      'partnerChanged',
    ]);
    await set(true);
  });

  it('limits the number of operations per request', async () => {
    const tooManyNames = Array.from(
      { length: MAX_CHECKED_OPERATIONS + 1 },
      (_, index) => `operation${index}`,
    );
    const { errors } = await can(app.main.admin.key, tooManyNames);
    expect(errors[0]!.extensions.code).toBe('BAD_REQUEST');
  });
});

describe('view preferences', () => {
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app?.close());

  const SAVED = 'viewPreferencesSave(theme: DARK, density: COZY) { theme density shortcuts }';
  const READ = '{ viewer { preferences { theme density shortcuts } } }';
  const readPreferences = async (key: string) =>
    (await postGraphql(app, READ, { key })).data.viewer.preferences;

  it('are stored per user, and keep omitted values', async () => {
    const { key } = app.main.user;
    expect(await readPreferences(key)).toBeNull();
    const preferences = { theme: 'DARK', density: 'COZY', shortcuts: true };
    expect((await postGraphql(app, `mutation { ${SAVED} }`, { key })).data.viewPreferencesSave).toEqual(
      preferences,
    );
    await postGraphql(app, 'mutation { viewPreferencesSave(shortcuts: false) { theme } }', { key });
    expect(await readPreferences(key)).toEqual({ ...preferences, shortcuts: false });
    expect(await readPreferences(app.main.admin.key)).toBeNull();
  });

  it('are not available to a workspace key', async () => {
    const key = app.main.teamKey;
    expect(await readPreferences(key)).toBeNull();
    const { errors } = await postGraphql(app, `mutation { ${SAVED} }`, { key });
    expect(errors[0]!.extensions.code).toBe('FORBIDDEN');
  });

  it('accept only known themes', async () => {
    const { errors } = await postGraphql(app, 'mutation { viewPreferencesSave(theme: PINK) { theme } }', {
      key: app.main.user.key,
    });
    expect(errors[0]!.message).toContain('ViewTheme');
  });
});
