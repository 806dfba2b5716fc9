import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../src/limits.ts';
import { type App, startApp } from '../harness/app.ts';
import { cpuTime } from '../harness/cpu.ts';
import { type Calls, callsOf } from '../harness/doors/json2.ts';

// A request of some megabytes that holds one long text keeps others waiting only as long as it takes to be read.

let app: App;
let admin: Calls;
let user: Calls;
beforeAll(async () => {
  app = await startApp();
  admin = callsOf(app);
  user = callsOf(app, app.main.user.key);
});
afterAll(() => app?.close());

const MEGABYTE = 1024 * 1024;
const long = (piece: string, megabytes = 8) => piece.repeat((megabytes * MEGABYTE) / piece.length);

/** Runs a call and gives its answer, once it is seen that the process was soon free again. */
async function soon<T>(run: () => Promise<T>): Promise<T> {
  const began = cpuTime();
  const answer = await run();
  expect(cpuTime() - began).toBeLessThan(1_500);
  return answer;
}

const modelId = async (model: string) =>
  (await admin.value('ir.model/search', { domain: [['model', '=', model]] }))[0];

test('the text of a record rule has a limit', async () => {
  const rule = { name: 'Long', model_id: await modelId('crm.tag') };
  const list = (count: number) => `[('name', 'in', [${"'x',".repeat(count)}])]`;
  const refused = await soon(() =>
    admin.refusal(422, 'ir.rule/create', {
      vals_list: [{ ...rule, domain_force: list((8 * MEGABYTE) / 4) }],
    }),
  );
  expect(refused.message).toBe(
    `Invalid domain in the field 'domain_force': The text is too long: it may have ${limits.domain.text} characters.`,
  );
  const fits = list(Math.floor(limits.domain.text / 4) - 10);
  await admin.create('ir.rule', { ...rule, domain_force: fits });
  expect(await user.value('crm.tag/search_count', { domain: [] })).toBe(0);
});

test('so has the text of the options of a selection', async () => {
  const field = {
    name: 'x_long',
    model_id: await modelId('res.partner'),
    ttype: 'selection',
    field_description: 'Long',
    selection: `[${long("('x', 'y'), ")}]`,
  };
  const refused = await soon(() => admin.refusal(422, 'ir.model.fields/create', { vals_list: [field] }));
  expect(refused.message).toBe(`The text is too long: it may have ${limits.domain.text} characters.`);
});

test('cells of an import name a bounded number of records, together', async () => {
  const fields = ['name', 'category_id'];
  const message = `the cells name more than ${limits.http.values} records: import fewer at a time`;
  for (const data of [[['One', long('a,')]], Array.from({ length: 6 }, () => ['Six', 'a,'.repeat(100_000)])])
    for (const by of [user, admin])
      expect((await soon(() => by.refusal(422, 'res.partner/load', { fields, data }))).message).toBe(message);
  const data = [['Few', 'Red, Blue']];
  await admin.value('res.partner.category/create', { vals_list: [{ name: 'Red' }, { name: 'Blue' }] });
  expect(await admin.value('res.partner/load', { fields, data })).toMatchObject({ messages: [] });
});

test('a context has a bounded number of keys, whatever they are', async () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x_${i}`, i]));
  const { contextKeys } = limits.call;
  const refused = await soon(() =>
    user.refusal(422, 'res.partner/search_count', { domain: [], context: keys(200_000) }),
  );
  expect(refused.message).toBe(`the context has more than ${contextKeys} keys`);
  await user.value('res.partner/search_count', { domain: [], context: keys(contextKeys) });
});

test('neither an address nor a number is looked for in a long text', async () => {
  const values = { name: 'Long', email_from: long('a@b.example '), phone: long('1 ') };
  const id = await soon(() => admin.create('crm.lead', values));
  expect(await admin.row('crm.lead', id, ['email_normalized', 'phone_sanitized'])).toMatchObject({
    email_normalized: false,
    phone_sanitized: false,
  });
});
