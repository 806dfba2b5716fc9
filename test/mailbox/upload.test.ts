import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readWholeBlob } from '../../src/db/blobs/read.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { signInWeb } from '../harness/facades/web.ts';
import { callMailOk, queryGraphql, setUpMailbox } from './mailboxes.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);

async function putFile(body: BodyInit, query: string, headers: Record<string, string>, method = 'PUT') {
  const response = await fetch(`${app.url}/mail/attachments?${query}`, { method, body, headers });
  return { status: response.status, body: await response.json() };
}

const buildBearer = (key = app.main.user.key) => ({ authorization: `Bearer ${key}` });
const buildQuery = (name: string) => `account_id=${mailbox.id}&filename=${encodeURIComponent(name)}`;
const loadStaged = () =>
  app.runtime.db.rows<{ hash: string; size: number }>(
    sql`select hash, size from svc_mail_staged where workspace_id = ${app.main.ctx.workspace.id} order by id`,
  );

test('stages a file from raw bytes, for a key or a same-origin session', async () => {
  const bytes = randomBytes(3_000_000);
  const first = await putFile(bytes, buildQuery('../Pläne & Co.pdf'), buildBearer());
  expect(first).toEqual({
    status: 200,
    body: {
      ok: true,
      attachment_id: expect.any(Number),
      name: 'Pläne & Co.pdf',
      mimetype: expect.any(String),
      size: bytes.length,
    },
  });
  const [row] = await loadStaged();
  expect((await readWholeBlob(app.main.ctx, row!.hash)).equals(bytes)).toBe(true);
  const cookie = await signInWeb(app, app.main.user);
  const second = await putFile('a,b', buildQuery('a.csv'), { cookie, origin: app.url }, 'POST');
  expect(second.body).toMatchObject({ ok: true, mimetype: 'text/csv', size: 3 });
  const foreignResponse = await putFile('a,b', buildQuery('a.csv'), {
    cookie,
    origin: 'https://evil.example',
  });
  expect(foreignResponse.status).toBe(403);
  for (const { body } of [first, second])
    await callMailOk(app, 'compose_attach_discard', { attachment_id: body.attachment_id });
});

test('rejects an oversized upload, with or without a declared size', {
  tags: 'slow',
}, async () => {
  const large = Buffer.alloc(25 * 1024 * 1024 + 1);
  expect((await putFile(large, buildQuery('large'), buildBearer())).status).toBe(413);
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(large));
      controller.close();
    },
  });
  const unannouncedResponse = await fetch(`${app.url}/mail/attachments?${buildQuery('large')}`, {
    method: 'PUT',
    body: stream,
    headers: buildBearer(),
    duplex: 'half',
  } as RequestInit);
  expect(await unannouncedResponse.json()).toEqual({ ok: false, error: expect.any(String) });
  expect(await loadStaged()).toEqual([]);
});

test("rejects another user's mailbox, a caller without credentials and an invalid name", async () => {
  expect((await putFile('x', buildQuery('x'), buildBearer(app.main.admin.key))).status).toBe(403);
  expect((await putFile('x', buildQuery('x'), {})).status).toBe(401);
  expect((await putFile('x', 'account_id=x', buildBearer())).status).toBe(400);
  expect((await putFile('x', buildQuery('..'), buildBearer())).body).toEqual({
    ok: false,
    error: 'filename: a name is required.',
  });
  expect(await loadStaged()).toEqual([]);
});

test('GraphQL returns the upload URL', async () => {
  const UPLOAD = `mutation ($id: ID!) { mailUpload(accountId: $id, filename: "a b.txt") { ok error path maxBytes } }`;
  const { path, ...rest } = (await queryGraphql(app, UPLOAD, { id: mailbox.id })).data.mailUpload;
  expect(rest).toEqual({ ok: true, error: null, maxBytes: 25 * 1024 * 1024 });
  const response = await fetch(`${app.url}${path}`, { method: 'PUT', body: 'hello', headers: buildBearer() });
  expect(await response.json()).toMatchObject({ ok: true, name: 'a b.txt', size: 5 });
});
