import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '../rpc/seeded.ts';
import { openRecordLab, type RecordLab } from './lab.ts';

// Random leads in random groups: what a group says it holds is what a search for its conditions finds, and its
// aggregates are those of the values that the leads were given.

const SEED = 20_261_122;
const LEADS = 150;
const CASES = 60;

const random = seeded(SEED);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const some = <T>(list: readonly T[], chance: number): T[] => list.filter(() => random() < chance);

/** Times at the edges of days, months, and of summer time in the zones below. */
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
  { name: 'colour', type: 'char', string: 'Colour' },
  { name: 'size', type: 'integer', string: 'Size' },
  { name: 'open', type: 'boolean', string: 'Open' },
  { name: 'day', type: 'date', string: 'Day' },
  { name: 'friend', type: 'many2one', string: 'Friend', comodel: 'res.partner' },
];

type Lead = Record<string, unknown> & { id: number };

let lab: RecordLab;
let leads: Map<number, Lead>;
beforeAll(async () => {
  lab = await openRecordLab();
  leads = await fill();
});
afterAll(() => lab?.close());

const create = async (model: string, values: object): Promise<number> =>
  (await lab.value(`${model}/create`, { vals_list: values }))[0];

async function addFields(): Promise<void> {
  const [model_id] = await lab.value('ir.model/search', { domain: [['model', '=', 'crm.lead']] });
  const add = (name: string, ttype: string, more = {}) =>
    create('ir.model.fields', { model_id, name, ttype, state: 'manual', ...more });
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
  const given = Array.from({ length: LEADS }, (_, i) => randomLead(i, { team, partners, tags, kinds }));
  const ids: number[] = await lab.value('crm.lead/create', { vals_list: given });
  for (const model of ['res.partner', 'crm.tag', 'res.partner.category']) {
    const [model_id] = await lab.value('ir.model/search', { domain: [['model', '=', model]] });
    await create('ir.rule', { name: model, model_id, domain_force: `[('name', 'not ilike', 'hidden')]` });
  }
  return new Map(ids.map((id, i) => [id, { ...given[i], id }]));
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
    tag_ids: [[6, 0, some(tags, 0.4)]],
    x_tag_ids: [[6, 0, some(kinds, 0.3)]],
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
      colour: pick([false, '', 'red']),
      size: pick([false, 0, 4]),
      open: pick([true, false]),
      day: pick([false, ...DAYS]),
      friend: pick([false, ...partners]),
    };
  return values;
}

const PLAIN = [
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
  .concat(['colour', 'size', 'open', 'friend'].map((name) => `lead_properties.${name}`));

function randomGrouping(): string {
  const kind = random();
  if (kind < 0.6) return pick(PLAIN);
  if (kind < 0.7) return `lead_properties.day:${pick(PERIODS.slice(1))}`;
  const dates = ['date_deadline', 'x_date', 'x_datetime', 'x_datetime', 'partner_id.create_date'];
  return `${pick(dates)}:${pick([...PERIODS, ...NUMBERS])}`;
}

/** Two many2many at most are grouped by at a time. */
const randomGroupby = (): string[] => Array.from({ length: 1 + Math.floor(random() * 3) }, randomGrouping);

test('each of random groups holds exactly what its conditions find, archived links, hidden ones and none included', {
  tags: 'slow',
}, async () => {
  const failed: unknown[] = [];
  let groups = 0;
  for (let i = 0; i < CASES; i++) {
    const groupby = randomGroupby();
    const context = { tz: pick(ZONES), lang: 'en_US' };
    const domain = pick([[], [['type', '=', 'lead']], ['|', ['color', '=', 5], ['x_boolean', '=', false]]]);
    const answer = await lab.value('crm.lead/formatted_read_group', {
      ...{ domain, groupby, aggregates: ['__count', 'id:array_agg'], context },
    });
    const keys = new Set(
      answer.map((group: object) => JSON.stringify(groupby.map((by) => group[by as never]))),
    );
    if (keys.size < answer.length) failed.push({ groupby, context, twice: answer });
    for (const group of answer) {
      groups++;
      const held = domain.length > 0 ? ['&', ...domain, ...group.__extra_domain] : group.__extra_domain;
      const found = await lab.value('crm.lead/search', { domain: held, order: 'id', context });
      const counted = [...group['id:array_agg']].sort((a, b) => a - b);
      if (group.__count !== found.length || JSON.stringify(counted) !== JSON.stringify(found))
        failed.push({ groupby, context, group, found });
    }
  }
  expect(groups).toBeGreaterThan(400);
  expect(failed).toEqual([]);
});

test('random aggregates are those of the values given, where a number that is not given is 0', async () => {
  const numbers = ['expected_revenue', 'recurring_revenue', 'color', 'x_integer', 'x_float', 'x_money'];
  const numberOf = (id: number, name: string) => Number(leads.get(id)![name] || 0);
  for (const groupby of [[], ['type'], ['color'], ['x_integer', 'type'], ['partner_id'], ['x_date:month']]) {
    const aggregates = numbers.flatMap((name) =>
      ['sum', 'avg', 'min', 'max', 'count'].map((by) => `${name}:${by}`),
    );
    const answer = await lab.value('crm.lead/formatted_read_group', {
      ...{ domain: [], groupby, aggregates: ['__count', 'id:array_agg', ...aggregates] },
    });
    for (const group of answer)
      for (const name of numbers) {
        const values = group['id:array_agg'].map((id: number) => numberOf(id, name));
        const sum = values.reduce((a: number, b: number) => a + b, 0);
        expect(group[`${name}:sum`]).toBeCloseTo(sum, 6);
        expect(group[`${name}:avg`]).toBeCloseTo(sum / values.length, 6);
        expect(group[`${name}:min`]).toBe(Math.min(...values));
        expect(group[`${name}:max`]).toBe(Math.max(...values));
        expect(group[`${name}:count`]).toBe(values.length);
      }
  }
});

test('numbers that are not given come where 0 does, up and down', async () => {
  for (const name of ['expected_revenue', 'color', 'x_integer', 'x_float', 'x_money'])
    for (const direction of ['asc', 'desc']) {
      const found = await lab.value('crm.lead/search', { domain: [], order: `${name} ${direction}, id` });
      const values = found.map((id: number) => Number(leads.get(id)![name] || 0));
      const sorted = [...values].sort((a, b) => (direction === 'asc' ? a - b : b - a));
      expect(values, name).toEqual(sorted);
    }
});

test('pages of groups that are alike in the order have each group once', async () => {
  for (const order of ['__count desc', 'expected_revenue:max', 'type desc', null]) {
    const query = {
      domain: [],
      groupby: ['name', 'type'],
      aggregates: ['__count', 'expected_revenue:max'],
      order,
    };
    const seen: string[] = [];
    for (let offset = 0; offset < LEADS; offset += 7) {
      const page = await lab.value('crm.lead/formatted_read_group', { ...query, limit: 7, offset });
      seen.push(...page.map((group: { name: string }) => group.name));
    }
    expect(new Set(seen).size, String(order)).toBe(LEADS);
  }
});

test('pages of leads that are alike in the order have each lead once', async () => {
  for (const order of ['color', 'type desc', 'partner_id, x_boolean', 'lead_properties.size']) {
    const seen: number[] = [];
    for (let offset = 0; offset < LEADS; offset += 7)
      seen.push(...(await lab.value('crm.lead/search', { domain: [], order, limit: 7, offset })));
    expect(new Set(seen).size, order).toBe(LEADS);
  }
});

/** Labels of the week of a day, by language: year and number as they are usual where it is spoken. */
const WEEKS: [string, string, string][] = [
  ['2025-12-28', 'en_US', 'W1 2026'],
  ['2025-12-27', 'en_US', 'W52 2025'],
  ['2026-01-04', 'en_US', 'W2 2026'],
  ['2025-12-28', 'fr_FR', 'W52 2025'],
  ['2025-12-29', 'fr_FR', 'W1 2026'],
  ['2027-01-03', 'fr_FR', 'W53 2026'],
  ['2027-01-03', 'en_AU', 'W1 2027'],
];

test.each(WEEKS)('the week of %s is called in %s %s', async (day, lang, label) => {
  await lab.value('res.lang/write', {
    ids: await lab.value('res.lang/search', {
      domain: [['code', '=', lang]],
      context: { active_test: false },
    }),
    vals: { active: true },
  });
  const id = await create('crm.lead', { name: day, x_date: day });
  const query = { domain: [['id', '=', id]], groupby: ['x_date:week'], aggregates: [], context: { lang } };
  const [group] = await lab.value('crm.lead/formatted_read_group', query);
  expect(group['x_date:week'][1]).toBe(label);
});
