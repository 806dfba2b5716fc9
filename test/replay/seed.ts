// biome-ignore-all lint/suspicious/noExplicitAny: responses of any method; the comparison inspects their shape
import { sql } from '../../src/db/sql.ts';
import { CONTACTS } from './contacts.ts';
import type { World } from './world.ts';

/**
 * Creates the records that the recorded requests refer to. A failed step is reported but does not abort, and the
 * dependent exchanges will differ.
 */
export async function seedWorld(world: World): Promise<string[]> {
  const failures: string[] = [];
  for (const [name, step] of Object.entries(STEPS)) {
    await step(world).catch((error: Error) => failures.push(`${name}: ${error.message}`));
  }
  return failures;
}

const STEPS: Record<string, (world: World) => Promise<unknown>> = {
  countries: (world) => bindCountries(world),
  currency: (world) => bindFirst(world, 'res.currency', 1, [['name', '=', 'USD']]),
  language: (world) => bindFirst(world, 'res.lang', 1, [['code', '=', 'en_US']]),
  french: (world) => activate(world, 'res.lang', [['code', '=', 'fr_FR']]),
  states: (world) => bindStates(world),
  company: (world) => bindCompany(world),
  groups: (world) => bindGroups(world),
  'rights of admin': ({ call }) =>
    call('res.users', 'write', {
      ids: ['@res.users:2'],
      vals: { group_ids: [[4, '@res.groups:21']] },
    }),
  'time zone of admin': ({ call }) =>
    call('res.users', 'write', { ids: ['@res.users:2'], vals: { tz: 'Europe/Brussels', lang: 'en_US' } }),
  'address of admin': ({ call }) =>
    call('res.partner', 'write', { ids: ['@res.partner:3'], vals: { email: 'admin@yourcompany.example' } }),
  demo: (world) => addUser(world, 'demo', 'Marc Demo', 5, 6, ['@res.groups:1', '@res.groups:19']),
  portal: (world) => addUser(world, 'portal', 'Joel Willis', 6, 7, ['@res.groups:portal']),
  categories: (world) => createEach(world, 'res.partner.category', CATEGORIES),
  contacts: (world) => createEach(world, 'res.partner', buildContacts()),
  'second company': (world) => createSecondCompany(world),
  sales1: (world) => addUser(world, 'sales1', 'Sam Salesman', 7, 43, ['@res.groups:1', '@res.groups:19']),
  limited: (world) => addUser(world, 'limited', 'Lim Limited', 8, 44, ['@res.groups:1']),
  stages: (world) => bindOrCreate(world, 'crm.stage', STAGES),
  'french names': (world) => translate(world),
  teams: (world) => bindOrCreate(world, 'crm.team', { 1: { name: 'Sales' } }),
  tags: (world) => bindOrCreate(world, 'crm.tag', TAGS),
  reasons: (world) => bindOrCreate(world, 'crm.lost.reason', { 1: { name: 'Too expensive' } }),
  leads: (world) => createRecords(world, 'crm.lead', buildLeads()),
  'task stages': (world) => createRecords(world, 'project.task.type', { 1: { name: 'New' } }),
  messages: ({ call }) => call('crm.lead', 'message_post', { ids: ['@crm.lead:1'], body: 'Hello' }),
  projects: (world) => createRecords(world, 'project.project', PROJECTS),
  tasks: (world) => createRecords(world, 'project.task', buildTasks()),
  products: (world) => createRecords(world, 'product.product', { 1: { name: 'Desk', list_price: 120 } }),
  orders: (world) => createRecords(world, 'sale.order', ORDERS),
  models: (world) => bindFirst(world, 'ir.model', 1, [['model', '=', 'res.partner']]),
  fields: (world) => bindFirst(world, 'ir.model.fields', 1, [['name', '=', 'name']]),
};

/**
 * Steps before an exchange, by its id: requests that were made between the recorded exchanges, and cleanups of requests
 * that were rejected only in the recording, so that differences do not accumulate.
 */
export const BETWEEN_STEPS: Record<string, (world: World) => Promise<unknown>> = {
  'custom-010': (world) => unlinkAll(world, 'x_lab', []).catch(() => undefined),
  'write-004': (world) => unlinkAll(world, 'res.partner', [['name', '=', 'ZZ']]),
  'write-026': ({ call }) =>
    call('res.partner', 'write', { ids: ['@res.partner:47'], vals: { name: 'ZZ One' } }),
  'write-228': async (world) => {
    if (!world.ids.get('res.partner', 60)) await createRecords(world, 'res.partner', { 60: { name: '!' } });
  },
  'access-109': (world) =>
    createRecords(world, 'ir.rule', {
      214: {
        name: 'own lab records',
        model_id: '@ir.model:628',
        domain_force: "[('create_uid', '=', user.id)]",
      },
    }),
  'doc-003': async ({ port, secrets }) => {
    const response = await fetch(`http://127.0.0.1:${port}/doc-bearer/index.json`, {
      headers: { authorization: `bearer ${secrets.ADMIN_KEY}` },
    });
    await response.text();
    secrets.ETAG = response.headers.get('etag') ?? '';
  },
};

async function unlinkAll({ call }: World, model: string, domain: unknown[]): Promise<void> {
  const ids = await call(model, 'search', { domain });
  if (ids.length > 0) await call(model, 'unlink', { ids });
}

type RecordedRows = Record<number, Record<string, unknown>>;

async function createRecords({ call, ids }: World, model: string, rows: RecordedRows): Promise<void> {
  const recorded = Object.keys(rows).map(Number);
  const newIds: number[] = await call(model, 'create', { vals_list: Object.values(rows) });
  recorded.forEach((id, i) => {
    ids.bind(model, id, newIds[i]!);
  });
}

/** Creates records one by one, because rows refer to earlier ones. */
async function createEach(world: World, model: string, rows: RecordedRows): Promise<void> {
  for (const [id, row] of Object.entries(rows)) await createRecords(world, model, { [id]: row });
}

/** Maps the records of a new workspace in order, and creates the missing ones. */
async function bindOrCreate(world: World, model: string, rows: RecordedRows): Promise<void> {
  const existingIds: number[] = await world.call(model, 'search', { domain: [], order: 'id' });
  const missing = Object.entries(rows).filter(([id], i) => {
    if (existingIds[i] !== undefined) world.ids.bind(model, Number(id), existingIds[i]!);
    return existingIds[i] === undefined;
  });
  if (missing.length > 0) await createRecords(world, model, Object.fromEntries(missing));
}

async function bindFirst({ call, ids }: World, model: string, id: number, domain: unknown[]): Promise<void> {
  const [recordId] = await call(model, 'search', { domain, limit: 1, order: 'id' });
  if (recordId === undefined) throw new Error(`no ${model} with ${JSON.stringify(domain)}`);
  ids.bind(model, id, recordId);
}

async function activate({ call }: World, model: string, domain: unknown[]): Promise<void> {
  const ids = await call(model, 'search', { domain, context: { active_test: false } });
  if (ids.length === 0) throw new Error(`no ${model} with ${JSON.stringify(domain)}`);
  await call(model, 'write', { ids, vals: { active: true } });
}

const COUNTRIES: [id: number, code: string][] = [
  [20, 'BE'],
  [75, 'FR'],
  [233, 'US'],
  [6, 'AL'],
  [11, 'AR'],
  [13, 'AU'],
  [31, 'BR'],
];

async function bindCountries({ call, ids }: World): Promise<void> {
  const rows = await call('res.country', 'search_read', { domain: [], fields: ['code'], limit: 0 });
  const byCode = new Map<string, number>(rows.map((row: any) => [row.code, row.id]));
  for (const [id, code] of COUNTRIES) ids.bind('res.country', id, byCode.get(code)!);
}

/** Maps the provinces of Belgium, because a request searches for them. */
async function bindStates(world: World): Promise<void> {
  const domain = [['country_id', '=', '@res.country:20']];
  if ((await world.call('res.country.state', 'search', { domain })).length > 0) return;
  const state = { name: 'Antwerp', code: 'VAN', country_id: '@res.country:20' };
  await createRecords(world, 'res.country.state', { 1: state });
}

async function translate({ call }: World): Promise<void> {
  const context = { lang: 'fr_FR' };
  await call('res.country', 'write', { ids: ['@res.country:20'], vals: { name: 'Belgique' }, context });
  await call('crm.stage', 'write', { ids: ['@crm.stage:4'], vals: { name: 'Gagné' }, context });
}

async function bindCompany({ call, ids }: World): Promise<void> {
  const [company] = await call('res.company', 'search_read', {
    domain: [],
    fields: ['partner_id'],
    limit: 1,
  });
  ids.bind('res.company', 1, company.id);
  ids.bind('res.partner', 1, company.partner_id[0]);
  await call('res.partner', 'write', {
    ids: ['@res.partner:1'],
    vals: { country_id: '@res.country:233', email: 'info@yourcompany.example', image_1920: PIXEL },
  });
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const GROUPS: Record<string, number> = {
  'base.group_user': 1,
  'base.group_system': 4,
  'base.group_portal': 10,
  'sales_team.group_sale_salesman': 19,
  'sales_team.group_sale_manager': 21,
};

async function bindGroups({ ctx, ids }: World): Promise<void> {
  const rows = await ctx.db.rows<{ id: number; external_id: string }>(
    sql`select id, external_id from res_groups where workspace_id = ${ctx.workspace.id} and external_id = any(${Object.keys(GROUPS)})`,
  );
  for (const { id, external_id } of rows) ids.bind('res.groups', GROUPS[external_id]!, id);
}

async function addUser(
  world: World,
  login: string,
  name: string,
  user: number,
  partner: number,
  groups: string[],
): Promise<void> {
  const key = `${login === 'sales1' ? 'SALES' : login.toUpperCase()}_KEY`;
  const id = await world.addPerson({ login, name, user, partner, key });
  const group_ids = [[6, 0, groups.map((group) => group.replace('portal', '10'))]];
  await world.call('res.users', 'write', { ids: [id], vals: { group_ids } });
}

const CATEGORIES: RecordedRows = {
  1: { name: 'Partners' },
  2: { name: 'Employees' },
  3: { name: 'Prospects' },
  4: { name: 'Vendors' },
  5: { name: 'Services' },
  6: { name: 'Retailers' },
  7: { name: 'Desk makers', parent_id: '@res.partner.category:1' },
};

function buildContacts(): RecordedRows {
  return Object.fromEntries(
    CONTACTS.map(([id, name, parent, extraValues]) => [
      id,
      { name, ...(parent && { parent_id: `@res.partner:${parent}` }), ...extraValues },
    ]),
  );
}

async function createSecondCompany(world: World): Promise<void> {
  const { call, ids } = world;
  await createRecords(world, 'res.company', { 2: { name: 'My US Company', currency_id: '@res.currency:1' } });
  const [company] = await call('res.company', 'read', { ids: ['@res.company:2'], fields: ['partner_id'] });
  ids.bind('res.partner', 42, company.partner_id[0]);
}

const STAGES: RecordedRows = {
  1: { name: 'New', sequence: 1 },
  2: { name: 'Qualified', sequence: 2 },
  3: { name: 'Proposition', sequence: 3 },
  4: { name: 'Won', sequence: 70, is_won: true },
};

const TAGS: RecordedRows = Object.fromEntries(
  ['Product', 'Software', 'Services', 'Information', 'Design', 'Training', 'Consulting', 'Other'].map(
    (name, i) => [i + 1, { name }],
  ),
);

const UNASSIGNED_LEADS = [29, 30, 33, 34];
const DEMO_LEADS = [10, 14, 17, 20, 23, 26, 36, 40];

function buildLeads(): RecordedRows {
  const ids = Array.from({ length: 44 }, (_, i) => i + 1).filter((id) => ![7, 9, 11, 12, 28].includes(id));
  return Object.fromEntries(ids.map((id) => [id, buildLead(id)]));
}

function buildLead(id: number): Record<string, unknown> {
  const user = UNASSIGNED_LEADS.includes(id)
    ? false
    : DEMO_LEADS.includes(id)
      ? '@res.users:5'
      : '@res.users:2';
  return {
    name: `Request ${id}`,
    type: id % 3 === 0 || id < 7 ? 'opportunity' : 'lead',
    user_id: user,
    team_id: '@crm.team:1',
    stage_id: `@crm.stage:${(id % 3) + 1}`,
    priority: String(id % 3),
    expected_revenue: id * 250,
    tag_ids: [[6, 0, [`@crm.tag:${(id % 8) + 1}`]]],
    ...(id % 5 === 0 && { partner_id: '@res.partner:9' }),
  };
}

const PROJECTS: RecordedRows = {
  1: { name: 'Office Design', type_ids: [[4, '@project.task.type:1']] },
  6: { name: 'Product Launch', type_ids: [[4, '@project.task.type:1']] },
};

function buildTasks(): RecordedRows {
  const buildRow = (id: number) => ({
    name: `Task ${id}`,
    project_id: id < 12 ? '@project.project:6' : '@project.project:1',
    ...(id > 11 && { user_ids: [[4, '@res.users:2']] }),
  });
  return Object.fromEntries(Array.from({ length: 16 }, (_, i) => [i + 1, buildRow(i + 1)]));
}

const ORDERS: RecordedRows = {
  1: {
    partner_id: '@res.partner:9',
    team_id: '@crm.team:1',
    order_line: [[0, 0, { product_id: '@product.product:1', product_uom_qty: 2, price_unit: 120 }]],
  },
};
