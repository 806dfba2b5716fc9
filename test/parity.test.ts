import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { create } from '../src/engine/write/write.ts';
import { post, setUpApp } from './harness/app.ts';
import { json2 } from './harness/facades/json2.ts';
import { buildRequest, postMcp as sendMcp } from './harness/facades/mcp.ts';
import { postXml } from './harness/facades/xmlrpc.ts';

const app = setUpApp();
beforeAll(async () => {
  const { ctx } = app.main;
  await ctx.db.rows(
    sql`update workspace set features = features || '{mcp}'::text[] where id = ${ctx.workspace.id}`,
  );
  app.runtime.identity.invalidate();
  const [other] = await create(ctx, 'res.company', [{ name: 'Second company' }]);
  const ownCompanyId = await ctx.db.value<number>(
    sql`select id from res_company where workspace_id = ${ctx.workspace.id} order by id limit 1`,
  );
  const people = Array.from({ length: 30 }, (_, i) => ({
    name: `Person ${String(i).padStart(2, '0')}`,
    company_id: [ownCompanyId, other!, false][i % 3],
    is_company: i % 5 === 0,
    color: i,
    city: i % 2 ? 'Ghent' : false,
    active: i % 7 !== 0,
  }));
  const ids = await create(ctx, 'res.partner', people);
  await create(ctx, 'res.partner', [
    { name: 'Child of a hidden one', parent_id: ids[1]! },
    { name: 'Child of a shown one', parent_id: ids[2]! },
  ]);
});

interface ParityQuery {
  domain: unknown[];
  order: string;
  limit?: number;
  offset?: number;
}

const FACADE_SEARCHES: Record<
  string,
  (search: ParityQuery, user: { id: number; key: string }) => Promise<number[]>
> = {
  'POST /graphql': async (search, { key }) => {
    const query = `query ($domain: JSON!, $order: String, $limit: Int, $offset: Int) {
      recordSearch(model: "res.partner", domain: $domain, order: $order, limit: $limit, offset: $offset)
    }`;
    const response = (await post(`${app.url}/graphql`, { query, variables: search }, key)).json();
    expect(response.errors).toBeUndefined();
    return response.data.recordSearch.map(Number);
  },
  'the typed graph': async (search, { key }) => {
    const query = `query ($domain: JSON, $orderBy: [PartnerOrder!], $limit: Int, $offset: Int) {
      partners(domain: $domain, orderBy: $orderBy, first: $limit, offset: $offset) { nodes { id } }
    }`;
    const orderBy = search.order?.split(', ').map((term) => {
      const [field, direction = 'asc'] = term.toUpperCase().split(' ') as [string, string?];
      return { field, direction: direction.toUpperCase() };
    });
    const variables = { ...search, orderBy, limit: search.limit ?? 500 };
    const response = (await post(`${app.url}/graphql`, { query, variables }, key)).json();
    return response.data.partners.nodes.map((row: { id: string }) => Number(row.id));
  },
  'POST /json/2': async (search, { key }) => (await json2(app, 'res.partner/search', search, key)).json(),
  'XML-RPC': async ({ domain, ...options }, { id, key }) =>
    (
      await postXml(`${app.url}/xmlrpc/2/object`, 'execute_kw', [
        'main',
        id,
        key,
        'res.partner',
        'search',
        [domain],
        options,
      ])
    ).value as number[],
  'JSON-RPC': async ({ domain, ...options }, { id, key }) => {
    const args = ['main', id, key, 'res.partner', 'search', [domain], options];
    return (
      await post(`${app.url}/jsonrpc`, { params: { service: 'object', method: 'execute_kw', args } })
    ).json().result;
  },
  'the tool search of MCP': async (search, { key }) => {
    const params = {
      name: 'search',
      arguments: { model: 'res.partner', fields: ['id'], ...search, limit: search.limit ?? 500 },
    };
    const answer = await sendMcp(app, buildRequest('tools/call', params), key);
    const { result } = answer.json();
    expect(result.isError, answer.text).toBe(false);
    return result.structuredContent.records.map((row: { id: number }) => row.id);
  },
};

const QUESTIONS: [string, ParityQuery, number | null][] = [
  ['everything', { domain: [], order: 'id' }, null],
  ['a page of records', { domain: [], order: 'name desc', limit: 5, offset: 3 }, 5],
  ['hidden records by company', { domain: [['company_id.name', '=', 'Second company']], order: 'id' }, 0],
  ['hidden records by company id', { domain: [['company_id', '!=', false]], order: 'id' }, null],
  [
    'conditions combined with OR',
    { domain: ['|', ['is_company', '=', true], ['city', 'ilike', 'gh']], order: 'color desc' },
    null,
  ],
  ['archived records', { domain: [['active', '=', false]], order: 'id' }, null],
  ['through a hidden parent', { domain: [['parent_id.name', 'ilike', 'person']], order: 'id' }, 1],
  ['unset values', { domain: ['!', ['city', '=', 'Ghent']], order: 'complete_name, id' }, null],
];

describe('search results in all facades under a record rule', () => {
  test.each(QUESTIONS)('are equal: %s', async (_what, search, expected) => {
    const responses = await Promise.all(
      Object.entries(FACADE_SEARCHES).map(async ([facade, run]) => [
        facade,
        await run(search, app.main.user),
      ]),
    );
    const first = responses[0]![1] as number[];
    expect(Object.fromEntries(responses)).toEqual(
      Object.fromEntries(responses.map(([facade]) => [facade, first])),
    );
    if (expected !== null) expect(first).toHaveLength(expected);
  });

  test('exclude records of another company', async () => {
    const search: ParityQuery = {
      domain: [
        ['name', '=like', 'Person %'],
        ['active', 'in', [true, false]],
      ],
      order: 'id',
    };
    for (const [facade, run] of Object.entries(FACADE_SEARCHES))
      expect(await run(search, app.main.user), facade).toHaveLength(20);
  });
});
