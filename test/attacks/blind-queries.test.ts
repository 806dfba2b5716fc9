import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { createScene, type Person, toFlags } from '../rights/scene.ts';
import { createDice, type Dice } from './dice.ts';
import { MAKERS } from './shots.ts';

// Queries that return no hidden value may still reveal it through a count, an order, a group or an error. Therefore,
// each query runs twice, and hidden values are changed in between: a caller without access must get the same response.

const app = setUpApp();
const scene = createScene(app);
/** The only user from whom a rule hides some records. */
let bound: Person;
let free: Person;
const hidden: Record<string, number> = {};
/** No app group grants access to these models, so only the rules of this test apply. */
const MODELS = [
  ...['res.partner', 'crm.lead', 'crm.tag', 'crm.stage', 'sale.order', 'sale.order.line'],
  ...['project.project', 'project.task', 'product.product'],
];
const [LOW, HIGH] = ['aaaa-planted', 'zzzz-planted'];

beforeAll(async () => {
  const group = await scene.addGroup('Bound');
  const workingId = await scene.addGroup('Working');
  for (const model of MODELS) await scene.grant(model, workingId, 'crwu');
  const ids = [workingId, await scene.groupId('base.group_allow_export')];
  bound = await scene.addPerson('bound', [group, ...ids]);
  free = await scene.addPerson('free', ids);
  await addRecords();
  for (const [model, id] of Object.entries(hidden))
    await scene.create('ir.rule', {
      name: `all but one of ${model}`,
      model_id: await scene.modelId(model),
      domain_force: `[('id', '!=', ${id})]`,
      groups: [[6, 0, [group]]],
      ...toFlags('crwu'),
    });
  await change(LOW);
});

async function addRecords(): Promise<void> {
  hidden['res.partner'] = await scene.create('res.partner', { name: 'Contact' });
  const open = await scene.create('res.partner', {
    name: 'Open',
    email: 'mmmm@open.test',
    ref: 'mmmm',
    color: 5,
  });
  const { id: user_id } = bound;
  for (const [partner_id, name] of [
    [hidden['res.partner'], 'behind'],
    [open, 'beside'],
    [false, 'alone'],
  ])
    await scene.create('crm.lead', { name, partner_id, user_id });
  // Contacts of another type would share the address of their company.
  await scene.create('res.partner', { name: 'Child', type: 'other', parent_id: hidden['res.partner'] });
  await scene.create('res.partner', { name: 'Child of the other', type: 'other', parent_id: open });
  for (const partner of [hidden['res.partner'], open])
    await scene.create('sale.order', {
      partner_id: partner,
      order_line: [[0, 0, { name: 'x', price_unit: 1 }]],
    });
  hidden['crm.tag'] = await scene.create('crm.tag', { name: 'Tag' });
  const tagged = { name: 'tagged', tag_ids: [[6, 0, [hidden['crm.tag']]]], user_id };
  await scene.create('crm.lead', tagged);
  hidden['crm.lead'] = await scene.create('crm.lead', { name: 'Lead', user_id });
  hidden['project.project'] = await scene.create('project.project', { name: 'Project' });
  await scene.create('project.task', { name: 'of it', project_id: hidden['project.project'] });
}

/** Changes the hidden values so that they are all greater or all less than the values of other records. */
async function change(word: string): Promise<void> {
  const isLow = word === LOW;
  const values: Record<string, object> = {
    'res.partner': {
      email: `${word}@x.test`,
      ref: word,
      phone: word,
      comment: word,
      street: word,
      color: isLow ? 1 : 9,
    },
    'crm.tag': { color: isLow ? 1 : 9 },
    'crm.lead': {
      description: word,
      expected_revenue: isLow ? 1 : 9_000,
      email_from: `${word}@x.test`,
      priority: isLow ? '0' : '3',
    },
    'project.project': { description: word, color: isLow ? 1 : 9, sequence: isLow ? 1 : 90 },
  };
  for (const [model, vals] of Object.entries(values))
    await scene.admin.value(`${model}/write`, { ids: [hidden[model]], vals });
}

interface Question {
  description: string;
  ask(key: string): Promise<string>;
}

const callJson2 = async (path: string, body: object, key: string) => {
  const { status, text } = await json2(app, path, body, key);
  return `${status} ${text}`;
};

const buildJsonQuestion = (model: string, method: string, body: object): Question => ({
  description: `${model}/${method} ${JSON.stringify(body)}`,
  ask: (key) => callJson2(`${model}/${method}`, body, key),
});

const buildGraphQuestion = (query: string): Question => ({
  description: query,
  ask: async (key) => {
    const { data, errors } = await postGraphql(app, query, { key });
    return JSON.stringify([data, errors.map(({ message }) => message)]);
  },
});

const CONDITIONS: unknown[][] = [
  [['ref', '=', LOW]],
  [['ref', '!=', LOW]],
  ['!', ['ref', '=like', 'a%']],
  [['ref', 'in', [LOW, 'x']]],
  [['ref', 'not in', [LOW]]],
  [['ref', '<', 'm']],
  [['email', 'ilike', LOW]],
  [['comment', 'like', LOW]],
  ['|', ['ref', '=', LOW], ['ref', '=', HIGH]],
  [['id', 'any', [['ref', '=', LOW]]]],
  [['color', '>', 3]],
  [
    ['write_date', '!=', false],
    ['street', '=', LOW],
  ],
];

const GROUPS = [
  'partner_id.ref',
  'partner_id.email',
  'partner_id.color',
  'partner_id.parent_id.ref',
  'tag_ids',
  'partner_id',
];

function buildQuestions(): Question[] {
  const partners = CONDITIONS.flatMap((domain) => [
    buildJsonQuestion('res.partner', 'search_count', { domain }),
    buildJsonQuestion('res.partner', 'search', { domain: [['child_ids', 'any', domain]] }),
    buildJsonQuestion('res.partner', 'search', { domain: [['parent_id', 'any', domain]] }),
    buildJsonQuestion('res.partner', 'search', { domain: [['parent_id', 'not any', domain]] }),
    buildJsonQuestion('crm.lead', 'search', { domain: [['partner_id', 'any', domain]] }),
    buildJsonQuestion('crm.lead', 'search', { domain: [['partner_id', 'not any', domain]] }),
    buildJsonQuestion('sale.order', 'search', { domain: [['partner_id', 'any', domain]] }),
    buildJsonQuestion('sale.order.line', 'search', { domain: [['order_id.partner_id', 'any', domain]] }),
    buildJsonQuestion('res.partner', 'name_search', { name: '', domain }),
    buildJsonQuestion('res.partner', 'web_search_read', { domain, specification: { display_name: {} } }),
    buildJsonQuestion('res.partner', 'formatted_read_group', {
      domain,
      groupby: ['color'],
      aggregates: ['__count', 'color:sum'],
    }),
  ]);
  const orders = ['partner_id.ref', 'partner_id.email desc', 'partner_id.color, id', 'partner_id'].map(
    (order) => buildJsonQuestion('crm.lead', 'search', { domain: [], order }),
  );
  const groups = GROUPS.map((by) =>
    buildJsonQuestion('crm.lead', 'formatted_read_group', {
      domain: [],
      groupby: [by],
      aggregates: ['__count'],
    }),
  );
  const sums = [
    'expected_revenue:sum',
    'priority:max',
    'email_from:array_agg',
    'description:count_distinct',
  ].flatMap((sum) => [
    buildJsonQuestion('crm.lead', 'formatted_read_group', { domain: [], groupby: [], aggregates: [sum] }),
    buildJsonQuestion('crm.lead', 'formatted_read_group', {
      domain: [],
      groupby: ['user_id'],
      aggregates: [sum],
      order: `${sum} desc`,
    }),
    buildJsonQuestion('crm.lead', 'formatted_read_group', {
      domain: [],
      groupby: ['user_id'],
      aggregates: ['__count'],
      having: [[sum, '>', 5_000]],
    }),
  ]);
  return [...partners, ...orders, ...groups, ...sums, ...buildGraphQuestions(), ...buildOthers()];
}

const buildGraphQuestions = (): Question[] =>
  [
    `partners(where: { ref: { eq: "${LOW}" } })`,
    `partners(where: { not: { ref: { startsWith: "a" } } })`,
    `partners(where: { children: { some: { ref: { eq: "${LOW}" } } } })`,
    `partners(where: { parent: { ref: { gt: "m" } } })`,
    `crmLeads(where: { partner: { ref: { eq: "${LOW}" } } })`,
    `crmLeads(where: { not: { partner: { ref: { eq: "${LOW}" } } } })`,
    `crmLeads(where: { expectedRevenue: { gt: 5000 } })`,
    `crmLeads(where: { description: { contains: "${LOW}" } })`,
    'crmLeads(orderBy: [{ field: EXPECTED_REVENUE, direction: DESC }])',
    'partners(orderBy: [{ field: EMAIL }])',
  ].flatMap((list) => [
    buildGraphQuestion(`{ ${list} { totalCount nodes { id } } }`),
    buildGraphQuestion(`{ ${list} { edges { cursor } } }`),
  ]);

const buildOthers = (): Question[] => [
  buildJsonQuestion('crm.lead', 'search_read', {
    domain: [],
    fields: ['name', 'partner_id', 'email_from', 'phone', 'tag_ids'],
  }),
  buildJsonQuestion('res.partner', 'search_read', {
    domain: [],
    fields: ['parent_id', 'commercial_partner_id', 'email', 'color'],
  }),
  buildJsonQuestion('project.task', 'search_read', {
    domain: [],
    fields: ['project_id', 'partner_id', 'color'],
  }),
  buildJsonQuestion('crm.lead', 'onchange', {
    ids: [],
    values: { partner_id: hidden['res.partner'] },
    field_names: ['partner_id'],
    fields_spec: { email_from: {}, phone: {} },
  }),
  buildJsonQuestion('res.partner', 'read', { ids: [hidden['res.partner']], fields: ['ref'] }),
  buildJsonQuestion('res.partner', 'copy', { ids: [hidden['res.partner']] }),
  buildJsonQuestion('res.partner', 'export_data', {
    ids: [hidden['res.partner']],
    fields_to_export: ['ref'],
  }),
  buildJsonQuestion('res.partner', 'web_read', { ids: [hidden['res.partner']], specification: { ref: {} } }),
  buildJsonQuestion('res.partner', 'load', {
    fields: ['.id', 'name'],
    data: [[String(hidden['res.partner']), 'x']],
  }),
  buildJsonQuestion('res.partner', 'explain_access', { ids: [hidden['res.partner']], operation: 'read' }),
  buildJsonQuestion('crm.lead', 'web_search_read', {
    domain: [],
    specification: { partner_id: { fields: { ref: {}, email: {} } }, tag_ids: { fields: { color: {} } } },
  }),
  buildJsonQuestion('mail.message', 'search_read', {
    domain: [['res_id', '=', hidden['res.partner']]],
    fields: ['body'],
  }),
];

/** Masks request ids, which differ. */
const maskUuids = (response: string): string => response.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');

async function collectResponses(list: Question[], key: string): Promise<string[]> {
  const responses: string[] = [];
  for (const question of list) responses.push(maskUuids(await question.ask(key)));
  return responses;
}

/** Returns the queries whose responses differ although only hidden values changed. */
async function findRevealing(list: Question[], { key }: Person): Promise<string[]> {
  await change(LOW);
  const before = await collectResponses(list, key);
  const steady = (await collectResponses(list, key)).map((response, index) => response === before[index]);
  await change(HIGH);
  const after = await collectResponses(list, key);
  return list.flatMap(({ description }, index) =>
    steady[index] && after[index] !== before[index]
      ? [`${description}: ${before[index]!.slice(0, 300)} … ${after[index]!.slice(0, 300)}`]
      : [],
  );
}

test('reveals no value of a hidden record through any query', async () => {
  expect(await findRevealing(buildQuestions(), bound)).toEqual([]);
});

test('reveals the values to an authorized user through the same queries', async () => {
  const list = buildQuestions();
  expect((await findRevealing(list, free)).length).toBeGreaterThan(list.length / 3);
});

function pickQuestions(dice: Dice): Question[] {
  const { registry } = app.runtime;
  const ids = {
    ...Object.fromEntries(Object.entries(hidden).map(([model, id]) => [model, [id, id - 1, id + 1]])),
  };
  const material = { dice, registry, ids, publicIds: ['x'] };
  const questions: Question[] = [];
  while (questions.length < 150) {
    const attacker = {
      name: 'x',
      workspace: 'main',
      key: 'KEY',
      uid: 1,
      cookie: null,
      sees: [],
      isDead: false,
    };
    const { facade, path, body } = MAKERS[dice.below(6)]!.make(app, material, attacker);
    const isReading = facade === 'json2' ? READS.test(path) : body!.startsWith('{"query":"query');
    if (!isReading) continue;
    questions.push({
      description: `${path} ${body}`,
      ask: async (key) => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
        return (await fetch(app.url + path, { method: 'POST', headers, body })).text();
      },
    });
  }
  return questions;
}

const READS =
  /\/(search\w*|read|web_\w*read|name_search|\w*read_group|onchange|export_data|fields_get|default_get|has_access)$/;

const SEED = Number(process.env.ATTACK_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`reveals no hidden value through random queries (seed ${SEED})`, { tags: 'slow' }, async () => {
  expect(await findRevealing(pickQuestions(createDice(SEED)), bound), `ATTACK_SEED=${SEED}`).toEqual([]);
});
