import { describe, expect, test } from 'vitest';
import { freezeClockAtNoon } from '../harness/clock.ts';
import { setUp } from '../harness/set-up.ts';
import { openRecordLab } from './lab.ts';

const lab = setUp(openRecordLab);

interface Info {
  type: string;
  required: boolean;
  readonly: boolean;
  relation?: string;
  selection?: [string, string][];
}

describe('default_get', () => {
  test('returns timestamps, dates and the initial state in read format', async () => {
    const fields = ['date_order', 'state', 'company_id', 'locked'];
    const defaults = await lab.value('sale.order/default_get', { fields });
    expect(defaults).toMatchObject({ state: 'draft', company_id: 1, locked: false });
    expect(defaults.date_order).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const activity = await lab.value('mail.activity/default_get', { fields: ['date_deadline'] });
    expect(activity.date_deadline).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  describe('of a date', () => {
    freezeClockAtNoon();

    test.each([
      ['Pacific/Kiritimati', 1],
      ['Etc/GMT+12', 0],
    ])("is today in the caller's time zone: %s", async (tz, days) => {
      const today = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      const context = { tz };
      for (const [model, field] of [
        ['mail.activity', 'date_deadline'],
        ['res.currency.rate', 'name'],
      ] as const)
        expect(await lab.value(`${model}/default_get`, { fields: [field], context })).toEqual({
          [field]: today,
        });
      const [currency_id] = await lab.value('res.currency/search', { domain: [], limit: 1 });
      const vals_list = { currency_id, rate: 2 };
      const ids = await lab.value('res.currency.rate/create', { vals_list, context });
      expect(await lab.value('res.currency.rate/read', { ids, fields: ['name'] })).toMatchObject([
        { name: today },
      ]);
      await lab.value('res.currency.rate/unlink', { ids });
    });
  });

  test('omits a default name that is empty', async () => {
    const task = ['name', 'user_ids'];
    const defaults = await lab.value('project.task/default_get', { fields: task });
    expect(defaults).toEqual({ user_ids: [[4, expect.any(Number), 0]] });
    const [project] = await lab.value('project.project/create', { vals_list: [{ name: 'Shared' }] });
    const context = { default_project_id: project };
    expect(await lab.value('project.task/default_get', { fields: task, context })).toEqual({});
  });

  test("contains the template's defaults for a product variant", async () => {
    const fields = ['type', 'sale_ok', 'purchase_ok', 'uom_id', 'invoice_policy', 'list_price', 'active'];
    const template = await lab.value('product.template/default_get', { fields });
    expect(template).toMatchObject({ type: 'consu', sale_ok: true, uom_id: expect.any(Number) });
    expect(await lab.value('product.product/default_get', { fields })).toEqual(template);
    const fields_spec = Object.fromEntries(fields.map((name) => [name, {}]));
    const form = { ids: [], values: {}, field_names: [], fields_spec };
    const { value } = await lab.value('product.product/onchange', form);
    const [id] = await lab.value('product.product/create', { vals_list: [{ ...value, name: 'Saved form' }] });
    expect((await lab.value('product.product/read', { ids: [id], fields, load: null }))[0]).toMatchObject(
      template,
    );
  });

  test('provides the initial values of a form', async () => {
    const { value } = await lab.value('sale.order/onchange', {
      ...{ ids: [], values: {}, field_names: [], fields_spec: { state: {}, date_order: {}, company_id: {} } },
    });
    expect(value).toMatchObject({ state: 'draft', company_id: 1 });
    expect(value.date_order).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  test('returns the only state that create accepts for a new order', async () => {
    const [partner_id] = await lab.value('res.partner/create', { vals_list: [{ name: 'Buyer' }] });
    const vals_list = [{ partner_id, state: 'sale' }];
    expect((await lab.expectError('sale.order/create', { vals_list })).message).toContain('state');
    expect(
      await lab.value('sale.order/create', { vals_list: [{ partner_id, state: 'draft' }] }),
    ).toHaveLength(1);
  });
});

const GIVEN_VALUES: Record<string, object> = {
  'ir.actions.act_window': { res_model: 'res.partner' },
  'ir.model': { model: 'x_made' },
  'ir.model.data': { model: 'res.partner', res_id: 1 },
  'ir.model.fields': { name: 'x_made' },
  'mail.followers': { res_model: 'res.partner' },
  'product.product': { name: 'Chair' },
  'res.country': { code: 'ZZ' },
  'res.currency': { name: 'ZZZ' },
  'res.lang': { code: 'sw_TZ' },
  'svc.contact': { email: 'new@example.com' },
  'svc.template': { text: 'Hello' },
  'website.rewrite': { url_from: '/old', url_to: '/new' },
};

test('create accepts the result of default_get in every model that administrators can create records in', async () => {
  await lab.value('project.project/create', { vals_list: [{ name: 'Moon' }] });
  await lab.value('svc.contact.book/create', { vals_list: [{ name: 'Readers' }] });
  const [model_id] = await lab.value('ir.model/search', { domain: [['model', '=', 'crm.lead']] });
  const kind = { model_id, name: 'x_kind', ttype: 'selection', selection: "[('a','A')]", state: 'manual' };
  const [field_id] = await lab.value('ir.model.fields/create', { vals_list: [kind] });
  const givenValues: Record<string, object> = { ...GIVEN_VALUES, 'ir.model.fields.selection': { field_id } };
  const names: string[] = (await lab.value('ir.model/search_read', { domain: [], fields: ['model'] })).map(
    ({ model }: { model: string }) => model,
  );
  const problems: string[] = [];
  let createdCount = 0;
  for (const model of names) {
    const may = await lab.json2(`${model}/has_access`, { ids: [], operation: 'create' });
    if (may.text !== 'true') continue;
    const infos: Record<string, Info> = await lab.value(`${model}/fields_get`, {});
    const defaults = await lab.value(`${model}/default_get`, { fields: Object.keys(infos) });
    const values = { ...(await buildRequired(model, infos)), ...defaults, ...givenValues[model] };
    const answer = await lab.json2(`${model}/create`, { vals_list: [values] });
    if (answer.status === 200) createdCount++;
    else problems.push(`${model}: ${answer.json().message} ${JSON.stringify(values)}`);
  }
  expect(problems).toEqual([]);
  expect(createdCount).toBeGreaterThan(40);
});

async function buildRequired(model: string, infos: Record<string, Info>): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [name, info] of Object.entries(infos))
    if (info.required && !info.readonly) values[name] = await pickValue(model, name, info);
  return values;
}

async function pickValue(model: string, name: string, info: Info): Promise<unknown> {
  if (info.relation) return (await lab.value(`${info.relation}/search`, { domain: [], limit: 1 }))[0];
  if (info.selection) return info.selection[0]?.[0];
  if (info.type === 'char' || info.type === 'text') return `${model}.${name}`;
  return info.type === 'datetime' || info.type === 'date' ? '2026-02-01' : 1;
}
