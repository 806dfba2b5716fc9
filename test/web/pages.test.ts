import { html } from 'hono/html';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toLocalPath } from '../../facades/web/login.ts';
import { sql } from '../../src/db/sql.ts';
import { MAX_SIGN_IN_FAILURES } from '../../src/engine/identity/failures.ts';
import { limits } from '../../src/limits.ts';
import { post, setUpApp } from '../harness/app.ts';
import { postGraphql, sendRequest } from '../harness/facades/graphql.ts';

const app = setUpApp();
const BROWSER = { accept: 'text/html,application/xhtml+xml' };
const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded', ...BROWSER };

/** Headers of a client that is no browser, which gets the result without a redirect. */
const PLAIN = { accept: '*/*' };

const signIn = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  sendRequest(app, 'POST', '/login', { ...FORM_HEADERS, ...headers }, new URLSearchParams(fields).toString());

const getCredentials = () => ({ login: 'admin', password: app.main.admin.password, workspace: 'main' });
const setCookie = (headers: Record<string, unknown>) => String(headers['set-cookie'] ?? '');

/** Opens the page that shows the result of a form. */
const followForm = ({ status, headers }: Awaited<ReturnType<typeof signIn>>) => {
  expect(status).toBe(303);
  const [cookie] = setCookie(headers).split(';');
  return sendRequest(app, 'GET', String(headers.location), { ...BROWSER, cookie: cookie! });
};

const loadAuditLines = (event: string) =>
  app.runtime.db.rows<Record<string, unknown>>(
    sql`select user_id, channel, success, error, summary, request_id from svc_audit_event where workspace_id = ${app.main.ctx.workspace.id} and event = ${event} order by id desc`,
  );

describe('start page', () => {
  it('shows the version, the facades and first steps without external resources', async () => {
    const { status, text, headers } = await sendRequest(app, 'GET', '/', BROWSER);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const link of ['/graphql', '/api/v1/ui', '/dev/outbox', '/login'])
      expect(text).toContain(`href="${link}"`);
    expect(text.match(/<pre class="copy">curl /g)).toHaveLength(3);
    expect(text).not.toMatch(/<script|(?:src|href)="(?:https?:)?\/\//);
  });

  it('has the same icon as the pages of all facades', async () => {
    const icon = await fetch(`${app.url}/favicon.ico`);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
    const bytes = Buffer.from(await icon.arrayBuffer());
    // One 32 × 32 PNG image, which ends at the end of the file.
    expect([...bytes.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
    const start = bytes.readUInt32LE(18);
    expect(bytes.subarray(start + 1, start + 4).toString()).toBe('PNG');
    expect(start + bytes.readUInt32LE(14)).toBe(bytes.length);
    const cookie = setCookie((await signIn(getCredentials())).headers).split(';')[0]!;
    for (const path of ['/app', '/login', '/nowhere', '/doc', '/graphql', '/api/v1/ui']) {
      const visitor = path === '/login' ? BROWSER : { ...BROWSER, cookie };
      const { text, headers } = await sendRequest(app, 'GET', path, visitor);
      expect(text, path).toContain('<link rel="icon" href="/favicon.ico"');
      expect(headers['content-security-policy'], path).toMatch(/img-src 'self'/);
    }
  });

  it.each(['/', '/login', '/nowhere'])('has security headers at %s', async (path) => {
    const { headers } = await sendRequest(app, 'GET', path, BROWSER);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers['content-security-policy']).not.toMatch(/https?:|\*/);
  });

  it('shows working commands with a key filled in', async () => {
    const { text } = await sendRequest(app, 'GET', '/', BROWSER);
    const commands = [...text.matchAll(/<pre class="copy">(.*?)<\/pre>/g)].map((match) =>
      match[1]!.replaceAll('&#39;', "'").replaceAll('&quot;', '"'),
    );
    expect(commands.length).toBeGreaterThan(1);
    for (const command of commands.slice(1)) {
      const [, url, body] = /^curl -s (\S+) .* -d '(.*)'$/.exec(command)!;
      expect((await post(url!, body, app.main.user.key)).status, command).toBe(200);
    }
  });
});

describe('sign-in page', () => {
  it('sets the session in an HttpOnly cookie, and redirects to the requested path', async () => {
    const { status, headers } = await signIn({ ...getCredentials(), next: '/dev/outbox?x=1' });
    expect([status, headers.location]).toEqual([303, '/dev/outbox?x=1']);
    expect(setCookie(headers)).toMatch(
      /^atrium_session=([\w-]{43})(; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+),session_id=\1\2$/,
    );
    const cookie = setCookie(headers).split(';')[0]!;
    expect((await postGraphql(app, '{ viewer { login } }', { headers: { cookie } })).data.viewer.login).toBe(
      'admin',
    );
    const hash = await app.runtime.db.value<string>(
      sql`select hash from svc_session where workspace_id = ${app.main.ctx.workspace.id}`,
    );
    expect(cookie).not.toContain(hash);
  });

  it('sets a __Host- cookie over HTTPS', async () => {
    const address = app.runtime.config.publicUrl;
    app.runtime.config.publicUrl = 'https://atrium.test';
    onTestFinished(() => void Object.assign(app.runtime.config, { publicUrl: address }));
    const { headers } = await signIn(getCredentials());
    expect(setCookie(headers)).toMatch(
      /^__Host-atrium_session=([\w-]{43})(; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure),session_id=\1\2$/,
    );
    const token = setCookie(headers).split(/[=;]/)[1]!;
    const readViewer = async (name: string, overrides: Record<string, string> = {}) =>
      (
        await postGraphql(app, '{ viewer { login } }', {
          headers: { cookie: `${name}=${token}`, ...overrides },
        })
      ).data?.viewer?.login ?? null;
    const browser = { 'sec-fetch-site': 'same-origin' };
    expect([
      await readViewer('__Host-atrium_session', browser),
      await readViewer('session_id', browser),
      await readViewer('atrium_session', browser),
      await readViewer('session_id'),
      await readViewer('atrium_session'),
    ]).toEqual(['admin', null, null, 'admin', null]);
  });

  it.each([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown login', { login: 'nobody' }],
    ['an unknown workspace', { workspace: 'nowhere' }],
  ])('returns the same error and no session for %s', async (_name, change) => {
    const answer = await signIn({ ...getCredentials(), ...change }, PLAIN);
    expect(answer.status).toBe(401);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const { status, text, headers } = await followForm(await signIn({ ...getCredentials(), ...change }));
    for (const page of [answer.text, text]) {
      expect(page).toContain('Wrong login or password.');
      expect(page.match(/<input[^>]*autofocus/g)).toEqual([expect.stringContaining('name="password"')]);
    }
    expect(status).toBe(401);
    expect(setCookie(headers)).toMatch(/^atrium_form=;[^,]*Max-Age=0$/);
    await signIn(getCredentials());
  });

  it('shows the result of a form only once, and only on its page and with its signature', async () => {
    const wrong = { ...getCredentials(), password: 'wrong', next: '/doc' };
    const { headers } = await signIn(wrong);
    expect(headers.location).toBe('/login?next=%2Fdoc');
    const [cookie] = setCookie(headers).split(';');
    expect(setCookie(headers)).toContain('Path=/login; HttpOnly; SameSite=Lax; Max-Age=60');
    const open = async (path: string, value: string) =>
      (await sendRequest(app, 'GET', path, { ...BROWSER, cookie: value })).text;
    expect(await open('/login?next=%2Fdoc', cookie!)).toContain('Wrong login or password.');
    expect(await open('/login?next=%2F', cookie!)).not.toContain('Wrong login');
    const [payload] = cookie!.slice('atrium_form='.length).split('.');
    for (const forged of [payload, `${payload}.${'0'.repeat(64)}`, ''])
      expect(await open('/login?next=%2Fdoc', `atrium_form=${forged}`)).not.toContain('Wrong login');
    await signIn(getCredentials());
  });

  it('redirects visitors who are already signed in', async () => {
    const cookie = setCookie((await signIn(getCredentials())).headers).split(';')[0]!;
    const open = async (path: string) =>
      (await sendRequest(app, 'GET', path, { ...BROWSER, cookie })).headers.location;
    expect(await open('/login?next=/doc')).toBe('/doc');
    expect(await open('/login?next=https://example.org')).toBe('/');
  });

  it('shows the entered login escaped, but not the password', async () => {
    const answer = await signIn({
      login: '"><script>alert(1)</script>',
      password: 'my secret',
      next: '/" onfocus="x',
    });
    const { text } = await followForm(answer);
    expect(text).toContain('Wrong login or password.');
    expect(text).not.toMatch(/<script|my secret|" onfocus/);
    await signIn(getCredentials());
  });

  it('records successful and failed sign-ins in the audit trail', async () => {
    await signIn(getCredentials(), { 'x-request-id': 'sign-in-right' });
    await signIn({ ...getCredentials(), password: 'wrong' }, { 'x-request-id': 'sign-in-wrong' });
    const [failed, opened] = await loadAuditLines('session.open');
    expect(opened).toMatchObject({
      user_id: app.main.admin.id,
      channel: 'web',
      success: true,
      error: null,
      request_id: 'sign-in-right',
    });
    expect(failed).toMatchObject({
      user_id: null,
      success: false,
      error: 'Access Denied',
      request_id: 'sign-in-wrong',
    });
    expect(JSON.parse(failed!.summary as string)).toEqual({
      login: 'admin',
      source: expect.stringContaining('127.0.0.1'),
    });
    await signIn(getCredentials());
  });

  it('rejects a request from another origin', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
      const response = await signIn(getCredentials(), headers);
      expect([response.status, response.headers['set-cookie']]).toEqual([403, undefined]);
    }
    expect((await signIn(getCredentials(), { origin: app.url })).status).toBe(303);
  });

  it('rejects a form over the size limit', async () => {
    expect((await signIn({ login: 'x'.repeat(limits.http.formBody) })).status).toBe(413);
  });

  it('delays sign-ins from an address after several failures, even with the correct password', async () => {
    const before = (await loadAuditLines('session.open')).length;
    for (let i = 0; i < MAX_SIGN_IN_FAILURES; i++)
      expect((await signIn({ ...getCredentials(), password: `wrong ${i}` }, PLAIN)).status).toBe(401);
    const pausedResponse = await signIn(getCredentials(), PLAIN);
    expect([pausedResponse.status, pausedResponse.headers['set-cookie']]).toEqual([429, undefined]);
    expect((await loadAuditLines('session.open')).length).toBe(before + MAX_SIGN_IN_FAILURES);
  });
});

describe('the redirect after sign-in', () => {
  it.each([
    ['/graphql', '/graphql'],
    ['/dev/outbox?format=json#x', '/dev/outbox?format=json#x'],
    ['', '/'],
    ['https://evil.example/', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['evil', '/'],
    ['/a\r\nset-cookie: x', '/aset-cookie:%20x'],
    ['/.//evil.example', '/'],
    ['/x/..//evil.example', '/'],
  ])('maps %j to %j', (next, path) => {
    expect(toLocalPath(next)).toBe(path);
  });
});

describe('unknown path', () => {
  it('returns 404 as a page to browsers, and as JSON to other clients', async () => {
    const page = await sendRequest(app, 'GET', '/no/<such>', BROWSER);
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).not.toContain('<such>');
    const json = await sendRequest(app, 'POST', '/no/such', { 'x-request-id': 'unknown-path-1' });
    expect([json.status, JSON.parse(json.text).error.code, json.headers['x-request-id']]).toEqual([
      404,
      'NOT_FOUND',
      'unknown-path-1',
    ]);
  });
});

describe('the html template tag', () => {
  it.each<[unknown, string]>([
    ['&<>"\'', '&amp;&lt;&gt;&quot;&#39;'],
    [html`<b>${'<i>'}</b>`, '<b>&lt;i&gt;</b>'],
    [['<', html`<br>`], '&lt;<br>'],
    [null, ''],
    [false, ''],
    [0, '0'],
    ['\\n', '\\n'],
  ])('renders %j as %j', (part, text) => {
    expect(`${html`${part}`}`).toBe(text);
  });
});
