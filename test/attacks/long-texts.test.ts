import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_CONTEXT_KEYS } from '../../src/engine/ctx/call-context.ts';
import { MAX_RULE_CHARS } from '../../src/engine/domain/rule-text.ts';
import { MAX_CHAR_FIELD_CHARS } from '../../src/engine/write/values.ts';
import { limits } from '../../src/limits.ts';
import { type App, startApp } from '../harness/app.ts';
import { getCpuTime } from '../harness/cpu.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';
import { createRpcClients } from '../harness/facades/rpc.ts';

// A request with a single string of several megabytes must not block the process for longer than it takes to parse it.

let app: App;
let admin: JsonClient;
let user: JsonClient;
beforeAll(async () => {
  app = await startApp();
  admin = createJsonClient(app);
  user = createJsonClient(app, app.main.user.key);
});
afterAll(() => app?.close());

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

test('limits the length of a record rule', async () => {
  const rule = { name: 'Long', model_id: await findModelId('crm.tag') };
  const list = (count: number) => `[('name', 'in', [${"'x',".repeat(count)}])]`;
  const error = await expectFast(() =>
    admin.expectError(422, 'ir.rule/create', {
      vals_list: [{ ...rule, domain_force: list((8 * MEGABYTE) / 4) }],
    }),
  );
  expect(error.message).toBe(
    "Invalid domain in the field 'domain_force': " +
      `The text is too long: it may have at most ${MAX_RULE_CHARS} characters.`,
  );
  const fits = list(Math.floor(MAX_RULE_CHARS / 4) - 10);
  await admin.create('ir.rule', { ...rule, domain_force: fits });
  expect(await user.value('crm.tag/search_count', { domain: [] })).toBe(0);
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
  const message = `the cells refer to more than ${limits.http.values} records: import fewer at a time`;
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
    user.expectError(422, 'res.partner/search_count', { domain: [], context: buildKeys(200_000) }),
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
