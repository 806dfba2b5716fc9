import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { limits } from '../../src/limits.ts';
import { setUp } from '../harness/set-up.ts';
import { createSeededRandom } from '../rpc/seeded.ts';
import { openRecordLab } from './lab.ts';

const SEED = 20_261_122;
const LEADS = 150;
const CASES = 60;

const random = createSeededRandom(SEED);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const pickSome = <T>(list: readonly T[], chance: number): T[] => list.filter(() => random() < chance);

/** Times near day, month and daylight saving transitions in the zones below. */
const TIMES = [
  '2025-12-28 12:00:00',
  '2025-12-31 23:30:00',
  '2026-01-04 00:00:00',
  '2026-03-08 05:30:00',
  '2026-04-04 14:45:00',
  '2026-04-04 15:15:00',
  '2026-10-24 23:30:00',
  '2026-10-25 00:15:00',
  '2026-10-25 00:59:59',
  '2026-10-25 01:15:00',
  '2026-11-01 03:30:00',
  '2026-11-01 04:30:00',
  '2026-11-01 05:30:00',
];
const ZONES = ['UTC', 'Europe/Brussels', 'America/Havana', 'Australia/Lord_Howe', 'Asia/Kolkata'];
const DAYS = ['2025-12-28', '2026-01-01', '2026-01-31', '2026-02-01'];
const PERIODS = ['hour', 'day', 'week', 'month', 'quarter', 'year'];
const NUMBERS = [
  'year_number',
  'month_number',
  'iso_week_number',
  'day_of_week',
  'hour_number',
  'second_number',
];

const DEFINITIONS = [
  { name: 'color', type: 'char', string: 'Color' },
  { name: 'size', type: 'integer', string: 'Size' },
  { name: 'open', type: 'boolean', string: 'Open' },
  { name: 'day', type: 'date', string: 'Day' },
  { name: 'friend', type: 'many2one', string: 'Friend', comodel: 'res.partner' },
];

type Lead = Record<string, unknown> & { id: number };
type Json = ReturnType<typeof JSON.parse>;

const lab = setUp(openRecordLab);
let leads: Map<number, Lead>;
beforeAll(async () => {
  leads = await fill();
});

const create = async (model: string, values: object): Promise<number> =>
  (await lab.value(`${model}/create`, { vals_list: values }))[0];

async function addFields(): Promise<void> {
  const [model_id] = await lab.value('ir.model/search', { domain: [['model', '=', 'crm.lead']] });
  const add = (name: string, ttype: string, overrides = {}) =>
    create('ir.model.fields', { model_id, name, ttype, state: 'manual', ...overrides });
  for (const type of ['integer', 'float', 'boolean', 'char', 'date', 'datetime'])
    await add(`x_${type}`, type);
  await add('x_partner_id', 'many2one', { relation: 'res.partner' });
  await add('x_money', 'monetary', { currency_field: 'company_currency' });
  await add('x_tag_ids', 'many2many', { relation: 'res.partner.category' });
  await add('x_rank', 'integer', { related: 'partner_id.color', readonly: true });
}

async function fill(): Promise<Map<number, Lead>> {
  await addFields();
  const team = await create('crm.team', { name: 'Defines', lead_properties_definition: DEFINITIONS });
  const countries: number[] = await lab.value('res.country/search', { domain: [], limit: 3 });
  const partners: number[] = [];
  for (let i = 0; i < 9; i++)
    partners.push(
      await create('res.partner', {
        name: i < 2 ? `Hidden ${i}` : `Partner ${i}`,
        parent_id: pick([false, ...partners]),
        country_id: pick([false, ...countries]),
        color: pick([false, 0, 3]),
        active: i !== 4,
        function: pick(['', false, 'Boss']),
        employee: pick([true, false]),
      }),
    );
  const tags: number[] = [];
  for (const name of ['Hidden', 'One', 'Two']) tags.push(await create('crm.tag', { name }));
  const kinds: number[] = [];
  for (const name of ['Hidden', 'A', 'B'])
    kinds.push(await create('res.partner.category', { name, active: name !== 'B' }));
  const valuesList = Array.from({ length: LEADS }, (_, i) => randomLead(i, { team, partners, tags, kinds }));
  const ids: number[] = await lab.value('crm.lead/create', { vals_list: valuesList });
  for (const model of ['res.partner', 'crm.tag', 'res.partner.category']) {
    const [model_id] = await lab.value('ir.model/search', { domain: [['model', '=', model]] });
    await create('ir.rule', { name: model, model_id, domain_force: `[('name', 'not ilike', 'hidden')]` });
  }
  return new Map(ids.map((id, i) => [id, { ...valuesList[i], id }]));
}

interface World {
  team: number;
  partners: number[];
  tags: number[];
  kinds: number[];
}

function randomLead(i: number, { team, partners, tags, kinds }: World): Record<string, unknown> {
  const values: Record<string, unknown> = {
    name: `Lead ${i}`,
    type: pick(['lead', 'opportunity']),
    team_id: pick([false, team, team]),
    partner_id: pick([false, ...partners]),
    tag_ids: [[6, 0, pickSome(tags, 0.4)]],
    x_tag_ids: [[6, 0, pickSome(kinds, 0.3)]],
    date_deadline: pick([false, ...DAYS]),
    color: pick([undefined, false, 0, 5]),
    expected_revenue: pick([undefined, false, 0, 10, 99.5]),
    recurring_revenue: pick([undefined, 0, 0.25]),
    x_integer: pick([undefined, false, 0, -3]),
    x_float: pick([undefined, false, 0, 0.1, 1e21]),
    x_money: pick([undefined, false, 0, 7.25]),
    x_boolean: pick([undefined, true, false]),
    x_char: pick([undefined, '', false, '0', 'b "c"']),
    x_date: pick([undefined, ...DAYS]),
    x_datetime: pick([undefined, ...TIMES]),
    x_partner_id: pick([false, ...partners]),
  };
  if (values.team_id)
    values.lead_properties = {
      color: pick([false, '', 'red']),
      size: pick([false, 0, 4]),
      open: pick([true, false]),
      day: pick([false, ...DAYS]),
      friend: pick([false, ...partners]),
    };
  return values;
}

const PLAIN_FIELDS = [
  'type',
  'team_id',
  'partner_id',
  'tag_ids',
  'x_tag_ids',
  'color',
  'expected_revenue',
  'priority',
]
  .concat([
    'recurring_revenue',
    'x_integer',
    'x_float',
    'x_money',
    'x_boolean',
    'x_char',
    'x_partner_id',
    'x_rank',
  ])
  .concat(['partner_id.country_id', 'partner_id.color', 'partner_id.function', 'partner_id.employee'])
  .concat([
    'partner_id.parent_id',
    'partner_id.parent_id.color',
    'x_partner_id.country_id.code',
    'user_id.name',
  ])
  .concat(['partner_id.parent_id.country_id', 'partner_id.active', 'partner_id.parent_id.employee'])
  .concat(['color', 'size', 'open', 'friend'].map((name) => `lead_properties.${name}`));

function randomGrouping(): string {
  const kind = random();
  if (kind < 0.6) return pick(PLAIN_FIELDS);
  if (kind < 0.7) return `lead_properties.day:${pick(PERIODS.slice(1))}`;
  const dates = ['date_deadline', 'x_date', 'x_datetime', 'x_datetime', 'partner_id.create_date'];
  return `${pick(dates)}:${pick([...PERIODS, ...NUMBERS])}`;
}

const randomGroupby = (): string[] => Array.from({ length: 1 + Math.floor(random() * 3) }, randomGrouping);

test('returns random groups whose records match their domains', {
  tags: 'slow',
}, async () => {
  const failed: unknown[] = [];
  let groups = 0;
  for (let i = 0; i < CASES; i++) {
    const groupby = randomGroupby();
    const context = { tz: pick(ZONES), lang: 'en_US' };
    const domain = pick([[], [['type', '=', 'lead']], ['|', ['color', '=', 5], ['x_boolean', '=', false]]]);
    const response = await lab.value('crm.lead/formatted_read_group', {
      ...{ domain, groupby, aggregates: ['__count', 'id:array_agg'], context },
    });
    const keys = new Set(
      response.map((group: object) => JSON.stringify(groupby.map((by) => group[by as never]))),
    );
    if (keys.size < response.length) failed.push({ groupby, context, twice: response });
    for (const group of response) {
      groups++;
      const fullDomain = domain.length > 0 ? ['&', ...domain, ...group.__extra_domain] : group.__extra_domain;
      const ids = await lab.value('crm.lead/search', { domain: fullDomain, order: 'id', context });
      const sortedIds = [...group['id:array_agg']].sort((a, b) => a - b);
      if (group.__count !== ids.length || JSON.stringify(sortedIds) !== JSON.stringify(ids))
        failed.push({ groupby, context, group, found: ids });
    }
  }
  expect(groups).toBeGreaterThan(400);
  expect(failed).toEqual([]);
});

describe('groups of long texts', () => {
  const start = `\u{1f600}_100%\\`.repeat(30);
  const texts = [`${start}a`, `${start}${'b'.repeat(10_000)}`, start, `${'x'.repeat(199)}`, `X${start}`];
  const domain = [['ref', '=', 'long texts']];
  let ids: number[];
  beforeAll(async () => {
    ids = await lab.value('res.partner/create', {
      vals_list: texts.map((text) => ({ name: text, ref: 'long texts', comment: `<p>${text}</p>` })),
    });
    const children = ids.map((parent_id) => ({ name: 'child', ref: 'child', parent_id }));
    await lab.value('res.partner/create', { vals_list: children });
  });

  test.each(['name', 'comment'])(
    'contain records whose %s begins with the same 200 characters',
    async (name) => {
      const stored = await lab.value('res.partner/read', { ids, fields: [name] });
      const starts = stored.map((row: Record<string, string>) => [...row[name]!].slice(0, 200).join(''));
      const groups = await lab.value('res.partner/formatted_read_group', {
        ...{ domain, groupby: [name], aggregates: ['id:array_agg', `${name}:max`, `${name}:array_agg`] },
      });
      expect(groups.map((group: Json) => group[name]).sort()).toEqual([...new Set(starts)].sort());
      for (const group of groups) {
        const foundIds = await lab.value('res.partner/search', {
          domain: [...domain, ...group.__extra_domain],
        });
        expect(group['id:array_agg']).toEqual(foundIds.sort((a: number, b: number) => a - b));
        expect(group[`${name}:max`]).toBe(group[name]);
        expect(new Set(group[`${name}:array_agg`])).toEqual(new Set([group[name]]));
      }
    },
  );

  test.each([
    ['texts', { groupby: ['name'] }],
    ['names of records', { groupby: ['parent_id'], domain: [['ref', '=', 'child']] }],
    ['lists', { groupby: [], aggregates: ['name:array_agg'] }],
    ['maxima', { groupby: ['id'], aggregates: ['name:max'] }],
  ])('are rejected if their %s exceed the limit in total', async (_, query) => {
    const { groupBytes } = limits.record;
    const request = { domain, aggregates: [], ...query };
    const groups = await lab.value('res.partner/formatted_read_group', request);
    expect(groups.length).toBeGreaterThan(0);
    Object.assign(limits.record, { groupBytes: 400 });
    onTestFinished(() => void Object.assign(limits.record, { groupBytes }));
    expect(await lab.expectError('res.partner/formatted_read_group', request)).toMatchObject({
      ...{ status: 422, message: 'The response is too large. Request fewer records or fields.' },
    });
    const none = { ...request, domain: [['ref', '=', 'none']], groupby: ['name'] };
    expect(await lab.value('res.partner/formatted_read_group', none)).toEqual([]);
  });

  test("are rejected if repeating the request's domain exceeds the response limit", async () => {
    const { answerBytes } = limits.http;
    const listed = [...domain, ['name', 'not in', Array.from({ length: 100 }, (_, n) => `not ${n}`)]];
    const query = { domain: listed, fields: ['__count'], groupby: ['name'] };
    expect(await lab.value('res.partner/read_group', query)).toHaveLength(3);
    Object.assign(limits.http, { answerBytes: 2_000 });
    onTestFinished(() => void Object.assign(limits.http, { answerBytes }));
    expect(await lab.expectError('res.partner/read_group', query)).toMatchObject({ status: 422 });
  });
});

test('computes random aggregates from the stored values, and treats unset numbers as 0', async () => {
  const numbers = ['expected_revenue', 'recurring_revenue', 'color', 'x_integer', 'x_float', 'x_money'];
  const countNumber = (id: number, name: string) => Number(leads.get(id)![name] || 0);
  for (const groupby of [[], ['type'], ['color'], ['x_integer', 'type'], ['partner_id'], ['x_date:month']]) {
    const aggregates = numbers.flatMap((name) =>
      ['sum', 'avg', 'min', 'max', 'count'].map((by) => `${name}:${by}`),
    );
    const response = await lab.value('crm.lead/formatted_read_group', {
      ...{ domain: [], groupby, aggregates: ['__count', 'id:array_agg', ...aggregates] },
    });
    for (const group of response)
      for (const name of numbers) {
        const values = group['id:array_agg'].map((id: number) => countNumber(id, name));
        const sum = values.reduce((a: number, b: number) => a + b, 0);
        expect(group[`${name}:sum`]).toBeCloseTo(sum, 6);
        expect(group[`${name}:avg`]).toBeCloseTo(sum / values.length, 6);
        expect(group[`${name}:min`]).toBe(Math.min(...values));
        expect(group[`${name}:max`]).toBe(Math.max(...values));
        expect(group[`${name}:count`]).toBe(values.length);
      }
  }
});

test('sorts unset numbers like 0, in both directions', async () => {
  for (const name of ['expected_revenue', 'color', 'x_integer', 'x_float', 'x_money'])
    for (const direction of ['asc', 'desc']) {
      const ids = await lab.value('crm.lead/search', { domain: [], order: `${name} ${direction}, id` });
      const values = ids.map((id: number) => Number(leads.get(id)![name] || 0));
      const sorted = [...values].sort((a, b) => (direction === 'asc' ? a - b : b - a));
      expect(values, name).toEqual(sorted);
    }
});

test.each([
  ['asc nulls first', [false, 'Partner 2', 'Partner 3']],
  ['asc nulls last', ['Partner 2', 'Partner 3', false]],
  ['desc nulls first', [false, 'Partner 3', 'Partner 2']],
  ['desc nulls last', ['Partner 3', 'Partner 2', false]],
])('sorts groups without a related record %s', async (direction, names) => {
  const partners = await lab.value('res.partner/search', {
    ...{ domain: [['name', 'in', ['Partner 2', 'Partner 3']]], order: 'name' },
  });
  const vals_list = [false, ...partners].map((partner_id) => ({ name: 'Sorted', partner_id }));
  const ids = await lab.value('crm.lead/create', { vals_list });
  onTestFinished(() => lab.value('crm.lead/unlink', { ids }));
  const groups = await lab.value('crm.lead/formatted_read_group', {
    ...{ domain: [['id', 'in', ids]], groupby: ['partner_id'], order: `partner_id ${direction}` },
  });
  expect(
    groups.map(({ partner_id: partner }: Json) => partner && /Partner \d$/.exec(partner[1])![0]),
  ).toEqual(names);
});

test('assigns the hour before a skipped midnight to the same day as filters do', async () => {
  const id = await create('crm.lead', { name: 'Late', x_datetime: '2026-03-08 04:30:00' });
  onTestFinished(() => lab.value('crm.lead/unlink', { ids: [id] }));
  const context = { tz: 'America/Havana' };
  const domain = [['id', '=', id]];
  const [group] = await lab.value('crm.lead/formatted_read_group', {
    ...{ domain, groupby: ['x_datetime:day'], context },
  });
  expect(group['x_datetime:day'][1]).toBe('07 Mar 2026');
  for (const [operator, count] of [
    ['<', 1],
    ['>=', 0],
  ])
    expect(
      await lab.value('crm.lead/search_count', {
        ...{ domain: [...domain, ['x_datetime', operator, '2026-03-08']], context },
      }),
    ).toBe(count);
});

test('rejects a number of a date property, which conditions cannot select', async () => {
  const query = { domain: [], groupby: ['lead_properties.day:month_number'] };
  const { status, message } = await lab.expectError('crm.lead/formatted_read_group', query);
  expect(status).toBe(422);
  expect(message).toContain("'month_number'. Use hour, day, week, month, quarter, year.");
});

test('lists each group on exactly one page if groups are equal in the sort order', async () => {
  for (const order of ['__count desc', 'expected_revenue:max', 'type desc', null]) {
    const query = {
      domain: [],
      groupby: ['name', 'type'],
      aggregates: ['__count', 'expected_revenue:max'],
      order,
    };
    const ids: string[] = [];
    for (let offset = 0; offset < LEADS; offset += 7) {
      const page = await lab.value('crm.lead/formatted_read_group', { ...query, limit: 7, offset });
      ids.push(...page.map((group: { name: string }) => group.name));
    }
    expect(new Set(ids).size, String(order)).toBe(LEADS);
  }
});

test('lists each record on exactly one page if records are equal in the sort order', async () => {
  for (const order of ['color', 'type desc', 'partner_id, x_boolean', 'lead_properties.size']) {
    const ids: number[] = [];
    for (let offset = 0; offset < LEADS; offset += 7)
      ids.push(...(await lab.value('crm.lead/search', { domain: [], order, limit: 7, offset })));
    expect(new Set(ids).size, order).toBe(LEADS);
  }
});

const WEEKS: [string, string, string][] = [
  ['2025-12-28', 'en_US', 'W1 2026'],
  ['2025-12-27', 'en_US', 'W52 2025'],
  ['2026-01-04', 'en_US', 'W2 2026'],
  ['2025-12-28', 'fr_FR', 'W52 2025'],
  ['2025-12-29', 'fr_FR', 'W1 2026'],
  ['2027-01-03', 'fr_FR', 'W53 2026'],
  ['2027-01-03', 'en_AU', 'W1 2027'],
];

const activateLanguage = async (lang: string) =>
  lab.value('res.lang/write', {
    ids: await lab.value('res.lang/search', {
      domain: [['code', '=', lang]],
      context: { active_test: false },
    }),
    vals: { active: true },
  });

test.each(WEEKS)('labels the week of %s in the language %s as %s', async (day, lang, label) => {
  await activateLanguage(lang);
  const id = await create('crm.lead', { name: day, x_date: day });
  const query = { domain: [['id', '=', id]], groupby: ['x_date:week'], aggregates: [], context: { lang } };
  const [group] = await lab.value('crm.lead/formatted_read_group', query);
  expect(group['x_date:week'][1]).toBe(label);
});

test.each([
  ['fa_IR', '14 فوریه 2026', 'فوریهٔ 2026'],
  ['th_TH', '14 ก.พ. 2026', 'กุมภาพันธ์ 2026'],
])('labels periods of the Gregorian calendar in the language %s', async (lang, day, month) => {
  await activateLanguage(lang);
  const id = await create('crm.lead', { name: lang, x_date: '2026-02-14' });
  const query = { domain: [['id', '=', id]], aggregates: [], context: { lang } };
  for (const [period, label] of Object.entries({ day, month })) {
    const groupby = [`x_date:${period}`];
    const [group] = await lab.value('crm.lead/formatted_read_group', { ...query, groupby });
    expect(group[groupby[0]!][1]).toBe(label);
  }
});

test.each([
  ['en_US', '1', '2025-12-29', '2026-01-05', 'W1 2026'],
  ['en_US', '6', '2026-01-03', '2026-01-10', 'W1 2026'],
  ['fr_FR', '7', '2026-01-04', '2026-01-11', 'W1 2026'],
  ['fr_FR', '1', '2025-12-29', '2026-01-05', 'W1 2026'],
])('starts weeks in %s on day %s, as set for the language', async (code, week_start, start, end, label) => {
  const context = { active_test: false };
  const ids = await lab.value('res.lang/search', { domain: [['code', '=', code]], context });
  const [before] = await lab.value('res.lang/read', { ids, fields: ['week_start'] });
  await lab.value('res.lang/write', { ids, vals: { active: true, week_start } });
  onTestFinished(() => lab.value('res.lang/write', { ids, vals: { week_start: before.week_start } }));
  const id = await create('crm.lead', { name: 'Sunday', x_date: '2026-01-04' });
  const query = {
    domain: [['id', '=', id]],
    groupby: ['x_date:week'],
    aggregates: [],
    context: { lang: code },
  };
  const [group] = await lab.value('crm.lead/formatted_read_group', query);
  expect(group['x_date:week']).toEqual([start, label]);
  expect(group.__extra_domain).toEqual(['&', ['x_date', '>=', start], ['x_date', '<', end]]);
  const filled = { ...query, context: { lang: code, fill_temporal: { min_groups: 2 } } };
  const groups = await lab.value('crm.lead/formatted_read_group', filled);
  expect(groups.map((row: Record<string, string[]>) => row['x_date:week']![0])).toEqual([start, end]);
});

test.each([
  ['fr_FR', 'W37 2022'],
  ['en_US', 'W38 2022'],
])('starts and numbers weeks as filters do, for a user whose language is %s', async (lang, label) => {
  const ids = await lab.value('res.lang/search', {
    ...{ domain: [['code', '=', lang]], context: { active_test: false } },
  });
  await lab.value('res.lang/write', { ids, vals: { active: true } });
  const users = [lab.app.main.admin.id];
  await lab.value('res.users/write', { ids: users, vals: { lang } });
  onTestFinished(() => lab.value('res.users/write', { ids: users, vals: { lang: 'en_US' } }));
  const today = new Date().toISOString().slice(0, 10);
  const id = await create('crm.lead', { name: 'This week', x_date: today });
  const own = [['id', '=', id]];
  const [group] = await lab.value('crm.lead/formatted_read_group', {
    ...{ domain: own, groupby: ['x_date:week'], aggregates: [] },
  });
  const [start] = group['x_date:week'];
  const vals = { x_date: start };
  await lab.value('crm.lead/write', { ids: [id], vals });
  const numbered = await create('crm.lead', { name: 'Numbered', x_date: '2022-09-14' });
  expect(
    await lab.value('crm.lead/formatted_read_group', {
      ...{ domain: [['id', '=', numbered]], groupby: ['x_date:week'], aggregates: [] },
    }),
  ).toMatchObject([{ 'x_date:week': [expect.any(String), label] }]);
  const week = [...own, ['x_date', '=', 'today =week_start']];
  expect(await lab.value('crm.lead/search_count', { domain: week })).toBe(1);
});

test('returns one group without groupings, however many records match', async () => {
  const domain = [['name', '=', 'Nobody']];
  const group = { __extra_domain: [[1, '=', 1]] };
  for (const query of [{ domain: [] }, { domain }]) {
    expect(await lab.value('crm.lead/formatted_read_group', { ...query, groupby: [] })).toEqual([group]);
    const sets = { ...query, grouping_sets: [[], []] };
    expect(await lab.value('crm.lead/formatted_read_grouping_sets', sets)).toEqual([[group], [group]]);
  }
});

describe('grouping context', () => {
  const getMonths = (rows: Record<string, Json>[]) =>
    rows.map((row) => row['date_deadline:month'][0] ?? false);
  const CALL = {
    domain: [['name', '=like', 'Gap %']],
    groupby: ['date_deadline:month'],
    aggregates: ['__count', 'expected_revenue:sum'],
  };
  const request = (fill_temporal: unknown, overrides: object = {}) =>
    lab.value('crm.lead/formatted_read_group', {
      ...CALL,
      context: { fill_temporal, tz: 'UTC' },
      ...overrides,
    });
  beforeAll(async () => {
    await lab.value('crm.lead/create', {
      vals_list: [
        { name: 'Gap 1', date_deadline: '2026-01-15', expected_revenue: 5 },
        { name: 'Gap 2', date_deadline: '2026-04-02', expected_revenue: 7 },
        { name: 'Gap 3', date_deadline: false, expected_revenue: 9 },
      ],
    });
  });

  test.each(['date_deadline', 'date_deadline:month'])(
    'keeps empty periods in the order %s desc',
    async (by) => {
      const months = getMonths(await request(true, { order: `${by} desc nulls last` }));
      expect(months).toEqual(['2026-04-01', '2026-03-01', '2026-02-01', '2026-01-01', false]);
    },
  );

  test.each<[unknown, string[]]>([
    [false, ['01', '04']],
    [true, ['01', '02', '03', '04']],
    [{}, ['01', '02', '03', '04']],
    [{ fill_from: '2026-03-20' }, ['01', '03', '04']],
    [{ fill_to: '2026-06-01 12:00:00' }, ['01', '02', '03', '04', '05', '06']],
    [{ fill_from: '2026-02-01', fill_to: '2026-02-28' }, ['01', '02', '04']],
    [{ min_groups: 6 }, ['01', '02', '03', '04', '05', '06']],
    [{ fill_from: '2026-05-01', fill_to: '2026-04-01', min_groups: 2 }, ['01', '04', '05', '06']],
    [{ fill_from: '2026-09-01', fill_to: '2026-08-01' }, ['01', '04']],
  ])('adds empty periods with fill_temporal %j', async (fill, months) => {
    const rows = await request(fill);
    expect(getMonths(rows)).toEqual([...months.map((month) => `2026-${month}-01`), false]);
    for (const row of rows) {
      expect(row).toHaveProperty('__extra_domain');
      const count = await lab.value('crm.lead/search_count', {
        domain: ['&', ...CALL.domain, ...row.__extra_domain],
      });
      expect(row.__count).toBe(count);
      if (count === 0) expect(row['expected_revenue:sum']).toBe(false);
    }
  });

  test.each(PERIODS.slice(1))('has a valid domain for the last %s before the year 10000', async (by) => {
    const vals_list = { name: 'Forever', date_deadline: '9999-12-31' };
    const [lead] = await lab.value('crm.lead/create', { vals_list });
    const groupby = [`date_deadline:${by}`];
    const query = { domain: [['id', '=', lead]], groupby, aggregates: [] };
    const [group] = await lab.value('crm.lead/formatted_read_group', query);
    const ids = await lab.value('crm.lead/search', { domain: group.__extra_domain });
    expect(ids).toEqual([lead]);
    await lab.value('crm.lead/unlink', { ids: [lead] });
  });

  test.each([
    ['desc', [false, '04', '03', '02', '01']],
    ['DESC nulls last', ['04', '03', '02', '01', false]],
  ])('adds empty periods in the order %s', async (direction, months) => {
    const rows = await request(true, { order: `date_deadline:month ${direction}` });
    expect(getMonths(rows)).toEqual(months.map((month) => month && `2026-${month}-01`));
  });

  test('adds empty periods of every granularity and time zone, with the same boundaries as the groups', async () => {
    const at = ['2026-03-20 12:00:00', '2026-04-05 09:30:00'];
    for (const tz of ZONES)
      for (const period of PERIODS.slice(1)) {
        const groupby = [`date_deadline:${period}`, 'type'];
        const context = { fill_temporal: { fill_from: at[0], fill_to: at[1] }, tz };
        const rows = await lab.value('crm.lead/formatted_read_group', { ...CALL, groupby, context });
        const keys = rows.map((row: Record<string, Json>) => row[groupby[0]!][0]).filter(Boolean);
        expect([...keys].sort(), `${period} in ${tz}`).toEqual(keys);
        expect(new Set(keys).size).toBe(keys.length);
      }
    const classic = { domain: CALL.domain, groupby: ['date_deadline:month'], fields: ['expected_revenue'] };
    const context = { fill_temporal: true };
    expect(await lab.value('crm.lead/read_group', { ...classic, context })).toHaveLength(5);
  });

  test.each([
    [{ fill_temporal: { fill_from: 'soon' } }, {}],
    [{ fill_temporal: { min_groups: -1 } }, {}],
    [{ fill_temporal: { min_groups: 1e9 } }, {}],
    [{ fill_temporal: true }, { limit: 2 }],
    [
      { fill_temporal: { fill_from: '0001-01-01', fill_to: '9999-01-01' } },
      { groupby: ['date_deadline:day'] },
    ],
  ])('rejects %j with the arguments %j', async (context, overrides) => {
    const error = await lab.expectError('crm.lead/formatted_read_group', { ...CALL, ...overrides, context });
    expect(error.status).toBe(422);
  });

  test('includes empty and folded stages if read_group_expand is set', async () => {
    const [folded, unfolded] = [
      { name: 'Folded', sequence: 90, fold: true },
      { name: 'Of a team', sequence: 91 },
    ];
    const [team] = await lab.value('crm.team/create', { vals_list: [{ name: 'Team' }] });
    const vals_list = [folded, { ...unfolded, team_ids: [[6, 0, [team]]] }];
    const [fold, ownStage] = await lab.value('crm.stage/create', { vals_list });
    const shared = await lab.value('crm.stage/search', { domain: [['team_ids', '=', false]] });
    const call = { domain: CALL.domain, groupby: ['stage_id'], aggregates: ['__count'] };
    const readRows = async (context: object, overrides: object = {}): Promise<Record<string, Json>[]> =>
      lab.value('crm.lead/formatted_read_group', { ...call, ...overrides, context });
    const buildIds = (rows: Record<string, Json>[]) => rows.map((row) => row.stage_id[0]);
    const plain = await readRows({});
    expect(plain.some((row) => '__fold' in row)).toBe(false);
    const expanded = await readRows({ read_group_expand: true });
    expect(buildIds(expanded)).toEqual(shared);
    for (const row of expanded) expect(row.__fold).toBe(row.stage_id[0] === fold);
    expect(expanded.reduce((sum, row) => sum + row.__count, 0)).toBe(3);
    expect(buildIds(await readRows({ read_group_expand: true, default_team_id: team }))).toContain(ownStage);
    expect(buildIds(await readRows({ read_group_expand: true }, { order: 'stage_id desc' }))).toEqual(
      [...shared].reverse(),
    );
    expect(buildIds(await readRows({ read_group_expand: true }, { limit: 1 }))).toEqual(
      buildIds(plain).slice(0, 1),
    );
    const web = { ...call, context: { read_group_expand: true } };
    const { groups, length } = await lab.value('crm.lead/web_read_group', web);
    expect([groups.length, length]).toEqual([shared.length, shared.length]);
  });

  test('adds only empty groups and name details, for random keys', async () => {
    const groupings = [
      ['date_deadline:month'],
      ['date_deadline:week', 'type'],
      ['x_datetime:day'],
      ['x_date:quarter', 'stage_id'],
      ['stage_id'],
      ['stage_id', 'date_deadline:year'],
      ['partner_id'],
      ['type', 'date_deadline:month'],
    ];
    const keys: Record<string, unknown[]> = {
      fill_temporal: [
        true,
        false,
        { min_groups: 30 },
        { fill_from: '2025-11-03' },
        { fill_to: '2026-07-01' },
      ],
      read_group_expand: [true, false],
      show_address: [true],
      show_email: [true],
      to_currency: [1],
      tracking_disable: [true],
    };
    let added = 0;
    for (let i = 0; i < CASES; i++) {
      const groupby = pick(groupings);
      const base = { tz: pick(ZONES), active_test: pick([true, false]), lang: 'en_US' };
      const more = Object.fromEntries(
        pickSome(Object.entries(keys), 0.6).map(([key, values]) => [key, pick(values)]),
      );
      const call = {
        domain: pick([[], [['color', '>', 0]]]),
        groupby,
        aggregates: ['__count', 'x_float:sum'],
      };
      const group = (context: object): Promise<Record<string, Json>[]> =>
        lab.value('crm.lead/formatted_read_group', { ...call, context });
      const plain = await group(base);
      const rows = await group({ ...base, ...more });
      const stripDetails = ({ __fold, ...row }: Record<string, Json>) => ({
        ...row,
        ...('partner_id' in row && { partner_id: row.partner_id?.[0] }),
      });
      const label = JSON.stringify([groupby, base, more]);
      expect(rows.filter((row) => row.__count > 0).map(stripDetails), label).toEqual(plain.map(stripDetails));
      const empty = rows.filter((row) => row.__count === 0);
      added += empty.length;
      for (const { __extra_domain } of empty.slice(0, 3)) {
        const domain = ['&', ...(call.domain.length ? call.domain : [[1, '=', 1]]), ...__extra_domain];
        expect(await lab.value('crm.lead/search_count', { domain, context: base }), label).toBe(0);
      }
      if (!more.fill_temporal && !more.read_group_expand) expect(empty, label).toEqual([]);
    }
    expect(added).toBeGreaterThan(20);
  });

  test('extends contact names with show_address, show_email and similar keys', async () => {
    const [belgium] = await lab.value('res.country/search', { domain: [['code', '=', 'BE']] });
    const address = { street: 'Rue 1', zip: '1000', city: 'Brussels', country_id: belgium };
    const vals_list = [{ name: 'Ann', email: 'ann@example.com', vat: 'BE1', ...address }];
    const [id] = await lab.value('res.partner/create', { vals_list });
    const [lead] = await lab.value('crm.lead/create', { vals_list: [{ name: 'X', partner_id: id }] });
    const where = 'Rue 1\n1000 Brussels\nBelgium';
    for (const [context, name] of [
      [{}, 'Ann'],
      [{ show_email: true }, 'Ann <ann@example.com>'],
      [{ show_address: true }, `Ann\n${where}`],
      [
        { show_address: 1, address_inline: 1, show_email: true },
        'Ann, Rue 1, 1000 Brussels, Belgium <ann@example.com>',
      ],
      [{ show_vat: true }, 'Ann ‒ BE1'],
      [{ show_email: false }, 'Ann'],
    ] as [object, string][]) {
      const readCall = { ids: [id], fields: ['display_name'], context };
      expect((await lab.value('res.partner/read', readCall))[0].display_name).toBe(name);
      const link = { ids: [lead], fields: ['partner_id'], context };
      expect((await lab.value('crm.lead/read', link))[0].partner_id).toEqual([id, name]);
      const search = { name: 'Ann', domain: [['id', '=', id]], context };
      expect(await lab.value('res.partner/name_search', search)).toEqual([[id, name]]);
    }
  });

  test('has no effect for the keys that the guide lists as ignored', async () => {
    const guide = readFileSync(new URL('../../docs/guides/odoo-clients.md', import.meta.url), 'utf8');
    const ignoredArray = /<!-- ignored context keys -->([\s\S]*?)<!-- end -->/
      .exec(guide)![1]!
      .match(/`(\w+)`/g)!;
    expect(ignoredArray.length).toBeGreaterThan(8);
    const keys = ignoredArray.map((key) => key.slice(1, -1));
    const plain = await lab.value('crm.lead/formatted_read_group', CALL);
    for (const key of keys)
      for (const value of [true, { fill_from: '2026-01-01' }, 'x', 5])
        expect(
          await lab.value('crm.lead/formatted_read_group', { ...CALL, context: { [key]: value } }),
        ).toEqual(plain);
  });
});

test('names the step of a group path that cannot be followed', async () => {
  for (const [groupby, message] of [
    ['order_line.product_id', "'order_line' of 'sale.order' has the type one2many"],
    ['partner_id.name.x', "'name' of 'res.partner' has the type char"],
    ['partner_id.nope', "'nope' on 'res.partner'"],
  ] as [string, string][]) {
    const error = await lab.expectError('sale.order/formatted_read_group', {
      domain: [],
      groupby: [groupby],
    });
    expect(error.status).toBe(422);
    expect(error.message).toContain(message);
  }
});
