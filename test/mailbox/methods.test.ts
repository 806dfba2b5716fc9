import { beforeAll, expect, test } from 'vitest';
import { post, setUpApp } from '../harness/app.ts';
import { postJsonRpc } from '../harness/facades/rpc.ts';
import { createNpmClient, type NpmClient } from '../harness/facades/xmlrpc.ts';
import { callMail, callMailOk, fileMessage, setUpMailbox } from './mailboxes.ts';

const app = setUpApp();
const box = setUpMailbox(app);
let objects: NpmClient;

beforeAll(async () => {
  objects = createNpmClient(`${app.url}/xmlrpc/2/object`);
});

const ARGUMENTS: Record<string, string> = {
  get_mailbox_state: '',
  get_entries: 'folder_id, search, offset, limit, label_id, all_folders',
  get_unified_entries: 'search, offset, limit, label_id, source_account_id, all_folders',
  get_entry_detail: 'entry_id',
  get_thread: 'entry_id',
  suggest_recipients: 'account_id, query, limit',
  sender_info: 'account_id, email',
  list_blocked: 'account_id',
  draft_list: 'account_id, search',
  draft_get: 'draft_id',
  rules_list: 'account_id',
  rule_preview: 'account_id, rule',
  autoreply_get: 'account_id',
  export_info: 'account_id',
  get_access_table: '',
  set_flags: 'entry_ids, vals',
  set_labels: 'entry_ids, add_label_ids, remove_label_ids',
  move_entries: 'entry_ids, folder_id',
  create_label: 'account_id, name, color',
  update_label: 'label_id, name, color',
  delete_label: 'label_id',
  block_sender: 'account_id, email',
  unblock_sender: 'account_id, email',
  add_contact: 'email, name',
  draft_save: 'account_id, vals, draft_id',
  draft_delete: 'draft_id',
  compose_attach: 'account_id, filename, data_b64',
  compose_attach_discard: 'attachment_id',
  compose_send: 'account_id, to, subject, body, in_reply_to, cc, bcc, draft_id, attachment_ids, body_html',
  save_signature: 'account_id, signature',
  save_profile: 'account_id, name, avatar',
  save_prefs: 'vals',
  rule_save: 'account_id, rule',
  rule_set_active: 'account_id, rule_id, active',
  rule_delete: 'account_id, rule_id',
  rules_reorder: 'account_id, ids',
  autoreply_save: 'account_id, data',
  import_messages: 'account_id, folder_id, messages',
  import_imap_probe: 'account_id, conn',
  import_imap_batch: 'account_id, conn, source',
  create_shared_mailbox: 'local, name, domain_id, member_user_ids, manager_user_id',
  set_shared_members: 'account_id, member_user_ids',
  get_shared_manage_state: 'account_id',
};

async function loadMethods(model: string): Promise<Record<string, { parameters: Record<string, object> }>> {
  const response = await fetch(`${app.url}/doc-bearer/${model}.json`, {
    headers: { authorization: `Bearer ${app.main.admin.key}` },
  });
  return (await response.json()).methods;
}

test('every method accepts the documented arguments in order, and its other arguments are optional', async () => {
  const methods = await loadMethods('svc.mail.account');
  for (const [name, text] of Object.entries(ARGUMENTS)) {
    const expectedNames = text === '' ? [] : text.split(', ');
    const parameters = Object.entries(methods[name]?.parameters ?? { missing: {} });
    expect(
      parameters.slice(0, expectedNames.length).map(([item]) => item),
      name,
    ).toEqual(expectedNames);
    for (const [item, parameter] of parameters.slice(expectedNames.length))
      expect(Object.hasOwn(parameter, 'default'), `${name}: ${item}`).toBe(true);
  }
  expect((await loadMethods('svc.mail.feature')).get_features?.parameters).toEqual({});
});

async function callEverywhere(method: string, args: unknown[], model = 'svc.mail.account') {
  const { id, key } = app.main.user;
  const text = ARGUMENTS[method];
  const names = text ? text.split(', ') : [];
  const namedArgs = Object.fromEntries(args.map((arg, i) => [names[i], arg]));
  const answer = await postJsonRpc(app, 'object', 'execute_kw', ['main', id, key, model, method, args]);
  return {
    json2: (await post(`${app.url}/json/2/${model}/${method}`, namedArgs, key)).json(),
    jsonrpc: answer.json().result,
    xmlrpc: await objects.call('execute_kw', 'main', id, key, model, method, args),
  };
}

test('reads return the same result over JSON, JSON-RPC and XML-RPC, with named or positional arguments', async () => {
  const { id: entry } = await fileMessage(app.main.ctx, box.id, box.folders.inbox, { words: ['word'] });
  const { label_id: label } = await callMailOk(app, 'create_label', { account_id: box.id, name: 'Blue' });
  await callMailOk(app, 'set_labels', { entry_ids: [entry], add_label_ids: [label] });
  const { draft_id: draft } = await callMailOk(app, 'draft_save', { account_id: box.id, vals: { to: 'a' } });
  await callMailOk(app, 'block_sender', { account_id: box.id, email: 'x@example.org' });
  const rule = { conditions: [{ field: 'subject', operator: 'contains', value: 'a' }] };
  const calls: [string, unknown[]][] = [
    ['get_mailbox_state', []],
    ['get_entries', [box.folders.inbox]],
    ['get_entries', [box.folders.trash, 'word', 0, 10, label, true]],
    ['get_entries', [box.folders.inbox, false, 0, 10, false, false]],
    ['get_entries', [false, false, 0, 10, label]],
    ['get_entries', [box.folders.drafts]],
    ['get_unified_entries', ['', 0, 10, label, box.id, true]],
    ['get_unified_entries', [false, 0, 80, false, false, false]],
    ['get_entry_detail', [entry]],
    ['get_thread', [entry]],
    ['suggest_recipients', [box.id, 'a', 3]],
    ['sender_info', [box.id, 'x@example.org']],
    ['list_blocked', [box.id]],
    ['draft_list', [box.id, '']],
    ['draft_get', [draft]],
    ['rules_list', [box.id]],
    ['rule_preview', [box.id, rule]],
    ['autoreply_get', [box.id]],
    ['export_info', [box.id]],
  ];
  for (const [method, args] of calls) {
    const { json2, jsonrpc, xmlrpc } = await callEverywhere(method, args);
    expect(jsonrpc, method).toEqual(json2);
    expect(xmlrpc, method).toEqual(replaceNull(json2));
  }
  const entries = (await callEverywhere('get_entries', [box.folders.trash, 'word', 0, 10, label, true]))
    .xmlrpc;
  expect(entries).toMatchObject({ entries: [{ entry_id: entry, label_ids: [label] }], count: 1 });
  const { json2, jsonrpc, xmlrpc } = await callEverywhere('get_features', [], 'svc.mail.feature');
  expect([jsonrpc, xmlrpc]).toEqual([json2, json2]);
});

/** XML-RPC has no null, so false represents it. */
const replaceNull = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, value) => value ?? false);

test('writes succeed in each facade, and return rejections as results', async () => {
  const { id: entry } = await fileMessage(app.main.ctx, box.id, box.folders.inbox);
  const facades = ['json2', 'jsonrpc', 'xmlrpc'] as const;
  const colored = await callEverywhere('create_label', [box.id, 'Red', 12]);
  for (const facade of facades)
    expect(colored[facade], facade).toEqual({ ok: false, error: 'A color must be a number from 0 to 11.' });
  const red = await callEverywhere('create_label', [box.id, 'Red', 11]);
  for (const facade of facades) expect(red[facade], facade).toEqual(red.json2);
  const { label_id: label } = red.json2;
  expect((await callEverywhere('set_labels', [[entry], [label], []])).json2.ok).toBe(true);
  expect(
    (await callEverywhere('set_flags', [[entry], { is_read: true, is_starred: true }])).xmlrpc,
  ).toMatchObject({
    ok: true,
    previous: [],
  });
  expect((await callEverywhere('move_entries', [[entry], box.folders.trash])).json2.ok).toBe(true);
  expect((await callEverywhere('update_label', [label, 'Crimson', 3])).xmlrpc).toEqual({
    ok: true,
    label_id: label,
    name: 'Crimson',
    color: 3,
  });
  const saved = await callEverywhere('draft_save', [
    box.id,
    { to: 'ann@example.org', subject: 'By position' },
  ]);
  expect(new Set(facades.map((facade) => (saved[facade] as { draft_id: number }).draft_id)).size).toBe(3);
  const repeated = await callEverywhere('draft_save', [box.id, { subject: '' }, saved.json2.draft_id]);
  expect(repeated.xmlrpc).toEqual({ ok: true, draft_id: saved.json2.draft_id });
  const data = { active: true, subject: 'Away', body: 'Back soon.', from: '', until: '' };
  expect((await callEverywhere('autoreply_save', [box.id, data])).jsonrpc).toMatchObject({
    ok: true,
    ...data,
  });
  const rule = {
    name: 'By position',
    active: true,
    match_type: 'any',
    conditions: [{ field: 'has_attachment', operator: 'equals', value: 'true' }],
    actions: [{ action: 'add_label', label_id: label }],
  };
  const { rule_id: ruleId } = (await callEverywhere('rule_save', [box.id, rule])).json2;
  expect((await callEverywhere('rule_set_active', [box.id, ruleId, false])).xmlrpc).toEqual({ ok: true });
  const { rules } = await callMailOk(app, 'rules_list', { account_id: box.id });
  const order = rules.map((rule: { id: number }) => rule.id).reverse();
  for (const [facade, response] of Object.entries(await callEverywhere('rules_reorder', [box.id, order])))
    expect(response, facade).toEqual({ ok: true });
  const { rules: ordered } = await callMailOk(app, 'rules_list', { account_id: box.id });
  expect(ordered.map((item: { id: number }) => item.id)).toEqual(order);
  expect((await callEverywhere('save_prefs', [{ svc_mail_chime: false }])).xmlrpc).toEqual({ ok: true });
});

test('lists messages with a label, except those in hidden folders', async () => {
  const { label_id } = await callMailOk(app, 'create_label', { account_id: box.id, name: 'Alone' });
  const ids = [];
  for (const folder of ['inbox', 'archive', 'trash'] as const)
    ids.push((await fileMessage(app.main.ctx, box.id, box.folders[folder])).id);
  await callMailOk(app, 'set_labels', { entry_ids: ids, add_label_ids: [label_id] });
  for (const extra of [{}, { all_folders: true }]) {
    const { entries, count } = await callMailOk(app, 'get_entries', { label_id, ...extra });
    expect(entries.map(({ entry_id }: { entry_id: number }) => entry_id).sort()).toEqual(
      ids.slice(0, 2).sort(),
    );
    expect(count).toBe(2);
  }
  expect((await callMail(app, 'get_entries', { label_id: 999_999 })).status).toBe(403);
  expect((await callMail(app, 'get_entries', { all_folders: true })).status).toBe(422);
});

test('rejects a boolean for any argument that is a number or an id', async () => {
  const numbers = /^(?:limit|offset|color|ids|in_reply_to|.*_ids?)$/;
  const others = {
    vals: {},
    rule: {},
    data: {},
    conn: {},
    source: {},
    messages: [],
    all_folders: false,
    active: true,
  };
  for (const [method, text] of Object.entries(ARGUMENTS)) {
    const names = text.split(', ').filter(Boolean);
    const argumentValues = Object.fromEntries(names.map((name) => [name, numbers.test(name) ? 1 : 'x']));
    const extraArguments = Object.entries(others).filter(([item]) => names.includes(item));
    for (const name of names.filter((name) => numbers.test(name)))
      for (const value of [true, [true]]) {
        const args = { ...argumentValues, ...Object.fromEntries(extraArguments), [name]: value };
        const { status, body } = await callMail(app, method, args);
        expect(status === 200 ? body.ok : status, method).toBe(status === 200 ? false : 422);
        expect(body.error ?? body.message, method).toBe(`Invalid value for the argument '${name}'`);
      }
  }
});
