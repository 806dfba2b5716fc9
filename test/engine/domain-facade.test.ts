import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { buildDomainArbitrary } from './domain-garbage.ts';

const app = setUpApp();

const searchModel = (model: string, domain: unknown, key = app.main.user.key) =>
  json2(app, `${model}/search`, { domain, limit: 3 }, key);

test('returns a result or an error for random domains on every model over the JSON API', {
  tags: 'slow',
  timeout: 600_000,
}, async () => {
  const { registry } = app.main.ctx.catalog;
  for (const model of registry.keys()) {
    const property = fc.asyncProperty(buildDomainArbitrary(registry, model), async (domain) => {
      const answer = await searchModel(model, domain, app.main.admin.key);
      expect([200, 403, 422], `${model}: ${answer.text}`).toContain(answer.status);
    });
    await fc.assert(property, { numRuns: model === 'res.partner' ? 300 : 30 });
  }
});

test('reports an invalid condition as a client error with its position', async () => {
  for (const [leaf, words] of [
    [
      ['nope', '=', 1],
      ['res.partner.nope', '"nope"'],
    ],
    [
      ['name', 'has', 'x'],
      ['operator', '"has"'],
    ],
    [
      ['country_id', '=', true],
      ['country_id', 'true'],
    ],
    [
      ['create_date', '>', 'x'],
      ['date', 'create_date'],
    ],
  ] as const) {
    const answer = await searchModel('res.partner', [leaf]);
    expect(answer.status).toBe(422);
    for (const word of words) expect(answer.json().message).toContain(word);
  }
});

test('accepts strings as numbers in conditions on lists of numbers', async () => {
  const answer = await searchModel('svc.webhook', [['domain_ids', 'in', ['1', 'x']]], app.main.admin.key);
  expect(answer.status, answer.text).toBe(200);
});
