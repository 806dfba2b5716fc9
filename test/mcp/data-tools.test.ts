import { beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../src/engine/write/write.ts';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import {
  addContacts,
  buildModernRequest,
  runTool as callTool,
  postMcp,
  readLogLines,
  switchMcp,
} from '../harness/facades/mcp.ts';
import { createScene } from '../rights/scene.ts';

const app = setUpApp();
const scene = createScene(app);
let ids: number[];
const callAsAdmin = (name: string, args: object) => callTool(app, app.main.admin.key, name, args);
const callAsUser = (name: string, args: object) => callTool(app, app.main.user.key, name, args);
const callValue = async (name: string, args: object) => {
  const { structuredContent, isError, content } = await callAsAdmin(name, args);
  if (isError) throw new Error(content[0]!.text);
  expect([isError, JSON.parse(content[0]!.text)]).toEqual([false, structuredContent]);
  return structuredContent;
};
const callRejected = async (name: string, args: object, run = callAsAdmin) => {
  const result = await run(name, args);
  expect(result).toEqual({
    content: [{ type: 'text', text: expect.stringMatching(/^Error: /) }],
    isError: true,
  });
  return result.content[0]!.text;
};
const model = 'res.partner';
const countRecords = async (domain: unknown[]) => (await callValue('count', { model, domain })).count;

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  ids = (await addContacts(app.main, 'Contact', 620)).map((row) => row.id);
});

test.for<[method: string, kwargs: object, next: number | undefined]>([
  ['search', { domain: [], limit: 3 }, 3],
  ['search_read', { domain: [], fields: ['name'], limit: 3, offset: 5 }, 8],
  ['web_search_read', { domain: [], specification: {}, limit: 3 }, 3],
  ['name_search', { name: 'Contact', limit: 3 }, undefined],
  ['formatted_read_group', { domain: [], groupby: ['name'], limit: 3, offset: 4 }, 7],
  ['web_read_group', { domain: [], groupby: ['name'], limit: 3 }, 3],
])('call says that %s has more rows than a page', async ([method, kwargs, next]) => {
  const page = await callValue('call', { model, method, kwargs });
  expect(page).toMatchObject({ _count: 3, has_more: true });
  expect(page.next_offset).toBe(next);
  const narrow = method === 'name_search' ? { name: 'Contact 0007' } : { domain: [['id', '=', ids[0]]] };
  const whole = await callValue('call', {
    model,
    method,
    kwargs: { ...kwargs, ...narrow, offset: undefined },
  });
  expect([whole._count, whole.has_more]).toEqual([1, undefined]);
});

test.for([undefined, 3, 5_000])('call counts records up to the limit %s only', async (limit) => {
  const call = { model, method: 'search_count', kwargs: { domain: [], limit } };
  const total = await countRecords([]);
  expect((await callValue('call', call)).result).toBe(Math.min(total, limit ?? total));
});

test('find returns ids and names of up to 20 records, or up to 500 on request', async () => {
  const records = await callValue('find', { model, name: 'Contact 0007' });
  expect(records).toEqual({ results: [{ id: ids[6], name: 'Contact 0007' }], _count: 1 });
  expect((await callValue('find', { model, name: 'Contact' }))._count).toBe(20);
  expect((await callValue('find', { model, name: 'Contact', limit: 5_000 }))._count).toBe(500);
  expect((await callValue('find', { model, name: 'no such' })).results).toEqual([]);
});

test("create returns the new record's id and name", async () => {
  const record = await callValue('create', { model, values: { name: 'Ada', email: 'ada@example.org' } });
  expect(record).toEqual({ created_id: expect.any(Number), display_name: 'Ada', _count: 1 });
  const { records } = await callValue('get', { model, ids: [record.created_id], fields: ['email'] });
  expect(records).toEqual([{ id: record.created_id, email: 'ada@example.org' }]);
});

test('update writes the same values to all records, or to none', async () => {
  const selectedIds = ids.slice(0, 3);
  expect(await callValue('update', { model, ids: selectedIds, values: { comment: 'x' } })).toEqual({
    updated_ids: selectedIds,
    _count: 3,
  });
  await callRejected('update', { model, ids: [ids[0], 2_000_000_000], values: { phone: '1' } });
  expect(await countRecords([['phone', '=', '1']])).toBe(0);
});

test('update requires confirmation to change who can sign in', async () => {
  const login = `clerk-${ids[0]}`;
  const user = await scene.create('res.users', { name: 'Clerk', login });
  const update = (values: object, options: object = {}) =>
    callValue('update', { model: 'res.users', ids: [user], values, ...options });
  const read = async () =>
    (await callValue('get', { model: 'res.users', ids: [user], fields: ['login', 'active'] })).records[0];
  for (const values of [
    { login: 'taken' },
    { active: false },
    { email: 'x@example.org' },
    { name: 'X', login: 'y' },
  ])
    expect(await update(values)).toMatchObject({
      confirm_required: true,
      message: expect.stringMatching(/change (login|email|active) of 1 record of res.users/),
    });
  expect(await read()).toMatchObject({ login, active: true });
  expect(await update({ signature: '<p>Hi</p>' })).toMatchObject({ updated_ids: [user] });
  await update({ login: `${login}-2` }, { confirm: true });
  expect(await read()).toMatchObject({ login: `${login}-2` });
});

test('update requires confirmation for more than 100 records', async () => {
  const preview = await callValue('update', { model, ids: ids.slice(0, 101), values: { ref: 'many' } });
  expect(preview).toMatchObject({
    confirm_required: true,
    message: expect.stringContaining('101 records'),
    _count: 0,
  });
  expect(await countRecords([['ref', '=', 'many']])).toBe(0);
  await callValue('update', { model, ids: [...ids.slice(0, 100), ids[0]], values: { ref: 'many' } });
  expect(await countRecords([['ref', '=', 'many']])).toBe(100);
  const result = await callValue('update', {
    model,
    ids: ids.slice(0, 101),
    values: { ref: 'more' },
    confirm: true,
  });
  expect(result._count).toBe(101);
  expect(await countRecords([['ref', '=', 'more']])).toBe(101);
});

test('delete returns a preview without confirmation, and deletes with it', async () => {
  const [one, two] = [ids[600]!, ids[601]!];
  const preview = await callValue('delete', { model, ids: [one, two] });
  expect(preview).toMatchObject({
    confirm_required: true,
    would_delete: [
      { id: one, name: 'Contact 0601' },
      { id: two, name: 'Contact 0602' },
    ],
    _count: 0,
  });
  expect(await countRecords([['id', 'in', [one, two]]])).toBe(2);
  expect(await callValue('delete', { model, ids: [one, two], confirm: true })).toEqual({
    deleted_ids: [one, two],
    _count: 2,
  });
  expect(await countRecords([['id', 'in', [one, two]]])).toBe(0);
  await callRejected('delete', { model, ids: [one] });
});

test('delete rejects a caller without permission before it returns a preview', async () => {
  expect(await callRejected('delete', { model, ids: [ids[0]] }, callAsUser)).toContain(
    'not allowed to delete',
  );
});

describe('call tool', () => {
  test('calls a read-only method', async () => {
    const result = await callValue('call', { model, method: 'search_count', args: [[['id', '=', ids[0]]]] });
    expect(result).toEqual({ result: 1, _count: 1 });
    const readResult = await callValue('call', {
      model,
      method: 'read',
      ids: [ids[1]],
      kwargs: { fields: ['name'] },
    });
    expect(readResult).toEqual({ result: [{ id: ids[1], name: 'Contact 0002' }], _count: 1 });
  });

  test('returns records as their model and ids', async () => {
    const domain = [['id', 'in', ids.slice(0, 2)]];
    const foundIds = await callValue('call', { model, method: 'search', kwargs: { domain, order: 'id' } });
    expect(foundIds).toEqual({ result: { model, ids: ids.slice(0, 2) }, _count: 2 });
    const post = { model, method: 'message_post', ids: [ids[0]], kwargs: { body: 'hi' }, confirm: true };
    expect((await callValue('call', post)).result).toEqual({
      model: 'mail.message',
      ids: [expect.any(Number)],
    });
    const copied = await callValue('call', { model, method: 'copy', ids: [ids[2]], confirm: true });
    expect(copied).toEqual({ result: { model, ids: [expect.any(Number)] }, _count: 1 });
  });

  test('requires confirmation for a method that is not read-only', async () => {
    const archive = { model, method: 'action_archive', ids: [ids[10]] };
    const preview = await callValue('call', archive);
    expect(preview).toMatchObject({ confirm_required: true, message: expect.any(String), _count: 0 });
    expect(await countRecords([['id', '=', ids[10]]])).toBe(1);
    expect(await callValue('call', { ...archive, confirm: true })).toEqual({ result: null, _count: 1 });
    expect(await countRecords([['id', '=', ids[10]]])).toBe(0);
  });

  test.each(['create', 'write', 'unlink', 'web_save'])(
    'rejects %s, which has a dedicated tool',
    async (method) => {
      expect(await callRejected('call', { model, method, ids: [ids[0]], confirm: true })).toContain(
        `The call tool does not support ${method}.`,
      );
    },
  );

  test.each(['_search', 'browse', 'sudo', '__class__'])('rejects the private method %s', async (method) => {
    expect(await callRejected('call', { model, method, confirm: true })).toContain('Private methods');
  });

  test('rejects unknown arguments and methods', async () => {
    await callRejected('call', { model, method: 'search_count', args: [[], 1, 2] });
    await callRejected('call', { model, method: 'search_count', args: [[]], kwargs: { domain: [] } });
    await callRejected('call', { model, method: 'no_such_method' });
  });

  test('records the called method in the log', async () => {
    await callValue('call', { model, method: 'search_count', args: [[]] });
    expect((await readLogLines(app.main, 1))[0]).toMatchObject({
      tool: 'call',
      model_name: model,
      method: 'search_count',
      success: true,
    });
  });
});

describe('aggregate tool', () => {
  const lead = 'crm.lead';

  beforeAll(async () => {
    for (const [name, revenue] of [
      ['a', 10],
      ['a', 20],
      ['b', 40],
    ] as const)
      await scene.create(lead, { name: `agg ${name}`, expected_revenue: revenue, color: 1 });
    await scene.create(lead, {
      name: 'agg c',
      expected_revenue: 5,
      color: 2,
      date_deadline: '2026-02-03',
    });
  });
  const domain = [['name', 'like', 'agg ']];

  test('computes sum, average, count, minimum and maximum in the database', async () => {
    const result = await callValue('aggregate', {
      model: lead,
      domain,
      group_by: ['name'],
      aggregates: [
        'expected_revenue:sum',
        'expected_revenue:avg',
        'expected_revenue:min',
        'expected_revenue:max',
        'color:count_distinct',
      ],
      order: 'count desc, name',
    });
    expect(result._count).toBe(3);
    expect(result.groups[0]).toEqual({
      group: { name: 'agg a' },
      count: 2,
      values: {
        'expected_revenue:sum': 30,
        'expected_revenue:avg': 15,
        'expected_revenue:min': 10,
        'expected_revenue:max': 20,
        'color:count_distinct': 1,
      },
    });
  });

  test('groups dates by the requested period, and returns one group without a group field', async () => {
    const [month] = (
      await callValue('aggregate', {
        model: lead,
        domain: [...domain, ['date_deadline', '!=', false]],
        group_by: ['date_deadline:month'],
      })
    ).groups;
    expect(month).toMatchObject({ group: { 'date_deadline:month': 'February 2026' }, count: 1 });
    expect((await callValue('aggregate', { model: lead, domain, group_by: [] })).groups).toEqual([
      { group: {}, count: 4, values: {} },
    ]);
  });

  test.for(['day', 'week', 'month', 'quarter', 'year', 'day_of_week'])(
    'labels a %s, and returns the domain that selects its records',
    async (granularity) => {
      const spec = `date_deadline:${granularity}`;
      const request = { model: lead, domain, group_by: [spec, 'name'] };
      const { groups } = await callValue('aggregate', request);
      expect(groups).toHaveLength(3);
      for (const { group, domain: groupDomain, count } of groups) {
        expect(JSON.stringify(group)).not.toMatch(/\d\d:\d\d:\d\d|\[/);
        const found = await callValue('count', { model: lead, domain: [...domain, ...groupDomain] });
        expect(found.count).toBe(count);
      }
      const times = await callValue('aggregate', { ...request, group_by: [`create_date:${granularity}`] });
      const [{ group, domain: groupDomain }] = times.groups;
      expect(JSON.stringify(group)).not.toMatch(/\d\d:\d\d:\d\d|\[/);
      expect((await callValue('count', { model: lead, domain: [...domain, ...groupDomain] })).count).toBe(4);
      const plain = await callValue('aggregate', { ...request, group_by: ['name'] });
      expect(plain.groups[0]).not.toHaveProperty('domain');
    },
  );

  test('counts beyond the 500 rows of a search', async () => {
    const result = await callValue('aggregate', {
      model,
      domain: [['name', 'like', 'Contact 0']],
      group_by: ['active'],
    });
    expect(result.groups[0].count).toBeGreaterThan(600);
    const names = await callValue('aggregate', { model, group_by: ['name'], limit: 9_999 });
    expect(names._count).toBeGreaterThan(600);
  });

  test('returns the offset of further groups, and names the allowed aggregates and periods in errors', async () => {
    const args = { model: lead, domain, group_by: ['name'], limit: 2 };
    expect(await callValue('aggregate', args)).toMatchObject({ _count: 2, has_more: true, next_offset: 2 });
    expect(await callValue('aggregate', { ...args, offset: 2 })).not.toHaveProperty('has_more');
    expect(await callRejected('aggregate', { ...args, aggregates: ['expected_revenue:total'] })).toMatch(
      /Use sum, .*avg, min, max, count, count_distinct\./,
    );
    expect(await callRejected('aggregate', { ...args, group_by: ['create_date:fortnight'] })).toMatch(
      /Use .*week, month, quarter, year/,
    );
  });

  test('rejects secret fields', async () => {
    await callRejected('aggregate', { model: 'ir.config_parameter', group_by: ['value'] });
    await callRejected('aggregate', {
      model: 'ir.config_parameter',
      group_by: ['key'],
      aggregates: ['value:max'],
    });
  });
});

const ADVICE: [string, string, object, RegExp][] = [
  ['a model', 'count', { model: 'res.partnr' }, / does not exist\. Did you mean res\.partner\?/],
  ['a model far off', 'count', { model: 'spaceship' }, /list_models/],
  ['a field', 'search', { model, fields: ['emial'] }, /Did you mean email\?/],
  ['a field of a condition', 'count', { model, domain: [['nmae', '=', 'x']] }, /Did you mean name\?/],
  ['a field of new values', 'create', { model, values: { nmae: 'x' } }, /Did you mean name\?/],
  ['a field to group by', 'aggregate', { model, group_by: ['countri_id'] }, /Did you mean country_id\?/],
  ['a field without its suffix', 'search', { model, fields: ['country'] }, /Did you mean country_id\?/],
  [
    'a list without its suffix',
    'create',
    { model, values: { tags: [] } },
    /Did you mean category_id|look it up/i,
  ],
  ['a part of a field', 'search', { model: 'crm.lead', fields: ['revenue'] }, /Did you mean \w*revenue\?/],
  ['a model without its prefix', 'count', { model: 'partner' }, /Did you mean res\.partner\?/],
  [
    'a value',
    'create',
    { model, values: { name: 'x', type: 'nope' } },
    /Allowed values: .*contact \(Contact\)/,
  ],
  [
    'a name instead of an id',
    'create',
    { model, values: { name: 'x', country_id: 'Belgium' } },
    /the id of a res\.country record.* find/,
  ],
  [
    'a list of names',
    'create',
    { model, values: { name: 'x', category_id: ['VIP'] } },
    /ids of the records.* \[4, id\]/,
  ],
  [
    'a time with an offset',
    'count',
    { model, domain: [['create_date', '>', '2026-12-01T10:00:00Z']] },
    /YYYY-MM-DD HH:MM:SS, in UTC/,
  ],
  [
    'a date in words',
    'create',
    { model: 'crm.lead', values: { name: 'x', date_deadline: 'friday' } },
    /YYYY-MM-DD/,
  ],
  ['a date in a condition', 'count', { model, domain: [['create_date', '>', 'yesterday']] }, /YYYY-MM-DD/],
  ['a condition without brackets', 'count', { model, domain: ['name', '=', 'x'] }, /\["name", "=", "Acme"\]/],
  ['an operator', 'count', { model, domain: [['name', 'equals', 'x']] }, /ilike, .*child_of/],
  ['an aggregate', 'aggregate', { model, group_by: ['country_id'], aggregates: ['color'] }, /field:function/],
  ['a period', 'aggregate', { model, group_by: ['create_date'] }, /create_date:month/],
  ['an argument', 'search', { model, order: 5 }, /'order' must be a string/],
  ['a list argument', 'search', { model, fields: 'name' }, /'fields' must be an array/],
  ['a missing argument', 'update', { model, ids: [1] }, /'values' is required/],
  [
    'an empty list of ids',
    'update',
    { model, ids: [], values: {} },
    /'ids' must NOT have fewer than 1 items/,
  ],
];

test.for(ADVICE)('describes the expected input in an error: %s', async ([, name, args, reason]) => {
  expect(await callRejected(name, args)).toMatch(reason);
});

test('suggests the nearest name for an unknown tool', async () => {
  expect(await callAsAdmin('serch', {})).toMatchObject({
    code: -32602,
    message: expect.stringContaining('Did you mean search?'),
  });
});

test("describe_model returns each field's label, relation, allowed values and help", async () => {
  const { fields } = await callValue('describe_model', { model });
  const getField = (name: string) => fields.find((field: { name: string }) => field.name === name);
  expect(getField('type')).toMatchObject({ string: expect.any(String), type: 'selection' });
  expect(getField('type').selection).toContainEqual(['contact', expect.any(String)]);
  expect(getField('country_id').relation).toBe('res.country');
});

test('clients on the modern revision call the same tools', async () => {
  const { body, headers } = buildModernRequest('tools/call', {
    name: 'create',
    arguments: { model, values: { name: 'Modern' } },
  });
  const { result } = (await postMcp(app, body, app.main.admin.key, headers)).json();
  expect(result).toMatchObject({
    resultType: 'complete',
    structuredContent: { display_name: 'Modern', _count: 1 },
  });
});

test('rejects changes by a read-only key without a confirmation prompt', async () => {
  const readOnly = (name: string, args: object) => callTool(app, app.main.readOnlyKey, name, args);
  for (const [name, args] of [
    ['create', { model, values: { name: 'no' } }],
    ['update', { model, ids: [ids[0]], values: { name: 'no' } }],
    ['delete', { model, ids: [ids[0]] }],
    ['call', { model, method: 'action_archive', ids: [ids[0]] }],
  ] as const)
    expect(await callRejected(name, args, readOnly)).toContain('scope write');
});

describe('tool arguments', () => {
  test.each<[string, Record<string, unknown>]>([
    ['count', { model, domain: '[["name","=","Contact 0007"]]' }],
    ['search', { model, domain: [['name', '=', 'Contact 0007']], limit: '1', fields: '["name"]' }],
    ['get', { model, ids: '[1]', fields: ['id'] }],
    ['get', { model, ids: ['1'], fields: ['id'] }],
    ['mailbox_list', { include_labels: 'true' }],
    ['website_redirect', { url_from: '/a', url_to: '/b', redirect_type: 302 }],
  ])('for %s may be %j', async (name, args) => {
    expect((await callAsAdmin(name, args)).isError).toBe(false);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['search', { model, limit: '5x' }, /limit/],
    ['search', { model, limit: '05' }, /limit/],
    ['search', { model, domain: '{}' }, /domain/],
    ['search', { model, domian: [] }, /Did you mean domain/],
    ['update', { model, ids: [1], values: {}, task_progress: 'x' }, /Unknown argument 'task_progress'/],
    ['delete', { model, ids: [1], confirm: 'true' }, /confirm/],
    ['delete', { model, ids: [1], confirm: 1 }, /confirm/],
    ['call', { model, method: 'action_archive', ids: [1], confirm: 'true' }, /confirm/],
  ])('for %s must not be %j', async (name, args, reason) => {
    expect(await callRejected(name, args)).toMatch(reason);
  });

  test('can be null, and are ignored and reported if a read-only tool does not know them', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    const params = { name: 'platform_info', arguments: null };
    const answer = await postMcp(app, { ...message, params }, app.main.admin.key);
    expect(answer.json().result.isError).toBe(false);
    const count = await callValue('count', { model, task_progress: '- [ ] count' });
    expect(count.ignored_arguments).toEqual(['task_progress']);
  });

  test('are ignored by call if the method only reads', async () => {
    const call = { model, method: 'search_count', kwargs: { domain: [] }, task_progress: 'x' };
    expect((await callValue('call', call)).ignored_arguments).toEqual(['task_progress']);
    const change = { model, method: 'action_archive', ids: [ids[0]], task_progress: 'x' };
    expect(await callRejected('call', change)).toMatch(/Unknown argument 'task_progress'/);
  });

  test('are ignored if they resemble an argument that is present', async () => {
    const count = await callValue('count', { model, domain: [], domains: [['id', '=', 1]] });
    expect(count).toMatchObject({ ignored_arguments: ['domains'], count: await countRecords([]) });
  });

  test('may be sent as text, but not together with a confirmation', async () => {
    const send = async (name: string, args: object) => {
      const params = { name, arguments: JSON.stringify(args) };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      return (await postMcp(app, message, app.main.admin.key)).json();
    };
    expect((await send('count', { model })).result.structuredContent.count).toBeGreaterThan(0);
    const { result } = await send('delete', { model, ids: [ids[0]] });
    expect(result.structuredContent.confirm_required).toBe(true);
    for (const confirmation of [{ confirm: true }, { confirm_token: 'x' }])
      expect((await send('delete', { model, ids: [ids[0]], ...confirmation })).error.message).toContain(
        'arguments must be an object',
      );
  });

  test('accept null as the cursor of every list', async () => {
    for (const list of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      const send = async (cursor: unknown) =>
        (
          await postMcp(app, { jsonrpc: '2.0', id: 1, method: list, params: { cursor } }, app.main.admin.key)
        ).json();
      expect([list, (await send(null)).error]).toEqual([list, undefined]);
      expect((await send('x')).error.message).toContain('unknown cursor');
    }
  });
});

describe('guidance for agents', () => {
  test('describes methods with their arguments and effects on request', async () => {
    const request = { model: 'crm.lead', methods: true, fields: ['name'] };
    const { methods, fields } = await callValue('describe_model', request);
    expect(fields.map((field: { name: string }) => field.name)).toEqual(['name']);
    const merge = methods.find(({ name }: { name: string }) => name === 'merge_opportunity');
    expect(merge.effects).toContain('deletes');
    expect(methods.map(({ name }: { name: string }) => name)).toContain('explain_access');
    const plain = await callValue('describe_model', { model: 'crm.lead' });
    expect(plain).not.toHaveProperty('methods');
    expect(JSON.stringify(plain)).not.toContain('null');
  });

  test('suggests a method for an unknown one, and explains denied access', async () => {
    const call = { model: 'crm.lead', method: 'action_won' };
    expect(await callRejected('call', call)).toContain('Did you mean action_set_won?');
    expect(await callRejected('call', { ...call, method: 'nothing_like_it_at_all' })).toContain(
      'methods: true',
    );
    expect(await callRejected('search', { model: 'ir.cron' }, callAsUser)).toContain('explain_access');
  });

  test('reports whether a page is the last one', async () => {
    const domain = [['name', 'like', 'Contact 0']];
    const request = { model, domain, fields: ['id'], limit: 100 };
    const total = await countRecords(domain);
    const page = await callValue('search', request);
    expect(page).toMatchObject({ _count: 100, total, has_more: true, next_offset: 100 });
    for (const remainingCount of [20, 100])
      expect(await callValue('search', { ...request, offset: total - remainingCount })).not.toHaveProperty(
        'has_more',
      );
  });

  test('counts up to the next 1,000 rows after the page', async () => {
    await addContacts(app.main, 'Counted', 1_100);
    const request = { model, domain: [['name', 'like', 'Counted']], fields: ['id'], limit: 10 };
    const rest = { total: 1_000, total_is_at_least: true, has_more: true, next_offset: 10 };
    expect(await callValue('search', request)).toMatchObject(rest);
    const called = { model, method: 'search', args: [request.domain] };
    expect(await callValue('call', called)).toMatchObject({ ...rest, next_offset: 500 });
    const last = await callValue('search', { ...request, offset: 1_050 });
    expect(last).toMatchObject({ total: 1_100, has_more: true, next_offset: 1_060 });
    expect(last).not.toHaveProperty('total_is_at_least');
    expect(await callValue('search', { ...request, offset: 1_090 })).not.toHaveProperty('has_more');
  });

  test('returns a small set of fields by default, and all fields for *', async () => {
    const short = await callAsAdmin('search', { model });
    expect(short.content[0]!.text.length).toBeLessThan(40_000);
    const [record] = short.structuredContent.records;
    expect(record).toMatchObject({ id: expect.any(Number), display_name: expect.any(String) });
    const { records } = await callValue('get', { model, ids: [record.id], fields: ['*'] });
    expect(Object.keys(records[0]).length).toBeGreaterThan(3 * Object.keys(record).length);
  });

  test('the default fields are the ones that people look for', async () => {
    const values = { name: 'Opportunity', expected_revenue: 500, date_deadline: '2026-12-24' };
    await callValue('create', { model: 'crm.lead', values });
    const leads = await callValue('search', { model: 'crm.lead', domain: [['name', '=', 'Opportunity']] });
    expect(leads.records[0]).toMatchObject({
      ...{ expected_revenue: 500, date_deadline: '2026-12-24' },
      stage_id: [expect.any(Number), expect.any(String)],
    });
    const product = { name: 'Chair', list_price: 25 };
    await callValue('create', { model: 'product.product', values: product });
    const products = await callValue('search', {
      model: 'product.product',
      domain: [['name', '=', 'Chair']],
    });
    expect(products.records[0]).toMatchObject({ display_name: 'Chair', list_price: 25 });
  });

  test('returns at most 500 rows from any method', async () => {
    for (const [method, kwargs] of [
      ['search_read', { domain: [], fields: ['id'], limit: 5_000 }],
      ['search', { domain: [] }],
      ['name_search', { name: 'Contact', limit: 5_000 }],
      ['web_search_read', { domain: [], specification: {}, limit: 5_000 }],
    ] as const) {
      const { result, ...paging } = await callValue('call', { model, method, kwargs });
      const rows = result.ids ?? result.records ?? result;
      expect([method, rows.length, paging.has_more]).toEqual([method, 500, true]);
      if (method === 'name_search') continue;
      expect(paging).toMatchObject({ total: 1_000, next_offset: 500 });
    }
    const readResult = await callValue('call', { model, method: 'read', ids, kwargs: { fields: ['id'] } });
    expect([readResult.result.length, readResult.has_more]).toEqual([500, true]);
  });

  test('ends a large result after a complete row, and returns the offset of the next one', async () => {
    const lines = Array.from({ length: 60 }, (_, i) => ({ name: `Long ${i}`, comment: 'x'.repeat(5_000) }));
    await create(app.main.ctx, model, lines);
    const args = {
      model,
      domain: [['name', 'like', 'Long ']],
      fields: ['name', 'comment'],
      limit: 60,
      order: 'id',
    };
    const seen: string[] = [];
    for (let offset = 0, hasMore = true; hasMore; ) {
      const { content, structuredContent: page } = await callAsAdmin('search', { ...args, offset });
      expect(content[0]!.text.length).toBeLessThanOrEqual(limits.mcp.answerChars);
      expect(page._count).toBe(page.records.length);
      expect(page._count).toBeGreaterThan(0);
      seen.push(...page.records.map((row: { name: string }) => row.name));
      hasMore = page.has_more === true;
      if (hasMore) expect(page).toMatchObject({ total: 60, next_offset: offset + page._count });
      offset = page.next_offset;
    }
    expect(seen).toEqual(lines.map(({ name }) => name));
    const { domain, fields, limit } = args;
    const called = await callValue('call', {
      model,
      method: 'search_read',
      kwargs: { domain, fields, limit, offset: 50, order: 'id' },
    });
    expect(called).not.toHaveProperty('has_more');
    const positional = await callValue('call', {
      model,
      method: 'search_read',
      args: [domain, fields, 20, limit, 'id'],
    });
    expect(positional).toMatchObject({ has_more: true, next_offset: 20 + positional._count, total: 60 });
    expect(positional.result[0].name).toBe('Long 20');
    const first = await callValue('call', {
      model,
      method: 'search_read',
      kwargs: { domain, fields, limit },
    });
    expect(first).toMatchObject({ has_more: true, next_offset: first.result.length, total: 60 });
  });

  test('truncates long texts of a single record that is too large', async () => {
    const [id] = await create(app.main.ctx, model, [{ name: 'Huge', comment: 'y'.repeat(300_000) }]);
    const { content, structuredContent } = await callAsAdmin('get', { model, ids: [id], fields: ['*'] });
    expect(content[0]!.text.length).toBeLessThanOrEqual(limits.mcp.answerChars);
    expect(structuredContent).toMatchObject({ _count: 1, truncated: true });
    expect(structuredContent.records[0]).toMatchObject({ id, name: 'Huge' });
    expect(structuredContent.records[0].comment).toMatch(/y{1000,}…/);
  });
});
