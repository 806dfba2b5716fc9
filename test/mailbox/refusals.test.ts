import { expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { callMail, callMailOk, queryGraphql, setUpMailbox } from './mailboxes.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);

const condition = '{field: "from", operator: "contains", value: "x"}';

test.each([
  ['mailRuleSave', 'rule: {name: "x", matchType: "some"}', 'matchType must be all or any.'],
  [
    'mailRuleSave',
    `rule: {name: "x", conditions: [${condition}], actions: [{action: "add_label"}]}`,
    'add_label requires the labelId of a label of this mailbox.',
  ],
  [
    'mailSend',
    'to: "a@example.org", draftId: "77"',
    'draftId: the draft does not exist. It may already have been sent.',
  ],
])('GraphQL errors of %s use camelCase argument names', async (field, args, error) => {
  const response = await queryGraphql(
    app,
    `mutation { ${field}(accountId: "${mailbox.id}", ${args}) { ok error } }`,
  );
  expect(response.data[field]).toEqual({ ok: false, error });
});

test('JSON API errors use snake_case argument names', async () => {
  const rule = { name: 'x', match_type: 'some' };
  expect(await callMailOk(app, 'rule_save', { account_id: mailbox.id, rule })).toEqual({
    ok: false,
    error: 'match_type must be all or any.',
  });
});

test('an unknown argument is a request error that lists the accepted ones', async () => {
  const { status, body } = await callMail(app, 'set_labels', { entry_ids: [1], label_ids: [1] });
  expect([status, body.message]).toEqual([
    422,
    'got an unexpected keyword argument \'label_ids\'. Did you mean "add_label_ids"? It takes entry_ids, ' +
      'add_label_ids, remove_label_ids.',
  ]);
});

const saveRule = (condition: object, rule: object = {}) => ({
  rule: { name: 'x', conditions: [condition], actions: [{ action: 'star' }], ...rule },
});

test.each([
  [
    'rule_save',
    { rule: { match: 'all' } },
    "Invalid value for the argument 'rule': it has no 'match'. It takes id, name, active, match_type, conditions, " +
      'actions, version, editable.',
  ],
  [
    'rule_save',
    saveRule({ feild: 'from' }),
    "Invalid value for the argument 'rule.conditions': it has no 'feild'. Did you mean \"field\"? It takes field, " +
      'operator, value.',
  ],
  [
    'autoreply_save',
    { data: { enabled: true } },
    "Invalid value for the argument 'data': it has no 'enabled'. It takes active, subject, body, from, until.",
  ],
  [
    'rule_save',
    saveRule({ field: 'from', operator: 'contains' }),
    "The argument 'rule.conditions[0].value' is required.",
  ],
  [
    'rule_save',
    saveRule({ field: 'from', value: 'x' }),
    'The condition on from requires an operator. Use one of contains, equals, startswith.',
  ],
  [
    'rule_save',
    saveRule({ field: 'from', operator: 'contains', value: 5 }),
    "Invalid value for the argument 'rule.conditions.value': must be a string",
  ],
  ['rule_save', saveRule({}, { conditions: 'x' }), "Invalid value for the argument 'rule.conditions'"],
  ['rule_set_active', { rule_id: 1, active: 'perhaps' }, "Invalid value for the argument 'active'"],
  [
    'compose_send',
    { to: ['ann@example.org'], subject: 'x', body: 'x' },
    "Invalid value for the argument 'to': must be a string",
  ],
  ['draft_save', { vals: { to: 5 } }, "Invalid value for the argument 'vals.to': must be a string"],
  ['create_label', { name: 'x', color: 'red' }, "Invalid value for the argument 'color'"],
  ['block_sender', { email: 7 }, "Invalid value for the argument 'email': must be a string"],
  [
    'import_messages',
    { folder_id: 1, messages: [5] },
    "Invalid value for the argument 'messages': must be a string",
  ],
])('%s returns an error about a value as a result', async (method, args, error) => {
  expect(await callMailOk(app, method, { account_id: mailbox.id, ...args })).toEqual({ ok: false, error });
});

test.each([
  ['import_imap_probe', { conn: {} }],
  ['import_imap_probe', { conn: { username: 5, password: 'x' } }],
  ['import_imap_batch', { conn: 5, source: {} }],
])('%s returns an error about a value with a code', async (method, args) => {
  expect(await callMailOk(app, method, { account_id: mailbox.id, ...args })).toEqual({
    ok: false,
    code: 'bad_value',
    error: expect.stringContaining('conn'),
  });
});

test.each([
  [
    'mailRuleSave',
    'rule: {match: "all"}',
    'It takes id, name, active, matchType, conditions, actions, version, editable.',
  ],
  ['mailRuleSave', 'rule: {matchTypes: "all"}', 'Did you mean "matchType"?'],
  ['mailAutoReplySave', 'data: {enabled: true}', 'It takes active, subject, body, from, until.'],
  ['mailRulesReorder', 'ids: [], wrongName: 1', 'It takes accountId, ids.'],
])('GraphQL lists the accepted names for %s(… %s)', async (field, args, hint) => {
  const { errors } = await queryGraphql(
    app,
    `mutation { ${field}(accountId: "${mailbox.id}", ${args}) { ok } }`,
  );
  expect(errors.map((error: { extensions: { hint?: string } }) => error.extensions.hint)).toContain(hint);
});

test.each([
  [
    'rules_list',
    { account_id: 99_999 },
    'get_mailbox_state (in GraphQL mailState) lists your mailboxes with their ids.',
  ],
  [
    'get_entries',
    { folder_id: 99_999 },
    'get_mailbox_state (in GraphQL mailState) lists your folders with their ids.',
  ],
  [
    'get_entry_detail',
    { entry_id: 99_999 },
    'get_entries and get_unified_entries (in GraphQL mailMessages) list',
  ],
])('%s rejects an invalid id, and names the methods that list valid ids', async (method, args, next) => {
  const { status, body } = await callMail(app, method, args);
  expect(status).toBe(403);
  expect(body.message).toContain(next);
});
