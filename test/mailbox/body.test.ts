import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_CONCURRENT_IMAGES_PER_USER, MAX_IMAGE_BYTES } from '../../schema/mailbox/body/fetch-image.ts';
import { MAX_IMAGE_URL_CHARS } from '../../src/text/sanitize-message.ts';
import { post, setUpApp, startApp } from '../harness/app.ts';
import { MAX_BLOCK_MS, measureBestRun } from '../harness/cpu.ts';
import { switchMcp } from '../harness/facades/mcp.ts';
import { signInWeb } from '../harness/facades/web.ts';
import type { Tenant } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';
import { callMailOk, loadMailbox, queryGraphql, setUpMailbox } from './mailboxes.ts';
import { fileRaw } from './raw-mail.ts';

const app = setUpApp({ MAIL_IMAGE_ALLOW_PRIVATE: '1' });
let otherTenant: Tenant;
const ownMailbox = setUpMailbox(app);
let cookie: string;

const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
let answer: (path: string, response: ServerResponse) => void;
const images = createServer(({ url, headers }, response) => {
  requests.push({ path: url!, headers });
  answer(url!, response);
});
let elsewhere: string;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

beforeAll(async () => {
  otherTenant = await app.tenant('other', 'apart');
  await switchMcp(app, app.main, true);
  cookie = await signInWeb(app, app.main.user);
  await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
  elsewhere = `http://127.0.0.1:${(images.address() as AddressInfo).port}`;
});
afterAll(async () => {
  images.closeAllConnections();
  images.close();
});

let mails = 0;
const HEAD = () =>
  `From: ann@example.org\nTo: b@example.org\nSubject: S\nMessage-ID: <${++mails}@example.org>\n`;
const buildHtmlMail = (html: string) => `${HEAD()}Content-Type: text/html; charset=utf-8\n\n${html}\n`;
const fileMail = (raw: string) => fileRaw(app.main, ownMailbox, raw);

async function get(path: string, headers: Record<string, string> = { cookie }) {
  const response = await fetch(`${app.url}${path}`, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const POLICY =
  "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; default-src 'none'; " +
  "style-src 'unsafe-inline'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

test('serves an HTML message without scripts, and opens its links in new tabs', async () => {
  const id = await fileMail(
    buildHtmlMail(
      '<h1 onclick="x()">Hi</h1><script>x()</script><a href="https://a.example/" target="_top">a</a>',
    ),
  );
  const { status, headers, text } = await get(`/mail/body/${id}`);
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toBe(POLICY);
  expect(headers.get('content-security-policy')).not.toContain('allow-scripts');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(text).toMatch(/html, body \{ height: auto !important/);
  expect(text).toContain(
    '<body><h1>Hi</h1><a href="https://a.example/" target="_blank" rel="noopener noreferrer nofollow">a</a>',
  );
  expect(text).not.toMatch(/x\(\)|onclick/);
  const [entry] = (
    await callMailOk(app, 'get_entries', { folder_id: ownMailbox.folders.inbox, search: 'subject:S' })
  ).entries;
  expect(entry.is_read).toBe(false);
});

test('shows plain text unformatted, with clickable links', async () => {
  const id = await fileMail(
    `${HEAD()}Content-Type: text/plain; charset=utf-8\n\n<b>x</b> & see (https://a.example/?q=1&b=2). Bye\n`,
  );
  const { text } = await get(`/mail/body/${id}`);
  expect(text).toContain('data-kind="text"');
  expect(text).toContain(
    '<pre>&lt;b&gt;x&lt;/b&gt; &amp; see (<a href="https://a.example/?q=1&amp;b=2" target="_blank" ' +
      'rel="noopener noreferrer nofollow">https://a.example/?q=1&amp;b=2</a>). Bye',
  );
});

test('shows text up to the limit in full, and truncates longer text with a link to the rest', async () => {
  const maxCharacters = 524_288;
  const fileText = (size: number) =>
    fileMail(`${HEAD()}Content-Type: text/plain; charset=utf-8\n\n${'x'.repeat(size - 1)}Ω`);
  const fullText = (await get(`/mail/body/${await fileText(maxCharacters)}`)).text;
  expect(fullText.includes('xΩ</pre>')).toBe(true);
  const id = await fileText(maxCharacters + 1);
  const cut = (await get(`/mail/body/${id}`)).text;
  expect(cut.includes('Ω')).toBe(false);
  const [, rest] = /<a href="([^"]+)" target="_blank">The message is longer\./.exec(cut.slice(-1_000))!;
  expect((await get(rest!)).text.endsWith('xΩ')).toBe(true);
});

test("hides other users' message bodies, and rejects a session cookie sent by another site", async () => {
  const id = await fileMail(buildHtmlMail('<p>Mine alone</p>'));
  const otherCookie = await signInWeb(app, app.main.admin);
  for (const path of [`/mail/body/${id}`, `/mail/part/${id}/0`]) {
    expect((await get(path, { cookie: otherCookie })).status, path).toBe(404);
    expect((await get(path, { authorization: `Bearer ${otherTenant.user.key}` })).status, path).toBe(404);
    expect((await get(path, {})).status, path).toBe(401);
    expect((await get(path, { cookie, origin: 'https://evil.example' })).status, path).toBe(403);
    expect((await get(path, { cookie, 'sec-fetch-site': 'cross-site' })).status, path).toBe(403);
    expect((await get(path, { cookie, 'sec-fetch-site': 'same-origin' })).status, path).toBe(200);
  }
  for (const path of ['/mail/body/999999999', '/mail/body/x', '/mail/part/1/x', `/mail/part/${id}/77`])
    expect((await get(path)).status, path).toBe(404);
  expect((await get(`/mail/body/${id}?images=maybe`)).status).toBe(400);
  const response = await get('/mail/body/999999999', { cookie, accept: 'text/html' });
  expect(response.status).toBe(404);
  expect(response.headers.get('content-security-policy')).toBe(POLICY);
});

const RELATED = (type: string, content: string) => `${HEAD()}Content-Type: multipart/related; boundary=b

--b
Content-Type: text/html

<img src="cid:one@x" alt="one">
--b
Content-Type: ${type}
Content-ID: <one@x>
Content-Disposition: inline; filename="one.x"
Content-Transfer-Encoding: base64

${Buffer.from(content, 'latin1').toString('base64')}
--b--
`;

test('shows attached images inline, and serves other files as downloads that cannot run scripts', async () => {
  const picture = await fileMail(RELATED('image/png', PNG.toString('latin1')));
  const { text } = await get(`/mail/body/${picture}`);
  const [, path] = /src="(\/mail\/part\/\d+\/\d+)"/.exec(text)!;
  const bodyPage = await get(path!);
  expect(bodyPage.status).toBe(200);
  expect(bodyPage.headers.get('content-type')).toBe('image/png');
  expect(bodyPage.headers.get('content-disposition')).toMatch(/^inline/);
  for (const [type, content] of [
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>top.ran=1</script></svg>'],
    ['text/html', '<script>top.ran=1</script>'],
    ['application/pdf', '%PDF-1.4'],
  ] as const) {
    const id = await fileMail(RELATED(type, content));
    const [, inText] = /src="(\/mail\/part\/\d+\/\d+)"/.exec((await get(`/mail/body/${id}`)).text)!;
    const { headers } = await get(inText!);
    expect(headers.get('content-disposition'), type).toMatch(/^attachment/);
    expect(headers.get('content-security-policy'), type).toBe("sandbox; default-src 'none'");
    expect(headers.get('x-content-type-options'), type).toBe('nosniff');
  }
});

test('shows an attached image instead of the remote URL in its Content-Location', async () => {
  const address = `${elsewhere}/located.png`;
  const id = await fileMail(
    RELATED('image/png', 'PNG')
      .replace('cid:one@x', address)
      .replace('Content-ID: <one@x>', `Content-Location: ${address}`),
  );
  const { text } = await get(`/mail/body/${id}`);
  expect(text).toContain(`src="/mail/part/${id}/2"`);
  expect(text).toContain('data-images="none"');
});

async function loadImages(html: string, query = '?images=show'): Promise<string[]> {
  const { text } = await get(`/mail/body/${await fileMail(buildHtmlMail(html))}${query}`);
  return [...text.matchAll(/\/mail\/image\/[\w.-]+/g)].map(([path]) => path);
}

const sendPng = (_path: string, response: ServerResponse) =>
  response.setHeader('content-type', 'image/png').end(PNG);

test('hides remote images until the user requests or always allows them, and then loads them through a proxy', async () => {
  const html = `<img src="${elsewhere}/a.png"><p style="background:url(${elsewhere}/b.png)">x</p>`;
  const id = await fileMail(buildHtmlMail(html));
  const hiddenResponse = await get(`/mail/body/${id}`);
  expect(hiddenResponse.text).toContain('data-images="hidden"');
  expect(hiddenResponse.text).not.toMatch(/\/mail\/image|127\.0\.0\.1/);
  const bodyWithImages = await get(`/mail/body/${id}?images=show`);
  expect(bodyWithImages.text).toContain('data-images="shown"');
  expect(bodyWithImages.text.match(/\/mail\/image\//g)).toHaveLength(2);
  expect(bodyWithImages.text).not.toContain(elsewhere);
  await callMailOk(app, 'save_prefs', { vals: { svc_mail_autoload_images: true } });
  expect((await get(`/mail/body/${id}`)).text).toContain('data-images="shown"');
  expect((await get(`/mail/body/${id}?images=hide`)).text).toContain('data-images="hidden"');
  await callMailOk(app, 'save_prefs', { vals: { svc_mail_autoload_images: false } });
  const none = await get(`/mail/body/${await fileMail(buildHtmlMail('<p>x</p>'))}`);
  expect(none.text).toContain('data-images="none"');
});

test('shows the same images in a long message as in a short one, without blocking the event loop', async () => {
  const styles = Array.from({ length: 20 }, (_, i) => `.c${i} p{background:url(${elsewhere}/c.png)}`).join(
    '',
  );
  const parts = [
    `<style>${styles}</style><img src="cid:a"><div class="c1"><img src="${elsewhere}/a?b=1&amp;c=2"></div>`,
    `<img src="${elsewhere}/a?b=1&amp;c=2"><img src="${elsewhere}/${'x'.repeat(MAX_IMAGE_URL_CHARS)}">`,
  ];
  const long = parts.join('<p class="c1" style="color:red">A line of text.</p>'.repeat(10_000));
  const [shortId, longId] = [
    await fileMail(buildHtmlMail(parts.join('<hr>'))),
    await fileMail(buildHtmlMail(long)),
  ];
  const listImages = (text: string) =>
    [...text.matchAll(/(?:src="|url\()'?(\/mail\/[^"')]+)/g)].map(([, url]) => url);
  const expected = listImages((await get(`/mail/body/${shortId}?images=show`)).text);
  expect(expected.length).toBeGreaterThan(2);
  const read = async () =>
    expect(listImages((await get(`/mail/body/${longId}?images=show`)).text)).toEqual(expected);
  expect(await measureBestRun(read)).toBeLessThan(MAX_BLOCK_MS);
});

test.each([
  ['HTML with many style sheets', 'text/html', '<style>.a{color:red}</style><p class=a>x</p>', 30 * 1024],
  ['HTML of 24 MB', 'text/html', '<p style="color:red">A <b>line</b> of text.</p>\n', 24 * 1024 * 1024],
  ['short lines', 'text/plain', 'a\n', 524_288],
  ['quoted lines', 'text/plain', 'On Mon, Ann wrote:\n> a\n', 524_288],
])(
  'reads a message with %s through every API without blocking the event loop',
  async (_, type, unit, length) => {
    const id = await fileMail(
      `${HEAD()}Content-Type: ${type}; charset=utf-8\n\n${unit.repeat(length / unit.length)}\n`,
    );
    const tool = { name: 'inbox_message', arguments: { entry_id: id } };
    const toolCall = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool };
    const accept = { accept: 'application/json, text/event-stream' };
    const queries = [
      'mutation ($id: ID!) { mailRead(entryId: $id) { subject bodyText textReply bodyHtml } }',
      'query ($id: ID!) { mailMessage(id: $id) { subject text textReply } }',
    ];
    const reads = [
      () => callMailOk(app, 'get_entry_detail', { entry_id: id }),
      () => callMailOk(app, 'get_thread', { entry_id: id }),
      () => post(`${app.url}/mcp`, toolCall, app.main.user.key, accept).then(({ text }) => text),
      ...queries.map((query) => () => queryGraphql(app, query, { id })),
    ];
    for (const [index, read] of reads.entries()) {
      expect(JSON.stringify(await read()), `read ${index}`).toMatch(/subject\W+S\W/);
      expect(await measureBestRun(read), `read ${index}`).toBeLessThan(MAX_BLOCK_MS);
    }
  },
);

test('fetches a remote image once, without cookies or referrer, and only for the user of the signed URL', async () => {
  answer = sendPng;
  const [path] = await loadImages(`<img src="${elsewhere}/once.png">`);
  const first = await get(path!, { cookie, referer: `${app.url}/app` });
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('image/png');
  expect(first.headers.get('cache-control')).toBe('private, max-age=86400');
  expect(first.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  expect((await get(path!)).status).toBe(200);
  expect(requests.filter((request) => request.path === '/once.png')).toHaveLength(1);
  const { headers } = requests.find((request) => request.path === '/once.png')!;
  expect(Object.keys(headers).sort()).toEqual([
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ]);
  const theirs = await signInWeb(app, app.main.admin);
  expect((await get(path!, { cookie: theirs })).status).toBe(404);
  expect((await get(path!, { authorization: `Bearer ${otherTenant.user.key}` })).status).toBe(404);
  expect((await get(path!, {})).status).toBe(401);
  expect((await get(path!, { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  const forged = `${path!.split('.')[0]}.${Buffer.from(`${elsewhere}/other.png`).toString('base64url')}`;
  expect((await get(forged)).status).toBe(404);
  expect((await get(`/mail/image/${Buffer.from(elsewhere).toString('base64url')}`)).status).toBe(404);
  expect(requests.filter((request) => request.path === '/other.png')).toEqual([]);
});

test('returns 404 for an image that is invalid, too large or unreachable', async () => {
  const large = Buffer.concat([PNG, Buffer.alloc(MAX_IMAGE_BYTES)]);
  const bodies: Record<string, (response: ServerResponse) => void> = {
    '/page': (response) =>
      response.setHeader('content-type', 'image/png').end('<html><script>x</script></html>'),
    '/svg': (response) => response.setHeader('content-type', 'image/svg+xml').end('<svg onload="x()"/>'),
    '/large': (response) => response.end(large),
    '/missing': (response) => response.writeHead(404).end(PNG),
    '/away': (response) => response.writeHead(302, { location: 'ftp://a.example/' }).end(),
    '/empty': (response) => response.end(),
    '/on': (response) => response.writeHead(302, { location: '/last' }).end(),
    '/last': (response) => response.end(PNG),
  };
  answer = (path, response) => bodies[path]!(response);
  const names = ['/page', '/svg', '/large', '/missing', '/away', '/empty', '/on'];
  const paths = await loadImages(names.map((name) => `<img src="${elsewhere}${name}">`).join(''));
  const statuses: Record<string, number> = {};
  for (const [index, name] of names.entries()) statuses[name] = (await get(paths[index]!)).status;
  expect(statuses).toEqual({
    ...Object.fromEntries(names.map((name) => [name, 404])),
    '/on': 200,
  });
  const rejection = await get((await loadImages('<img src="http://127.0.0.1:1/closed.png">'))[0]!);
  expect(rejection.status).toBe(404);
  expect(rejection.text).not.toMatch(/ECONNREFUSED|127\.0\.0\.1/);
});

test("limits a user's concurrent image fetches", async () => {
  const waitingResponses: ServerResponse[] = [];
  answer = (_path, response) => waitingResponses.push(response);
  const html = Array.from(
    { length: MAX_CONCURRENT_IMAGES_PER_USER + 1 },
    (_, index) => `<img src="${elsewhere}/slow/${index}">`,
  ).join('');
  const paths = await loadImages(html);
  const slow = paths.slice(0, MAX_CONCURRENT_IMAGES_PER_USER).map((path) => get(path));
  await until(() => waitingResponses.length === MAX_CONCURRENT_IMAGES_PER_USER, 'all are fetched');
  const busyResponse = await get(paths[MAX_CONCURRENT_IMAGES_PER_USER]!);
  expect(busyResponse.status).toBe(503);
  for (const response of waitingResponses) response.end(PNG);
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 200));
  answer = sendPng;
  expect((await get(paths[MAX_CONCURRENT_IMAGES_PER_USER]!)).status).toBe(200);
});

test('does not fetch images from private addresses unless the operator allows it', async () => {
  const closedApp = await startApp();
  try {
    const mailbox = await loadMailbox(closedApp.main.ctx, closedApp.main.user.id);
    const headers = { authorization: `Bearer ${closedApp.main.user.key}` };
    const before = requests.length;
    const port = new URL(elsewhere).port;
    const html = [
      `${elsewhere}/a`,
      `http://localhost:${port}/b`,
      'http://[::1]/c',
      'http://169.254.169.254/d',
    ]
      .map((address) => `<img src="${address}">`)
      .join('');
    const id = await fileRaw(closedApp.main, mailbox, buildHtmlMail(html));
    const body = await fetch(`${closedApp.url}/mail/body/${id}?images=show`, { headers });
    const paths = [...(await body.text()).matchAll(/\/mail\/image\/[\w.-]+/g)].map(([path]) => path);
    expect(paths).toHaveLength(4);
    for (const path of paths) expect((await fetch(`${closedApp.url}${path}`, { headers })).status).toBe(404);
    expect(requests.length).toBe(before);
  } finally {
    await closedApp.close();
  }
});

test('the editor document blocks scripts and allows inline styles', async () => {
  const { status, headers, text } = await get('/mail/editor', {});
  expect(status).toBe(200);
  const policy = headers.get('content-security-policy')!;
  expect(policy).toContain("script-src 'none'");
  expect(policy).toContain("style-src 'unsafe-inline'");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).not.toContain('sandbox');
  expect(text).toContain('<body></body>');
});

test('applies the same rules to a sent email, for users who may read emails', async () => {
  const send = `mutation ($email: EmailInput!) { emailSend(input: $email) { id } }`;
  const email = {
    from: `a@${app.main.domain}`,
    to: ['b@example.org'],
    subject: 'S',
    html: `<h1 onclick="x()">Hello</h1><img src="cid:one"><img src="${elsewhere}/mail.png"><script>x()</script>`,
    attachments: [{ filename: 'one.png', content: PNG.toString('base64'), contentId: 'one' }],
  };
  const { data, errors } = await queryGraphql(app, send, { email }, app.main.admin.key);
  expect(errors).toBeUndefined();
  const { id } = data.emailSend;
  const admin = { authorization: `Bearer ${app.main.admin.key}` };
  const emailBody = await get(`/email/body/${id}?images=show`, admin);
  expect(emailBody.status).toBe(200);
  expect(emailBody.headers.get('content-security-policy')).toBe(POLICY);
  expect(emailBody.text).toContain('<h1>Hello</h1>');
  expect(emailBody.text).not.toMatch(/x\(\)/);
  expect(emailBody.text).toMatch(/\/mail\/image\//);
  const part = await get(`/email/part/${id}/0`, admin);
  expect(emailBody.text).toContain(`src="/email/part/${id}/0"`);
  expect([part.status, part.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await get(`/email/body/${id}`)).status).toBe(403);
  expect((await get(`/email/body/${id}`, { authorization: `Bearer ${otherTenant.admin.key}` })).status).toBe(
    404,
  );
  const team = await get(`/email/body/${id}?images=show`, { authorization: `Bearer ${app.main.teamKey}` });
  expect(team.text).toContain('data-images="hidden"');
});

test('returns the sanitized message body in GraphQL, but not to other users', async () => {
  const id = await fileMail(buildHtmlMail(`<p>Hi</p><img src="${elsewhere}/a.png">`));
  const query = `query ($id: ID!) {
    mailBody(entryId: $id, remoteImages: true) { html isText hasRemoteImages showsRemoteImages }
  }`;
  const { data } = await queryGraphql(app, query, { id });
  expect(data.mailBody).toEqual({
    html: expect.stringMatching(/^<p>Hi<\/p><img src="\/mail\/image\/[\w.-]+" \/>/),
    isText: false,
    hasRemoteImages: true,
    showsRemoteImages: true,
  });
  const strange = await post(`${app.url}/graphql`, { query, variables: { id } }, app.main.admin.key);
  expect(strange.json().data).toBeNull();
});

const requestPreview = (body: string, headers: Record<string, string>, query = '') =>
  fetch(`${app.url}/email/preview${query}`, { method: 'POST', body, headers });

test('previews outgoing HTML under the same rules, only for pages of this server and users who may send', async () => {
  const admin = { authorization: `Bearer ${app.main.admin.key}` };
  const html = `html=<h1 onclick="x()">A &amp; b=c</h1><img src="${elsewhere}/a.png"><script>x()</script>`;
  const preview = await requestPreview(html, admin);
  const text = await preview.text();
  expect(preview.headers.get('content-security-policy')).toBe(POLICY);
  expect(text).toContain('<h1>A &amp; b=c</h1>');
  expect(text).toMatch(/src="\/mail\/image\//);
  expect(text).not.toMatch(/x\(\)/);
  expect(await (await requestPreview(html, admin, '?look=dark')).text()).toContain('color-scheme: dark');
  expect((await requestPreview('nothing', admin)).status).toBe(400);
  expect((await requestPreview(html, {})).status).toBe(401);
  expect((await requestPreview(html, { cookie, origin: 'https://evil.example' })).status).toBe(403);
  const mailUser = await requestPreview(html, { cookie, origin: app.url });
  expect(mailUser.status).toBe(403);
});
