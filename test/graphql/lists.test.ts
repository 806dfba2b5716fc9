import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { computeDurationStart } from '../../schema/graph/read/duration.ts';
import { create, unlink, write } from '../../src/engine/write/write.ts';
import { setUpApp } from '../harness/app.ts';
import { freezeClockAtNoon } from '../harness/clock.ts';
import { postGraphql, queryData } from '../harness/facades/graphql.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';
import { createSeededRandom } from '../rpc/seeded.ts';

// Compares connections with lists that JavaScript builds from the same records.

interface Lead {
  id: string;
  name: string;
  city: string | null;
  type: 'LEAD' | 'OPPORTUNITY';
  expectedRevenue: number;
  dateDeadline: string | null;
  stage: { id: string; name: string } | null;
  tags: string[];
  active: boolean;
}

const app = setUpApp();
let leads: Lead[];
let stages: { id: string; name: string }[];

const CITIES = [null, 'Brussels', 'berlin', 'Berlin', '100% Oslo', 'a_b', 'Ärhus'];
const TAGS = ['red', 'green', 'blue'];

beforeAll(async () => {
  const { ctx } = app.main;
  const stageIds = await create(ctx, 'crm.stage', [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }]);
  const tagIds = await create(
    ctx,
    'crm.tag',
    TAGS.map((name) => ({ name })),
  );
  stages = stageIds.map((id, index) => ({ id: String(id), name: ['One', 'Two', 'Three'][index]! }));
  const values = Array.from({ length: 60 }, (_, i) => ({
    name: `Lead ${String(i % 37).padStart(2, '0')}`,
    city: CITIES[i % CITIES.length] ?? null,
    type: i % 3 ? 'opportunity' : 'lead',
    expected_revenue: [0, 10, 2.5, 1000][i % 4],
    date_deadline: i % 5 ? `${i % 7 ? 2026 : 2096}-0${(i % 9) + 1}-1${i % 10}` : null,
    stage_id: stageIds[i % 3],
    tag_ids: [[6, 0, tagIds.filter((_, index) => (i >> index) & 1)]],
  }));
  const ids = await create(ctx, 'crm.lead', values);
  await write(ctx, 'crm.lead', ids.slice(50, 55), { active: false });
  leads = values.map((value, i) => ({
    id: String(ids[i]),
    name: value.name,
    city: value.city,
    type: value.type === 'lead' ? 'LEAD' : 'OPPORTUNITY',
    expectedRevenue: value.expected_revenue!,
    dateDeadline: value.date_deadline,
    stage: stages[i % 3]!,
    tags: TAGS.filter((_, index) => (i >> index) & 1),
    active: i < 50 || i >= 55,
  }));
});

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const nestParents = (levels: number, term: object): object =>
  levels === 0 ? term : { parent: nestParents(levels - 1, term) };

const buildTestFilter = () => ({ id: { in: leads.map((lead) => lead.id) } });

async function list(args: object, selection = 'nodes { id }', key = app.main.admin.key) {
  const query = `query ($where: CrmLeadWhere, $orderBy: [CrmLeadOrder!], $first: Int, $after: String, $last: Int,
    $before: String, $offset: Int, $domain: JSON, $withArchived: Boolean) {
    crmLeads(where: $where, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before,
      offset: $offset, domain: $domain, withArchived: $withArchived) { ${selection} } }`;
  const { data, errors } = await postGraphql(app, query, { key, variables: args });
  return { page: data?.crmLeads, errors };
}

const listIds = async (where: object, overrides: object = {}): Promise<string[]> => {
  const { page, errors } = await list({
    where: { and: [buildTestFilter(), where] },
    first: 500,
    ...overrides,
  });
  expect(errors).toEqual([]);
  return page.nodes.map((node: { id: string }) => node.id).sort();
};

const computeExpected = (is: (lead: Lead) => boolean): string[] =>
  leads
    .filter((lead) => lead.active && is(lead))
    .map((lead) => lead.id)
    .sort();

describe('list pages', () => {
  const ORDERS = [
    undefined,
    [{ field: 'NAME', direction: 'DESC' }],
    [{ field: 'CITY' }, { field: 'EXPECTED_REVENUE', direction: 'DESC' }],
    [{ field: 'CITY', direction: 'DESC', nulls: 'LAST' }],
    [{ field: 'DATE_DEADLINE', nulls: 'FIRST' }],
    [
      { field: 'STAGE', direction: 'DESC' },
      { field: 'ID', direction: 'DESC' },
    ],
    [{ field: 'TYPE' }],
    [{ stage: { field: 'NAME', direction: 'DESC' } }, { field: 'NAME' }],
    [{ team: { user: { field: 'LOGIN' } } }, { user: { field: 'ID', nulls: 'LAST' } }],
  ];
  const SHAPE = 'edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

  it.each(ORDERS.map((orderBy) => ({ orderBy })))(
    'return every record once in both directions, in the order $orderBy',
    async ({ orderBy }) => {
      const where = buildTestFilter();
      const { page: whole } = await list({ where, orderBy, first: 500 });
      const all = whole.nodes.map((node: { id: string }) => node.id);
      expect(new Set(all).size).toBe(55);
      for (const size of [1, 7, 54, 55, 56]) {
        const forwards: string[] = [];
        for (let after: string | null = null, hasMore = true; hasMore; ) {
          const { page, errors } = await list({ where, orderBy, first: size, after }, SHAPE);
          expect(errors).toEqual([]);
          expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
          expect(page.pageInfo.startCursor).toBe(page.edges[0].cursor);
          forwards.push(...page.edges.map((edge: { node: { id: string } }) => edge.node.id));
          after = page.pageInfo.endCursor;
          hasMore = page.pageInfo.hasNextPage;
        }
        expect(forwards).toEqual(all);
        if (size < 7) continue;
        const backwards: string[] = [];
        for (let before: string | null = null, hasMore = true; hasMore; ) {
          const { page, errors } = await list({ where, orderBy, last: size, before }, SHAPE);
          expect(errors).toEqual([]);
          expect(page.pageInfo.hasNextPage).toBe(before !== null);
          backwards.unshift(...page.edges.map((edge: { node: { id: string } }) => edge.node.id));
          before = page.pageInfo.startCursor;
          hasMore = page.pageInfo.hasPreviousPage;
        }
        expect(backwards).toEqual(all);
      }
      const { page } = await list({ where, orderBy, first: 5, offset: 12 });
      expect(page.nodes.map((node: { id: string }) => node.id)).toEqual(all.slice(12, 17));
    },
  );

  it('count all records on request, and read none if only the count is requested', async () => {
    expect((await list({ where: buildTestFilter() }, 'totalCount')).page).toEqual({ totalCount: 55 });
    expect(
      (await list({ where: buildTestFilter(), withArchived: true, first: 0 }, 'totalCount nodes { id }'))
        .page,
    ).toEqual({
      totalCount: 60,
      nodes: [],
    });
  });

  it.each([
    [{ first: -1 }, '`first` must be from 0'],
    [{ first: 501 }, '`first` must be from 0'],
    [{ last: 501 }, '`last` must be from 0'],
    [{ first: 1, last: 1 }, 'cannot be combined'],
    [{ after: 'x', before: 'y' }, 'cannot be combined'],
    [{ offset: -1 }, 'may not be negative'],
    [{ offset: 1, after: 'cjE' }, 'cannot be combined with a cursor'],
    [{ after: 'nonsense' }, '`after` is not a cursor'],
    [{ after: 'A'.repeat(60) }, '`after` is not a cursor'],
    [{ before: '' }, '`before` is not a cursor'],
    [{ domain: 'x' }, 'a domain must be a list'],
  ])('reject invalid arguments: %j', async (args, message) => {
    const { errors } = await list(args);
    expect(errors[0]!.message).toContain(message);
  });

  it('reject modified cursors and cursors of other lists, orders and workspaces', async () => {
    const orderBy = [{ field: 'CITY' }];
    const { page } = await list(
      { where: buildTestFilter(), orderBy, first: 9 },
      'pageInfo { startCursor endCursor }',
    );
    const { startCursor, endCursor: after } = page.pageInfo;
    expect((await list({ where: buildTestFilter(), orderBy, after })).errors).toEqual([]);
    // A backward page has the same order.
    expect((await list({ where: buildTestFilter(), orderBy, before: after })).page.nodes).toHaveLength(8);
    const foreign = 'belongs to another list, sort order, user or workspace';
    const others = [
      undefined,
      [{ field: 'NAME' }],
      [{ field: 'CITY', direction: 'DESC' }],
      [...orderBy, { field: 'ID' }],
    ];
    for (const other of others)
      expect((await list({ orderBy: other, after })).errors[0]!.message).toContain(`\`after\` ${foreign}`);
    const [stages] = (
      await postGraphql(app, `{ crmStages(before: "${after}") { nodes { id } } }`, {
        key: app.main.admin.key,
      })
    ).errors;
    expect(stages).toMatchObject({ message: expect.stringContaining(`\`before\` ${foreign}`) });
    const second = await app.tenant('cursors', 'apart');
    for (const key of [second.admin.key, app.main.user.key])
      expect((await list({ orderBy, after }, undefined, key)).errors[0]!.message).toContain(foreign);
    for (let start = 0; start < after.length; start += 7) {
      const changed = after.slice(0, start) + (after[start] === 'A' ? 'B' : 'A') + after.slice(start + 1);
      expect((await list({ orderBy, after: changed })).errors[0]!.message).toContain(
        '`after` is not a cursor',
      );
    }
    expect(Buffer.from(startCursor, 'base64url').toString('latin1')).not.toContain('Brussels');
  });

  it('are sorted by fields of related records', async () => {
    const { page } = await list(
      {
        where: buildTestFilter(),
        orderBy: [{ stage: { field: 'NAME', direction: 'DESC' } }, { field: 'NAME' }],
        first: 500,
      },
      'nodes { name stage { name } }',
    );
    const sorted = leads
      .filter(({ active }) => active)
      .map(({ name, stage }) => ({ name, stage: { name: stage!.name } }))
      .sort((a, b) => compareTexts(b.stage.name, a.stage.name) || compareTexts(a.name, b.name));
    expect(page.nodes).toEqual(sorted);
  });

  it('can be sorted by a field that seven relations lead to', async () => {
    const { errors } = await list({ orderBy: [{ partner: nestParents(6, { field: 'NAME' }) }] });
    expect(errors).toEqual([]);
  });

  it.each([
    [{}, 'exactly one'],
    [{ direction: 'DESC' }, 'exactly one'],
    [{ field: 'NAME', stage: { field: 'NAME' } }, 'exactly one'],
    [{ stage: { field: 'NAME' }, user: { field: 'LOGIN' } }, 'exactly one'],
    [{ stage: {} }, 'exactly one'],
    [{ stage: { field: 'NAME' }, direction: 'DESC' }, 'inside `stage`'],
    [{ partner: nestParents(7, { field: 'NAME' }) }, 'at most 7 relations'],
  ])('refuse the sort term %o', async (term, message) => {
    const { errors } = await list({ orderBy: [term] });
    expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_REQUEST' } });
    expect(errors[0]!.message).toContain(message);
  });

  describe('pages during concurrent writes', () => {
    const MOVING = [
      [{ field: 'UPDATED_AT' }, { field: 'ID' }],
      [{ field: 'NAME', direction: 'DESC' }],
      [
        { field: 'CITY', nulls: 'FIRST' },
        { field: 'EXPECTED_REVENUE', direction: 'DESC' },
      ],
      [{ field: 'CITY', direction: 'DESC', nulls: 'LAST' }],
      [{ field: 'DATE_DEADLINE' }, { field: 'TYPE', direction: 'DESC' }],
      [{ field: 'PARTNER', direction: 'DESC' }],
      [{ field: 'STAGE' }, { field: 'CITY', direction: 'DESC' }],
      [{ field: 'X_RANK', direction: 'DESC' }, { field: 'X_NOTE' }],
      [{ partner: { field: 'NAME', direction: 'DESC', nulls: 'LAST' } }, { stage: { field: 'NAME' } }],
    ];
    let calls: JsonClient;
    let tag: number;
    let partners: number[];

    beforeAll(async () => {
      calls = createJsonClient(app);
      const [model_id] = await calls.value('ir.model/search', { domain: [['model', '=', 'crm.lead']] });
      for (const [name, ttype] of Object.entries({ x_rank: 'float', x_note: 'char' }))
        await calls.create('ir.model.fields', { name, ttype, model_id, field_description: name });
      tag = await calls.create('crm.tag', { name: 'moving' });
      const names = ['b', 'a "\\u0000@"', 'ö', 'a,]'];
      partners = await calls.value('res.partner/create', { vals_list: names.map((name) => ({ name })) });
    });

    const buildValues = (random: () => number) => {
      const pickOne = <T>(from: T[]): T => from[Math.floor(random() * from.length)]!;
      return {
        name: pickOne(['x', 'y', '["\\u0000@"', 'z']),
        city: pickOne([null, ...CITIES]),
        expected_revenue: pickOne([0, 0.1, 2.5, 9_007_199.25]),
        date_deadline: pickOne([null, '2026-01-01', '2026-02-01']),
        type: pickOne(['lead', 'opportunity']),
        partner_id: pickOne([null, ...partners]),
        stage_id: Number(pickOne(stages).id),
        x_rank: pickOne([null, 0.1, 0.2, 1e21, -3]),
        x_note: pickOne([null, '', 'a', 'b']),
      };
    };

    it.each(
      MOVING.flatMap((orderBy) => [
        { orderBy, way: 'forwards' },
        { orderBy, way: 'backwards' },
      ]),
    )('contain every remaining record once, $way in the order $orderBy', async ({ orderBy, way }) => {
      await fc.assert(
        fc.asyncProperty(fc.integer(), (seed) => readWhileWriting(createSeededRandom(seed), orderBy, way)),
        { numRuns: 5 },
      );
    });

    async function readWhileWriting(random: () => number, orderBy: object[], way: string): Promise<void> {
      const createLeads = (count: number): Promise<number[]> => {
        const buildRow = () => ({ ...buildValues(random), tag_ids: [[6, 0, [tag]]] });
        return calls.value('crm.lead/create', { vals_list: Array.from({ length: count }, buildRow) });
      };
      let existingIds = await createLeads(14);
      const staying = new Set(existingIds.map(String));
      const names: string[] = [];
      for (let cursor: string | null = null, hasMore = true; hasMore && existingIds.length > 0; ) {
        const page = await nextPage({ random, orderBy, way }, cursor);
        names.push(...page.ids);
        ({ cursor, more: hasMore } = page);
        // Changes to the record at the cursor are the most likely to break pagination.
        const last = Number(page.ids.at(way === 'forwards' ? -1 : 0) ?? existingIds[0]);
        const touchedIds = [...new Set([last, existingIds[Math.floor(random() * existingIds.length)]!])];
        for (const id of touchedIds) staying.delete(String(id));
        if (random() < 0.5)
          await calls.value('crm.lead/write', { ids: touchedIds, vals: buildValues(random) });
        else {
          await calls.value('crm.lead/unlink', { ids: touchedIds });
          existingIds = existingIds.filter((id) => !touchedIds.includes(id));
        }
        if (random() < 0.3) existingIds.push(...(await createLeads(1)));
      }
      expect(names.filter((id) => staying.has(id)).toSorted()).toEqual([...staying].toSorted());
      await calls.value('crm.lead/unlink', { ids: existingIds });
    }

    /** Reads a page of three, through the text path or the resolvers. */
    async function nextPage(
      { random, orderBy, way }: { random: () => number; orderBy: object[]; way: string },
      cursor: string | null,
    ) {
      const [size, position] = way === 'forwards' ? ['first', 'after'] : ['last', 'before'];
      const query = `query ($orderBy: [CrmLeadOrder!], $at: String) { ${random() < 0.5 ? 'viewer { login }' : ''}
        crmLeads(where: { tags: { some: { id: { eq: "${tag}" } } } }, orderBy: $orderBy, ${size}: 3, ${position}: $at) {
          nodes { id } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`;
      const data = await queryData(app, query, { variables: { orderBy, at: cursor } });
      const { nodes, pageInfo } = data.crmLeads;
      const ids: string[] = nodes.map(({ id }: { id: string }) => id);
      return way === 'forwards'
        ? { ids, cursor: pageInfo.endCursor, more: pageInfo.hasNextPage }
        : { ids, cursor: pageInfo.startCursor, more: pageInfo.hasPreviousPage };
    }
  });
});

it("treats a record's id as an id even if it is another record's name", async () => {
  const { ctx } = app.main;
  const [one] = stages;
  const [namesake] = await create(ctx, 'crm.stage', [{ name: one!.id }]);
  const [lead] = await create(ctx, 'crm.lead', [{ name: 'Of the namesake', stage_id: namesake }]);
  const among = { id: { in: [...leads.map(({ id }) => id), String(lead)] } };
  const listByStage = async (stageId: object) => {
    const { page, errors } = await list({ where: { and: [among, { stageId }] }, first: 500 });
    expect(errors).toEqual([]);
    return page.nodes.map(({ id }: { id: string }) => id).sort();
  };
  const ofOne = computeExpected(({ stage }) => stage!.id === one!.id);
  expect(await listByStage({ eq: one!.id })).toEqual(ofOne);
  expect(await listByStage({ in: [one!.id, '9'.repeat(30)] })).toEqual(ofOne);
  expect(await listByStage({ ne: one!.id })).toContain(String(lead));
  expect(await listByStage({ eq: '0' })).toEqual([]);
  for (const eq of ['One', '1.5', '-1', '1e3', ''])
    expect((await list({ where: { stageId: { eq } } })).errors[0]).toMatchObject({
      message: `Invalid id ${eq} in condition ["stage_id","=","${eq}"]`,
      extensions: { code: 'BAD_VALUE' },
    });
  await unlink(ctx, 'crm.lead', [lead!]);
  await unlink(ctx, 'crm.stage', [namesake!]);
});

describe('where conditions', () => {
  const has = (text: string | null, part: string) => text?.includes(part) ?? false;
  const cases: [string, object, (lead: Lead) => boolean][] = [
    ['eq', { city: { eq: 'Berlin' } }, (l) => l.city === 'Berlin'],
    [
      'eq, ignoring case',
      { city: { eq: 'BERLIN', ignoreCase: true } },
      (l) => l.city?.toLowerCase() === 'berlin',
    ],
    [
      'ne, ignoring case',
      { city: { ne: 'BERLIN', ignoreCase: true } },
      (l) => l.city?.toLowerCase() !== 'berlin',
    ],
    [
      'in, ignoring case and accents',
      { city: { in: ['BERLIN', 'arhus'], ignoreCase: true, ignoreAccents: true } },
      (l) => ['berlin', 'ärhus'].includes(l.city?.toLowerCase() ?? ''),
    ],
    [
      'notIn, ignoring case',
      { city: { notIn: ['BERLIN', ''], ignoreCase: true } },
      (l) => l.city !== null && l.city.toLowerCase() !== 'berlin',
    ],
    ['eq null', { city: { eq: null } }, (l) => l.city === null],
    ['ne', { city: { ne: 'Berlin' } }, (l) => l.city !== 'Berlin'],
    ['ne null', { city: { ne: null } }, (l) => l.city !== null],
    ['in', { city: { in: ['Berlin', 'Ärhus'] } }, (l) => ['Berlin', 'Ärhus'].includes(l.city ?? '')],
    ['in nothing', { city: { in: [] } }, () => false],
    ['notIn', { city: { notIn: ['Berlin', 'Ärhus'] } }, (l) => !['Berlin', 'Ärhus'].includes(l.city ?? '')],
    ['notIn nothing', { city: { notIn: [] } }, () => true],
    ['contains', { city: { contains: 'erl' } }, (l) => has(l.city, 'erl')],
    ['contains a percent sign', { city: { contains: '%' } }, (l) => has(l.city, '%')],
    ['contains an underscore', { city: { contains: '_' } }, (l) => has(l.city, '_')],
    ['startsWith', { city: { startsWith: 'B' } }, (l) => l.city?.startsWith('B') ?? false],
    [
      'endsWith, ignoring case',
      { city: { endsWith: 'IN', ignoreCase: true } },
      (l) => l.city?.endsWith('in') ?? false,
    ],
    ['like', { city: { like: 'B%s' } }, (l) => /^B.*s$/.test(l.city ?? '')],
    [
      'contains, ignoring accents',
      { city: { contains: 'Arh', ignoreAccents: true } },
      (l) => l.city === 'Ärhus',
    ],
    [
      'contains with other accents',
      { city: { contains: 'Àrh', ignoreAccents: true } },
      (l) => l.city === 'Ärhus',
    ],
    [
      'contains, ignoring accents but not case',
      { city: { contains: 'arh', ignoreAccents: true } },
      () => false,
    ],
    [
      'eq, ignoring case and accents',
      { city: { eq: 'bérLiN', ignoreCase: true, ignoreAccents: true } },
      (l) => l.city?.toLowerCase() === 'berlin',
    ],
    [
      'a percent sign, ignoring accents',
      { city: { contains: '%', ignoreAccents: true } },
      (l) => has(l.city, '%'),
    ],
    ['isNull', { city: { isNull: true } }, (l) => l.city === null],
    ['is not null', { city: { isNull: false } }, (l) => l.city !== null],
    ['an enum', { type: { eq: 'LEAD' } }, (l) => l.type === 'LEAD'],
    ['one of an enum', { type: { in: ['LEAD', 'OPPORTUNITY'] } }, () => true],
    ['gt', { expectedRevenue: { gt: 2.5 } }, (l) => l.expectedRevenue > 2.5],
    [
      'between',
      { expectedRevenue: { between: [2.5, 10] } },
      (l) => l.expectedRevenue >= 2.5 && l.expectedRevenue <= 10,
    ],
    [
      'two bounds',
      { expectedRevenue: { gte: 2.5, lt: 1000 } },
      (l) => l.expectedRevenue >= 2.5 && l.expectedRevenue < 1000,
    ],
    ['zero', { expectedRevenue: { eq: 0 } }, (l) => l.expectedRevenue === 0],
    [
      'a date',
      { dateDeadline: { lte: '2026-05-01' } },
      (l) => l.dateDeadline !== null && l.dateDeadline <= '2026-05-01',
    ],
    ['no date', { dateDeadline: { isNull: true } }, (l) => l.dateDeadline === null],
    ['a time that has just been', { createdAt: { last: 'P1D' } }, () => true],
    [
      'a date in the last 80 years',
      { dateDeadline: { last: 'P80Y' } },
      (l) => l.dateDeadline?.startsWith('2026') ?? false,
    ],
    ['a time to come', { createdAt: { gt: '2100-01-01T00:00:00Z' } }, () => false],
    ['a related record', { stage: { name: { eq: 'Two' } } }, (l) => l.stage?.name === 'Two'],
    ['some of a list', { tags: { some: { name: { eq: 'red' } } } }, (l) => l.tags.includes('red')],
    ['none of a list', { tags: { none: { name: { eq: 'red' } } } }, (l) => !l.tags.includes('red')],
    [
      'every of a list',
      { tags: { every: { name: { eq: 'red' } } } },
      (l) => l.tags.every((tag) => tag === 'red'),
    ],
    ['some of any', { tags: { some: {} } }, (l) => l.tags.length > 0],
    [
      'none and some',
      { tags: { none: { name: { eq: 'red' } }, some: {} } },
      (l) => l.tags.length > 0 && !l.tags.includes('red'),
    ],
    ['not', { not: { city: { eq: 'Berlin' } } }, (l) => l.city !== 'Berlin'],
    [
      'or',
      { or: [{ city: { eq: 'Berlin' } }, { type: { eq: 'LEAD' } }] },
      (l) => l.city === 'Berlin' || l.type === 'LEAD',
    ],
    ['or of nothing', { or: [] }, () => false],
    ['an empty or', { or: [{}] }, () => true],
    ['and of nothing', { and: [] }, () => true],
    ['not of nothing', { not: {} }, () => false],
    ['contains nothing', { city: { contains: '' } }, () => true],
    ['starts with nothing', { city: { startsWith: '', ignoreCase: true } }, () => true],
    ['ends with nothing', { city: { endsWith: '', ignoreAccents: true } }, () => true],
    ['not contains nothing', { not: { city: { contains: '' } } }, () => false],
    ['null', { city: null }, (l) => l.city === null],
    ['no related record', { stage: null }, (l) => l.stage === null],
    ['no records of a list', { tags: null }, (l) => l.tags.length === 0],
  ];

  it.each(cases)('%s', async (_name, where, is) => {
    expect(await listIds(where)).toEqual(computeExpected(is));
  });

  it.each([
    { name: { eq: 'Two' } },
    { name: { startsWith: 'T' } },
    { name: { eq: 'Nobody' } },
    { id: { in: [] } },
  ])('on a related record apply to all pages: %j', async (condition) => {
    const stage = condition as { name?: { eq?: string; startsWith?: string } };
    const matchesStage = (name: string) =>
      stage.name?.eq === name || (stage.name?.startsWith && name.startsWith(stage.name.startsWith));
    const where = { and: [buildTestFilter()], stage: condition };
    const names: string[] = [];
    let after: string | undefined;
    do {
      const { page, errors } = await list(
        { where, first: 7, after },
        'nodes { id } totalCount pageInfo { hasNextPage endCursor }',
      );
      expect(errors).toEqual([]);
      names.push(...page.nodes.map((node: { id: string }) => node.id));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined;
    } while (after);
    expect(names.length).toBe(new Set(names).size);
    expect(names.sort()).toEqual(computeExpected((lead) => Boolean(matchesStage(lead.stage!.name))));
  });

  it('select the expected records in random combinations', async () => {
    const leaf = fc.constantFrom(...cases);
    const tree: fc.Memo<{ where: object; is: (lead: Lead) => boolean }> = fc.memo((depth) =>
      depth <= 1
        ? leaf.map(([, where, is]) => ({ where, is }))
        : fc.oneof(
            leaf.map(([, where, is]) => ({ where, is })),
            tree(depth - 1).map(({ where, is }) => ({
              where: { not: where },
              is: (lead: Lead) => !is(lead),
            })),
            fc.array(tree(depth - 1), { maxLength: 3 }).map((all) => ({
              where: { and: all.map((item) => item.where) },
              is: (lead: Lead) => all.every((item) => item.is(lead)),
            })),
            fc.array(tree(depth - 1), { maxLength: 3 }).map((all) => ({
              where: { or: all.map((item) => item.where) },
              is: (lead: Lead) => all.some((item) => item.is(lead)),
            })),
          ),
    );
    await fc.assert(
      fc.asyncProperty(tree(4), async ({ where, is }) => {
        expect(await listIds(where)).toEqual(computeExpected(is));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [{ createdAt: { last: '7 days' } }, 'not an ISO 8601 duration'],
    [{ expectedRevenue: { between: [1] } }, 'requires two values'],
    [{ city: { contains: null } }, 'cannot be null'],
    [{ id: { eq: 'x' } }, 'Invalid number'],
    [{ not: null }, 'cannot be null'],
    [{ or: null }, 'cannot be null'],
    [{ tags: { some: null } }, 'cannot be null'],
  ])('reject %j', async (where, message) => {
    const { errors } = await list({ where });
    expect(errors[0]!.message).toContain(message);
  });

  it('combine with a record API domain', async () => {
    const ids = await listIds({ type: { eq: 'LEAD' } }, { domain: [['city', '=', 'Berlin']] });
    expect(ids).toEqual(computeExpected((lead) => lead.type === 'LEAD' && lead.city === 'Berlin'));
  });
});

describe('nested lists', () => {
  it('have separate pages, filters, orders and counts for each alias', async () => {
    const { page, errors } = await list(
      { where: buildTestFilter(), first: 500 },
      `nodes { id few: tags(first: 1, orderBy: [{ field: NAME, direction: DESC }]) { nodes { name } pageInfo { hasNextPage } totalCount }
        blue: tags(where: { name: { eq: "blue" } }) { totalCount edges { cursor node { name } } } }`,
    );
    expect(errors).toEqual([]);
    for (const node of page.nodes) {
      const tags = leads
        .find((lead) => lead.id === node.id)!
        .tags.toSorted()
        .reverse();
      expect(node.few).toEqual({
        nodes: tags.slice(0, 1).map((name) => ({ name })),
        pageInfo: { hasNextPage: tags.length > 1 },
        totalCount: tags.length,
      });
      expect(node.blue.edges.map((edge: { node: { name: string } }) => edge.node.name)).toEqual(
        tags.filter((tag) => tag === 'blue'),
      );
    }
  });

  it('continue after a cursor', async () => {
    const [richLead] = leads.filter((lead) => lead.tags.length === 3 && lead.active);
    const where = { id: { eq: richLead!.id } };
    const order = 'orderBy: [{ field: NAME }]';
    const first = await list({ where }, `nodes { tags(first: 2, ${order}) { pageInfo { endCursor } } }`);
    const { endCursor } = first.page.nodes[0].tags.pageInfo;
    const next = await list({ where }, `nodes { tags(after: "${endCursor}", ${order}) { nodes { name } } }`);
    expect(next.page.nodes[0].tags.nodes).toEqual([{ name: 'red' }]);
    const back = await list(
      { where },
      `nodes { tags(last: 2, ${order}) { nodes { name } pageInfo { hasPreviousPage } } }`,
    );
    expect(back.page.nodes[0].tags).toEqual({
      nodes: [{ name: 'green' }, { name: 'red' }],
      pageInfo: { hasPreviousPage: true },
    });
  });
});

it.each([
  ['P1M', '2026-03-31', '2026-02-28'],
  ['P1M', '2026-03-15', '2026-02-15'],
  ['P1Y', '2028-02-29', '2027-02-28'],
  ['P4Y', '2028-02-29', '2024-02-29'],
  ['P1M1D', '2026-03-31', '2026-02-27'],
  ['P9999Y', '2026-03-31', '0001-01-01', '00:00:00'],
  ['P1MT13H', '2026-03-31', '2026-02-27', '23:00:00'],
  ['P2025Y', '2026-03-31', '0001-03-31'],
])('subtracts the duration %s from %s: %s', (duration, end, start, time = '12:00:00') => {
  expect(computeDurationStart(duration, Date.parse(`${end}T12:00:00Z`))).toBe(`${start} ${time}`);
});

describe('durations end in the time zone of the user', () => {
  freezeClockAtNoon();
  const DAY_MS = 86_400_000;
  const moveDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

  it.each([
    ['Pacific/Kiritimati', 1],
    ['Pacific/Pago_Pago', 0],
    ['Etc/GMT+12', 0],
  ])('%s', async (tz, ahead) => {
    const admin = createJsonClient(app);
    const { id, key } = app.main.admin;
    await admin.value('res.users/write', { ids: [id], vals: { tz } });
    const name = `Due in ${tz}`;
    for (const days of [-3, -2, -1, 0, 1, 2])
      await admin.create('crm.lead', { name, user_id: id, date_deadline: moveDays(days) });
    const query = `query ($where: CrmLeadWhere) {
      crmLeads(where: $where, orderBy: [{ field: DATE_DEADLINE }]) { nodes { dateDeadline } } }`;
    for (const [duration, days] of [
      ['P0D', [0]],
      ['P1D', [-1, 0]],
      ['P2DT0S', [-2, -1, 0]],
    ] as const) {
      const where = { name: { eq: name }, dateDeadline: { last: duration } };
      const { nodes } = (await queryData(app, query, { key, variables: { where } })).crmLeads;
      expect(nodes.map((lead: Lead) => lead.dateDeadline)).toEqual(days.map((day) => moveDays(ahead + day)));
    }
  });
});
