import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { postXml } from '../harness/facades/xmlrpc.ts';
import { createScene, getStatus, type Person, toFlags } from './scene.ts';

const app = setUpApp();
const scene = createScene(app);
let ann: Person;
const id: Record<string, number> = {};
let model: number;

beforeAll(async () => {
  await addPeople();
  await addThings();
});

async function addPeople(): Promise<void> {
  id.deep = await scene.addGroup('Deep');
  id.base = await scene.addGroup('Base', { implied_ids: [[6, 0, [id.deep]]] });
  id.more = await scene.addGroup('More');
  id.strange = await scene.addGroup('Strange');
  const companies = await scene.admin.value('res.company/search', { domain: [] });
  id.home = companies[0];
  id.branch = await scene.create('res.company', { name: 'Branch' });
  id.abroad = await scene.create('res.company', { name: 'Abroad' });
  ann = await scene.addPerson('ann', [id.base, id.more], {
    company_id: id.home,
    company_ids: [[6, 0, [id.home, id.branch]]],
  });
  id.bob = (await scene.addPerson('bob')).id;
}

const FIELDS = [
  { name: 'x_owner_id', ttype: 'many2one', relation: 'res.users' },
  { name: 'x_level', ttype: 'integer' },
  { name: 'x_day', ttype: 'date' },
  { name: 'x_code', ttype: 'char' },
  { name: 'x_company_id', ttype: 'many2one', relation: 'res.company' },
  { name: 'x_partner_id', ttype: 'many2one', relation: 'res.partner' },
  { name: 'x_tag_ids', ttype: 'many2many', relation: 'res.partner.category' },
  { name: 'x_parent_id', ttype: 'many2one', relation: 'x_thing', on_delete: 'set null' },
];

/** Ann owns A and B, another user owns C and E, and D has no owner. D is a child of A, and E of C. */
async function addThings(): Promise<void> {
  model = await scene.addModel('x_thing', FIELDS, id.deep!);
  await scene.create('ir.model.fields', {
    model_id: model,
    name: 'x_child_ids',
    ttype: 'one2many',
    relation: 'x_thing',
    relation_field: 'x_parent_id',
  });
  id.red = await scene.create('res.partner.category', { name: 'red' });
  id.blue = await scene.create('res.partner.category', { name: 'blue', parent_id: id.red });
  const [country] = await scene.admin.value('res.country/search', { domain: [['code', '=', 'BE']] });
  id.belgian = await scene.create('res.partner', { name: 'Belgian', country_id: country });
  // Ann cannot see this record, but rules may refer to it.
  id.foreign = await scene.create('res.partner', { name: 'Far', ref: 'far' });
  await app.runtime.db.rows(
    sql`update res_partner set company_id = ${id.abroad} where workspace_id = ${app.main.ctx.workspace.id} and id = ${id.foreign}`,
  );
  const add = async (name: string, values: object) => {
    id[name] = await scene.create('x_thing', { x_name: name, x_code: name.toLowerCase(), ...values });
  };
  await add('A', { x_owner_id: ann.id, x_level: 1, x_company_id: id.home, x_tag_ids: [[6, 0, [id.red]]] });
  await add('B', { x_owner_id: ann.id, x_level: 5, x_tag_ids: [[6, 0, [id.blue]]], x_day: '2020-01-01' });
  await add('C', { x_owner_id: id.bob, x_level: 1, x_company_id: id.branch, x_partner_id: id.belgian });
  await add('D', { x_level: 9, x_parent_id: id.A, x_company_id: id.abroad, x_partner_id: id.foreign });
  await add('E', { x_owner_id: id.bob, x_level: 5, x_parent_id: id.C, x_day: '2999-01-01' });
}

interface RuleSpec {
  domain: string | false;
  groups?: string[];
  letters?: string;
  active?: boolean;
}
const buildRule = (domain: string | false, groups: string[] = [], letters = 'crwu'): RuleSpec => ({
  domain,
  groups,
  letters,
});

async function withRules<T>(rules: RuleSpec[], fn: () => Promise<T>): Promise<T> {
  const vals = rules.map(({ domain, groups = [], letters = 'crwu', active = true }, n) => ({
    name: `rule ${n}`,
    model_id: model,
    domain_force: fillIds(domain),
    groups: [[6, 0, groups.map((group) => id[group])]],
    active,
    ...toFlags(letters),
  }));
  const ruleIds = await scene.admin.value('ir.rule/create', { vals_list: vals });
  try {
    return await fn();
  } finally {
    await scene.admin.value('ir.rule/unlink', { ids: ruleIds });
  }
}

const fillIds = (domain: string | false) =>
  domain === false ? false : domain.replace(/\{(\w+)\}/g, (_, name: string) => String(id[name]));

const toNames = (ids: number[]): string => [...'ABCDE'].filter((name) => ids.includes(id[name]!)).join('');
const getAllIds = () => [...'ABCDE'].map((name) => id[name]!);

/** Returns the records visible to Ann, and verifies that all read operations agree. */
async function searchVisible(context: object = {}): Promise<string> {
  const search = { domain: [], context };
  const names = toNames(await ann.value('x_thing/search', search));
  const rows: { id: number }[] = await ann.value('x_thing/search_read', { ...search, fields: ['x_name'] });
  expect(toNames(rows.map((row) => row.id))).toBe(names);
  expect(await ann.value('x_thing/search_count', search)).toBe(names.length);
  const pairs: [number, string][] = await ann.value('x_thing/name_search', { name: '', context });
  expect(toNames(pairs.map(([one]) => one))).toBe(names);
  const groups = await ann.value('x_thing/formatted_read_group', {
    domain: [],
    groupby: ['x_level'],
    aggregates: ['__count'],
    context,
  });
  const groupedCount = groups.reduce((sum: number, group: { __count: number }) => sum + group.__count, 0);
  expect(groupedCount).toBe(names.length);
  for (const allId of getAllIds()) {
    const status = await getStatus(app, ann.key, 'x_thing/read', {
      ids: [allId],
      fields: ['x_name'],
      context,
    });
    expect(status, String(toNames([allId]))).toBe(names.includes(toNames([allId])) ? 200 : 403);
  }
  if (Object.keys(context).length === 0) await expectSameElsewhere(names);
  return names;
}

async function expectSameElsewhere(names: string): Promise<void> {
  const xml = await postXml(`${app.url}/xmlrpc/2/object`, 'execute_kw', [
    'main',
    ann.id,
    ann.key,
    'x_thing',
    'search',
    [[]],
  ]);
  expect(toNames(xml.value as number[])).toBe(names);
  const graph = await postGraphql(app, '{ recordSearch(model: "x_thing", domain: []) }', { key: ann.key });
  expect(toNames(graph.data.recordSearch.map(Number))).toBe(names);
}

describe('combination of record rules', () => {
  test.each<[string, RuleSpec[], string]>([
    ['shows every record without rules', [], 'ABCDE'],
    ['applies a global rule', [buildRule(`[('x_level', '<=', 5)]`)], 'ABCE'],
    [
      'combines global rules with AND',
      [buildRule(`[('x_level', '<=', 5)]`), buildRule(`[('x_owner_id', '!=', user.id)]`)],
      'CE',
    ],
    [
      "applies a rule of the user's groups",
      [buildRule(`[('x_owner_id', '=', user.id)]`, ['base']), buildRule(`[('x_level', '>', 8)]`, ['more'])],
      'ABD',
    ],
    ['ignores rules of other groups', [buildRule(`[('x_level', '>', 8)]`, ['strange'])], 'ABCDE'],
    [
      'does not extend access by rules of other groups',
      [buildRule(`[('x_owner_id', '=', user.id)]`, ['base']), buildRule('[]', ['strange'])],
      'AB',
    ],
    ['applies a rule of an implied group', [buildRule(`[('x_owner_id', '=', user.id)]`, ['deep'])], 'AB'],
    ['combines group rules with OR', [buildRule(`[('x_level', '=', 9)]`, ['strange', 'deep'])], 'D'],
    [
      'restricts group rules by global rules',
      [
        buildRule(`[('x_level', '<=', 5)]`),
        buildRule('[]', ['base']),
        buildRule(`[('x_level', '=', 9)]`, ['more']),
      ],
      'ABCE',
    ],
    [
      'combines global rules with any group rule',
      [
        buildRule(`[('x_level', '<=', 5)]`),
        buildRule(`[('x_owner_id', '=', user.id)]`, ['base']),
        buildRule(`[('x_code', '=', 'e')]`, ['more']),
      ],
      'ABE',
    ],
    [
      'shows all records if one group rule allows all',
      [buildRule(`[('id', '=', 0)]`, ['base']), buildRule(`[(1, '=', 1)]`, ['more'])],
      'ABCDE',
    ],
    ['ignores a disabled rule', [{ domain: `[(0, '=', 1)]`, active: false }], 'ABCDE'],
    ['ignores a rule for other operations', [buildRule(`[(0, '=', 1)]`, [], 'cwu')], 'ABCDE'],
    ['allows all records with an empty domain', [buildRule(''), buildRule(false), buildRule('[]')], 'ABCDE'],
    ['allows no records with a false domain', [buildRule(`[(0, '=', 1)]`)], ''],
    ['allows no records with an unsatisfiable domain', [buildRule(`[('x_owner_id', 'in', [])]`)], ''],
  ])('%s', async (_what, rules, expected) => {
    expect(await withRules(rules, () => searchVisible())).toBe(expected);
  });
});

describe('expressions in record rules', () => {
  test.each<[string, string, string]>([
    ['the user', `[('x_owner_id', '=', user.id)]`, 'AB'],
    ['the login', `[('x_owner_id.login', '=', user.login)]`, 'AB'],
    ["the user's contact", `[('x_owner_id.partner_id', 'in', [user.partner_id.id])]`, 'AB'],
    ['unset values', `[('x_owner_id', '=', False)]`, 'D'],
    ['OR and NOT', `['|', '!', ('x_level', '<', 9), ('x_code', 'in', ('a', 'b'))]`, 'ABD'],
    ['a path', `[('x_partner_id.country_id.code', '=', 'BE')]`, 'C'],
    ['a path to hidden records', `[('x_partner_id.ref', '=', 'far')]`, 'D'],
    ['a many2many', `[('x_tag_ids.name', '=', 'red')]`, 'A'],
    ['a many2many by id', `[('x_tag_ids', 'in', [{red}, {blue}])]`, 'AB'],
    ['an empty many2many', `[('x_tag_ids', '=', False)]`, 'CDE'],
    ['a one2many', `[('x_child_ids.x_level', '>=', 9)]`, 'A'],
    ['an empty one2many', `[('x_child_ids', '=', False)]`, 'BDE'],
    ['the same table', `[('x_parent_id.x_owner_id', '=', user.id)]`, 'D'],
    ['the same table and back', `[('x_child_ids.x_parent_id.x_owner_id', '=', user.id)]`, 'A'],
    ['a hierarchy', `[('x_tag_ids', 'child_of', {red})]`, 'AB'],
    ['a hierarchy upwards', `[('x_tag_ids', 'parent_of', [{red}])]`, 'A'],
    ['any', `[('x_child_ids', 'any', [('x_level', '=', 5)])]`, 'C'],
    ['not any', `[('x_parent_id', 'not any', [('x_owner_id', '=', user.id)])]`, 'ABCE'],
    ['the day', `[('x_day', '>=', time.strftime('%Y-%m-%d'))]`, 'E'],
    ['concatenated lists', `[('x_level', '>', 1)] + [('x_owner_id', '=', user.id)]`, 'B'],
    ['text with quotes', `[('x_code', 'not in', ["it's", 'a"b', 'a'])]`, 'BCDE'],
  ])('support %s', async (_what, domain, expected) => {
    expect(await withRules([buildRule(domain)], () => searchVisible())).toBe(expected);
  });

  test("support the caller's companies", async () => {
    const rules = [buildRule(`['|', ('x_company_id', '=', False), ('x_company_id', 'in', company_ids)]`)];
    await withRules(rules, async () => {
      expect(await searchVisible()).toBe('ABCE');
      expect(await searchVisible({ allowed_company_ids: [id.home] })).toBe('ABE');
      expect(await searchVisible({ allowed_company_ids: [id.branch] })).toBe('BCE');
      expect(await searchVisible({ allowed_company_ids: [id.branch, id.home] })).toBe('ABCE');
      const error = await ann.expectError(403, 'x_thing/search', {
        domain: [],
        context: { allowed_company_ids: [id.abroad] },
      });
      expect(error.message).toMatch(/companies/);
    });
    await withRules([buildRule(`[('x_company_id', '=', company_id)]`)], async () => {
      expect(await searchVisible()).toBe('A');
      expect(await searchVisible({ allowed_company_ids: [id.branch, id.home] })).toBe('C');
    });
    await withRules([buildRule(`[('x_company_id', 'in', user.company_ids.ids + [False])]`)], async () => {
      expect(await searchVisible()).toBe('ABCE');
    });
  });
});

describe('record rules', () => {
  test('apply to administrators', async () => {
    await withRules([buildRule(`[('x_level', '=', 9)]`)], async () => {
      expect(toNames(await scene.admin.value('x_thing/search', { domain: [] }))).toBe('D');
      await scene.admin.expectError(403, 'x_thing/write', { ids: [id.A], vals: { x_code: 'z' } });
    });
  });

  test('do not apply to internal code', async () => {
    await withRules([buildRule(`[(0, '=', 1)]`)], async () => {
      const { search } = await import('../../src/engine/read/records.ts');
      const workspace = (await app.runtime.identity.workspace('main'))!;
      const system = app.main.ctx.with({ workspace });
      expect(toNames(await search(system, 'x_thing', []))).toBe('ABCDE');
    });
  });

  test('also limit conditions on related records', async () => {
    await withRules([buildRule(`[('x_code', '!=', 'a')]`)], async () => {
      const [row] = await ann.value('x_thing/read', { ids: [id.D], fields: ['x_name', 'x_parent_id'] });
      expect(row.x_name).toBe('D');
      expect(await ann.value('x_thing/search', { domain: [['x_parent_id.x_code', '=', 'a']] })).toEqual([]);
    });
  });
});
