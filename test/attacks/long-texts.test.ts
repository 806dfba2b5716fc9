import { describe, expect, test } from 'vitest';
import { MAX_MODEL_RULE_CHARS, MAX_RULE_DOMAIN_CHARS } from '../../schema/base/ir/rule.ts';
import { sql } from '../../src/db/sql.ts';
import { MAX_CONTEXT_KEYS } from '../../src/engine/ctx/call-context.ts';
import { MAX_RULE_CHARS } from '../../src/engine/domain/rule-text.ts';
import { MAX_LIST_STRINGS } from '../../src/engine/operation/operation.ts';
import { MAX_CHAR_FIELD_CHARS } from '../../src/engine/write/values.ts';
import { limits } from '../../src/limits.ts';
import { startApp } from '../harness/app.ts';
import { getCpuTime } from '../harness/cpu.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient, json2 } from '../harness/facades/json2.ts';
import { createRpcClients } from '../harness/facades/rpc.ts';
import { setUp } from '../harness/set-up.ts';

// A request with a single string of several megabytes must not block the process for longer than it takes to parse it.

const app = setUp(() => startApp({ LOG_LEVEL: 'warn' }, (line) => logged.push(JSON.parse(line).msg)));
const admin = createJsonClient(app);
const user = setUp(() => createJsonClient(app, app.main.user.key));
const logged: string[] = [];

const MEGABYTE = 1024 * 1024;
const repeatPiece = (part: string, megabytes = 8) => part.repeat((megabytes * MEGABYTE) / part.length);

/** Runs a call and checks that it did not block the process for long. */
async function expectFast<T>(run: () => Promise<T>): Promise<T> {
  const began = getCpuTime();
  const response = await run();
  expect(getCpuTime() - began).toBeLessThan(4_000);
  return response;
}

const findModelId = async (model: string) =>
  (await admin.value('ir.model/search', { domain: [['model', '=', model]] }))[0];

describe('a record rule', () => {
  const buildIds = (chars: number) =>
    `[('id', 'not in', [${'100001, '.repeat(Math.floor(chars / 8) - 4)}1])]`;
  const buildRule = async (domain: string, model = 'crm.tag') => ({
    name: 'Long',
    model_id: await findModelId(model),
    domain_force: domain,
  });

  test('has a limited length', async () => {
    for (const chars of [MAX_RULE_DOMAIN_CHARS + 64, 8 * MEGABYTE]) {
      const vals = await buildRule(buildIds(chars));
      const { message } = await expectFast(() =>
        admin.expectError(422, 'ir.rule/create', { vals_list: [vals] }),
      );
      expect(message).toBe(
        `The domain of a rule has ${vals.domain_force.length} characters, but at most ${MAX_RULE_DOMAIN_CHARS} are ` +
          'allowed: compare a field of the records instead of listing values.',
      );
    }
  });

  test('shares a limit with the other active rules of its model', async () => {
    const rule = await buildRule(buildIds(MAX_RULE_DOMAIN_CHARS));
    const count = Math.floor(MAX_MODEL_RULE_CHARS / rule.domain_force.length);
    const ids = await admin.value('ir.rule/create', { vals_list: Array.from({ length: count }, () => rule) });
    const { message } = await admin.expectError(422, 'ir.rule/create', { vals_list: [rule] });
    expect(message).toMatch(
      /^The domains of the active rules of crm\.tag have \d+ characters in total, but at most \d+ are allowed/,
    );
    await admin.value('ir.rule/write', { ids: [ids[0]], vals: { active: false } });
    const [extra] = await admin.value('ir.rule/create', { vals_list: [rule] });
    await admin.expectError(422, 'ir.rule/write', { ids: [ids[0]], vals: { active: true } });
    await admin.value('ir.rule/create', { vals_list: [await buildRule(rule.domain_force, 'crm.stage')] });
    await admin.value('ir.rule/unlink', { ids: [...ids, extra] });
  });

  test('is not parsed again for each request with `allowed_company_ids`', async () => {
    const id = await admin.create('ir.rule', await buildRule("[('name', '=', 'x')]"));
    const context = { allowed_company_ids: await user.value('res.company/search', { domain: [] }) };
    // The log has a line each time that this rule is parsed.
    await app.runtime.db.rows(
      sql`update ir_rule set domain_force = '[("missing", "=", 1)]'
       where workspace_id = ${app.main.ctx.workspace.id} and id = ${id}`,
    );
    for (let calls = 0; calls < 20; calls++)
      expect(await user.value('crm.tag/search_count', { domain: [], context })).toBe(0);
    const parsed = logged.filter((msg) => msg === 'a record rule cannot be parsed').length;
    // Notifications about the update may invalidate the cache after the first calls.
    expect(parsed).toBeGreaterThan(0);
    expect(parsed).toBeLessThan(5);
    await admin.value('ir.rule/unlink', { ids: [id] });
  });
});

test("limits the length of a selection field's options", async () => {
  const field = {
    name: 'x_long',
    model_id: await findModelId('res.partner'),
    ttype: 'selection',
    field_description: 'Long',
    selection: `[${repeatPiece("('x', 'y'), ")}]`,
  };
  const error = await expectFast(() =>
    admin.expectError(422, 'ir.model.fields/create', { vals_list: [field] }),
  );
  expect(error.message).toBe(`The text is too long: it may have at most ${MAX_RULE_CHARS} characters.`);
});

test('limits the number of records that an import refers to', async () => {
  const fields = ['name', 'category_id'];
  const message = `the cells refer to more than ${limits.http.values} records: import fewer records at a time`;
  for (const data of [
    [['One', repeatPiece('a,')]],
    Array.from({ length: 6 }, () => ['Six', 'a,'.repeat(100_000)]),
  ])
    for (const by of [user, admin])
      expect(
        (await expectFast(() => by.expectError(422, 'res.partner/load', { fields, data }))).message,
      ).toBe(message);
  const data = [['Few', 'Red, Blue']];
  await admin.value('res.partner.category/create', { vals_list: [{ name: 'Red' }, { name: 'Blue' }] });
  expect(await admin.value('res.partner/load', { fields, data })).toMatchObject({ messages: [] });
});

test('limits the number of context keys', async () => {
  const buildKeys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`x_${i}`, i]));
  const error = await expectFast(() =>
    user.expectError(422, 'res.partner/search_count', {
      domain: [],
      context: buildKeys(MAX_CONTEXT_KEYS + 1),
    }),
  );
  expect(error.message).toBe(`the context has more than ${MAX_CONTEXT_KEYS} keys`);
  await user.value('res.partner/search_count', { domain: [], context: buildKeys(MAX_CONTEXT_KEYS) });
});

test('does not parse addresses or numbers in overlong text', async () => {
  const values = { name: 'Long', email_from: repeatPiece('a@b.example ', 1), phone: repeatPiece('1 ', 1) };
  const id = await expectFast(() => admin.create('crm.lead', values));
  expect(await admin.row('crm.lead', id, ['email_normalized', 'phone_sanitized'])).toMatchObject({
    email_normalized: false,
    phone_sanitized: false,
  });
});

test('parses a long contact name in linear time', async () => {
  const { key } = app.main.admin;
  // A name that no index can hold is rejected.
  for (const text of [`a${' '.repeat(250_000)}b`, `"${' '.repeat(250_000)}`, '<a@'.repeat(80_000)])
    expect(
      (await expectFast(() => json2(app, 'res.partner/name_create', { name: text }, key))).status,
    ).toBeLessThan(500);
});

test('limits the number of strings in a list argument', async () => {
  const attributes = Array.from({ length: MAX_LIST_STRINGS + 1 }, () => 'type');
  const error = await admin.expectError(422, 'res.partner/fields_get', { attributes });
  expect(error.message).toBe(
    `Invalid value for the argument 'attributes': must have at most ${MAX_LIST_STRINGS} items`,
  );
  await admin.value('res.partner/fields_get', { attributes: attributes.slice(1) });
});

test('names the field in every facade if a single-line value is too long', async () => {
  const maxLength = MAX_CHAR_FIELD_CHARS;
  const lengthError = `Wrong value for crm.lead.name: must have at most ${maxLength} characters`;
  const buildLead = (length: number) => ({ name: 'x'.repeat(length) });
  const error = await admin.expectError(422, 'crm.lead/create', {
    vals_list: [buildLead(MAX_CHAR_FIELD_CHARS + 1)],
  });
  expect(error).toMatchObject({ name: 'builtins.ValueError', message: lengthError });
  const id = await admin.create('crm.lead', buildLead(MAX_CHAR_FIELD_CHARS));
  await admin.expectError(422, 'crm.lead/write', { ids: [id], vals: buildLead(20 * MEGABYTE) });
  const custom = {
    name: 'x_line',
    model_id: await findModelId('crm.lead'),
    ttype: 'char',
    field_description: 'L',
  };
  await admin.create('ir.model.fields', custom);
  const message = await admin.expectError(422, 'crm.lead/write', {
    ids: [id],
    vals: { x_line: buildLead(MAX_CHAR_FIELD_CHARS + 1).name },
  });
  expect(message.message).toBe(`Wrong value for crm.lead.x_line: must have at most ${maxLength} characters`);
  await admin.value('crm.lead/write', { ids: [id], vals: { x_line: buildLead(maxLength).name } });

  const classic = createRpcClients(app);
  const xml = await classic.execute('crm.lead', 'create', [buildLead(MAX_CHAR_FIELD_CHARS + 1)]);
  expect(xml).toMatchObject({ fault: { faultString: expect.stringContaining(lengthError) } });
  const json = await classic.jsonExecute('crm.lead', 'create', [buildLead(MAX_CHAR_FIELD_CHARS + 1)]);
  expect(json.error.data.message).toBe(lengthError);
  const graphql = await postGraphql(
    app,
    'mutation($name: String!) { crmLeadCreate(input: { name: $name }) { id } }',
    { key: app.main.admin.key, variables: buildLead(MAX_CHAR_FIELD_CHARS + 1) },
  );
  expect(graphql.errors).toMatchObject([{ message: lengthError, extensions: { code: 'BAD_VALUE' } }]);
});

test('accepts multi-line text of any length', async () => {
  const model = await findModelId('crm.lead');
  await admin.create('ir.model.fields', {
    name: 'x_text',
    model_id: model,
    ttype: 'text',
    field_description: 'T',
  });
  const text = 'x'.repeat(MAX_CHAR_FIELD_CHARS + 1);
  const id = await admin.create('crm.lead', { name: 'long', x_text: text });
  expect(await admin.row('crm.lead', id, ['x_text'])).toEqual({ id, x_text: text });
});
