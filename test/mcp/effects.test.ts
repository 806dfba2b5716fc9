import { beforeAll, describe, expect, test } from 'vitest';
import { verifyDomain } from '../../schema/email/domains/domain-verify.ts';
import { sql } from '../../src/db/sql.ts';
import { computeListEffects } from '../../src/engine/access/list-effects.ts';
import { getOperationAt } from '../../src/engine/operation/call.ts';
import { operations as definitions } from '../../src/engine/operation/operation.ts';
import { buildArguments, type Material } from '../attacks/arguments.ts';
import { createDice } from '../attacks/dice.ts';
import { post, setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { buildRequest, createAgentKey, switchMcp } from '../harness/facades/mcp.ts';
import { setUp } from '../harness/set-up.ts';
import { createSharedMailbox, setUpMailbox } from '../mailbox/mailboxes.ts';
import { fileRaw } from '../mailbox/raw-mail.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app, 'admin');
const support = setUp(() => createSharedMailbox(app.main.ctx, [app.main.admin.id], 'support'));
let operations: Called[];

interface Called {
  name: string;
  model: string;
  method: string;
  args: Record<string, unknown>;
}

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  await verifyDomain(app.main.ctx, app.main.domain);
  await addRecords('1');
  operations = await listCalledOperations();
});

const createKey = async (bounds = ''): Promise<string> => (await createAgentKey(app, bounds)).key;
const setPolicy = (fields: string) =>
  postGraphql(app, `mutation { agentPolicySave(${fields}) { confirmation } }`, { key: app.main.admin.key });

async function addRecords(round: string): Promise<void> {
  const { create, value } = createJsonClient(app);
  const person = await create('res.partner', { name: 'Ann', email: 'ann@example.org' });
  for (const name of ['Twin', 'Twin']) await create('crm.lead', { name, partner_id: person });
  for (const name of ['One', 'Two']) await create('crm.tag', { name: `${name} ${round}` });
  const day = '2097-05-05';
  await create('calendar.event', { name: 'Talk', start: `${day} 10:00:00`, stop: `${day} 11:00:00` });
  await create('sale.order', { partner_id: person });
  const lead = (await value('crm.lead/search', { domain: [], limit: 1 }))[0];
  await value('crm.lead/activity_schedule', { ids: [lead], summary: 'Call her' });
  await value('crm.lead/message_subscribe', { ids: [lead], partner_ids: [person] });
  const [team_id] = await value('helpdesk.team/search', { domain: [], limit: 1 });
  await value('helpdesk.team/write', { ids: [team_id], vals: { mailbox_id: support.id } });
  await create('helpdesk.ticket', { name: 'Broken', team_id, partner_email: 'ann@example.org' });
  const at = { account_id: mailbox.id };
  await value('svc.mail.account/draft_save', { ...at, vals: { subject: 'Draft' } });
  await value('svc.mail.account/create_folder', { ...at, name: `Folder ${round}` });
  await value('svc.mail.account/create_label', { ...at, name: 'Label' });
  await fileRaw(
    app.main,
    mailbox,
    `From: a@example.org\nSubject: Filed\nMessage-ID: <${round}@example.org>\n\nText\n`,
  );
}

/** The model on which operations of every model are called. */
const GENERAL = 'crm.lead';

/** Arguments with which these operations take effect. */
const EXACT: Record<string, (ids: (model: string) => number[]) => Record<string, unknown>> = {
  calendarEventsDelete: (ids) => ({ ids: ids('calendar.event'), recurrence_setting: 'self_only' }),
  crmLeadMerge: (ids) => ({ ids: ids('crm.lead') }),
  mailFolderDelete: (ids) => ({ folder_id: ids('svc.mail.folder').at(-1) }),
  mailDraftDelete: (ids) => ({ draft_id: ids('svc.mail.draft')[0] }),
  activityFeedback: (ids) => ({ ids: ids('mail.activity') }),
  helpdeskTicketAnswer: (ids) => ({ ids: ids('helpdesk.ticket').slice(0, 1), body: '<p>Replaced.</p>' }),
  saleOrderSend: (ids) => ({ ids: ids('sale.order') }),
};

async function listCalledOperations(): Promise<Called[]> {
  const { ctx } = app.main;
  const idsByModel: Record<string, number[]> = {};
  const addressedOperations = [...definitions.values()].filter(
    ({ model, about }) => model && (about === '*' || has(about!)),
  );
  const models = new Set(addressedOperations.map(({ model }) => (model === '*' ? GENERAL : model!)));
  for (const name of [...models, 'svc.mail.folder', 'svc.mail.draft', 'svc.mail.entry', 'mail.activity'])
    idsByModel[name] = await createJsonClient(app)
      .value(`${name}/search`, { domain: [], limit: 2, order: 'id desc' })
      .catch(() => []);
  const material: Material = {
    dice: createDice(7),
    registry: ctx.catalog.registry,
    ids: idsByModel,
    publicIds: [],
  };
  return addressedOperations.map((operation) => {
    const model = operation.model === '*' ? GENERAL : operation.model!;
    const { args, parameters } = getOperationAt(ctx, model, operation.method!);
    const callArguments = buildArguments(material, ctx.catalog.registry.get(model)!, args);
    const namedArgs = Object.fromEntries(parameters.map(({ name, arg }) => [name, callArguments[arg.name]]));
    const exact = EXACT[operation.name]?.((name) => idsByModel[name]!.toReversed());
    return {
      name: operation.name,
      model,
      method: operation.method!,
      args: exact ?? { ...namedArgs, ids: idsByModel[model] },
    };
  });
}

const has = (model: string) => app.main.ctx.catalog.registry.has(model);

async function readRowCounts(): Promise<Map<string, number>> {
  tables ??= (
    await app.runtime.db.rows<{ name: string }>(
      sql`select c.table_name as name from information_schema.columns c
       join information_schema.columns i using (table_schema, table_name)
       where c.table_schema = current_schema() and c.column_name = 'workspace_id' and i.column_name = 'id'`,
    )
  )
    .map(({ name }) => name)
    .filter((name) => !NOTES.test(name));
  const { id } = app.main.ctx.workspace;
  const counts = tables.map(
    (name) => sql`select ${sql.literal(name)} as name, count(*)::int as count from ${sql.id(name)}
      where workspace_id = ${sql.literal(id)}`,
  );
  const rows = await app.runtime.db.rows<{ name: string; count: number }>(sql.join(counts, ' union all '));
  return new Map(rows.map(({ name, count }) => [name, count]));
}

let tables: string[] | undefined;

const NOTES = /^(svc_mcp_log|svc_agent|svc_audit|svc_event|svc_api_key)/;

const findShrunk = (before: Map<string, number>, after: Map<string, number>): string[] =>
  [...before].filter(([table, rows]) => after.get(table)! < rows).map(([table]) => table);
const findGrown = (before: Map<string, number>, after: Map<string, number>): string[] =>
  findShrunk(after, before);

const hasSent = (before: Map<string, number>, after: Map<string, number>): boolean =>
  findGrown(before, after).some((table) => table === 'svc_email' || table === 'svc_mail_outgoing');

async function run({ model, method, args: { ids, ...kwargs } }: Called, key: string, query = '') {
  const args = { model, method, kwargs, ...(Array.isArray(ids) && { ids }), confirm: true };
  const body = buildRequest('tools/call', { name: 'call', arguments: args });
  return (await post(`${app.url}/mcp${query}`, body, key)).json().result;
}

/** Calls every operation. Agents are rate-limited, so each key makes at most eight calls. */
async function runAll(bounds = '', query = '', item?: (calledCalled: Called) => Promise<void>) {
  const responses = new Map<string, { isError: boolean }>();
  let key = '';
  for (const [index, calledCalled] of operations.entries()) {
    if (index % 8 === 0) key = await createKey(bounds);
    responses.set(calledCalled.name, await run(calledCalled, key, query));
    await item?.(calledCalled);
  }
  return responses;
}

test.for([
  ['holds: [DELETES, SENDS, MODULES]', '', ''],
  ['holds: [CONFIRMED]', '', ''],
])('no operation deletes records or sends mail under the policy %s', async ([heldKinds, bounds, query]) => {
  await setPolicy(heldKinds!);
  try {
    const before = await readRowCounts();
    await runAll(bounds, query);
    const after = await readRowCounts();
    expect(findShrunk(before, after)).toEqual([]);
    expect(hasSent(before, after)).toBe(false);
  } finally {
    await setPolicy('holds: []');
  }
});

test.for([
  ['toolGroups: [DATA]', ''],
  ['', '?groups=data'],
  ['', '?groups=data,schema'],
])('no operation reaches mail or apps with the limits "%s" and "%s"', async ([bounds, query]) => {
  const before = await readRowCounts();
  const responses = await runAll(bounds, query);
  const after = await readRowCounts();
  const ofMail = (tables: string[]) =>
    tables.filter((table) => /^(svc_mail|svc_email|website|ir_module)/.test(table));
  expect(ofMail([...findShrunk(before, after), ...findGrown(before, after)])).toEqual([]);
  const reachableOperations = operations.filter(
    ({ name, model }) => /^(svc\.mail\.|website|ir\.module)/.test(model) && !responses.get(name)!.isError,
  );
  expect(reachableOperations.map(({ name }) => name)).toEqual([]);
});

test.for<[string, string, boolean]>([
  ['toolGroups: [DATA]', '', false],
  ['', '?groups=data,schema', false],
  ['toolGroups: [DATA, MAIL]', '?groups=mail,data', true],
])('an agent with the limits "%s" and "%s" can send mail: %s', async ([bounds, query, sends]) => {
  const key = await createKey(bounds);
  const client = createJsonClient(app);
  const guest = await client.create('res.partner', { name: 'Guest', email: 'guest@example.org' });
  // Organizers without an email address send no invitations.
  await client.value('res.users/write', { ids: [app.main.admin.id], vals: { email: mailbox.address } });
  const day = '2098-05-05';
  const values = { name: 'Invites', start: `${day} 10:00:00`, stop: `${day} 11:00:00` };
  const event = await client.create('calendar.event', values);
  const create = { model: 'calendar.event', values: { ...values, partner_ids: [[6, 0, [guest]]] } };
  const update = {
    model: 'calendar.event',
    ids: [event],
    values: { partner_ids: [[4, guest]] },
    confirm: true,
  };
  const reply = operations.find(({ name }) => name === 'helpdeskTicketAnswer')!;
  const callTool = async (name: string, args: object) => {
    const body = buildRequest('tools/call', { name, arguments: args });
    return (await post(`${app.url}/mcp${query}`, body, key)).json().result;
  };
  for (const attempt of [
    () => run(reply, key, query),
    () => callTool('create', create),
    () => callTool('update', update),
  ]) {
    const before = await readRowCounts();
    const { isError, content } = await attempt();
    const after = await readRowCounts();
    expect([isError, hasSent(before, after)], content[0].text).toEqual([!sends, sends]);
    if (!sends) expect(content[0].text).toContain("does not include the tool group 'mail'");
    if (!sends) expect(findGrown(before, after)).toEqual([]);
  }
  expect(await callTool('create', { model: 'calendar.event', values })).toMatchObject({ isError: false });
});

describe('a write whose values delete records', () => {
  const CALL_BUILDERS: Record<string, (model: string, id: number, values: object) => [string, object]> = {
    update: (model, id, values) => ['update', { model, ids: [id], values }],
    load: (model, id, values) => {
      const data = [[String(id), ...Object.values(values).map(String)]];
      return ['call', { model, method: 'load', args: [['.id', ...Object.keys(values)], data] }];
    },
  };
  const addSeries = () => {
    const day = '2099-05-05';
    return createJsonClient(app).create('calendar.event', {
      ...{ name: 'Daily', start: `${day} 10:00:00`, stop: `${day} 11:00:00` },
      ...{ recurrency: true, rrule_type: 'daily', interval: 1, end_type: 'end_date', until: '2099-05-09' },
    });
  };
  const addOptions = async () => {
    const client = createJsonClient(app);
    const [model_id] = await client.value('ir.model/search', { domain: [['model', '=', 'crm.tag']] });
    const name = `x_options_${++optionFields}`;
    const selection = "[('a', 'A'), ('b', 'B')]";
    return client.create('ir.model.fields', { model_id, name, ttype: 'selection', selection });
  };
  let optionFields = 0;

  const BOTH = ['update', 'load'];

  test.for<[string, object, string[], () => Promise<number>]>([
    ['calendar.event', { recurrency: false, recurrence_update: 'all_events' }, BOTH, addSeries],
    ['calendar.event', { until: '2099-05-06', recurrence_update: 'all_events' }, BOTH, addSeries],
    ['calendar.event', { start: '2099-05-07 10:00:00', recurrence_update: 'all_events' }, BOTH, addSeries],
    // An import cannot change the options.
    ['ir.model.fields', { selection: "[('b', 'B')]" }, ['update'], addOptions],
  ])('counts as a deletion: %s with %j', async ([model, values, ways, add]) => {
    for (const way of ways) {
      const id = await add();
      const [name, args] = CALL_BUILDERS[way]!(model, id, values);
      const callTool = async (extra: object, query = '') => {
        const body = buildRequest('tools/call', { name, arguments: { ...args, ...extra } });
        return (await post(`${app.url}/mcp${query}`, body, await createKey())).json().result;
      };
      const before = await readRowCounts();
      const isUnchanged = async () => findShrunk(before, await readRowCounts());
      await setPolicy('holds: [DELETES]');
      const { structuredContent } = await callTool({ confirm: true });
      expect(structuredContent, `${way} of ${model}`).toMatchObject({ held: true });
      expect(await isUnchanged()).toEqual([]);
      await setPolicy('holds: []');
      expect((await callTool({ confirm: true }, '?exclude=delete')).isError).toBe(true);
      expect((await callTool({})).structuredContent).toMatchObject({ confirm_required: true });
      expect(await isUnchanged()).toEqual([]);
      const { isError, content } = await callTool({ confirm: true });
      expect(isError, content[0].text).toBe(false);
      expect(await isUnchanged()).not.toEqual([]);
    }
  });
});

test('a connection that is read-only or excludes the call tool changes nothing', async () => {
  const before = await readRowCounts();
  for (const query of ['?readonly=1', '?exclude=call']) await runAll('', query);
  expect(await readRowCounts()).toEqual(before);
});

test('a connection without the delete tool deletes nothing', async () => {
  const before = await readRowCounts();
  await runAll('', '?exclude=delete,mail_rule,mail_label');
  expect(findShrunk(before, await readRowCounts())).toEqual([]);
});

test('each operation changes only the tables that its declared effects allow', async () => {
  await addRecords('2');
  operations = await listCalledOperations();
  let before = await readRowCounts();
  const undeclared: string[] = [];
  const deleted = new Set<string>();
  const sent = new Set<string>();
  await runAll('', '', async (calledCalled) => {
    const after = await readRowCounts();
    const { effects } = definitions.get(calledCalled.name)!;
    const values = computeListEffects(app.main.ctx, calledCalled.model, calledCalled.args, false);
    const shrunk = findShrunk(before, after);
    if (shrunk.length > 0) deleted.add(calledCalled.name);
    if (shrunk.length > 0 && !effects.includes('deletes') && !values.deletes)
      undeclared.push(`${calledCalled.name} deletes of ${shrunk}`);
    if (hasSent(before, after)) {
      sent.add(calledCalled.name);
      if (!effects.includes('sends')) undeclared.push(`${calledCalled.name} sends`);
    }
    if (effects.every((effect) => effect === 'reads') && findGrown(before, after).length + shrunk.length > 0)
      undeclared.push(`${calledCalled.name} writes`);
    before = after;
  });
  expect(undeclared).toEqual([]);
  expect([...deleted]).toEqual(expect.arrayContaining(['crmLeadMerge', 'mailFolderDelete']));
  expect([...sent]).toContain('helpdeskTicketAnswer');
});
