import { createKey } from '../../schema/base/keys/keys.ts';
import { addDomain } from '../../schema/email/domains/domains.ts';
import { sql } from '../../src/db/sql.ts';
import { type App, post } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { signInWeb } from '../harness/facades/web.ts';
import type { Tenant } from '../harness/tenant.ts';
import { createScene, type Scene, toFlags } from '../rights/scene.ts';
import type { Dice } from './dice.ts';

/**
 * Callers who may see a planted word, always in the same workspace. `everybody`: all its callers. `nobody`: hidden by a
 * rule. `managers`: sales managers. `parameter`: administrators, except through MCP. `unbound`: callers without a
 * domain restriction. `secret`: administrators with write access.
 */
type Sight = 'everybody' | 'nobody' | 'managers' | 'administrators' | 'parameter' | 'unbound' | 'secret';

export interface PlantedWord {
  word: string;
  sight: Sight;
  workspace: string;
}

export interface Attacker {
  name: string;
  workspace: string;
  key: string | null;
  /** User id for calls with login and key. */
  uid: number;
  cookie: string | null;
  sees: Sight[];
  /** True if none of its calls may succeed. */
  isDead: boolean;
}

/** A workspace with planted words, and the attackers. */
export interface AttackStage {
  tenant: Tenant;
  planted: PlantedWord[];
  /** Record ids by model, including hidden records. */
  ids: Record<string, number[]>;
  /** Ids of the email API. */
  publicIds: string[];
  /** Tables and ids of rows that no caller of the workspace may change. */
  guarded: [table: string, id: number][];
  /** Attackers of other workspaces and of hidden data in their own workspace. */
  weak: Attacker[];
  /** Attackers who may change nearly everything in their own workspace, so they only attack others. */
  strong: Attacker[];
}

interface StageBuilder extends AttackStage {
  app: App;
  scene: Scene;
  plant(sight: Sight): string;
}

export async function buildStage(app: App, dice: Dice, slug: string): Promise<AttackStage> {
  const tenant = await app.tenant(slug);
  const { id } = tenant.ctx.workspace;
  await tenant.ctx.db.rows(sql`update workspace set features = '{email,mcp}' where id = ${id}`);
  app.runtime.identity.invalidate();
  const plantedWords: PlantedWord[] = [];
  const making: StageBuilder = {
    app,
    scene: createScene(app, tenant),
    tenant,
    planted: plantedWords,
    ids: {},
    publicIds: [],
    guarded: [],
    weak: [],
    strong: [],
    plant(sight) {
      const word = dice.mark();
      plantedWords.push({ word, sight, workspace: slug });
      return word;
    },
  };
  await addPeople(making);
  await addOpenRecords(making);
  await addHiddenRecords(making);
  await addSettings(making);
  const { app: _app, scene: _scene, plant: _plant, ...stage } = making;
  return stage;
}

const rememberId = (making: StageBuilder, model: string, id: number): number => {
  making.ids[model] = [...(making.ids[model] ?? []), id];
  return id;
};

async function addPeople(making: StageBuilder): Promise<void> {
  const { app, scene, tenant, weak, strong } = making;
  const group = (name: string) => scene.groupId(name);
  const sales = await group('sales_team.group_sale_salesman');
  const manager = await scene.addPerson('manager', [await group('sales_team.group_sale_manager')]);
  const plainPerson = await scene.addPerson('plain');
  const salesman = await scene.addPerson('salesman', [sales, await group('project.group_project_user')]);
  const rights = await scene.addPerson('rights', [await group('base.group_erp_manager')]);
  const portal = await scene.addPerson('portal', [], {
    group_ids: [[6, 0, [await group('base.group_portal')]]],
  });
  const otherId = await addDomain(tenant.ctx, `other.${tenant.slug}.test`);
  making.ids['svc.domain'] = (
    await tenant.ctx.db.rows<{ id: number }>(
      sql`select id from svc_domain where workspace_id = ${tenant.ctx.workspace.id} order by id`,
    )
  ).map((row) => row.id);
  const stageDomainId = making.ids['svc.domain']![0]!;
  const mint = async (userId: number | null, scopes: string[], domainId: number | null = null) =>
    createKey(tenant.ctx, { name: 'attacker', userId, scopes, domainId, days: null });
  const buildAttacker = (name: string, key: string | null, uid: number, sees: Sight[]): Attacker => ({
    ...{ name, key, uid, cookie: null, isDead: false },
    workspace: tenant.slug,
    sees: ['everybody', 'unbound', ...sees],
  });
  const all: Sight[] = ['managers', 'administrators', 'parameter'];
  const reading = await mint(manager.id, ['read']);
  weak.push(
    {
      ...buildAttacker('plain', plainPerson.key, plainPerson.id, []),
      cookie: await signInWeb(app, plainPerson, tenant.slug),
    },
    {
      ...buildAttacker('salesman', salesman.key, salesman.id, []),
      cookie: await signInWeb(app, salesman, tenant.slug),
    },
    buildAttacker('portal', portal.key, portal.id, []),
    buildAttacker('manager, reading', reading.key, manager.id, ['managers']),
    buildAttacker('administrator, reading', tenant.readOnlyKey, tenant.admin.id, all),
    buildAttacker('team', tenant.teamKey, 0, all),
    buildAttacker('team, sending', (await mint(null, ['send'])).key, 0, []),
    {
      ...buildAttacker('team, of one domain', (await mint(null, [], stageDomainId)).key, 0, []),
      sees: ['everybody'],
    },
  );
  strong.push(
    {
      ...buildAttacker('administrator', tenant.admin.key, tenant.admin.id, [...all, 'secret']),
      cookie: await signInWeb(app, tenant.admin, tenant.slug),
    },
    buildAttacker('access rights', rights.key, rights.id, all),
    buildAttacker('manager', manager.key, manager.id, all),
  );
  const [expired, revoked] = [await mint(plainPerson.id, []), await mint(plainPerson.id, [])];
  const { id: workspace } = tenant.ctx.workspace;
  await tenant.ctx.db.rows(
    sql`update svc_api_key set expires_at = now() - interval '1 day' where workspace_id = ${workspace} and id = ${expired.id}`,
  );
  await tenant.ctx.db.rows(
    sql`update svc_api_key set revoked_at = now() where workspace_id = ${workspace} and id = ${revoked.id}`,
  );
  for (const [name, key] of [
    ['expired', expired.key],
    ['revoked', revoked.key],
    ['without a key', null],
  ] as const)
    weak.push({ ...buildAttacker(name, key, plainPerson.id, []), sees: [], isDead: true });
  for (const { id } of [plainPerson, salesman, portal, manager, rights]) rememberId(making, 'res.users', id);
  if (!otherId) throw new Error('no second domain');
}

/** Adds data that is visible to the whole workspace and to no other workspace. */
async function addOpenRecords(making: StageBuilder): Promise<void> {
  const { scene, plant } = making;
  const plantPublicWord = () => plant('everybody');
  const add = async (model: string, values: object) =>
    rememberId(making, model, await scene.create(model, values));
  const partner = await add('res.partner', {
    name: plantPublicWord(),
    email: `${plantPublicWord()}@open.test`,
    ref: plantPublicWord(),
  });
  await add('crm.lead', { name: plantPublicWord(), partner_id: partner, description: plantPublicWord() });
  const line = [0, 0, { name: plantPublicWord(), price_unit: 5 }];
  await add('sale.order', { partner_id: partner, client_order_ref: plantPublicWord(), order_line: [line] });
  await add('crm.tag', { name: plantPublicWord() });
  const project = await add('project.project', { name: plantPublicWord() });
  await add('project.task', { name: plantPublicWord(), project_id: project });
  await add('product.template', { name: plantPublicWord(), default_code: plantPublicWord() });
  await add('ir.attachment', {
    name: plantPublicWord(),
    raw: plantPublicWord(),
    res_model: 'res.partner',
    res_id: partner,
  });
  await add('res.groups', { name: plantPublicWord() });
  const fields = [{ name: 'x_text', ttype: 'char', field_description: plantPublicWord() }];
  await scene.addModel('x_open', fields, await scene.groupId('base.group_user'));
  await add('x_open', { x_name: plantPublicWord(), x_text: plantPublicWord() });
}

/** Adds records hidden by a rule. Their names are not planted words, because a link to a record shows its name. */
async function addHiddenRecords(making: StageBuilder): Promise<void> {
  const { scene, plant, guarded } = making;
  const plantHiddenWord = () => plant('nobody');
  const hide = async (model: string, sign: string, values: object): Promise<number> => {
    const id = rememberId(making, model, await scene.create(model, { ...values, [sign]: 'hidden' }));
    guarded.push([model.startsWith('x_') ? 'ir_record' : model.replaceAll('.', '_'), id]);
    return id;
  };
  const text = [
    { name: 'x_sign', ttype: 'char', field_description: 'Sign' },
    { name: 'x_text', ttype: 'char', field_description: 'Text' },
  ];
  await scene.addModel('x_hidden', text, await scene.groupId('base.group_user'));
  const contact = {
    email: `${plantHiddenWord()}@hidden.test`,
    comment: plantHiddenWord(),
    ref: plantHiddenWord(),
    phone: plantHiddenWord(),
    street: plantHiddenWord(),
  };
  const partner = await hide('res.partner', 'function', { name: 'Hidden contact', ...contact });
  const file = { name: 'Hidden file', raw: plantHiddenWord(), res_model: 'res.partner', res_id: partner };
  guarded.push([
    'ir_attachment',
    rememberId(making, 'ir.attachment', await scene.create('ir.attachment', file)),
  ]);
  // Authors read their messages, and assignees their activities, whatever access they have to the record.
  const writer = await scene.addPerson('writer', [await scene.groupId('base.group_partner_manager')]);
  await writer.value('res.partner/message_post', { ids: [partner], body: plantHiddenWord() });
  await writer.value('res.partner/activity_schedule', {
    ids: [partner],
    summary: 'Hidden',
    note: plantHiddenWord(),
  });
  const lead = {
    name: 'Hidden lead',
    description: plantHiddenWord(),
    email_from: `${plantHiddenWord()}@hidden.test`,
    phone: plantHiddenWord(),
  };
  await hide('crm.lead', 'referred', lead);
  await hide('sale.order', 'origin', {
    partner_id: partner,
    client_order_ref: plantHiddenWord(),
    note: plantHiddenWord(),
  });
  await hide('project.task', 'email_cc', { name: 'Hidden task', description: plantHiddenWord() });
  await hide('x_hidden', 'x_sign', { x_name: 'Hidden record', x_text: plantHiddenWord() });
  for (const [model, sign] of Object.entries(HIDDEN_MARKERS))
    await scene.create('ir.rule', {
      name: `hides ${model}`,
      model_id: await scene.modelId(model),
      domain_force: `[('${sign}', '!=', 'hidden')]`,
      ...toFlags('crwu'),
    });
  const manager = making.ids['res.users']![3]!;
  const others = {
    name: 'Of the manager',
    user_id: manager,
    description: plant('managers'),
    phone: plant('managers'),
  };
  guarded.push(['crm_lead', rememberId(making, 'crm.lead', await scene.create('crm.lead', others))]);
}

const HIDDEN_MARKERS = {
  'res.partner': 'function',
  'crm.lead': 'referred',
  'sale.order': 'origin',
  'project.task': 'email_cc',
  x_hidden: 'x_sign',
};

async function addSettings(making: StageBuilder): Promise<void> {
  const { app, scene, tenant, plant, publicIds } = making;
  const { key } = tenant.admin;
  const createSetting = async (path: string, body: object) => {
    const answer = await post(`${app.url}/api/v1/${path}`, body, tenant.teamKey);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.json();
  };
  const add = async (model: string, values: object) =>
    rememberId(making, model, await scene.create(model, values));
  await add('ir.config_parameter', { key: 'planted', value: plant('parameter') });
  const hook = `url: "https://example.com/${plant('administrators')}", secret: "${plant('secret')}"`;
  const response = await postGraphql(app, `mutation { webhookCreate(${hook}) { id } }`, { key });
  rememberId(making, 'svc.webhook', Number(response.data.webhookCreate.id));
  await createKey(tenant.ctx, {
    name: plant('administrators'),
    userId: tenant.admin.id,
    scopes: [],
    days: null,
  });
  const book = (await createSetting('contactBooks', { name: plant('everybody') })).id as string;
  const contact = await createSetting(`contactBooks/${book}/contacts`, {
    email: `${plant('everybody')}@list.test`,
  });
  const mail = { to: 'you@example.org', text: plant('everybody'), subject: plant('everybody') };
  const email = await createSetting('emails', { ...mail, from: `hello@${tenant.domain}` });
  const elsewhere = { to: 'you@example.org', text: plant('unbound'), subject: plant('unbound') };
  const bound = await createSetting('emails', { ...elsewhere, from: `hello@other.${tenant.domain}` });
  publicIds.push(book, contact.contactId, email.emailId, bound.emailId);
}
