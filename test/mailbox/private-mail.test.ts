import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { post, setUpApp } from '../harness/app.ts';

const app = setUpApp();
let publicId: string;

const SECRET = 'the takeover of Monday';

beforeAll(async () => {
  const { id } = app.main.ctx.workspace;
  const accountId = await app.runtime.db.value<number>(
    sql`select id from svc_mail_account where workspace_id = ${id} and owner_id = ${app.main.user.id}`,
  );
  await app.runtime.db.rows(
    sql`insert into svc_webhook (id, workspace_id, url, secret) values (900, ${id}, 'https://example.net', 's')`,
  );
  await app.deliver();
  const values = { account_id: accountId, to: 'ann@example.org', subject: SECRET, body: SECRET };
  const url = `${app.url}/json/2/svc.mail.account/compose_send`;
  const sent = (await post(url, values, app.main.user.key)).json();
  expect(sent).toMatchObject({ ok: true });
  publicId = await app.runtime.db.value<string>(
    sql`select m.public_id from svc_mail_entry e
     join svc_email m on m.workspace_id = ${id} and m.id = e.email_id
     where e.workspace_id = ${id} and e.id = ${sent.entry_id}`,
  );
});

async function collectResponses(): Promise<[string, string][]> {
  const { admin, teamKey } = app.main;
  const callJson2 = async (model: string, method: string, body: object): Promise<[string, string]> => [
    `${model}/${method}`,
    (await post(`${app.url}/json/2/${model}/${method}`, body, admin.key)).text,
  ];
  const readRest = async (path: string): Promise<[string, string]> => [
    path,
    await (
      await fetch(`${app.url}/api/v1${path}`, { headers: { authorization: `Bearer ${teamKey}` } })
    ).text(),
  ];
  const queryGraphql = async (query: string): Promise<[string, string]> => [
    query,
    (await post(`${app.url}/graphql`, { query }, admin.key)).text,
  ];
  const mail = [
    'svc.mail.entry',
    'svc.mail.message',
    'svc.mail.account',
    'svc.mail.folder',
    'svc.mail.draft',
  ];
  return Promise.all([
    ...['svc.email', 'svc.outbox', 'svc.email.event', ...mail].flatMap((model) => [
      callJson2(model, 'search_read', { domain: [] }),
      callJson2(model, 'formatted_read_group', { domain: [], groupby: [], aggregates: ['__count'] }),
      callJson2(model, 'name_search', { name: 'takeover' }),
    ]),
    readRest('/emails'),
    readRest(`/emails/${publicId}`),
    queryGraphql('{ emails { nodes { subject } totalCount } }'),
    queryGraphql('{ mailMessages { nodes { subject text folder { name } } totalCount } }'),
    queryGraphql('{ mailContents { nodes { subject text } totalCount } }'),
    queryGraphql('{ outboxMessages { nodes { source } } }'),
    queryGraphql('{ emailEvents { nodes { email { subject } } } }'),
  ]);
}

test('hides mail sent from a mailbox from all other users, in every list, report and response', async () => {
  for (const [request, response] of await collectResponses()) {
    expect([request, response.includes('takeover')]).toEqual([request, false]);
    expect([request, response.includes('VALIDATION')]).toEqual([request, false]);
  }
});

test('sends no webhook calls for mail sent from a mailbox', async () => {
  const { id } = app.main.ctx.workspace;
  const calls = sql`select type from svc_webhook_call where workspace_id = ${id}`;
  expect(await app.runtime.db.rows(calls)).toEqual([]);
  const email = { from: `x@${app.main.domain}`, to: ['ann@example.org'], subject: 'public', text: 'x' };
  expect((await post(`${app.url}/api/v1/emails`, email, app.main.teamKey)).status).toBe(200);
  expect(await app.runtime.db.rows(calls)).toContainEqual({ type: 'email.queued' });
});

test('shows sent mail to its owner in every facade', async () => {
  const { user } = app.main;
  const rows = await post(
    `${app.url}/json/2/svc.mail.entry/search_read`,
    { domain: [['subject', 'ilike', 'takeover']], fields: ['subject', 'account_id', 'text'] },
    user.key,
  );
  expect(rows.json()).toEqual([
    {
      id: expect.any(Number),
      subject: SECRET,
      account_id: [expect.any(Number), 'user'],
      text: `${SECRET}\n`,
    },
  ]);
  const query =
    '{ mailMessages { nodes { subject folder { role } } totalCount } mailboxes { nodes { address } } }';
  expect((await post(`${app.url}/graphql`, { query }, user.key)).json().data).toEqual({
    mailMessages: { nodes: [{ subject: SECRET, folder: { role: 'SENT' } }], totalCount: 1 },
    mailboxes: { nodes: [{ address: 'user@main.test' }] },
  });
});

test('no access right or record rule lets an administrator read mail sent from a mailbox', async () => {
  const { admin } = app.main;
  const callAsAdmin = async (model: string, method: string, body: object) =>
    (await post(`${app.url}/json/2/${model}/${method}`, body, admin.key)).json();
  const [model] = await callAsAdmin('ir.model', 'search_read', {
    domain: [['model', '=', 'svc.mail.entry']],
    fields: ['id'],
  });
  const right = {
    name: 'x',
    model_id: model.id,
    perm_read: true,
    perm_write: true,
    perm_create: true,
    perm_unlink: true,
  };
  expect((await callAsAdmin('ir.model.access', 'create', { vals_list: [right] })).message).toMatch(
    /can grant at most read/,
  );
  const rule = { name: 'x', model_id: model.id, domain_force: "[(1, '=', 1)]" };
  expect((await callAsAdmin('ir.rule', 'create', { vals_list: [rule] })).message).toMatch(
    /which is a system model/,
  );
  for (const [method, body] of [
    ['create', { vals_list: [{ subject: 'x' }] }],
    ['write', { ids: [1], vals: { is_read: true } }],
    ['unlink', { ids: [1] }],
  ] as const)
    expect((await callAsAdmin('svc.mail.entry', method, body)).name).toMatch(/AccessError/);
});
