import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { createAgentKey, runTool, switchMcp } from '../harness/facades/mcp.ts';
import { createSeededRandom } from '../rpc/seeded.ts';
import { createScene, type Person } from './scene.ts';

// Conditions on lists must not reveal links to hidden records.

const app = setUpApp();
const scene = createScene(app);
const random = createSeededRandom(7);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;

const LISTS = ['opportunity_ids', 'x_deal_ids'] as const;
const GRAPH_NAMES = { opportunity_ids: 'opportunities', x_deal_ids: 'xDeals' };
type List = (typeof LISTS)[number];

interface Contact {
  id: number;
  links: Record<List, number[]>;
}

const sellers: Person[] = [];
const agentKeys: string[] = [];
const contacts: Contact[] = [];
/** Salesperson of each lead. Undefined if everyone may read the lead. */
const owners = new Map<number, Person | undefined>();

beforeAll(async () => {
  await scene.create('ir.model.fields', {
    model_id: await scene.modelId('res.partner'),
    name: 'x_deal_ids',
    ttype: 'many2many',
    relation: 'crm.lead',
  });
  await switchMcp(app, app.main, true);
  for (const login of ['ann', 'ben']) {
    const seller = await scene.addPerson(login, [await scene.groupId('sales_team.group_sale_salesman')]);
    sellers.push(seller);
    agentKeys.push((await createAgentKey(app, '', seller.key)).key);
  }
  for (let index = 0; index < 12; index++) {
    const id = await scene.create('res.partner', { name: `Contact ${index}` });
    contacts.push({ id, links: { opportunity_ids: [], x_deal_ids: [] } });
  }
  for (let index = 0; index < 14; index++) {
    const contact = pick(contacts);
    const owner = pick([sellers[0], sellers[1], undefined]);
    const id = await scene.create('crm.lead', {
      name: `Lead ${index % 3}`,
      type: 'opportunity',
      partner_id: contact.id,
      user_id: owner?.id ?? false,
    });
    contact.links.opportunity_ids.push(id);
    owners.set(id, owner);
  }
  for (const { id, links } of contacts) {
    links.x_deal_ids = [...owners.keys()].filter(() => random() < 0.15);
    await scene.admin.value('res.partner/write', {
      ids: [id],
      vals: { x_deal_ids: [[6, 0, links.x_deal_ids]] },
    });
  }
});

const canRead = (reader: Person, lead: number) => [reader, undefined].includes(owners.get(lead));

/** Returns the contacts whose readable links meet the condition. */
const findExpected = (reader: Person, list: List, meets: (leads: number[]) => boolean): number[] =>
  contacts
    .filter(({ links }) => meets(links[list].filter((lead) => canRead(reader, lead))))
    .map(({ id }) => id);

interface Condition {
  operator: string;
  value: unknown;
  meets(leads: number[]): boolean;
}

function drawConditions(): Condition[] {
  const ids = [pick([...owners.keys()]), pick([...owners.keys()])];
  const isLinked = (leads: number[]) => leads.some((lead) => ids.includes(lead));
  const isEmpty = (leads: number[]) => leads.length === 0;
  const isEither = (leads: number[]) => isEmpty(leads) || isLinked(leads);
  const build = (positive: string, negative: string, value: unknown, meets: Condition['meets']) => [
    { operator: positive, value, meets },
    { operator: negative, value, meets: (leads: number[]) => !meets(leads) },
  ];
  return [
    ...build('=', '!=', false, isEmpty),
    ...build('=', '!=', ids[0], (leads) => leads.includes(ids[0]!)),
    ...build('in', 'not in', ids, isLinked),
    ...build('in', 'not in', [...ids, false], isEither),
    ...build('any', 'not any', [['id', 'in', ids]], isLinked),
    { operator: 'child_of', value: ids, meets: isLinked },
  ];
}

const isContact = () => ['id', 'in', contacts.map(({ id }) => id)];

test('domains see only links to readable records', async () => {
  for (let round = 0; round < 8; round++)
    for (const [index, seller] of sellers.entries())
      for (const list of LISTS)
        for (const { operator, value, meets } of drawConditions()) {
          const domain = [isContact(), [list, operator, value]];
          const expected = findExpected(seller, list, meets);
          const found: number[] = await seller.value('res.partner/search', { domain });
          expect(
            found.toSorted((a, b) => a - b),
            JSON.stringify(domain),
          ).toEqual(expected);
          if (round > 0) continue;
          const args = { model: 'res.partner', domain };
          const { structuredContent } = await runTool(app, agentKeys[index]!, 'count', args);
          expect(structuredContent.count, JSON.stringify(domain)).toBe(expected.length);
        }
});

test('GraphQL conditions see only links to readable records', async () => {
  for (const seller of sellers)
    for (const list of LISTS) {
      const isNamed = (lead: number) => [...owners.keys()].indexOf(lead) % 3 === 1;
      for (const [condition, meets] of [
        ['null', (leads) => leads.length === 0],
        ['{ some: {} }', (leads) => leads.length > 0],
        ['{ none: {} }', (leads) => leads.length === 0],
        ['{ some: { name: { eq: "Lead 1" } } }', (leads) => leads.some(isNamed)],
        ['{ none: { name: { eq: "Lead 1" } } }', (leads) => !leads.some(isNamed)],
        ['{ every: { name: { eq: "Lead 1" } } }', (leads) => leads.every(isNamed)],
      ] as [string, Condition['meets']][]) {
        const ids = contacts.map(({ id }) => `"${id}"`);
        const where = `{ id: { in: [${ids}] }, ${GRAPH_NAMES[list]}: ${condition} }`;
        const { partners } = await queryData(
          app,
          `{ partners(where: ${where}, orderBy: { field: ID }) { nodes { id } } }`,
          { key: seller.key },
        );
        expect(
          partners.nodes.map(({ id }: { id: string }) => Number(id)),
          where,
        ).toEqual(findExpected(seller, list, meets));
      }
    }
});

test('callers without access to a model see its lists as empty', async () => {
  const clerk = await scene.addPerson('clerk');
  const domain = (operator: string, value: unknown) => ({
    domain: [isContact(), [LISTS[0], operator, value]],
  });
  const count = (operator: string, value: unknown) =>
    clerk.value('res.partner/search_count', domain(operator, value));
  expect(await count('=', false)).toBe(contacts.length);
  expect(await count('!=', false)).toBe(0);
  expect(await count('in', [...owners.keys()])).toBe(0);
});

test('hierarchies do not start from hidden records of a many2many field', async () => {
  const [seller] = sellers;
  const createTag = (name: string, parent_id: number | false) =>
    scene.create('res.partner.category', { name, parent_id });
  const root = await createTag('Root', false);
  const hidden = await createTag('Hidden', root);
  const leaf = await createTag('Leaf', hidden);
  const contact = await scene.create('res.partner', { name: 'Tagged', category_id: [[6, 0, [leaf]]] });
  const model_id = await scene.modelId('res.partner.category');
  await scene.create('ir.rule', { name: 'Hide', model_id, domain_force: "[('name', '!=', 'Hidden')]" });
  const search = (id: number) =>
    seller!.value('res.partner/search', { domain: [['category_id', 'child_of', id]] });
  expect([await search(root), await search(hidden), await search(leaf)]).toEqual([[contact], [], [contact]]);
});
