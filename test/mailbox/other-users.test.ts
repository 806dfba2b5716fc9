import { beforeAll, expect, test } from 'vitest';
import { createKey } from '../../schema/base/keys/keys.ts';
import { addUser } from '../../schema/base/workspace/create-workspace.ts';
import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { write } from '../../src/engine/write/write.ts';
import { post, setUpApp } from '../harness/app.ts';
import { until } from '../harness/wait.ts';
import { subscribe } from '../live/listen.ts';
import {
  callMail,
  callMailOk,
  createSharedMailbox,
  fileMessage,
  loadMailbox,
  type Mailbox,
  queryGraphql,
} from './mailboxes.ts';

/** Marks all mailboxes of other users. No response may contain it. */
const SECRET_WORD = 'quetzalsecret';

type Kind = 'account' | 'folder' | 'entry' | 'label' | 'draft' | 'staged' | 'rule';
type Ids = Record<Kind, number>;

interface OtherUser {
  name: string;
  key: string;
  /** Null for a user without a mailbox. */
  ownIds: Ids | null;
}

const app = setUpApp();
let personal: Ids;
let sharedIds: Ids;
let team: Mailbox;
let strangers: OtherUser[];
let leaver: { id: number; key: string };

beforeAll(async () => {
  const { main } = app;
  const otherTenant = await app.tenant('second', 'apart');
  leaver = await createPerson(main.ctx, 'leaver');
  team = await createSharedMailbox(main.ctx, [main.user.id, leaver.id], SECRET_WORD);
  personal = await plant(main.ctx, await loadMailbox(main.ctx, main.user.id), main.user.key, SECRET_WORD);
  sharedIds = await plant(main.ctx, team, main.user.key, SECRET_WORD);
  await callMailOk(app, 'save_profile', { account_id: personal.account, name: SECRET_WORD });
  const leaverBox = await loadMailbox(main.ctx, leaver.id);
  await main.ctx.db.rows(
    sql`delete from svc_mail_member where workspace_id = ${main.ctx.workspace.id} and account_id = ${team.id}
     and user_id = ${leaver.id}`,
  );
  const admin = await plant(main.ctx, await loadMailbox(main.ctx, main.admin.id), main.admin.key, 'own');
  strangers = [
    { name: 'an administrator', key: main.admin.key, ownIds: admin },
    { name: 'a key that reads', key: main.readOnlyKey, ownIds: admin },
    { name: 'a team', key: main.teamKey, ownIds: null },
    {
      name: 'a former member',
      key: leaver.key,
      ownIds: await plant(main.ctx, leaverBox, leaver.key, 'own'),
    },
    {
      name: 'an administrator of another workspace',
      key: otherTenant.admin.key,
      ownIds: await plant(
        otherTenant.ctx,
        await loadMailbox(otherTenant.ctx, otherTenant.admin.id),
        otherTenant.admin.key,
        'own',
      ),
    },
  ];
});

async function createPerson(ctx: Ctx, login: string) {
  const id = await addUser(ctx, { login, name: login, password: `${login} password 1`, admin: false });
  return { id, key: (await createKey(ctx, { name: login, userId: id, scopes: [], days: null })).key };
}

async function plant(ctx: Ctx, box: Mailbox, key: string, word: string): Promise<Ids> {
  const account_id = box.id;
  const make = (method: string, args: object) => callMailOk(app, method, { account_id, ...args }, key);
  const { id: entry } = await fileMessage(ctx, box.id, box.folders.inbox, {
    subject: word,
    text: word,
    from: `${word}@example.org`,
  });
  const { label_id: label } = await make('create_label', { name: word });
  await make('set_labels', { account_id: undefined, entry_ids: [entry], add_label_ids: [label] });
  const { folder_id: folder } = await make('create_folder', { name: word });
  const { draft_id: draft } = await make('draft_save', { vals: { subject: word, body: word } });
  await make('block_sender', { email: `${word}@example.org` });
  const { attachment_id: staged } = await make('compose_attach', { filename: word, data_b64: 'YQ==' });
  const { rule_id: rule } = await make('rule_save', { rule: buildRule({ name: word }) });
  await make('autoreply_save', { data: { subject: word, body: word } });
  return { account: account_id, folder, entry, label, draft, staged, rule };
}

const buildRule = (overrides: object = {}) => ({
  name: 'x',
  conditions: [{ field: 'subject', operator: 'contains', value: 'x' }],
  actions: [{ action: 'star' }],
  ...overrides,
});

const ABSENT_ID = 900_000_001;
const NONE: Ids = {
  account: ABSENT_ID,
  folder: ABSENT_ID,
  entry: ABSENT_ID,
  label: ABSENT_ID,
  draft: ABSENT_ID,
  staged: ABSENT_ID,
  rule: ABSENT_ID,
};

const NAMES: Record<string, Kind> = {
  account_id: 'account',
  source_account_id: 'account',
  folder_id: 'folder',
  entry_id: 'entry',
  entry_ids: 'entry',
  in_reply_to: 'entry',
  label_id: 'label',
  add_label_ids: 'label',
  remove_label_ids: 'label',
  draft_id: 'draft',
  attachment_id: 'staged',
  attachment_ids: 'staged',
  rule_id: 'rule',
  ids: 'rule',
};

const ARGUMENT_VALUES: Record<string, unknown> = {
  email: 'x@example.org',
  query: SECRET_WORD.slice(0, 3),
  search: SECRET_WORD,
  name: 'x',
  filename: 'x',
  data_b64: 'YQ==',
  to: 'x@example.org',
  signature: 'x',
  active: true,
  rule: buildRule(),
  data: { active: false },
  messages: [],
  conn: { host: '127.0.0.1', username: 'x', password: 'x' },
  source: { folder: 'INBOX' },
  member_user_ids: [],
  local: 'x',
  domain_id: 1,
  all_folders: true,
};

const buildVals = (method: string): object =>
  method === 'set_flags'
    ? { is_starred: true, trash: true }
    : method === 'save_prefs'
      ? { svc_mail_chime: true }
      : { subject: 'x' };

interface Method {
  name: string;
  parameters: { name: string; required: boolean; isList: boolean }[];
}

async function readMethods(): Promise<Method[]> {
  const response = await fetch(`${app.url}/doc-bearer/svc.mail.account.json`, {
    headers: { authorization: `Bearer ${app.main.user.key}` },
  });
  const { methods: all } = await response.json();
  return Object.entries(all as Record<string, { model: string; parameters: Record<string, object> }>)
    .filter(([, { model }]) => model === 'svc.mail.account')
    .map(([name, { parameters }]) => ({
      name,
      parameters: Object.entries(parameters).map(([item, parameter]) => ({
        name: item,
        required: !Object.hasOwn(parameter, 'default'),
        isList: /ids$/.test(item),
      })),
    }));
}

/** Builds arguments from the caller's own records, except that arguments in `aimed` refer to `ids`. */
function buildCall(
  { name, parameters }: Method,
  aimed: ReadonlySet<string>,
  ids: Ids,
  ownIds: Ids | null,
): object {
  const args: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const kind = NAMES[parameter.name];
    if (kind && aimed.has(parameter.name)) {
      const besideIds = ownIds && aimed.size === 1 ? [ownIds[kind], ids[kind]] : [ids[kind]];
      args[parameter.name] = parameter.isList ? besideIds : ids[kind];
    } else if (kind && parameter.required)
      args[parameter.name] = parameter.isList
        ? ownIds
          ? [ownIds[kind]]
          : []
        : (ownIds?.[kind] ?? ABSENT_ID);
    else if (parameter.name === 'vals') args.vals = buildVals(name);
    else if (!kind && (parameter.required || parameter.name in ARGUMENT_VALUES))
      args[parameter.name] = ARGUMENT_VALUES[parameter.name];
  }
  return args;
}

/** Masks numbers, because they may be ids. */
const formatResponse = ({ status, text }: { status: number; text: string }): string =>
  `${status} ${text.replace(/\d+/g, '#')}`;

async function fingerprintMailbox(): Promise<string[]> {
  const { db, workspace } = app.main.ctx;
  const tables = await db.rows<{ name: string }>(
    sql`select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'account_id' and table_name like 'svc_mail_%' order by 1`,
  );
  const accounts = [personal.account, sharedIds.account];
  const prints: string[] = [];
  for (const { name } of tables) {
    const [row] = await db.rows<{ print: string }>(
      sql`select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as print from ${sql.id(name)} t
       where t.workspace_id = ${workspace.id} and t.account_id = any(${accounts})`,
    );
    prints.push(`${name} ${row!.print}`);
  }
  const ownHash = await db.value<string>(
    sql`select md5(string_agg(a::text, '|' order by a.id)) from svc_mail_account a
     where a.workspace_id = ${workspace.id} and a.id = any(${accounts})`,
  );
  const labels = await db.value<string>(
    sql`select md5(string_agg(l::text, '|' order by l::text)) from svc_mail_entry_label l
     where l.workspace_id = ${workspace.id} and l.entry_id = any(${[personal.entry, sharedIds.entry]})`,
  );
  return [...prints, ownHash, labels];
}

test("every method treats other users' mailboxes as nonexistent and changes nothing in them", async () => {
  const before = await fingerprintMailbox();
  const all = await readMethods();
  expect(all.length).toBeGreaterThan(45);
  const call = (method: string, args: object, key: string) =>
    post(`${app.url}/json/2/svc.mail.account/${method}`, args, key);
  let requestCount = 0;
  for (const { name, key, ownIds } of strangers)
    for (const method of all) {
      const idParameters = method.parameters
        .filter((parameter) => NAMES[parameter.name])
        .map((item) => item.name);
      if (idParameters.length === 0) continue;
      const aims = [
        idParameters,
        ...(idParameters.length > 1 ? idParameters.map((idParameter) => [idParameter]) : []),
      ].map((item) => new Set(item));
      for (const aim of aims)
        for (const otherIds of [personal, sharedIds]) {
          // Administrators manage the members of shared mailboxes, but cannot read the mail.
          if (
            /shared_(?:members|manage_state)$/.test(method.name) &&
            otherIds === sharedIds &&
            ownIds?.account
          )
            continue;
          const result = await call(method.name, buildCall(method, aim, otherIds, ownIds), key);
          const none = await call(method.name, buildCall(method, aim, NONE, ownIds), key);
          const label = `${name}: ${method.name} ${[...aim]}`;
          expect(formatResponse(result), label).toBe(formatResponse(none));
          expect(result.text, label).not.toContain(SECRET_WORD);
          requestCount++;
        }
    }
  expect(requestCount).toBeGreaterThan(500);
  expect(await fingerprintMailbox()).toEqual(before);
}, 300_000);

test("rejects references to other users' records in the same way as references to nonexistent records", async () => {
  const before = await fingerprintMailbox();
  for (const { name, key, ownIds } of strangers) {
    if (!ownIds) continue;
    const account_id = ownIds.account;
    const buildCalls = (ids: Ids): [string, object][] => [
      ['draft_save', { account_id, vals: { in_reply_to: ids.entry } }],
      ['draft_save', { account_id, vals: { from_account_id: ids.account } }],
      ['rule_save', { account_id, rule: buildRule({ id: ids.rule }) }],
      [
        'rule_save',
        { account_id, rule: buildRule({ actions: [{ action: 'move_to_folder', folder_id: ids.folder }] }) },
      ],
      [
        'rule_save',
        { account_id, rule: buildRule({ actions: [{ action: 'add_label', label_id: ids.label }] }) },
      ],
      ['get_entries', { folder_id: ownIds.folder, all_folders: true, label_id: ids.label }],
      ['get_unified_entries', { label_id: ids.label, all_folders: true }],
      ['get_unified_entries', { search: `thread:${ids.entry} OR ${SECRET_WORD}`, all_folders: true }],
    ];
    const nothing = buildCalls(NONE);
    for (const otherIds of [personal, sharedIds])
      for (const [i, [method, args]] of buildCalls(otherIds).entries()) {
        const answers = await Promise.all(
          [args, nothing[i]![1]].map((item) =>
            post(`${app.url}/json/2/svc.mail.account/${method}`, item, key),
          ),
        );
        expect(formatResponse(answers[0]!), `${name}: ${method}`).toBe(formatResponse(answers[1]!));
        // Search terms are not echoed.
        expect(answers[0]!.text).not.toContain(SECRET_WORD);
      }
  }
  expect(await fingerprintMailbox()).toEqual(before);
}, 120_000);

test('limits attachments, raw messages and exports to members', async () => {
  for (const { name, key } of strangers)
    for (const otherIds of [personal, sharedIds]) {
      const buildPaths = (ids: Ids) => [
        `/mail/file?entry=${ids.entry}`,
        `/mail/file?entry=${ids.entry}&number=1`,
        `/mail/body/${ids.entry}`,
        `/mail/part/${ids.entry}/1`,
        `/svc_mail/export/${ids.folder}`,
        ...['svc.mail.entry', 'svc.mail.message'].map((model) => `/web/content/${model}/${ids.entry}/raw`),
        `/web/image/svc.mail.account/${ids.account}/signature`,
      ];
      const get = async (path: string) => {
        const response = await fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
        return { status: response.status, text: await response.text() };
      };
      for (const [i, path] of buildPaths(otherIds).entries()) {
        const [existingResponse, none] = [await get(path), await get(buildPaths(NONE)[i]!)];
        expect(formatResponse(existingResponse), `${name}: ${path}`).toBe(formatResponse(none));
        expect(existingResponse.status).toBeGreaterThanOrEqual(400);
      }
    }
});

async function linkToOthers(): Promise<void> {
  const workspace = app.main.ctx.workspace.id;
  await app.runtime.db.rows(
    sql`update helpdesk_team set mailbox_id = ${sharedIds.account} where workspace_id = ${workspace} and id = (
       select min(id) from helpdesk_team where workspace_id = ${workspace})`,
  );
  await app.runtime.db.rows(
    sql`with made as (
       insert into svc_user_invitation (workspace_id, id, email, expires_at)
       values (${workspace}, 1, 'invited@example.org', now() + interval '1 day') returning id)
     insert into svc_user_invitation_mailbox_rel (workspace_id, invitation_id, account_id)
     select ${workspace}, id, ${sharedIds.account} from made`,
  );
}

test('no field of another model reveals mailbox names or ids', async () => {
  const { admin } = app.main;
  const callJson2 = async (model: string, method: string, args: object) =>
    post(`${app.url}/json/2/${model}/${method}`, args, admin.key);
  const models = [...app.runtime.registry.keys()].filter((name) => !name.startsWith('svc.mail.'));
  const leading: string[] = [];
  for (const model of models) {
    const described = await callJson2(model, 'fields_get', { attributes: ['type', 'relation'] });
    if (described.status !== 200) continue;
    for (const [field, { relation }] of Object.entries(
      described.json() as Record<string, { relation?: string }>,
    ))
      if (relation?.startsWith('svc.mail.')) leading.push(`${model}.${field}`);
  }
  // A new relation must be reviewed for the data and the queries that it exposes.
  expect(leading.sort()).toEqual([
    'helpdesk.team.mailbox_id',
    'svc.email.mailbox_id',
    'svc.user.invitation.mailbox_ids',
  ]);
  await linkToOthers();
  for (const place of leading) {
    const at = place.lastIndexOf('.');
    const [model, field] = [place.slice(0, at), place.slice(at + 1)];
    const count = async (domain: unknown[]) => (await callJson2(model, 'search_count', { domain })).text;
    // Members of a team may see its mailbox, because the team's manager connected it.
    const numbers = [
      [field, '!=', false],
      [field, 'in', [personal.account, sharedIds.account]],
    ];
    const name = [`${field}.name`, 'ilike', SECRET_WORD];
    for (const condition of place === 'svc.email.mailbox_id' ? [...numbers, name] : [name]) {
      expect(await count([condition]), `${place} ${condition}`).toBe('0');
      expect(await count(['!', condition]), place).toBe(await count([]));
    }
    const response = await callJson2(model, 'search_read', { domain: [], fields: [field] });
    if (place !== 'helpdesk.team.mailbox_id') expect(response.text, place).not.toContain(SECRET_WORD);
  }
  const logs = [
    'svc.audit.event',
    'svc.mcp.log',
    'ir.model.data',
    'ir.attachment',
    'mail.message',
    'svc.email',
  ];
  for (const model of logs) {
    const answer = await callJson2(model, 'search_read', { domain: [], limit: 500 });
    expect(answer.status, model).toBe(200);
    expect(answer.text, model).not.toContain(SECRET_WORD);
  }
}, 120_000);

test('GraphQL reveals no records or counts of other mailboxes, for any filter', async () => {
  const types = [...app.runtime.registry.values()].filter(
    ({ name }) => name.startsWith('svc.mail.') && name !== 'svc.mail.feature',
  );
  for (const { name, key, ownIds } of strangers)
    for (const { options } of types) {
      const { many, one } = options.graph as { many: string; one: string };
      const filter = `where: { or: [{ id: { in: [${personal.account}, ${personal.entry}] } }, { id: { isNull: false } }] }`;
      const { data, errors } = await queryGraphql(
        app,
        `{ list: ${many}(${filter}) { totalCount nodes { id displayName } } groups: ${one}Groups(${filter}) { count } }`,
        {},
        key,
      );
      expect(errors === undefined, `${name}: ${many}`).toBe(ownIds !== null);
      if (!ownIds) continue;
      expect(JSON.stringify(data), `${name}: ${many}`).not.toContain(SECRET_WORD);
      expect(data.list.totalCount, `${name}: ${many}`).toBe(data.list.nodes.length);
      expect(data.groups[0]?.count ?? 0, `${name}: ${many}`).toBe(data.list.nodes.length);
    }
  const search = (ids: number[], key: string) =>
    queryGraphql(
      app,
      'query ($ids: [ID!]!) { mailSearch(mailboxIds: $ids, query: "a") { count } }',
      { ids },
      key,
    );
  for (const { name, key } of strangers)
    for (const id of [personal.account, sharedIds.account]) {
      const [existing, none] = [await search([id], key), await search([ABSENT_ID], key)];
      expect(existing.errors?.[0].message, name).toBe(none.errors[0].message);
    }
}, 120_000);

test('sends a former member no more events, even over an open subscription', async () => {
  const { main } = app;
  const box = await createSharedMailbox(main.ctx, [main.user.id, leaver.id], 'leaving');
  await callMailOk(app, 'get_mailbox_state', {}, leaver.key);
  const query = 'subscription { mailMessageChanged { kind id } }';
  const subscription = await subscribe(app.url, { key: leaver.key, query });
  const first = (await fileMessage(main.ctx, box.id, box.folders.inbox)).id;
  await subscription.waitForEvents(1);
  expect(Number(subscription.events[0]!.id)).toBe(first);
  // Makes the user a manager, who may remove the member.
  await main.ctx.db.rows(
    sql`update svc_mail_member set role = 'manager' where workspace_id = ${main.ctx.workspace.id}
     and account_id = ${box.id} and user_id = ${main.user.id}`,
  );
  expect(
    await callMailOk(app, 'set_shared_members', { account_id: box.id, member_user_ids: [] }),
  ).toMatchObject({
    ok: true,
    member_user_ids: [main.user.id],
  });
  const second = (await fileMessage(main.ctx, box.id, box.folders.inbox, { subject: SECRET_WORD })).id;
  const mailbox = await loadMailbox(main.ctx, leaver.id);
  const third = (await fileMessage(main.ctx, mailbox.id, mailbox.folders.inbox)).id;
  await until(
    () => subscription.events.some((event) => Number(event.id) === third),
    'the own message is heard of',
  );
  expect(subscription.events.map((event) => Number(event.id))).not.toContain(second);
  subscription.close();
  expect((await callMail(app, 'get_entry_detail', { entry_id: first }, leaver.key)).status).toBe(403);
});

test('excludes mail sent from mailboxes from all workspace statistics', async () => {
  const { main } = app;
  const loadCounts = async () =>
    JSON.stringify(
      await queryGraphql(
        app,
        `{ emailStatistics(days: 1) { totals { sent delivered } } emails { totalCount } usage { __typename } }`,
        {},
        main.admin.key,
      ),
    );
  const readRest = async () =>
    (
      await fetch(`${app.url}/api/v1/analytics/email-time-series?days=7`, {
        headers: { authorization: `Bearer ${main.teamKey}` },
      })
    ).text();
  await app.deliver();
  const before = [await loadCounts(), await readRest()];
  const sent = await callMailOk(app, 'compose_send', {
    account_id: personal.account,
    to: 'ann@example.org',
    subject: 's',
    body: 'b',
  });
  expect(sent).toMatchObject({ ok: true, transport: { state: 'sent' } });
  const readStatus = async () =>
    (await callMailOk(app, 'get_entry_detail', { entry_id: sent.entry_id })).delivery_status;
  await until(async () => (await readStatus()) === 'DELIVERED', 'it is delivered');
  expect([await loadCounts(), await readRest()]).toEqual(before);
});

test('denies access to an archived user', async () => {
  const { main } = app;
  const formerMember = await createPerson(main.ctx, 'gone');
  const box = await loadMailbox(main.ctx, formerMember.id);
  const { id } = await fileMessage(main.ctx, box.id, box.folders.inbox, { subject: SECRET_WORD });
  expect((await callMail(app, 'get_entry_detail', { entry_id: id }, formerMember.key)).status).toBe(200);
  await write(main.ctx, 'res.users', [formerMember.id], { active: false });
  for (const [method, args] of [
    ['get_mailbox_state', {}],
    ['get_entries', { folder_id: box.folders.inbox }],
    ['get_entry_detail', { entry_id: id }],
  ] as const)
    expect((await callMail(app, method, args, formerMember.key)).status).toBe(401);
  expect(
    (await queryGraphql(app, '{ mailMessages { totalCount } }', {}, formerMember.key)).errors,
  ).toBeDefined();
});
