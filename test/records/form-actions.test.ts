import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { createScene, type Person } from '../rights/scene.ts';

const app = setUpApp();
const scene = createScene(app);
let seller: Person;
let reader: Person;

beforeAll(async () => {
  seller = await scene.addPerson('seller', [await scene.groupId('sales_team.group_sale_salesman')]);
  const readers = await scene.addGroup('Order readers');
  await scene.grant('sale.order', readers, 'r');
  reader = await scene.addPerson('reader', [readers]);
});

const DESCRIPTION = `query ($model: String!, $lang: String) { modelDescribe(model: $model, lang: $lang) {
  fields { name readonly conditions { field values } }
  operations { field action { label primary question arguments { name label relation } conditions { field values } } } } }`;

async function describeModel(person: Person, model: string, lang?: string) {
  const data = await queryData(app, DESCRIPTION, { key: person.key, variables: { model, lang } });
  return data.modelDescribe;
}

async function loadActions(person: Person, model: string, lang?: string) {
  const { operations } = await describeModel(person, model, lang);
  const entries = operations.map(({ field, action }: { field: string; action: unknown }) => [field, action]);
  return Object.fromEntries(entries.filter(([, action]: [string, unknown]) => action !== null));
}

describe("a model's description", () => {
  test('lists the operations that forms offer, with their conditions', async () => {
    const actions = await loadActions(seller, 'sale.order');
    expect(actions.saleOrderConfirm).toEqual({
      label: 'Confirm',
      primary: true,
      question: null,
      arguments: [],
      conditions: [{ field: 'state', values: ['draft', 'sent'] }],
    });
    expect(actions.saleOrderCancel.conditions).toEqual([
      { field: 'state', values: ['draft', 'sent', 'sale'] },
      { field: 'locked', values: ['false'] },
    ]);
    expect(actions.saleOrderUpdatePrices.question).toContain('all discounts are removed');
    expect(actions.saleOrderSend).toBeUndefined();
  });

  test('has labels and questions in the requested language', async () => {
    const actions = await loadActions(seller, 'sale.order', 'de');
    expect(actions.saleOrderConfirm.label).toBe('Bestätigen');
    expect(actions.saleOrderUpdatePrices.question).toContain('Preisliste');
  });

  test('lists the arguments that a form asks for', async () => {
    const { crmLeadMarkLost } = await loadActions(seller, 'crm.lead', 'de');
    expect(crmLeadMarkLost.arguments).toEqual([
      { name: 'lostReasonId', label: 'Verlustgrund', relation: 'crm.lost.reason' },
      { name: 'closingNote', label: 'Abschlussnotiz', relation: null },
    ]);
  });

  test('omits actions that the caller may not run', async () => {
    expect(Object.keys(await loadActions(seller, 'sale.order'))).toContain('saleOrderConfirm');
    expect(await loadActions(reader, 'sale.order')).toEqual({});
  });

  test('marks fields that only operations set as read-only', async () => {
    const { fields } = await describeModel(seller, 'sale.order');
    const names = fields.filter((field: { readonly: boolean }) => field.readonly);
    expect(names.map((field: { name: string }) => field.name)).toEqual(
      expect.arrayContaining(['state', 'locked', 'amount_total']),
    );
  });

  test('returns the conditions of fields that only some records have', async () => {
    const { fields } = await describeModel(seller, 'calendar.event');
    const getConditions = (name: string) =>
      fields.find((field: { name: string }) => field.name === name).conditions;
    expect(getConditions('name')).toEqual([]);
    expect(getConditions('until')).toEqual([
      { field: 'recurrency', values: ['true'] },
      { field: 'end_type', values: ['end_date'] },
    ]);
    expect(getConditions('mon')).toEqual([
      { field: 'recurrency', values: ['true'] },
      { field: 'rrule_type', values: ['weekly'] },
    ]);
  });
});
