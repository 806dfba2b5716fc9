import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { createKey } from '../../schema/base/keys/keys.ts';
import { addDemoData } from '../../schema/base/workspace/demo.ts';
import { sql } from '../../src/db/sql.ts';
import { isStoredField } from '../../src/engine/model/field.ts';
import { search } from '../../src/engine/read/records.ts';
import { type App, post, startAppOn } from '../harness/app.ts';
import { createSeededDatabase } from '../harness/database.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { fileMessage, loadMailbox } from '../mailbox/mailboxes.ts';
import { fileRaw } from '../mailbox/raw-mail.ts';

export async function startOtherInstallation(secretKey: string): Promise<App> {
  const database = await createSeededDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`delete from installation where name = 'secret key'`);
  await client.end();
  return startAppOn(database, { SECRET_KEY: secretKey });
}

export const STRANGE_TEXT = 'tab\t newline\n backslash \\ \\N quote \' " ünï \u2028 \u{1f600}';

export async function fillWorkspace(app: App): Promise<void> {
  const { ctx, domain, teamKey, user } = app.main;
  const calls = createJsonClient(app);
  await addDemoData(ctx);
  await calls.create('res.partner', { name: STRANGE_TEXT });
  const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * i) % 251));
  await calls.create('ir.attachment', { name: 'bytes', datas: bytes.toString('base64') });
  await calls.create('ir.attachment', {
    name: 'words',
    raw: STRANGE_TEXT,
    res_model: 'res.partner',
    res_id: 1,
  });
  const model = await calls.create('ir.model', { name: 'Tree', model: 'x_tree' });
  await calls.create('ir.model.fields', {
    ...{
      model_id: model,
      name: 'x_above',
      ttype: 'many2one',
      relation: 'x_tree',
      field_description: 'Above',
    },
  });
  const [partners] = await calls.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
  await calls.create('ir.model.fields', {
    ...{ model_id: partners, name: 'x_height', ttype: 'float', field_description: 'Height' },
  });
  await calls.create('ir.model.access', { name: 'trees', model_id: model, perm_read: true });
  await calls.create('ir.rule', { name: 'no trees', model_id: partners, domain_force: '[(1, "=", 1)]' });
  await calls.create('ir.model.fields', {
    ...{ model_id: partners, name: 'x_scan', ttype: 'binary', field_description: 'Scan' },
  });
  const root = await calls.create('x_tree', { x_name: STRANGE_TEXT });
  await calls.create('x_tree', { x_name: 'leaf', x_above: root });
  await calls.create('res.partner', { name: 'tall', x_height: 1.95, x_scan: 'c2Nhbg==' });
  const lateParent = await calls.create('res.partner', { name: 'Late parent', is_company: true });
  await calls.value('res.partner/write', { ids: [1], vals: { user_id: user.id } });
  await calls.create('res.partner', { name: 'child', parent_id: lateParent });
  await calls.value('res.partner/message_post', { ids: [lateParent], body: 'a note' });
  const box = await loadMailbox(ctx, user.id);
  await fileMessage(ctx, box.id, box.folders.inbox, { subject: 'found again' });
  await fileRaw(app.main, box, `From: a@b.test\r\nSubject: raw\r\n\r\n${STRANGE_TEXT}\r\n`);
  const postRest = (path: string, body: object) => post(`${app.url}/api/v1/${path}`, body, teamKey);
  await postRest('emails', { from: `me@${domain}`, to: 'you@example.org', subject: 'queued', text: 'waits' });
  await postRest('contactBooks', { name: 'readers' });
  const callGraphql = (query: string) => post(`${app.url}/graphql`, { query }, app.main.admin.key);
  await callGraphql('mutation { webhookCreate(url: "https://hooks.example.org/it") { webhook { id } } }');
  await callGraphql('mutation { webhookTest(id: "1") { id } }');
  // As if the call announced the workspace's first event.
  await ctx.db.rows(sql`update svc_webhook_call set event_id = 1 where workspace_id = ${ctx.workspace.id}`);
}

/** Name of the key that reads the records. The key itself is excluded from the comparison. */
const LOOK_KEY_NAME = 'looks';

export async function loadVisibleRecords(app: App, slug: string): Promise<Record<string, object[]>> {
  const workspace = (await app.runtime.identity.workspace(slug))!;
  const ctx = app.main.ctx.with({ workspace });
  const [admin] = await search(ctx, 'res.users', [['login', '=', 'admin']], {});
  const { key } = await createKey(ctx, { name: LOOK_KEY_NAME, userId: admin!, scopes: [], days: null });
  const visibleRecords: Record<string, object[]> = {};
  for (const model of workspace.catalog.registry.values()) {
    const fields = [...model.fields.values()].filter((field) => isStoredField(field) && !field.secret);
    const body = { domain: [], fields: fields.map(({ name }) => name), order: 'id', load: null };
    const context = { active_test: false };
    const answer = await post(`${app.url}/json/2/${model.name}/search_read`, { ...body, context }, key);
    if (answer.status === 200)
      visibleRecords[model.name] = answer
        .json()
        .filter((row: { name?: string }) => row.name !== LOOK_KEY_NAME);
  }
  return visibleRecords;
}

export const readArchive = (file: string): Buffer => gunzipSync(readFileSync(file));
