import { expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';

const app = setUpApp();
const admin = createJsonClient(app);

test('every model returns display names and supports searching by them', async () => {
  const models = await admin.value('ir.model/search_read', { domain: [], fields: ['model'] });
  expect(models.length).toBeGreaterThan(50);
  for (const { model } of models) {
    const rows = await admin.value(`${model}/search_read`, {
      domain: [],
      fields: ['display_name'],
      limit: 3,
    });
    for (const row of rows) expect(row.display_name, model).toBeTypeOf('string');
    expect(await admin.value(`${model}/name_search`, { name: 'no such name at all' }), model).toEqual([]);
  }
});

test("a currency rate's display name is its date", async () => {
  const [currency_id] = await admin.value('res.currency/search', { domain: [], limit: 1 });
  const id = await admin.create('res.currency.rate', { currency_id, name: '2026-03-01', rate: 2 });
  const [rate] = await admin.value('res.currency.rate/read', { ids: [id], fields: ['display_name'] });
  expect(rate.display_name).toBe('2026-03-01');
  expect(await admin.value('res.currency.rate/name_search', { name: '2026-03-01', operator: '=' })).toEqual([
    [id, '2026-03-01'],
  ]);
  const query = '{ resCurrencyRates { nodes { displayName } } }';
  const { data } = await postGraphql(app, query, { key: app.main.admin.key });
  expect(data.resCurrencyRates.nodes).toContainEqual({ displayName: '2026-03-01' });
});

test('an empty name matches every record, and a negated empty name matches none', async () => {
  const all = await admin.value('res.country/search_count', { domain: [] });
  for (const [operator, expected] of [
    ['ilike', all],
    ['like', all],
    ['not ilike', 0],
    ['not like', 0],
  ] as [string, number][]) {
    const namePairs = await admin.value('res.country/name_search', { name: '', operator, limit: 0 });
    expect([operator, namePairs.length]).toEqual([operator, expected]);
    const domain = [['display_name', operator, '']];
    expect([operator, await admin.value('res.country/search_count', { domain })]).toEqual([
      operator,
      expected,
    ]);
  }
});
