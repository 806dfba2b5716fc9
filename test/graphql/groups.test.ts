import { beforeAll, describe, expect, it, test } from 'vitest';
import { MAX_LISTED_GROUPS } from '../../schema/graph/plan/groups.ts';
import { MAX_GROUPINGS } from '../../src/engine/read/group.ts';
import { setUpApp } from '../harness/app.ts';
import { type GraphqlResponse, postGraphql, queryData } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { createScene } from '../rights/scene.ts';
import { createSeededRandom } from '../rpc/seeded.ts';

const app = setUpApp();
const calls = createJsonClient(app);

interface Deal {
  id: number;
  type: string;
  priority: string | false;
  expected_revenue: number;
  stage_id: [number, string] | false;
  date_deadline: string | false;
  create_date: string;
  tag_ids: number[];
}

let deals: Deal[];

beforeAll(async () => {
  const random = createSeededRandom(20_261_123);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const stages: number[] = await calls.value('crm.stage/search', { domain: [] });
  const tags = [await calls.create('crm.tag', { name: 'g1' }), await calls.create('crm.tag', { name: 'g2' })];
  const vals_list = Array.from({ length: 120 }, (_, i) => ({
    name: `Deal ${i}`,
    type: pick(['lead', 'opportunity']),
    priority: pick([false, '0', '1', '2']),
    expected_revenue: pick([0, 10, 12.5, 1000]),
    stage_id: pick(stages),
    date_deadline: pick([false, '2025-12-31', '2026-01-01', '2026-01-31', '2026-02-01', '2027-01-15']),
    tag_ids: [[6, 0, tags.filter(() => random() < 0.4)]],
  }));
  await calls.value('crm.lead/create', { vals_list });
  deals = await calls.value('crm.lead/search_read', {
    domain: [],
    fields: ['type', 'priority', 'expected_revenue', 'stage_id', 'date_deadline', 'create_date', 'tag_ids'],
  });
});

const run = (query: string, variables?: object, key = app.main.admin.key): Promise<GraphqlResponse> =>
  postGraphql(app, query, { key, variables });

const queryGroups = async (query: string, variables?: object): Promise<ReturnType<typeof JSON.parse>[]> =>
  (await queryData(app, query, { variables })).crmLeadGroups;

function groupByKey(keyFieldOf: (deal: Deal) => unknown): Map<string, Deal[]> {
  const map = new Map<string, Deal[]>();
  for (const deal of deals) {
    const key = JSON.stringify(keyFieldOf(deal));
    map.set(key, [...(map.get(key) ?? []), deal]);
  }
  return map;
}

const sum = (list: Deal[]): number => list.reduce((total, deal) => total + deal.expected_revenue, 0);

describe('aggregated groups', () => {
  it('by a relation and an enum return typed keys, counts and aggregates', async () => {
    const groups = await queryGroups(
      `{ crmLeadGroups(groupBy: [{ field: STAGE }, { field: TYPE }])
        { key { stage { id name } stageId type priority } count expectedRevenue { sum avg min max } } }`,
    );
    const expectedGroups = groupByKey(({ stage_id, type }) => [
      stage_id && String(stage_id[0]),
      type.toUpperCase(),
    ]);
    expect(groups).toHaveLength(expectedGroups.size);
    for (const { key, count, expectedRevenue } of groups) {
      const list = expectedGroups.get(JSON.stringify([key.stageId, key.type]))!;
      expect(key).toMatchObject({
        stage: { id: key.stageId, name: (list[0]!.stage_id as [number, string])[1] },
        priority: null,
      });
      expect(count).toBe(list.length);
      const values = list.map((deal) => deal.expected_revenue);
      expect(expectedRevenue).toEqual({
        sum: sum(list),
        avg: expect.closeTo(sum(list) / list.length, 9),
        min: Math.min(...values),
        max: Math.max(...values),
      });
    }
  });

  it('by a nullable enum include a group without a value', async () => {
    const groups = await queryGroups(
      '{ crmLeadGroups(groupBy: [{ field: PRIORITY }]) { key { priority } count domain } }',
    );
    const names = ['LOW', 'MEDIUM', 'HIGH', 'VERY_HIGH'];
    const expectedGroups = groupByKey(({ priority }) =>
      priority === false ? null : names[Number(priority)]!,
    );
    expect(Object.fromEntries(groups.map(({ key, count }) => [JSON.stringify(key.priority), count]))).toEqual(
      Object.fromEntries([...expectedGroups].map(([key, list]) => [key, list.length])),
    );
    expect(groups.find(({ key }) => key.priority === null)!.domain).toEqual([['priority', '=', false]]);
  });

  it.each([
    ['MONTH', 7],
    ['YEAR', 4],
    ['DAY', 10],
  ])('by %s return the start and end of each period', async (by, digits) => {
    const groups = await queryGroups(
      `{ crmLeadGroups(groupBy: [{ field: DATE_DEADLINE, by: ${by} }]) { key { dateDeadline { from to label number } } count domain } }`,
    );
    const expectedGroups = groupByKey(({ date_deadline: date }) =>
      date === false ? null : date.slice(0, digits),
    );
    expect(groups).toHaveLength(expectedGroups.size);
    for (const { key, count } of groups) {
      const period = key.dateDeadline;
      expect(count).toBe(expectedGroups.get(JSON.stringify(period?.from.slice(0, digits) ?? null))!.length);
      if (!period) continue;
      expect(period).toMatchObject({ label: expect.stringContaining(period.from.slice(0, 4)), number: null });
      expect(Date.parse(period.to)).toBeGreaterThan(Date.parse(period.from));
    }
  });

  it('by a date part return numbers, even in combination with another part of the same date', async () => {
    const groups = await queryGroups(
      `{ crmLeadGroups(groupBy: [{ field: DATE_DEADLINE, by: YEAR }, { field: DATE_DEADLINE, by: MONTH_NUMBER }])
        { key { year: dateDeadline(by: YEAR) { from } month: dateDeadline(by: MONTH_NUMBER) { number from label } none: dateDeadline(by: DAY) { from } } count } }`,
    );
    const expectedGroups = groupByKey(({ date_deadline: date }) =>
      date === false ? null : [date.slice(0, 4), Number(date.slice(5, 7))],
    );
    expect(groups).toHaveLength(expectedGroups.size);
    for (const { key, count } of groups) {
      expect(key.none).toBeNull();
      const period = key.year && [key.year.from.slice(0, 4), key.month.number];
      expect(count).toBe(expectedGroups.get(JSON.stringify(period))!.length);
    }
  });

  it('by a timestamp return timestamps', async () => {
    const [group] = await queryGroups(
      '{ crmLeadGroups(groupBy: [{ field: CREATED_AT, by: YEAR }]) { key { createdAt { from to } } createdAt { min max } dateDeadline { min max } } }',
    );
    const year = deals[0]!.create_date.slice(0, 4);
    expect(group.key.createdAt).toEqual({
      from: `${year}-01-01T00:00:00.000Z`,
      to: `${Number(year) + 1}-01-01T00:00:00.000Z`,
    });
    expect(group.createdAt.min).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
    expect(group.dateDeadline).toEqual({ min: '2025-12-31', max: '2027-01-15' });
  });

  it('by a many2many count a record once per link', async () => {
    const groups = await queryGroups(
      '{ crmLeadGroups(groupBy: [{ field: TAGS }]) { key { tags { id name } } count } }',
    );
    const expectedGroups = new Map<string, number>();
    for (const { tag_ids } of deals)
      for (const id of tag_ids.length ? tag_ids : [null])
        expectedGroups.set(String(id), (expectedGroups.get(String(id)) ?? 0) + 1);
    expect(Object.fromEntries(groups.map(({ key, count }) => [String(key.tags?.id ?? null), count]))).toEqual(
      Object.fromEntries(expectedGroups),
    );
  });

  it('without a grouping field are a single group, even without records', async () => {
    const buildDocument = (where: string) =>
      `{ crmLeadGroups${where} { count expectedRevenue { sum avg } } }`;
    expect(await queryGroups(buildDocument(''))).toEqual([
      {
        count: deals.length,
        expectedRevenue: { sum: sum(deals), avg: expect.closeTo(sum(deals) / deals.length, 9) },
      },
    ]);
    expect(await queryGroups(buildDocument('(where: { name: { eq: "No such deal" } })'))).toEqual([
      { count: 0, expectedRevenue: { sum: 0, avg: null } },
    ]);
  });

  it('support where, domain, sorting, filters and pagination', async () => {
    const groups = await queryGroups(
      `{ crmLeadGroups(groupBy: [{ field: STAGE }], where: { type: { eq: LEAD } }, domain: [["priority", "!=", false]],
        orderBy: [{ aggregate: COUNT, direction: DESC }, { field: STAGE }]) { key { stageId } count } }`,
    );
    const selectedDeals = deals.filter(({ type, priority }) => type === 'lead' && priority !== false);
    const counts = selectedDeals.reduce((map, { stage_id }) => {
      const key = String((stage_id as [number, string])[0]);
      return map.set(key, (map.get(key) ?? 0) + 1);
    }, new Map<string, number>());
    expect(new Map(groups.map(({ key, count }) => [key.stageId, count]))).toEqual(counts);
    expect(groups.map(({ count }) => count)).toEqual([...counts.values()].sort((a, b) => b - a));
    const page = await queryGroups(
      `{ crmLeadGroups(groupBy: [{ field: STAGE }], orderBy: [{ field: EXPECTED_REVENUE, aggregate: SUM }], first: 2, offset: 1) { expectedRevenue { sum } } }`,
    );
    const sums = [...groupByKey(({ stage_id }) => stage_id).values()].map(sum).sort((a, b) => a - b);
    expect(page.map(({ expectedRevenue }) => expectedRevenue.sum)).toEqual(sums.slice(1, 3));
    const smallest = sums.at(-2)!;
    const having = await queryGroups(
      `{ crmLeadGroups(groupBy: [{ field: STAGE }], having: [{ field: EXPECTED_REVENUE, aggregate: SUM, value: { gte: ${smallest} } }, { aggregate: COUNT, value: { between: [1, 1000] } }]) { count } }`,
    );
    expect(having).toHaveLength(sums.filter((sum) => sum >= smallest).length);
    expect(await queryGroups('{ crmLeadGroups(groupBy: [{ field: STAGE }], first: 0) { count } }')).toEqual(
      [],
    );
  });

  test("return a domain that matches the group's `records`", async () => {
    const document = `query ($by: [CrmLeadGroupBy!]!) { crmLeadGroups(groupBy: $by, where: { type: { eq: OPPORTUNITY } })
      { count domain records(orderBy: [{ field: ID }]) { totalCount nodes { id type } } } }`;
    for (const by of [
      [{ field: 'STAGE' }, { field: 'PRIORITY' }],
      [{ field: 'DATE_DEADLINE', by: 'QUARTER' }],
      [{ field: 'DATE_DEADLINE', by: 'DAY_OF_WEEK' }, { field: 'EXPECTED_REVENUE' }],
      [{ field: 'CREATED_AT', by: 'HOUR' }],
      [{ field: 'TAGS' }],
      [{ field: 'PARTNER' }],
      [],
    ]) {
      for (const { count, domain, records } of await queryGroups(document, { by })) {
        const place = JSON.stringify({ by, domain });
        expect(records.totalCount, place).toBe(count);
        expect(records.nodes, place).toHaveLength(count);
        expect(new Set(records.nodes.map(({ type }: { type: string }) => type)).size, place).toBe(1);
        expect(await calls.value('crm.lead/search_count', { domain }), place).toBe(count);
      }
    }
  });

  it('count archived records on request', async () => {
    const id = await calls.create('crm.lead', { name: 'Gone', active: false });
    const buildDocument = (extra: string) =>
      `{ crmLeadGroups(where: { name: { eq: "Gone" } } ${extra}) { count records { nodes { name } } } }`;
    expect(await queryGroups(buildDocument(''))).toEqual([{ count: 0, records: { nodes: [] } }]);
    expect(await queryGroups(buildDocument('withArchived: true'))).toEqual([
      { count: 1, records: { nodes: [{ name: 'Gone' }] } },
    ]);
    await calls.value('crm.lead/unlink', { ids: [id] });
  });
});

describe('invalid group requests', () => {
  const rejections: [string, string][] = [
    ['groupBy: [{ field: CREATED_AT }]', 'BAD_REQUEST'],
    ['groupBy: [{ field: STAGE, by: MONTH }]', 'BAD_REQUEST'],
    ['groupBy: [{ field: STAGE }], orderBy: [{ field: TYPE }]', 'USER_ERROR'],
    ['groupBy: [{ field: STAGE }], orderBy: [{ direction: ASC }]', 'BAD_REQUEST'],
    ['groupBy: [{ field: STAGE }], orderBy: [{ aggregate: SUM }]', 'BAD_REQUEST'],
    ['groupBy: [{ field: STAGE }], orderBy: [{ aggregate: SUM, field: NAME }]', 'BAD_VALUE'],
    ['having: [{ aggregate: COUNT, value: { eq: null } }]', 'BAD_REQUEST'],
    ['having: [{ aggregate: COUNT, value: { between: [1] } }]', 'BAD_REQUEST'],
    ['having: [{ aggregate: COUNT, field: STAGE, value: { gt: 1 } }]', 'BAD_REQUEST'],
    ['first: 501', 'BAD_REQUEST'],
    ['first: -1', 'BAD_REQUEST'],
    ['offset: -1', 'BAD_REQUEST'],
    ['domain: "all"', 'BAD_VALUE'],
    ['groupBy: [{ field: LEAD_PROPERTIES }]', 'GRAPHQL_VALIDATION_FAILED'],
    ['groupBy: [{ field: MESSAGES }]', 'GRAPHQL_VALIDATION_FAILED'],
  ];
  it.each(rejections)('are rejected: %s: %s', async (args, code) => {
    const { errors } = await run(`{ crmLeadGroups(${args}) { count } }`);
    expect(errors.map((error) => error.extensions.code)).toEqual([code]);
  });

  it('are rejected if they group by too many fields, or read the records of too many groups', async () => {
    const by = Array.from({ length: MAX_GROUPINGS + 1 }, () => ({ field: 'STAGE' }));
    const query = 'query ($by: [CrmLeadGroupBy!]!) { crmLeadGroups(groupBy: $by) { count } }';
    expect((await run(query, { by })).errors[0]!.extensions.code).toBe('BAD_VALUE');
    const all = '{ crmLeadGroups(groupBy: [{ field: ID }], first: 500) { records { totalCount } } }';
    expect((await run(all)).errors[0]!.message).toContain(String(MAX_LISTED_GROUPS));
  });

  // Vitest fails the run after an unhandled rejection.
  it('leave no rejection unhandled if a group reaches the limit after its first list', async () => {
    const lists = ['a', 'b', 'c'].map((alias) => `${alias}: records(first: 1) { totalCount }`);
    const query = `{ crmLeadGroups(groupBy: [{ field: ID }], first: 40) { ${lists} } }`;
    expect((await run(query)).errors[0]!.message).toContain(String(MAX_LISTED_GROUPS));
  });
});

it('groups times by periods and numbers in the time zone of the user', async () => {
  const { id, key } = app.main.user;
  await calls.value('res.users/write', { ids: [id], vals: { tz: 'Pacific/Kiritimati' } });
  for (const [name, start] of [
    ['early', '2026-01-31 09:30:00'],
    ['late', '2026-01-31 10:30:00'],
  ])
    await calls.create('calendar.event', { name, start, duration: 1 });
  for (const [by, keys] of [
    ['DAY', ['2026-01-30T10:00:00.000Z', '2026-01-31T10:00:00.000Z']],
    ['MONTH', ['2025-12-31T10:00:00.000Z', '2026-01-31T10:00:00.000Z']],
    ['DAY_OF_MONTH', [31, 1]],
    ['HOUR_NUMBER', [23, 0]],
  ] as const) {
    const query = `{ calendarEventGroups(groupBy: [{ field: START, by: ${by} }]) {
      key { start { from number } } domain records(first: 2) { nodes { name } } } }`;
    const groups: ReturnType<typeof JSON.parse>[] = (await run(query, {}, key)).data.calendarEventGroups;
    const found = groups.map(({ key: { start }, records }) => [
      start.number ?? start.from,
      records.nodes.map((event: { name: string }) => event.name),
    ]);
    expect(Object.fromEntries(found)).toEqual({ [keys[0]]: ['early'], [keys[1]]: ['late'] });
    const listQuery = 'query ($domain: JSON) { calendarEvents(domain: $domain) { totalCount } }';
    for (const { domain } of groups)
      expect((await run(listQuery, { domain }, key)).data.calendarEvents.totalCount).toBe(1);
  }
});

describe('access rights', () => {
  it('apply record rules to counts, sums and key names', async () => {
    const scene = createScene(app);
    const group = await scene.addGroup('Of leads alone');
    await scene.grant('crm.lead', group, 'r');
    await scene.create('ir.rule', {
      name: 'leads',
      model_id: await scene.modelId('crm.lead'),
      groups: [[6, 0, [group]]],
      domain_force: "[('type', '=', 'lead')]",
      perm_read: true,
    });
    const person = await scene.addPerson('groups-reader', [group]);
    const { data, errors } = await run(
      '{ crmLeadGroups(groupBy: [{ field: TYPE }]) { key { type } count expectedRevenue { sum } records { totalCount } } }',
      {},
      person.key,
    );
    expect(errors).toEqual([]);
    const leads = deals.filter(({ type }) => type === 'lead');
    expect(data.crmLeadGroups).toEqual([
      {
        key: { type: 'LEAD' },
        count: leads.length,
        expectedRevenue: { sum: sum(leads) },
        records: { totalCount: leads.length },
      },
    ]);
  });

  it('deny grouping, aggregating, sorting and filtering by a field restricted to other user groups', async () => {
    const scene = createScene(app);
    const group = await scene.addGroup('Outside readers');
    await scene.grant('product.template', group, 'r');
    const portal = await scene.groupId('base.group_portal');
    const inside = await scene.addPerson('groups-inside', [group]);
    const outside = await scene.addPerson('groups-outside', [], { group_ids: [[6, 0, [portal, group]]] });
    const documents = [
      '{ productTemplateGroups(groupBy: [{ field: STANDARD_PRICE }]) { count } }',
      '{ productTemplateGroups { standardPrice { sum } } }',
      '{ productTemplateGroups(groupBy: [{ field: TYPE }], orderBy: [{ field: STANDARD_PRICE, aggregate: MAX }]) { count } }',
      '{ productTemplateGroups(having: [{ field: STANDARD_PRICE, aggregate: SUM, value: { gte: 0 } }]) { count } }',
      '{ productTemplateGroups(where: { standardPrice: { gt: 3 } }) { count } }',
    ];
    for (const document of documents) {
      expect((await run(document, {}, inside.key)).errors, document).toEqual([]);
      const { errors } = await run(document, {}, outside.key);
      expect(
        errors.map((error) => error.extensions.code),
        document,
      ).toEqual(['ACCESS_ERROR']);
    }
    const open =
      '{ productTemplateGroups(groupBy: [{ field: TYPE }]) { key { type } count listPrice { max } } }';
    expect((await run(open, {}, outside.key)).errors).toEqual([]);
  });

  it('deny groups of a model that the caller may not read', async () => {
    const { errors } = await run('{ crmLeadGroups { count } }', {}, app.main.user.key);
    expect(errors.map((error) => error.extensions.code)).toEqual(['ACCESS_ERROR']);
  });

  it("exclude other workspaces' groups", async () => {
    const otherTenant = await app.tenant('elsewhere');
    const { data } = await run('{ crmLeadGroups { count } }', {}, otherTenant.admin.key);
    expect(data.crmLeadGroups).toEqual([{ count: 0 }]);
  });
});

test.each(['NAME', 'CREATED_AT', 'DATE_DEADLINE', 'STAGE'])(
  'rejects the minimum and maximum of %s in HAVING unless the field is a number',
  async (field) => {
    for (const aggregate of ['MIN', 'MAX']) {
      const { data, errors } = await run(
        `{ crmLeadGroups(having: [{ field: ${field}, aggregate: ${aggregate}, value: { gt: 1 } }]) { count } }`,
      );
      expect(data?.crmLeadGroups ?? errors[0]!.extensions.code).toEqual(
        field === 'STAGE' ? expect.anything() : 'BAD_VALUE',
      );
    }
  },
);
