import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { post, setUpApp } from '../harness/app.ts';
import { postGraphql, sendRequest } from '../harness/facades/graphql.ts';
import { until } from '../harness/wait.ts';

const app = setUpApp();
let cookie: string;
const BROWSER = { accept: 'text/html,application/xhtml+xml' };

beforeAll(async () => {
  await app.deliver();
  const form = new URLSearchParams({ login: 'admin', password: app.main.admin.password }).toString();
  const { headers } = await sendRequest(
    app,
    'POST',
    '/login',
    { 'content-type': 'application/x-www-form-urlencoded' },
    form,
  );
  cookie = String(headers['set-cookie']).split(';')[0]!;
  const email = {
    from: `Me <me@${app.main.domain}>`,
    to: 'you@example.org',
    subject: '<b>Bold & "quoted"</b>',
    html: '<script>alert("x")</script>',
  };
  expect((await post(`${app.url}/api/v1/emails`, email, app.main.teamKey)).status).toBe(200);
  const loadOutbox = async () =>
    JSON.parse(
      (await sendRequest(app, 'GET', '/dev/outbox', { authorization: `Bearer ${app.main.teamKey}` })).text,
    );
  await until(async () => (await loadOutbox()).length === 1, 'it is kept');
});

describe('outbox', () => {
  it('shows stored emails without interpreting their content as HTML', async () => {
    const { status, text } = await sendRequest(app, 'GET', '/dev/outbox', { ...BROWSER, cookie });
    expect(status).toBe(200);
    expect(text).toContain('&lt;b&gt;Bold &amp; &quot;quoted&quot;&lt;/b&gt;');
    expect(text).toContain('you@example.org');
    expect(text).not.toMatch(/<script|<b>Bold|<iframe/);
  });

  it("shows an email's HTML in a separate frame, and shows its text, source and events", async () => {
    const { text: list } = await sendRequest(app, 'GET', '/dev/outbox', { ...BROWSER, cookie });
    const at = /href="(\/dev\/outbox\/\w+)"/.exec(list)![1]!;
    const readView = async (name: string) =>
      (await sendRequest(app, 'GET', `${at}${name}`, { ...BROWSER, cookie })).text;
    for (const name of ['', '?view=html', '?view=text', '?view=source', '?view=events'])
      expect(await readView(name)).not.toMatch(/<script|<b>Bold/);
    expect(await readView('')).toMatch(
      /<iframe src="[^"]+\/body" sandbox="(?!.*allow-(?:scripts|same-origin))[^"]*"/,
    );
    expect(await readView('?view=source')).toContain('Content-Type: text/html');
    expect(await readView('?view=events')).toContain('<strong>DELIVERED</strong>');
    const body = await sendRequest(app, 'GET', `${at}/body`, { ...BROWSER, cookie });
    expect(body.text).toContain('<script>alert("x")</script>');
    expect(body.headers['content-security-policy']).toMatch(/^sandbox (?!.*allow-(?:scripts|same-origin))/);
    expect(body.headers['content-security-policy']).toContain("default-src 'none'");
    expect((await sendRequest(app, 'GET', `${at}/body`, BROWSER)).status).toBe(401);
    expect((await sendRequest(app, 'GET', at, BROWSER)).headers.location).toBe(`/login?next=${at}`);
    expect((await sendRequest(app, 'GET', '/dev/outbox/nothing', { ...BROWSER, cookie })).status).toBe(404);
  });

  it('returns JSON to other clients', async () => {
    for (const [path, accept] of [
      ['/dev/outbox', 'application/json'],
      ['/dev/outbox?format=json', 'text/html'],
    ] as const) {
      const { status, headers, text } = await sendRequest(app, 'GET', path, { accept, cookie });
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(JSON.parse(text)[0]).toMatchObject({
        subject: '<b>Bold & "quoted"</b>',
        recipients: ['you@example.org'],
        source: expect.stringContaining('alert'),
      });
    }
  });

  it('lists attachments with their sizes, and lets only permitted users download them', async () => {
    const files = [
      { filename: 'Übersicht "1".pdf', content: Buffer.from('%PDF-').toString('base64') },
      {
        filename: 'page.html',
        content: Buffer.alloc(1536, 'x').toString('base64'),
        contentType: 'text/html; charset=utf-8',
      },
      { filename: 'one.txt', content: 'eA==' },
    ];
    const email = { from: `Me <me@${app.main.domain}>`, to: 'you@example.org', subject: 'Files', text: 'x' };
    const sent = await post(`${app.url}/api/v1/emails`, { ...email, attachments: files }, app.main.teamKey);
    expect(sent.status, sent.text).toBe(200);
    const { emailId } = sent.json();
    const at = `/dev/outbox/${emailId}`;
    const { text: page } = await sendRequest(app, 'GET', at, { ...BROWSER, cookie });
    const downloads = [...page.matchAll(/href="([^"]+)" download>([^<]+)<\/a> <span class="soft">([^<]+)</g)];
    expect(downloads.map(([, ...rest]) => rest)).toEqual([
      [`${at}/files/0`, 'Übersicht &quot;1&quot;.pdf', '5 bytes'],
      [`${at}/files/1`, 'page.html', '1.5 KB'],
      [`${at}/files/2`, 'one.txt', '1 byte'],
    ]);
    const first = await sendRequest(app, 'GET', `${at}/files/0`, { ...BROWSER, cookie });
    expect(first.text).toBe('%PDF-');
    expect(first.headers['content-disposition']).toBe(
      `attachment; filename="_bersicht _1_.pdf"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.pdf`,
    );
    const second = await sendRequest(app, 'GET', `${at}/files/1`, { ...BROWSER, cookie });
    expect([second.text.length, second.headers['content-type']]).toEqual([1536, 'text/html; charset=utf-8']);
    expect(second.headers['content-disposition']).toBe('attachment; filename=page.html');
    expect(second.headers['x-content-type-options']).toBe('nosniff');
    for (const path of ['files/3', 'files/-1', 'files/x', 'files/99999'])
      expect((await sendRequest(app, 'GET', `${at}/${path}`, { ...BROWSER, cookie })).status).toBe(404);
    expect((await sendRequest(app, 'GET', `${at}/files/0`, BROWSER)).status).toBe(401);
    const plain = { authorization: `Bearer ${app.main.user.key}` };
    expect((await sendRequest(app, 'GET', `${at}/files/0`, plain)).status).toBe(403);
    const otherTenant = await app.tenant('beside');
    const theirs = { authorization: `Bearer ${otherTenant.teamKey}` };
    expect((await sendRequest(app, 'GET', `${at}/files/0`, theirs)).status).toBe(404);
  });

  it('rejects anonymous callers and users without access', async () => {
    const stranger = await sendRequest(app, 'GET', '/dev/outbox', BROWSER);
    expect([stranger.status, stranger.headers.location]).toEqual([303, '/login?next=/dev/outbox']);
    expect((await sendRequest(app, 'GET', '/dev/outbox', { accept: 'application/json' })).status).toBe(401);
    expect(
      (await sendRequest(app, 'GET', '/dev/outbox', { authorization: `Bearer ${app.main.user.key}` })).status,
    ).toBe(403);
  });

  it('ends the session on sign-out, which is recorded in the audit trail', async () => {
    const foreignResponse = await sendRequest(app, 'POST', '/logout', {
      cookie,
      origin: 'https://evil.example',
    });
    expect(foreignResponse.status).toBe(403);
    expect((await postGraphql(app, '{ viewer { login } }', { headers: { cookie } })).errors).toEqual([]);
    const { status, headers } = await sendRequest(app, 'POST', '/logout', { cookie, origin: app.url });
    expect([status, headers.location]).toEqual([303, '/']);
    expect(String(headers['set-cookie'])).toMatch(/^atrium_session=; .*Max-Age=0/);
    expect(
      (await postGraphql(app, '{ viewer { login } }', { headers: { cookie } })).errors[0]!.extensions.code,
    ).toBe('UNAUTHENTICATED');
    const lines = await app.runtime.db.rows(
      sql`select user_id, success from svc_audit_event where workspace_id = ${app.main.ctx.workspace.id} and event = 'session.close'`,
    );
    expect(lines).toEqual([{ user_id: app.main.admin.id, success: true }]);
  });
});
