import { beforeAll, describe, expect, test } from 'vitest';
import { createCtx } from '../../src/engine/ctx/ctx.ts';
import { callMethod } from '../../src/engine/operation/call.ts';
import { RawJson } from '../../src/engine/value/raw-json.ts';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { runTool as callTool, createAgentKey, switchMcp } from '../harness/facades/mcp.ts';
import { createScene } from '../rights/scene.ts';

const SECRET = 'HUNTER2PARAM';

const app = setUpApp();
const scene = createScene(app);
const callAsAdmin = (name: string, args: object) => callTool(app, app.main.admin.key, name, args);

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  await scene.create('ir.config_parameter', { key: 'mail.smtp.password', value: SECRET });
  const file = await scene.create('ir.attachment', { name: 'shared', datas: 'eA==' });
  await scene.admin.value('ir.attachment/generate_access_token', { ids: [file] });
  await scene.addModel(
    'x_vault',
    [
      { name: 'x_name', ttype: 'char', field_description: 'Name' },
      { name: 'x_api_key', ttype: 'char', field_description: 'Key' },
      { name: 'x_pin', ttype: 'char', field_description: 'PIN' },
      { name: 'x_pinned', ttype: 'char', field_description: 'Pinned' },
      { name: 'x_token_days', ttype: 'integer', field_description: 'Days' },
      { name: 'x_file_id', ttype: 'many2one', relation: 'ir.attachment', field_description: 'File' },
    ],
    await scene.groupId('base.group_system'),
  );
  const follows = { model_id: await scene.modelId('x_vault'), related: 'x_file_id.access_token' };
  await scene.create('ir.model.fields', {
    ...follows,
    name: 'x_shared',
    ttype: 'char',
    field_description: 'Shared',
  });
  const extraValues = { x_pin: SECRET, x_pinned: 'board', x_token_days: 30 };
  await scene.create('x_vault', { x_name: 'one', x_api_key: SECRET, x_file_id: file, ...extraValues });
});

const MASKED = [
  ['ir.config_parameter', 'value'],
  ['ir.attachment', 'access_token'],
  ['x_vault', 'x_api_key'],
  ['x_vault', 'x_pin'],
  ['x_vault', 'x_shared'],
] as const;

test('masks the link of an invitation in sent emails', async () => {
  const agent = await createAgentKey(app);
  const invite = 'mutation { userInvite(email: "invited@example.org") { id } }';
  await queryData(app, invite, { key: app.main.admin.key });
  const domain = [['subject', 'ilike', 'invitation']];
  const [email] = await scene.admin.value('svc.email/search_read', { domain, fields: ['html', 'text'] });
  expect(email.text).toMatch(/hash=[0-9a-f]{64}/);
  const fields = ['html', 'text'];
  const calls: [string, object][] = [
    ['search', { model: 'svc.email', domain, fields }],
    ['get', { model: 'svc.email', ids: [email.id], fields }],
    ['aggregate', { model: 'svc.email', domain, group_by: ['text'] }],
    [
      'call',
      { model: 'svc.email', method: 'export_data', ids: [email.id], kwargs: { fields_to_export: fields } },
    ],
    [
      'call',
      { model: 'svc.email', method: 'web_read', ids: [email.id], kwargs: { specification: { text: {} } } },
    ],
  ];
  for (const [name, args] of calls) {
    const { isError, content } = await callTool(app, agent.key, name, args);
    expect([name, isError, /[0-9a-f]{64}/.test(content[0]!.text)]).toEqual([name, false, false]);
    expect(content[0]!.text).toContain('hash=***');
  }
});

test('compares sent emails without the credentials of their links in conditions and groups', async () => {
  const agent = await createAgentKey(app);
  const invite = (email: string) =>
    queryData(app, `mutation { userInvite(email: "${email}") { id } }`, { key: app.main.admin.key });
  await invite('guessed@example.org');
  const domain = [['to', 'ilike', 'guessed@']];
  const read = { domain, fields: ['html', 'text'] };
  const [email] = await scene.admin.value('svc.email/search_read', read);
  const hash: string = /hash=([0-9a-f]{64})/.exec(email.text)![1]!;
  const guess = (text: string): unknown[][] => [
    ['text', 'like', `hash=${text}`],
    ['html', 'ilike', `HASH=${text}`],
    ['text', '=like', `%hash=${text}%`],
    ['html', '=ilike', `%hash=${text}%`],
    ['text', 'like', text],
  ];
  const count = async (model: string, condition: unknown) => {
    const { structuredContent } = await callTool(app, agent.key, 'count', { model, domain: condition });
    return structuredContent.count;
  };
  for (const condition of guess(hash.slice(0, 8))) {
    const args = { domain: [...domain, condition] };
    expect([condition, await scene.admin.value('svc.email/search_count', args)]).toEqual([condition, 1]);
    expect([condition, await count('svc.email', args.domain)]).toEqual([condition, 0]);
    const below = [[`email_id.${condition[0]}`, ...condition.slice(1)]];
    expect([condition, await count('svc.email.event', below)]).toEqual([condition, 0]);
    const any = [['email_id', 'any', [condition]]];
    expect([condition, await count('svc.email.event', any)]).toEqual([condition, 0]);
  }
  const digits = '0123456789abcdef';
  const before = email.text.slice(0, email.text.indexOf(hash));
  const isAbove = await Promise.all(
    [...digits].map((digit) => count('svc.email', [...domain, ['text', '>=', before + digit]])),
  );
  expect(new Set(isAbove).size).toBe(1);
  for (const operator of ['=', 'in'])
    expect(
      await count('svc.email', [
        ...domain,
        ['text', operator, operator === 'in' ? [email.text] : email.text],
      ]),
    ).toBe(0);
  expect(await count('svc.email', [...domain, ['text', 'like', 'hash=***']])).toBe(1);
  expect(await count('svc.email', [...domain, ['text', 'ilike', 'invit']])).toBe(1);

  await invite('other-guessed@example.org');
  const all = [['to', 'ilike', 'guessed@']];
  const aggregated = await callTool(app, agent.key, 'aggregate', {
    model: 'svc.email',
    domain: all,
    group_by: ['to', 'text'],
    aggregates: ['text:max', 'html:array_agg'],
  });
  expect(aggregated.content[0]!.text).not.toMatch(/hash=[0-9a-f]/);
  const outbox = await callTool(app, agent.key, 'search', { model: 'svc.outbox', fields: ['source'] });
  for (const { source } of outbox.structuredContent.records) expect(source).toBe('***');
  const sources = { model: 'svc.outbox', domain: [['source', 'like', 'hash']] };
  expect((await callTool(app, agent.key, 'count', sources)).isError).toBe(true);
});

describe('a link with a credential in a string field', () => {
  const HASH = 'c0ffee'.padEnd(64, '7');
  const PREFIX = 'https://atrium.test/invitation?login=a&hash=';
  const LINK = PREFIX + HASH;
  const DIGITS = [...'0123456789abcdef'];
  const ofPartners = ['phone', '=', 'guessing'];
  let agent: string;

  beforeAll(async () => {
    agent = (await createAgentKey(app)).key;
    const team = await scene.create('crm.team', {
      name: 'Team',
      lead_properties_definition: [{ name: 'aa11', type: 'char', string: 'Link' }],
    });
    const addPartner = (link: string) =>
      scene.create('res.partner', { name: link, website: link, phone: 'guessing' });
    const partner_id = await addPartner(LINK);
    for (const end of ['c', 'd']) await addPartner(PREFIX + end);
    const properties = { lead_properties: { aa11: LINK }, team_id: team };
    await scene.create('crm.lead', { name: 'Guessed', partner_id, website: LINK, ...properties });
  });

  const countAs = {
    async agent(model: string, domain: unknown[]): Promise<number> {
      const { structuredContent } = await callTool(app, agent, 'count', { model, domain });
      return structuredContent.count;
    },
    admin: (model: string, domain: unknown[]): Promise<number> =>
      scene.admin.value(`${model}/search_count`, { domain }),
  };

  /** Extends the guess by the only digit that changes the number of matches. */
  async function guess(count: (text: string) => Promise<number>): Promise<string> {
    let known = '';
    while (known.length < 6) {
      const counts = await Promise.all(DIGITS.map((digit) => count(known + digit)));
      const found = DIGITS.filter(
        (_, index) => counts.filter((other) => other === counts[index]).length === 1,
      );
      if (found.length !== 1) break;
      known += found[0];
    }
    return known;
  }

  const others = ['website', 'not in', [`${PREFIX}c`, `${PREFIX}d`]];
  const startsWith = (text: string) => `${PREFIX}${text}%`;

  test.each<[string, string, (text: string) => unknown[]]>([
    ['like', 'res.partner', (text) => [others, ['website', 'like', `hash=${text}`]]],
    ['ilike', 'res.partner', (text) => [others, ['name', 'ilike', `HASH=${text}`]]],
    ['=like', 'res.partner', (text) => [others, ['website', '=like', startsWith(text)]]],
    ['_', 'res.partner', (text) => [['website', '=like', PREFIX + text + '_'.repeat(64 - text.length)]]],
    ['not', 'res.partner', (text) => [ofPartners, others, '!', ['website', '=like', startsWith(text)]]],
    ['not like', 'res.partner', (text) => [ofPartners, others, ['name', 'not like', `hash=${text}`]]],
    ['a path', 'crm.lead', (text) => [['partner_id.website', '=like', startsWith(text)]]],
    ['any', 'crm.lead', (text) => [['partner_id', 'any', [['name', '=like', startsWith(text)]]]]],
    ["a linked record's name", 'crm.lead', (text) => [['partner_id', 'ilike', `hash=${text}`]]],
    ['a property', 'crm.lead', (text) => [['lead_properties.aa11', '=like', startsWith(text)]]],
  ])('cannot be guessed by conditions with %s', async (_name, model, buildDomain) => {
    expect(await guess((text) => countAs.admin(model, buildDomain(text)))).toBe('c0ffee');
    expect(await guess((text) => countAs.agent(model, buildDomain(text)))).toBe('');
  });

  test.each(
    ['website', 'lead_properties.aa11'].flatMap((field) =>
      ['>', '>=', '<', '<='].map((operator) => [field, operator] as const),
    ),
  )('cannot be guessed by comparing %s with %s', async (field, operator) => {
    const counts = await Promise.all(
      DIGITS.map((digit) => countAs.agent('crm.lead', [[field, operator, PREFIX + digit]])),
    );
    expect(new Set(counts).size).toBe(1);
  });

  test.each(['in', '=', 'not in', '!='])('cannot be confirmed with %s', async (operator) => {
    const compare = (link: string) =>
      countAs.agent('crm.lead', [
        ['name', '=', 'Guessed'],
        ['website', operator, operator.endsWith('in') ? [link] : link],
      ]);
    expect(await compare(LINK)).toBe(['not in', '!='].includes(operator) ? 1 : 0);
    expect(await compare(LINK)).toBe(await compare(LINK.replace('c0ffee', 'c0ffef')));
  });

  test.each(['website', 'name', 'complete_name', 'website desc'])(
    'is sorted by %s as it is shown',
    async (order) => {
      const search = { model: 'res.partner', domain: [ofPartners], order, fields: ['website'] };
      const { structuredContent } = await callTool(app, agent, 'search', search);
      const links = structuredContent.records.map(({ website }: { website: string }) => website);
      const sorted = ['***', 'c', 'd'].map((end) => PREFIX + end);
      expect(links).toEqual(order.endsWith('desc') ? sorted.toReversed() : sorted);
    },
  );

  test('is masked in groups and aggregates', async () => {
    const { content, isError } = await callTool(app, agent, 'aggregate', {
      model: 'res.partner',
      domain: [ofPartners],
      group_by: ['website'],
      aggregates: ['name:max', 'website:array_agg', 'website:min'],
    });
    expect([isError, content[0]!.text]).toEqual([false, expect.stringContaining('hash=***')]);
    expect(content[0]!.text).not.toContain('c0ffee');
  });

  test('does not hide its record from other conditions', async () => {
    expect(await countAs.agent('res.partner', [ofPartners])).toBe(3);
    expect(await countAs.agent('res.partner', [ofPartners, ['website', '=', `${PREFIX}c`]])).toBe(1);
    expect(await countAs.agent('res.partner', [ofPartners, ['website', '!=', false]])).toBe(3);
    expect(await countAs.agent('res.partner', [ofPartners, ['website', '=', false]])).toBe(0);
  });
});

test('does not mask numbers or fields with similar names', async () => {
  const fields = ['x_pinned', 'x_token_days'];
  const { structuredContent } = await callAsAdmin('search', { model: 'x_vault', fields });
  expect(structuredContent.records).toEqual([
    { id: expect.any(Number), x_pinned: 'board', x_token_days: 30 },
  ]);
  const [group] = (
    await callAsAdmin('search', { model: 'res.groups', fields: ['api_key_duration'], limit: 1 })
  ).structuredContent.records;
  expect(group.api_key_duration).toBe(0);
});

describe.each(MASKED)('masked field %s.%s', (model, field) => {
  test('is masked in results', async () => {
    const { structuredContent, content } = await callAsAdmin('search', { model, fields: ['id', field] });
    expect(structuredContent._count).toBeGreaterThan(0);
    for (const row of structuredContent.records) expect(row[field]).toBe('***');
    expect(content[0]!.text).not.toContain(SECRET);
    const ids = structuredContent.records.map(({ id }: { id: number }) => id);
    const result = await callAsAdmin('get', { model, ids, fields: ['*'] });
    for (const row of result.structuredContent.records) expect(row[field]).toBe('***');
  });

  test.each([
    [[[field, '=like', 'H%']]],
    [[[field, '!=', false]]],
    [['|', ['id', '>', 0], [field, 'ilike', 'a']]],
    [['!', [field, 'in', ['x']]]],
    [[['id', 'any', [[field, '>', 'a']]]]],
  ])('cannot be used in a filter: %j', async (domain) => {
    for (const name of ['search', 'count']) {
      const result = await callAsAdmin(name, { model, domain });
      expect([result.isError, result.content[0]!.text]).toEqual([
        true,
        expect.stringContaining(`(${field})`),
      ]);
    }
  });

  test('cannot be used in a sort order', async () => {
    for (const order of [field, `${field} desc`, `id, ${field}`]) {
      const result = await callAsAdmin('search', { model, order });
      expect([result.isError, result.content[0]!.text]).toEqual([
        true,
        expect.stringContaining(`(${field})`),
      ]);
    }
  });
});

test('rejects paths through another record to a masked field', async () => {
  const domain = [['x_file_id.access_token', '=like', '0%']];
  expect((await callAsAdmin('count', { model: 'x_vault', domain })).isError).toBe(true);
  const any = [['x_file_id', 'any', [['access_token', '=like', '0%']]]];
  expect((await callAsAdmin('count', { model: 'x_vault', domain: any })).isError).toBe(true);
  expect((await callAsAdmin('search', { model: 'x_vault', order: 'x_file_id.access_token' })).isError).toBe(
    true,
  );
});

test('allows filtering and sorting by secret fields for callers that see them unmasked', async () => {
  const domain = [['value', '=', SECRET]];
  expect(await scene.admin.value('ir.config_parameter/search_count', { domain })).toBe(1);
  expect(await scene.admin.value('x_vault/search', { domain: [], order: 'x_api_key desc' })).toHaveLength(1);
});

describe('method calls with masking', () => {
  const callMasked = async (model: string, method: string, args: Record<string, unknown>) => {
    const caller = await app.runtime.identity.byKey(app.main.admin.key);
    const ctx = createCtx(app.runtime, { ...caller!, channel: 'json', requestId: 'masked', mask: true });
    const value = await callMethod(ctx, model, method, args);
    return value instanceof RawJson ? value.text : JSON.stringify(value);
  };

  test.each([
    ['formatted_read_group', { groupby: ['value'], aggregates: [] }],
    ['formatted_read_group', { groupby: ['key'], aggregates: ['value:max'] }],
    ['formatted_read_group', { groupby: ['key'], aggregates: [], having: [['value:count', '>', 0]] }],
    ['formatted_read_group', { domain: [['value', '!=', false]], groupby: ['key'], aggregates: [] }],
    ['name_search', { domain: [['value', '=like', 'H%']] }],
    ['web_search_read', { specification: { key: {} }, order: 'value' }],
    ['export_data', { fields_to_export: ['key'], domain: [['value', '!=', false]] }],
  ])('%s rejects %j', async (method, args) => {
    await expect(callMasked('ir.config_parameter', method, args)).rejects.toThrow();
  });

  test.each([
    ['get_param', { key: 'mail.smtp.password' }],
    ['search_read', { domain: [], fields: ['key', 'value'] }],
    ['web_search_read', { domain: [], specification: { key: {}, value: {} } }],
  ])('%s returns masked values', async (method, args) => {
    const text = await callMasked('ir.config_parameter', method, args);
    expect(text).toContain('***');
    expect(text).not.toContain(SECRET);
  });

  test('an export of whole records returns masked values', async () => {
    const domain = [['key', '=', 'mail.smtp.password']];
    const [id] = await scene.admin.value('ir.config_parameter/search', { domain });
    const args = { ids: [id], fields_to_export: ['key', 'value'] };
    expect(await callMasked('ir.config_parameter', 'export_data', args)).not.toContain(SECRET);
  });
});
