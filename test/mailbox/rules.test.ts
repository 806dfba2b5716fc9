import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import {
  callMail,
  callMailOk,
  createSharedMailbox,
  fileMessage,
  loadMailbox,
  type Mailbox,
  queryGraphql,
} from './mailboxes.ts';

const app = setUpApp();
let box: Mailbox;

beforeAll(async () => {
  box = await loadMailbox(app.main.ctx, app.main.user.id);
});

const buildRule = (overrides: object = {}) => ({
  name: 'News',
  conditions: [{ field: 'subject', operator: 'contains', value: 'news' }],
  actions: [{ action: 'star' }],
  ...overrides,
});

const save = (overrides: object = {}) =>
  callMailOk(app, 'rule_save', { account_id: box.id, rule: buildRule(overrides) });
const list = async () => callMailOk(app, 'rules_list', { account_id: box.id });

test('saves, replaces, toggles, reorders and deletes rules', async () => {
  const first = await save();
  const second = await save({ name: 'Second', match_type: 'any', active: false });
  expect(first).toEqual({ ok: true, rule_id: expect.any(Number) });
  expect((await list()).rules).toEqual([
    {
      id: first.rule_id,
      name: 'News',
      active: true,
      match_type: 'all',
      conditions: [{ field: 'subject', operator: 'contains', value: 'news' }],
      actions: [{ action: 'star' }],
      editable: true,
      version: 1,
    },
    expect.objectContaining({ id: second.rule_id, name: 'Second', match_type: 'any', active: false }),
  ]);
  const [storedRule] = (await list()).rules;
  expect(
    await callMailOk(app, 'rule_save', { account_id: box.id, rule: { ...storedRule, name: 'Other' } }),
  ).toEqual({
    ok: true,
    rule_id: first.rule_id,
  });
  const ids = [second.rule_id, first.rule_id];
  expect(await callMailOk(app, 'rules_reorder', { account_id: box.id, ids })).toEqual({ ok: true });
  await callMailOk(app, 'rule_set_active', { account_id: box.id, rule_id: second.rule_id, active: true });
  expect((await list()).rules).toMatchObject([
    { id: second.rule_id, active: true },
    { id: first.rule_id, name: 'Other' },
  ]);
  for (const rule_id of ids) await callMailOk(app, 'rule_delete', { account_id: box.id, rule_id });
  expect((await list()).rules).toEqual([]);
});

test('lists the folders and labels that a rule may use', async () => {
  const { label_id } = await callMailOk(app, 'create_label', { account_id: box.id, name: 'Blue', color: 4 });
  const { folders, labels, max_rules } = await list();
  expect(folders.map((folder: { role: string }) => folder.role)).toEqual([
    'inbox',
    'archive',
    'spam',
    'trash',
  ]);
  expect(labels).toEqual([{ id: label_id, name: 'Blue', color: 4 }]);
  expect(max_rules).toBe(50);
});

test.each([
  ['forwarding', { actions: [{ action: 'forward' }] }, /cannot forward/],
  ['forwarding to an address', { actions: [{ action: 'forward', to: 'x@example.org' }] }, /cannot forward/],
  ['a regular expression', { conditions: [{ field: 'subject', operator: 'regex', value: '.*' }] }, /Regular/],
  ['a rule without conditions', { conditions: [] }, /at least one condition/],
  [
    "another user's folder",
    { actions: [{ action: 'move_to_folder', folder_id: 999_999 }] },
    /folder of this mailbox/,
  ],
  ['an unknown match type', { match_type: 'none' }, /match_type/],
])('rejects %s', async (_name, overrides, error) => {
  expect(await save(overrides)).toEqual({ ok: false, error: expect.stringMatching(error) });
});

test('rejects the 51st rule, even under concurrent requests', async () => {
  const responses = await Promise.all(Array.from({ length: 53 }, (_, i) => save({ name: `Rule ${i}` })));
  expect(responses.filter(({ ok }) => ok)).toHaveLength(50);
  expect(responses.find(({ ok }) => !ok).error).toMatch(/at most 50 rules/);
  await app.runtime.db.rows(
    sql`delete from svc_mail_rule where workspace_id = ${app.main.ctx.workspace.id} and account_id = ${box.id}`,
  );
});

test("shows an administrator's rule to members, but does not let them change it", async () => {
  const { rule_id } = await save();
  await app.runtime.db.rows(
    sql`update svc_mail_rule set by_admin = true where workspace_id = ${app.main.ctx.workspace.id} and id = ${rule_id}`,
  );
  expect((await list()).rules).toMatchObject([{ id: rule_id, editable: false }]);
  const error = { ok: false, error: expect.stringMatching(/administrator/) };
  expect(await save({ id: rule_id })).toEqual(error);
  expect(await callMailOk(app, 'rule_delete', { account_id: box.id, rule_id })).toEqual(error);
  const off = { account_id: box.id, rule_id, active: false };
  expect(await callMailOk(app, 'rule_set_active', off)).toEqual(error);
});

test('lets only administrators create, replace and delete administrator rules', async () => {
  const box = await createSharedMailbox(app.main.ctx, [app.main.user.id]);
  const list = () => callMailOk(app, 'rules_list', { account_id: box.id });
  const buildRule = (overrides: object = {}) => ({
    name: 'Ads',
    conditions: [{ field: 'subject', operator: 'contains', value: 'advert' }],
    actions: [{ action: 'move_to_folder', folderId: box.folders.spam }],
    ...overrides,
  });
  const SAVE = `mutation ($accountId: ID!, $rule: MailRuleInput!) {
    mailAdminRuleSave(accountId: $accountId, rule: $rule) { ok error ruleId } }`;
  const saveAsAdmin = async (rule: object, key = app.main.admin.key) => {
    const response = await queryGraphql(app, SAVE, { accountId: box.id, rule }, key);
    return response.data?.mailAdminRuleSave ?? response.errors[0].extensions.code;
  };
  expect(await saveAsAdmin(buildRule(), app.main.user.key)).toBe('FORBIDDEN');
  const { ruleId } = await saveAsAdmin(buildRule());
  const ownRule = await callMailOk(app, 'rule_save', {
    account_id: box.id,
    rule: { ...buildRule(), actions: [{ action: 'star' }] },
  });
  const LIST = `query ($id: ID!) { mailAdminRules(accountId: $id) { rules { id name editable } folders { role } } }`;
  const listed = (await queryGraphql(app, LIST, { id: box.id }, app.main.admin.key)).data.mailAdminRules;
  expect(listed.rules).toEqual([{ id: ruleId, name: 'Ads', editable: false }]);
  expect(listed.folders.map(({ role }: { role: string }) => role)).toEqual([
    'inbox',
    'archive',
    'spam',
    'trash',
  ]);
  expect((await list()).rules.map(({ editable }: { editable: boolean }) => editable)).toEqual([false, true]);
  expect(await callMailOk(app, 'rule_delete', { account_id: box.id, rule_id: Number(ruleId) })).toMatchObject(
    {
      ok: false,
    },
  );
  expect(await saveAsAdmin(buildRule({ id: ruleId, name: 'Adverts' }))).toEqual({
    ok: true,
    error: null,
    ruleId,
  });
  expect((await list()).rules[0]).toMatchObject({ name: 'Adverts', editable: false });
  expect(await saveAsAdmin(buildRule({ id: ownRule.rule_id }))).toMatchObject({
    ok: false,
    error: expect.stringMatching(/not set up by an administrator/),
  });
  const { folder_id } = await callMailOk(app, 'create_folder', { account_id: box.id, name: 'Private' });
  const { label_id } = await callMailOk(app, 'create_label', { account_id: box.id, name: 'Private' });
  for (const action of [
    { action: 'move_to_folder', folderId: folder_id },
    { action: 'add_label', labelId: label_id },
  ])
    expect(await saveAsAdmin(buildRule({ actions: [action] }))).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^Administrator rules/),
    });
  const DELETE = `mutation ($a: ID!, $r: ID!) { mailAdminRuleDelete(accountId: $a, ruleId: $r) { ok error } }`;
  const remove = async (id: unknown) =>
    (await queryGraphql(app, DELETE, { a: box.id, r: id }, app.main.admin.key)).data.mailAdminRuleDelete;
  expect(await remove(ownRule.rule_id)).toMatchObject({ ok: false });
  expect(await remove(ruleId)).toEqual({ ok: true, error: null });
});

test('a preview counts matches among the newest 200 Inbox messages, shows five and changes nothing', async () => {
  for (let i = 0; i < 8; i++)
    await fileMessage(app.main.ctx, box.id, box.folders.inbox, {
      subject: i < 7 ? `News ${i}` : 'Else',
      date: new Date(Date.UTC(2026, 0, 1 + i)),
    });
  await fileMessage(app.main.ctx, box.id, box.folders.archive, { subject: 'News elsewhere' });
  const conditions = [{ field: 'subject', operator: 'startswith', value: 'NEWS' }];
  const response = await callMailOk(app, 'rule_preview', { account_id: box.id, rule: { conditions } });
  expect(response).toMatchObject({ ok: true, count: 7, scanned: 8 });
  expect(response.samples.map(({ subject }: { subject: string }) => subject)).toEqual([
    'News 6',
    'News 5',
    'News 4',
    'News 3',
    'News 2',
  ]);
});

test("returns an access error for other users' rules and auto-replies and for unknown mailboxes", async () => {
  const calls: [string, object][] = [
    ['rules_list', {}],
    ['rule_preview', { rule: buildRule() }],
    ['rule_save', { rule: buildRule() }],
    ['rule_delete', { rule_id: 1 }],
    ['rules_reorder', { ids: [1] }],
    ['autoreply_get', {}],
    ['autoreply_save', { data: { active: false } }],
  ];
  for (const [method, args] of calls)
    for (const account_id of [box.id, 999_999])
      expect((await callMail(app, method, { account_id, ...args }, app.main.admin.key)).status).toBe(403);
});

test('updating an auto-reply keeps omitted values, and clears a date set to an empty string', async () => {
  const get = () => callMailOk(app, 'autoreply_get', { account_id: box.id });
  const change = (data: object) => callMailOk(app, 'autoreply_save', { account_id: box.id, data });
  expect(await get()).toEqual({
    active: false,
    running: false,
    subject: '',
    body: '',
    from: '',
    until: '',
    version: 0,
  });
  const days = { from: '2026-01-01', until: '2026-01-31' };
  expect(await change({ active: true, subject: 'Away', body: 'Later.', ...days })).toEqual({
    ok: true,
    active: true,
    running: false,
    subject: 'Away',
    body: 'Later.',
    ...days,
    version: 1,
  });
  expect(await change({ from: '', until: '' })).toMatchObject({
    running: true,
    from: '',
    until: '',
    body: 'Later.',
  });
  expect(await change({ active: false })).toMatchObject({ ok: true, running: false, subject: 'Away' });
});

test.each([
  ['a subject of 151 characters', { subject: 'x'.repeat(151) }, /^subject: must have at most 150/],
  ['a body of 4,001 characters', { body: 'x'.repeat(4_001) }, /^body: must have at most 4,000/],
  ['an invalid day', { from: '2026-02-30' }, /^from: must be a date as YYYY-MM-DD/],
  ['an end before the start', { from: '2026-02-02', until: '2026-02-01' }, /^until:/],
  ['no body', { active: true, body: '' }, /^body: an auto-reply requires/],
])('rejects an auto-reply with %s', async (_name, data, error) => {
  expect(await callMailOk(app, 'autoreply_save', { account_id: box.id, data })).toEqual({
    ok: false,
    error: expect.stringMatching(error),
  });
});

test('GraphQL returns rules and auto-replies in typed fields', async () => {
  const { data, errors } = await queryGraphql(
    app,
    `query ($box: ID!) {
      mailRuleList(accountId: $box) { rules { id matchType conditions { field value } actions { action folderId } editable } }
      mailAutoReply(accountId: $box) { active running from until }
    }`,
    { box: String(box.id) },
  );
  expect(errors).toBeUndefined();
  expect(data.mailRuleList.rules).toMatchObject([{ matchType: 'all', editable: false }]);
  expect(data.mailAutoReply.active).toBe(false);
});
