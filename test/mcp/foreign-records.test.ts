import { beforeAll, expect, test } from 'vitest';
import { mcpProduct } from '../../facades/mcp/tools/index.ts';
import { getOperationAt } from '../../src/engine/operation/call.ts';
import { operations } from '../../src/engine/operation/operation.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { buildRequest, createAgentKey, postMcp, runTool, switchMcp } from '../harness/facades/mcp.ts';
import type { Tenant } from '../harness/tenant.ts';
import { fileMessage, loadMailbox } from '../mailbox/mailboxes.ts';
import { loadRows } from '../rights/scene.ts';

// A call with ids or names of another workspace must look the same as one with ids and names that do not exist.

interface World {
  /** By model. Ids of this workspace's records, or ids that no workspace has. */
  ids: Record<string, number>;
  /** Part of all names, such as an external id, a model or an address. */
  word: string;
  token: string;
}

const app = setUpApp({ PUBLIC_URL: 'http://atrium.test' });
let ownTenant: Tenant;
let otherTenant: Tenant;
let ownWorld: World;
let otherWorld: World;
let absentWorld: World;
let agents: Record<string, string>;

const [OWN_WORD, OTHER_WORD, ABSENT_WORD] = ['zqown', 'zqfor', 'zqabs'];

beforeAll(async () => {
  ownTenant = await app.tenant('own');
  otherTenant = await app.tenant('other', 'apart');
  const createKey = async (bounds: string, owner = ownTenant.admin.key) =>
    (await createAgentKey(app, bounds, owner)).key;
  // Before the administrators' keys are used for MCP, after which they cannot create keys.
  const [dataAgent, userAgent] = [
    await createKey('toolGroups: [DATA, MAIL]'),
    await createKey('callsPerDay: 10000', ownTenant.user.key),
  ];
  ownWorld = await buildWorld(ownTenant, OWN_WORD);
  otherWorld = await buildWorld(otherTenant, OTHER_WORD);
  absentWorld = {
    ids: Object.fromEntries(Object.keys(otherWorld.ids).map((model, n) => [model, 98_701 + n])),
    word: ABSENT_WORD,
    token: 'x'.repeat(20),
  };
  agents = {
    admin: ownTenant.admin.key,
    user: ownTenant.user.key,
    'read only': ownTenant.readOnlyKey,
    'agent for data and mail': dataAgent,
    "user's agent": userAgent,
  };
});

async function buildWorld(tenant: Tenant, word: string): Promise<World> {
  await switchMcp(app, tenant, true);
  const client = createJsonClient(app, tenant.admin.key);
  const call = async (name: string, args: object) => {
    const { structuredContent, isError, content } = await runTool(app, tenant.admin.key, name, args);
    expect(isError, `${name}: ${content?.[0]?.text}`).toBe(false);
    return structuredContent;
  };
  const partner = await client.create('res.partner', {
    name: `Partner ${word}`,
    email: `${word}@example.com`,
    city: `Hidden ${word}`,
  });
  await client.value('res.partner/load', {
    fields: ['id', 'name'],
    data: [[`${word}.ext`, `External ${word}`]],
  });
  const model = await client.create('ir.model', { name: `Model ${word}`, model: `x_${word}` });
  const custom = await client.create(`x_${word}`, { x_name: `Row ${word}` });
  const group = await client.create('res.groups', { name: `Group ${word}` });
  const lead = await client.create('crm.lead', { name: `Lead ${word}`, partner_id: partner });
  const order = await client.create('sale.order', { partner_id: partner });
  const activity = await client.value('crm.lead/activity_schedule', { ids: [lead], summary: word });
  const box = await loadMailbox(tenant.ctx, tenant.admin.id);
  const entry = await fileMessage(tenant.ctx, box.id, box.folders.inbox, {
    subject: `Mail ${word}`,
    text: `Hidden ${word}`,
  });
  const account_id = box.id;
  const label = await call('mail_label', { action: 'create', account_id, name: word });
  const draft = await call('mail_draft_save', { account_id, subject: word });
  const rule = await call('mail_rule', {
    ...{ action: 'save', account_id, confirm: true },
    rule: {
      name: word,
      conditions: [{ field: 'from', operator: 'contains', value: word }],
      actions: [{ action: 'star' }],
    },
  });
  const block = { account_id, email: `${word}@example.com`, action: 'block', confirm: true };
  await call('mail_sender_block', block);
  const { website } = await call('website_pages', {});
  const { created } = await call('website_new_page', { name: word });
  const { confirm_token } = await call('delete', { model: 'res.partner', ids: [partner] });
  const [attachment] = await client.value('ir.attachment/create', {
    vals_list: [{ name: word, datas: 'aGk=' }],
  });
  const ids = {
    partner,
    model,
    custom,
    group,
    lead,
    order,
    attachment,
    user: tenant.user.id,
    activity: [activity].flat()[0],
    account: box.id,
    folder: box.folders.inbox,
    entry: entry.id,
    label: label.label_id ?? label.id,
    draft: draft.draft_id,
    rule: rule.rule_id ?? rule.id,
    website: website.id,
    page: created.page_id,
    menu: created.menu_id,
  };
  expect(Object.entries(ids).filter(([, id]) => !Number.isInteger(id))).toEqual([]);
  return { ids, word, token: confirm_token };
}

type Call = [tool: string, args: object];

/** Calls of all tools with the ids and names of the world. */
const buildCalls = (world: World): Call[] => [
  ...buildSearchCalls(world),
  ...buildReadCalls(world),
  ...buildLinkCalls(world),
  ...buildWriteCalls(world),
  ...buildLoadCalls(world),
  ...buildMailReadCalls(world),
  ...buildMailWriteCalls(world),
  ...buildRuleCalls(world),
  ...buildWebsiteCalls(world),
  ...buildModuleCalls(world),
  ...buildMethodCalls(world),
];

const model = 'res.partner';

function buildSearchCalls({ ids: { partner, user }, word }: World): Call[] {
  const own = ownWorld.ids;
  return (
    [
      [['id', '=', partner]],
      [['id', 'in', [partner, own.partner]]],
      [['parent_id', '=', partner]],
      [['child_ids', 'in', [partner]]],
      [['id', 'child_of', [partner]]],
      [['id', 'parent_of', partner]],
      [['user_id', '=', user]],
      [['name', 'ilike', word]],
      [['external_id', '=', `${word}.ext`]],
      [['message_partner_ids', 'in', [partner]]],
      [['company_id', 'any', [['partner_id', '=', partner]]]],
    ] as unknown[][]
  ).flatMap((domain): Call[] => [
    ['search', { model, domain }],
    ['count', { model, domain }],
    ['aggregate', { model, domain, group_by: ['name'] }],
    ['call', { model, method: 'search', args: [domain] }],
  ]);
}

function buildReadCalls({ ids, word }: World): Call[] {
  const { partner, user, attachment, activity, page, menu, entry, draft, group, custom } = ids;
  return [
    ['search', { model: `x_${word}` }],
    ['count', { model: `x_${word}` }],
    ['get', { model: `x_${word}`, ids: [custom] }],
    ['aggregate', { model: `x_${word}`, group_by: ['x_name'] }],
    ['describe_model', { model: `x_${word}` }],
    ['create', { model: `x_${word}`, values: { x_name: 'a' } }],
    ['update', { model: `x_${word}`, ids: [custom], values: { x_name: 'a' } }],
    ['delete', { model: `x_${word}`, ids: [custom], confirm: true }],
    ['call', { model: `x_${word}`, method: 'search_count', args: [[]] }],
    ['describe_model', { model, fields: [`x_${word}`] }],
    ['list_models', { filter: word }],
    ['find', { model, name: word }],
    ['find', { model: 'ir.model', name: word }],
    [
      'search',
      {
        model: 'ir.model.data',
        domain: [
          ['name', '=', 'ext'],
          ['module', '=', word],
        ],
      },
    ],
    ['get', { model, ids: [partner] }],
    ['get', { model, ids: [ownWorld.ids.partner, partner], fields: ['*'] }],
    ['get', { model: 'res.users', ids: [user] }],
    ['get', { model: 'ir.attachment', ids: [attachment] }],
    ['get', { model: 'mail.activity', ids: [activity] }],
    ['get', { model: 'website.page', ids: [page] }],
    ['get', { model: 'website.menu', ids: [menu] }],
    ['get', { model: 'svc.mail.entry', ids: [entry] }],
    ['get', { model: 'svc.mail.draft', ids: [draft] }],
    ['get', { model: 'res.groups', ids: [group] }],
  ];
}

function buildLinkCalls({ ids: { partner, user, group, lead, order } }: World): Call[] {
  const own = ownWorld.ids;
  return [
    ...(
      [
        { parent_id: partner },
        { user_id: user },
        { child_ids: [[4, partner]] },
        { child_ids: [[1, partner, { name: 'Mine' }]] },
        { child_ids: [[2, partner]] },
        { child_ids: [[3, partner]] },
        { child_ids: [[6, 0, [partner]]] },
        { category_id: [[4, group]] },
        { company_id: partner },
        { message_follower_ids: [[2, partner]] },
      ] as object[]
    ).flatMap((values): Call[] => [
      ['create', { model, values: { name: 'New', ...values } }],
      ['update', { model, ids: [own.partner], values }],
      ['update', { model, ids: [own.partner], values, confirm: true }],
    ]),
    ['create', { model: 'crm.lead', values: { name: 'New', partner_id: partner } }],
    ['create', { model: 'crm.lead', values: { name: 'New', stage_id: lead, team_id: lead } }],
    [
      'create',
      { model: 'ir.attachment', values: { name: 'New', res_model: model, res_id: partner, datas: 'aGk=' } },
    ],
    ['create', { model: 'sale.order.line', values: { order_id: order, name: 'New' } }],
    ['create', { model: 'mail.activity', values: { res_model: 'crm.lead', res_id: lead, summary: 'New' } }],
  ];
}

function buildWriteCalls({ ids: { partner, user, group, lead, attachment }, token }: World): Call[] {
  const own = ownWorld.ids;
  return [
    ['update', { model, ids: [partner], values: { name: 'Mine' } }],
    ['update', { model, ids: [partner], values: { name: 'Mine' }, expected_version: [1] }],
    ['update', { model, ids: [own.partner, partner], values: { name: 'Mine' }, confirm: true }],
    ['update', { model: 'res.users', ids: [user], values: { login: 'mine' } }],
    ['update', { model: 'res.users', ids: [own.user], values: { group_ids: [[4, group]] } }],
    ['update', { model: 'res.groups', ids: [group], values: { user_ids: [[4, own.user]] }, confirm: true }],
    ['delete', { model, ids: [partner] }],
    ['delete', { model, ids: [partner], confirm: true }],
    ['delete', { model, ids: [partner], confirm_token: token }],
    ['delete', { model, ids: [own.partner], confirm_token: token }],
    ['delete', { model: 'crm.lead', ids: [lead], confirm: true }],
    ['call', { model: 'crm.lead', method: 'merge', ids: [own.lead, lead], confirm: true }],
    [
      'call',
      {
        model: 'crm.lead',
        method: 'message_post',
        ids: [own.lead],
        kwargs: { body: 'b', partner_ids: [partner], attachment_ids: [attachment] },
        confirm: true,
      },
    ],
  ];
}

const buildLoadCalls = ({ ids: { partner }, word }: World): Call[] =>
  (
    [
      [
        ['.id', 'name'],
        [`${partner}`, 'Mine'],
      ],
      [
        ['id', 'name'],
        [`${word}.ext2`, 'Mine'],
      ],
      [
        ['name', 'parent_id/id'],
        ['New', `${word}.ext`],
      ],
      [
        ['name', 'parent_id'],
        ['New', `Partner ${word}`],
      ],
    ] as [string[], string[]][]
  ).map(([fields, row]) => [
    'call',
    { model, method: 'load', kwargs: { fields, data: [row] }, confirm: true },
  ]);

function buildMailReadCalls({ ids: { entry, account, folder, label }, word }: World): Call[] {
  const mail = { account_id: ownWorld.ids.account };
  return [
    ['inbox_message', { entry_id: entry }],
    ['inbox_thread', { entry_id: entry }],
    ['inbox_read', { account_id: account }],
    ['inbox_read', { account_id: account, scope: 'all_mail' }],
    ['inbox_read', { account_id: account, scope: 'all_inboxes' }],
    ['inbox_read', { account_id: account, folder_type: 'drafts' }],
    ['inbox_read', { folder_id: folder }],
    ['inbox_read', { ...mail, label_id: label }],
    ['inbox_read', { ...mail, search: `label:${word}` }],
    ['inbox_read', { ...mail, search: word }],
    ['mail_rules_get', { account_id: account }],
    ['mail_blocked_list', { account_id: account }],
    ['mail_domain_status', { domain: word }],
  ];
}

function buildMailWriteCalls({ ids: { entry, account, folder, label, draft }, word }: World): Call[] {
  const own = ownWorld.ids;
  const mail = { account_id: own.account };
  const letter = { to: 'a@example.com', subject: 'a', body: 'a' };
  return [
    ['mail_draft_save', { account_id: account, subject: 'a' }],
    ['mail_draft_save', { ...mail, draft_id: draft, body: 'a' }],
    ['mail_draft_save', { ...mail, in_reply_to: entry, body: 'a' }],
    ['mail_send', { account_id: account, ...letter, confirm: true }],
    ['mail_send', { ...mail, ...letter, in_reply_to: entry }],
    ['mail_send', { ...mail, ...letter, in_reply_to: entry, confirm: true }],
    ['mail_send', { ...mail, ...letter, draft_id: draft }],
    ['mail_send', { ...mail, ...letter, draft_id: draft, confirm: true }],
    ['mail_organize', { entry_ids: [entry], action: 'star' }],
    ['mail_organize', { entry_ids: [entry], action: 'trash', confirm: true }],
    ['mail_organize', { entry_ids: [own.entry, entry], action: 'mark_read' }],
    ['mail_organize', { entry_ids: [own.entry], action: 'move', folder_id: folder, confirm: true }],
    ['mail_organize', { entry_ids: [own.entry], add_label_ids: [label] }],
    ['mail_organize', { entry_ids: [own.entry], remove_label_ids: [label] }],
    ['mail_label', { action: 'create', account_id: account, name: 'new' }],
    ['mail_label', { action: 'rename', label_id: label, name: 'mine' }],
    ['mail_label', { action: 'recolor', label_id: label, color: 3 }],
    ['mail_label', { action: 'delete', label_id: label }],
    ['mail_label', { action: 'delete', label_id: label, confirm: true }],
    ['mail_sender_block', { account_id: account, email: 'a@example.com', action: 'block', confirm: true }],
    ['mail_sender_block', { ...mail, email: `${word}@example.com`, action: 'unblock', confirm: true }],
  ];
}

function buildRuleCalls({ ids: { account, label, folder, rule } }: World): Call[] {
  const own = ownWorld.ids;
  const mail = { account_id: own.account };
  const rules = (action: object) => ({
    rule: { name: 'r', conditions: [{ field: 'from', value: 'a' }], actions: [action] },
  });
  return [
    ['mail_rule', { action: 'preview', account_id: account, ...rules({ action: 'star' }) }],
    ['mail_rule', { action: 'save', account_id: account, ...rules({ action: 'star' }), confirm: true }],
    ...['preview', 'save'].flatMap((action): Call[] => [
      ['mail_rule', { action, ...mail, ...rules({ action: 'add_label', label_id: label }), confirm: true }],
      [
        'mail_rule',
        { action, ...mail, ...rules({ action: 'move_to_folder', folder_id: folder }), confirm: true },
      ],
      [
        'mail_rule',
        { action, ...mail, rule: { ...rules({ action: 'star' }).rule, id: rule }, confirm: true },
      ],
    ]),
    ['mail_rule', { action: 'delete', ...mail, rule_id: rule, confirm: true }],
    ['mail_rule', { action: 'delete', account_id: account, rule_id: rule, confirm: true }],
    ['mail_rule', { action: 'set_active', ...mail, rule_id: rule, active: false, confirm: true }],
    ['mail_rule', { action: 'reorder', ...mail, ids: [rule, own.rule] }],
    ['mail_autoreply_set', { account_id: account, active: true, body: 'a' }],
    ['mail_autoreply_set', { account_id: account, active: true, body: 'a', confirm: true }],
  ];
}

const buildWebsiteCalls = ({ ids: { website, page, menu }, word }: World): Call[] => [
  ['website_pages', { website_id: website }],
  ['website_new_page', { name: 'New', website_id: website }],
  ['website_new_page', { name: 'New', template: `website.${word}` }],
  ['website_edit_page', { arch: '<t/>', url: `/${word}` }],
  ['website_edit_page', { arch: '<t/>', page_id: page }],
  ['website_edit_page', { arch: '<t/>', url: '/contactus', website_id: website }],
  ['website_publish', { url: `/${word}` }],
  ['website_publish', { page_id: page }],
  ['website_menu', { list: true, website_id: website }],
  ['website_menu', { name: 'New', url: '/', parent_id: menu }],
  ['website_menu', { name: 'New', url: '/', website_id: website }],
  ['website_redirect', { url_from: '/a', url_to: '/b', website_id: website }],
  ['website_redirect', { url_from: '/c', url_to: `/${word}` }],
];

const buildModuleCalls = ({ ids: { partner }, word }: World): Call[] => [
  ['module_status', { module: word }],
  ['module_install', { module: word }],
  ['module_upgrade', { module: word }],
  ['module_uninstall', { module: word }],
  ['list_installed_modules', { filter: word }],
  ['module_configure', { setting: word, value: partner }],
  ...['whats_new', 'current_time', 'platform_info', 'mail_features', 'mailbox_list'].map(
    (name): Call => [name, {}],
  ),
];

/** Calls of every method with ids of its model, alone and with all other ids that it accepts. */
function buildMethodCalls({ ids }: World): Call[] {
  const idsByModel: Record<string, number | undefined> = {
    'res.partner': ids.partner,
    'crm.lead': ids.lead,
    'sale.order': ids.order,
    'res.users': ids.user,
    'mail.activity': ids.activity,
    'res.groups': ids.group,
    'ir.attachment': ids.attachment,
    'svc.mail.account': ids.account,
    'website.page': ids.page,
    'ir.model': ids.model,
  };
  return [...operations.values()].flatMap(({ model: about, method, kind }): Call[] => {
    if (!about || !method) return [];
    const target = about === '*' ? 'crm.lead' : about;
    const id = idsByModel[target] ?? ids.partner!;
    const call = { model: target, method, ids: [id], ...(kind === 'mutation' && { confirm: true }) };
    const names = getOperationAt(ownTenant.ctx, target, method).parameters.map(({ name }) => name);
    const allValues = Object.entries(buildArgumentValues(ids, id));
    const kwargs = Object.fromEntries(allValues.filter(([name]) => names.includes(name)));
    return [
      ['call', call],
      ['call', { ...call, kwargs }],
    ];
  });
}

const buildArgumentValues = (ids: Record<string, number>, id: number): Record<string, unknown> => ({
  id,
  account_id: ids.account,
  attachment_ids: [ids.attachment],
  body: 'Text',
  domain: [['id', '=', id]],
  draft_id: ids.draft,
  entry_id: ids.entry,
  entry_ids: [ids.entry],
  fields: ['name'],
  folder_id: ids.folder,
  label_id: ids.label,
  name: 'New',
  page_id: ids.page,
  partner_ids: [ids.partner],
  rule_id: ids.rule,
  user_id: ids.user,
  vals: { name: 'New' },
  website_id: ids.website,
});

/** Replaces what depends on the words, ids and the time, and ids of new records. */
function normalize(text: string, { ids, word, token }: World): string {
  let normalized = text.replaceAll(word, 'WORD').replaceAll(token, 'TOKEN');
  for (const id of new Set(Object.values(ids)))
    normalized = normalized.replace(new RegExp(`(?<![\\w.])${id}(?!\\w)`, 'g'), '#');
  return normalized
    .replace(/[\w-]{22}\.\w{8}\.[\w-]{43,64}/g, 'NEW TOKEN')
    .replace(/untrusted_\w+?_(begins|ends)/g, 'untrusted_$1')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g, 'TIME')
    .replace(/\bnew-\d+\b/g, 'new-N')
    .replace(/("\w*ids?\\?":\s*\[?|"result\\?":\s*\[)\d+/g, '$1N')
    .replace(/request [\w-]+/g, 'request R');
}

/** Rows that a call by the own workspace may not touch: all rows of the other workspace. */
async function readOtherRows(): Promise<string> {
  const tables = await app.runtime.db.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'workspace_id' order by 1`,
  );
  return loadRows(app, otherTenant, ...tables.rows.map(({ name }) => name));
}

test('the calls use all tools', () => {
  const usedNames = new Set(buildCalls(otherWorld).map(([name]) => name));
  expect(mcpProduct.tools.map(({ name }) => name).filter((name) => !usedNames.has(name))).toEqual([]);
});

test.for(['admin', 'user', 'read only', 'agent for data and mail', "user's agent"])(
  "treats another workspace's ids and names as nonexistent: %s",
  async (agent) => {
    const key = agents[agent]!;
    const before = await readOtherRows();
    const foreignCalls = buildCalls(otherWorld);
    const absentCalls = buildCalls(absentWorld);
    const differences: unknown[] = [];
    for (const [index, [name, args]] of foreignCalls.entries()) {
      const run = async (args: object) => {
        const body = buildRequest('tools/call', { name, arguments: args });
        return (await postMcp(app, body, key)).text;
      };
      const foreign = await run(args);
      const absent = await run(absentCalls[index]![1]);
      if (/Something went wrong/.test(foreign)) differences.push(['unexpected error', name, args, foreign]);
      if (foreign.includes(`Hidden ${OTHER_WORD}`)) differences.push(['leak', name, args, foreign]);
      if (normalize(foreign, otherWorld) !== normalize(absent, absentWorld))
        differences.push([name, args, normalize(foreign, otherWorld), normalize(absent, absentWorld)]);
    }
    expect(differences.slice(0, 10)).toEqual([]);
    expect(await readOtherRows()).toBe(before);
  },
);

test.for(['admin', 'user'])(
  'protocol methods other than tools reveal no other workspace: %s',
  async (agent) => {
    const requests = ({ word }: World): [string, object][] => [
      ['resources/read', { uri: `guide://x_${word}` }],
      ['resources/read', { uri: `model://x_${word}` }],
      [
        'completion/complete',
        {
          ref: { type: 'ref/resource', uri: 'model://{model}' },
          argument: { name: 'model', value: `x_${word}` },
        },
      ],
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: word }, argument: { name: 'model', value: word } },
      ],
      ['prompts/get', { name: word, arguments: {} }],
    ];
    for (const [index, [method, params]] of requests(otherWorld).entries()) {
      const run = async (params: object) =>
        (await postMcp(app, buildRequest(method, params), agents[agent])).text;
      const absent = await run(requests(absentWorld)[index]![1]);
      expect(normalize(await run(params), otherWorld)).toBe(normalize(absent, absentWorld));
    }
  },
);
