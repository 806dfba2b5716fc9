import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { create } from '../../src/engine/write/write.ts';
import { post, setUpApp } from '../harness/app.ts';
import { subscribe } from '../live/listen.ts';
import { callMailOk, fileMessage, queryGraphql, setUpMailbox } from './mailboxes.ts';

/** Marks the user's private data. No response to another user may contain it. */
const SECRET_WORD = 'xylophonemystery';

const app = setUpApp();
const mailbox = setUpMailbox(app);
const otherMailbox = setUpMailbox(app, 'admin');
let models: string[];
let private_: string[];
const ids: Record<string, number[]> = {};

beforeAll(async () => {
  models = [...app.runtime.registry.keys()].filter((name) => name.startsWith('svc.mail.'));
  private_ = models.filter((name) => name !== 'svc.mail.feature');
  await plant();
  await insertRights();
});

async function plant(): Promise<void> {
  const { ctx, user } = app.main;
  const w = ctx.workspace.id;
  const { id } = await fileMessage(ctx, mailbox.id, mailbox.folders.inbox, {
    subject: SECRET_WORD,
    text: SECRET_WORD,
    from: `${SECRET_WORD}@example.org`,
  });
  await fileMessage(ctx, otherMailbox.id, otherMailbox.folders.inbox, { subject: 'Plain' });
  await callMailOk(app, 'save_profile', { account_id: mailbox.id, name: SECRET_WORD });
  await callMailOk(app, 'save_signature', { account_id: mailbox.id, signature: SECRET_WORD });
  const { label_id } = await callMailOk(app, 'create_label', { account_id: mailbox.id, name: SECRET_WORD });
  await callMailOk(app, 'set_labels', { entry_ids: [id], add_label_ids: [label_id] });
  await callMailOk(app, 'create_folder', { account_id: mailbox.id, name: SECRET_WORD });
  await callMailOk(app, 'draft_save', {
    account_id: mailbox.id,
    vals: { subject: SECRET_WORD, body: SECRET_WORD },
  });
  await callMailOk(app, 'block_sender', { account_id: mailbox.id, email: `${SECRET_WORD}@example.org` });
  await callMailOk(app, 'compose_attach', {
    account_id: mailbox.id,
    filename: `${SECRET_WORD}.txt`,
    data_b64: 'YQ==',
  });
  await ctx.db.rows(
    sql`insert into svc_mail_rule (workspace_id, id, account_id, name) values (${w}, 900, ${mailbox.id}, ${SECRET_WORD})`,
  );
  await ctx.db.rows(
    sql`insert into svc_mail_autoreply (workspace_id, id, account_id, subject) values (${w}, 900, ${mailbox.id}, ${SECRET_WORD})`,
  );
  const { data } = await queryGraphql(
    app,
    `mutation ($accountId: ID!, $letter: MailLetterInput!) {
      mailSendLater(accountId: $accountId, letter: $letter, undoSeconds: 100) { error } }`,
    { accountId: mailbox.id, letter: { to: 'ann@example.org', subject: SECRET_WORD, body: SECRET_WORD } },
  );
  expect(data.mailSendLater).toEqual({ error: null });
  const job = await queryGraphql(
    app,
    `mutation { mailChangeFoundStart(folderId: ${mailbox.folders.inbox}, search: "${SECRET_WORD}", expectCount: 1,
      vals: { isRead: true }) { error } }`,
  );
  expect(job.data.mailChangeFoundStart).toEqual({ error: null });
  for (const name of private_) {
    const response = await callJson2(name, 'search', { domain: [] }, app.main.user.key);
    ids[name] = response.body as number[];
    expect(ids[name]!.length, `${name} of user ${user.id}`).toBeGreaterThan(0);
  }
}

/** Grants all rights and adds an unrestricted rule, bypassing the checks that normally prevent it. */
async function insertRights(): Promise<void> {
  const { ctx } = app.main;
  for (const model of models) {
    await ctx.db.rows(
      sql`insert into ir_model_access (id, workspace_id, name, model_id, group_id, perm_create, perm_read, perm_write,
         perm_unlink)
       select nextval('ir_model_access_id_seq'), ${ctx.workspace.id}, 'smuggled', id, null, true, true, true, true
       from ir_model_stock where model = ${model}`,
    );
    const stockId = await ctx.db.value<number>(sql`select id from ir_model_stock where model = ${model}`);
    const rule = { name: 'everything', model_id: stockId, domain_force: '[(1, "=", 1)]' };
    await expect(create(ctx, 'ir.rule', [rule]), model).rejects.toThrow('which is a system model');
    await ctx.db.rows(
      sql`insert into ir_rule (workspace_id, id, name, model_id, domain_force)
       values (${ctx.workspace.id}, ${stockId + 100_000}, 'everything', ${stockId}, '[(1, "=", 1)]')`,
    );
  }
  app.runtime.identity.invalidate();
}

async function callJson2(model: string, method: string, args: object, key: string) {
  const response = await post(`${app.url}/json/2/${model}/${method}`, args, key);
  return { status: response.status, text: response.text, body: response.json() };
}

const callRpc = async (model: string, method: string, args: unknown[]) => {
  const { id, key } = app.main.admin;
  const params = {
    service: 'object',
    method: 'execute_kw',
    args: ['main', id, key, model, method, args, {}],
  };
  return (await post(`${app.url}/jsonrpc`, { jsonrpc: '2.0', id: 1, method: 'call', params })).json();
};

test('denies every caller direct creates, writes, deletes, copies and imports of mailbox records', async () => {
  const { key } = app.main.admin;
  expect(models.length).toBeGreaterThan(10);
  for (const model of models) {
    const ownIds = (await callJson2(model, 'search', { domain: [] }, key)).body as number[];
    const target = ownIds.length > 0 ? ownIds : [1];
    for (const [method, args] of [
      ['create', { vals_list: [{}] }],
      ['write', { ids: target, vals: { create_uid: 1 } }],
      ['unlink', { ids: target }],
      ['copy', { ids: target }],
      ['load', { fields: ['id'], data: [['x']] }],
      ['web_save', { ids: [], vals: {}, specification: {} }],
      ['name_create', { name: 'x' }],
    ] as const) {
      const { status, body } = await callJson2(model, method, args, key);
      // Models without a name field cannot create records by name.
      if (method === 'name_create' && status === 200) {
        expect(body, model).toBe(false);
        continue;
      }
      const isRejected =
        status === 403 || (method === 'load' && status === 200 && body.ids === false) || status === 404;
      expect(isRejected, `${model}.${method}: ${status} ${JSON.stringify(body).slice(0, 200)}`).toBe(true);
    }
    expect((await callRpc(model, 'create', [[{}]])).error?.data?.name).toContain('AccessError');
    expect((await callRpc(model, 'write', [target, { create_uid: 1 }])).error?.data?.name).toContain(
      'AccessError',
    );
    expect((await callRpc(model, 'unlink', [target])).error?.data?.name).toContain('AccessError');
  }
});

test('GraphQL has no mutations that write mailbox records directly', async () => {
  const { data } = await queryGraphql(app, '{ __schema { types { name } } }');
  const names = new Set(data.__schema.types.map(({ name }: { name: string }) => name));
  expect(names.has('CrmTagCreateInput')).toBe(true);
  for (const model of models) {
    const { type } = app.runtime.registry.get(model)!.options.graph as { type: string };
    expect(names.has(type), type).toBe(true);
    for (const end of ['CreateInput', 'UpdateInput'])
      expect(names.has(`${type}${end}`), type + end).toBe(false);
  }
});

const READS = (model: string): [string, object][] => [
  ['search_read', { domain: [] }],
  ['search', { domain: [] }],
  ['search_count', { domain: [] }],
  ['read', { ids: ids[model] }],
  ['web_read', { ids: ids[model], specification: { display_name: {} } }],
  ['web_search_read', { domain: [], specification: { display_name: {}, id: {} } }],
  ['name_search', { name: '' }],
  ['name_search', { name: SECRET_WORD }],
  ['read_group', { domain: [], fields: ['id'], groupby: ['create_date:month'] }],
  ['formatted_read_group', { domain: [], groupby: ['id'], aggregates: ['__count'] }],
  ['export_data', { ids: ids[model], fields_to_export: ['id', 'display_name'] }],
  ['get_metadata', { ids: ids[model] }],
  ['search_read', { domain: [['id', 'in', ids[model]]] }],
  ['search_count', { domain: ['|', ['id', 'in', ids[model]], ['create_date', '!=', false]] }],
];

test("no read method reveals other users' mail to an administrator", async () => {
  const { key } = app.main.admin;
  for (const model of private_)
    for (const [method, args] of READS(model)) {
      const { text } = await callJson2(model, method, args, key);
      expect(text, `${model}.${method} ${JSON.stringify(args)}`).not.toContain(SECRET_WORD);
      if (method !== 'search_count') continue;
      const ownIds = (await callJson2(model, 'search', { domain: [] }, key)).body as number[];
      expect(Number(text), `${model}.${method}`).toBeLessThanOrEqual(ownIds.length);
    }
  for (const model of private_) {
    const { body } = await callJson2(model, 'search', { domain: [['id', 'in', ids[model]]] }, key);
    const ownIds = (await callJson2(model, 'search', { domain: [] }, key)).body as number[];
    expect(body.every((id: number) => ownIds.includes(id))).toBe(true);
    expect(
      ownIds.filter((id) => ids[model]!.includes(id)),
      model,
    ).toEqual([]);
  }
});

test("random conditions on random field paths never reveal other users' mail", async () => {
  const paths = {
    'svc.mail.entry': [
      'subject',
      'account_id.name',
      'folder_id.name',
      'content_id.text',
      'label_ids.name',
      'email_from',
    ],
    'svc.mail.message': ['text', 'subject', 'entry_ids.account_id.owner_id.login', 'email_from'],
    'svc.mail.folder': ['name', 'entry_ids.subject', 'account_id.label_ids.name'],
    'svc.mail.label': ['name', 'account_id.folder_ids.entry_ids.content_id.text'],
    'svc.mail.account': [
      'name',
      'folder_ids.name',
      'member_ids.user_id.login',
      'label_ids.name',
      'signature',
    ],
    'svc.mail.draft': ['subject', 'body', 'account_id.name', 'user_id.login'],
    'svc.mail.block': ['email', 'account_id.address'],
    'svc.mail.outgoing': ['subject', 'body', 'account_id.name'],
    'svc.mail.job': ['server', 'error', 'account_id.name'],
    'res.users': ['login'],
  };
  const question = fc.constantFrom(...(Object.keys(paths) as (keyof typeof paths)[])).chain((model) =>
    fc.record({
      model: fc.constant(model),
      leaves: fc.array(
        fc.tuple(
          fc.constantFrom(...paths[model]),
          fc.constantFrom('ilike', 'not ilike', '=', '!=', '=like', 'in', 'not in'),
          fc.constantFrom(SECRET_WORD, `${SECRET_WORD}%`, 'user', '', false),
        ),
        { minLength: 1, maxLength: 3 },
      ),
      joined: fc.constantFrom('&', '|'),
      method: fc.constantFrom('search_read', 'search', 'name_search', 'formatted_read_group'),
    }),
  );
  await fc.assert(
    fc.asyncProperty(question, async ({ model, leaves, joined, method }) => {
      const conditions = leaves.map(([path, operator, value]) => [
        path,
        operator,
        operator.endsWith('in') ? [value] : value,
      ]);
      const domain = [...conditions.slice(1).map(() => joined), ...conditions];
      const args =
        method === 'search_read' || method === 'search'
          ? { domain }
          : method === 'name_search'
            ? { domain, name: '' }
            : { domain, groupby: ['id'], aggregates: ['__count'] };
      const { status, text, body } = await callJson2(model, method, args, app.main.admin.key);
      expect(text).not.toContain(SECRET_WORD);
      if (status === 200 && method === 'search' && ids[model])
        expect(body.filter((id: number) => ids[model]!.includes(id))).toEqual([]);
    }),
    { numRuns: 120 },
  );
});

test("no GraphQL list, group or subscription reveals other users' mail to an administrator", async () => {
  const { key } = app.main.admin;
  for (const model of private_) {
    const { many, one } = app.runtime.registry.get(model)!.options.graph as { many: string; one: string };
    const list = await queryGraphql(app, `{ ${many} { totalCount nodes { id displayName } } }`, {}, key);
    expect(list.errors, model).toBeUndefined();
    const ownIds = list.data[many].nodes.map((node: { id: string }) => Number(node.id));
    expect(
      ownIds.filter((id: number) => ids[model]!.includes(id)),
      model,
    ).toEqual([]);
    expect(list.data[many].totalCount).toBe(ownIds.length);
    expect(JSON.stringify(list)).not.toContain(SECRET_WORD);
    const single = await queryGraphql(
      app,
      `query ($id: ID!) { ${one}(id: $id) { id } }`,
      { id: ids[model]![0] },
      key,
    );
    expect(single.data?.[one] ?? null, model).toBeNull();
  }
  const { one } = app.runtime.registry.get('svc.mail.entry')!.options.graph as { one: string };
  const subscription = await subscribe(app.url, { key, query: `subscription { ${one}Changed { kind id } }` });
  await callMailOk(app, 'set_flags', { entry_ids: ids['svc.mail.entry'], vals: { is_starred: true } });
  const { id } = await fileMessage(app.main.ctx, otherMailbox.id, otherMailbox.folders.inbox);
  const events = await subscription.waitForEvents(1);
  expect(events.map((event) => Number(event.id))).toEqual([id]);
  subscription.close();
});
