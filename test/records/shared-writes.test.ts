import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { captureStatements } from '../harness/capture-statements.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { setUp } from '../harness/set-up.ts';
import { until } from '../harness/wait.ts';
import { createSeededRandom } from '../rpc/seeded.ts';
import { openRecordLab } from './lab.ts';

const lab = setUp(openRecordLab);
let stages: number[];
beforeAll(async () => {
  stages = await lab.value('crm.stage/search', { domain: [] });
});

// Opens connections in advance, because requests on new connections do not arrive together.
beforeEach(async () => {
  await Promise.all(Array.from({ length: 40 }, () => lab.value('crm.lead/search_count', { domain: [] })));
});

/** Counts the batched statements that `fn` causes. `instead` replaces their execution. */
const countGroups = async (fn: () => Promise<void>, instead?: () => Promise<never[]>): Promise<number> =>
  (await captureStatements(lab.app.runtime, 'jsonb_to_recordset', fn, instead)).length;

const searchLeads = (name: string) =>
  lab.value('crm.lead/search_read', {
    domain: [['name', '=', name]],
    fields: ['name', 'expected_revenue', 'stage_id', 'city', 'active'],
    context: { active_test: false },
  });

const KINDS: { vals: Record<string, unknown>; status: number }[] = [
  { vals: {}, status: 200 },
  { vals: { expected_revenue: 12.5, city: 'O\'Hara \\ \u2028 {"a": 1}' }, status: 200 },
  { vals: { active: false }, status: 200 },
  { vals: { priority: '3', type: 'lead' }, status: 200 },
  { vals: { stage_id: 99_999_999 }, status: 422 },
  { vals: { priority: 'nonsense' }, status: 422 },
  { vals: { description: `<p>${'x'.repeat(80_000)}</p>` }, status: 200 },
  { vals: { date_deadline: '2026-02-30' }, status: 422 },
  { vals: { tag_ids: [[0, 0, { name: 'a tag' }]] }, status: 200 },
];

test('returns the same results for batched random creates as for separate creates', async () => {
  const seed = Date.now() % 1_000_000;
  const random = createSeededRandom(seed);
  const alone = await Promise.all(
    KINDS.map(
      async ({ vals }) =>
        (await lab.json2('crm.lead/create', { vals_list: [{ name: 'alone', ...vals }] })).status,
    ),
  );
  const plan = Array.from({ length: 200 }, (_, i) => ({ i, at: Math.floor(random() * KINDS.length) }));
  const groups = await countGroups(async () => {
    const answers = await Promise.all(
      plan.map(({ i, at }) =>
        lab.json2('crm.lead/create', {
          vals_list: [
            {
              name: `made ${i}`,
              ...KINDS[at]!.vals,
              ...('tag_ids' in KINDS[at]!.vals && { tag_ids: [[0, 0, { name: `tag ${i}` }]] }),
            },
          ],
        }),
      ),
    );
    for (const { i, at } of plan) {
      const answer = answers[i]!;
      expect([at, answer.status], `seed ${seed} ${answer.text}`).toEqual([at, alone[at]]);
      const leads = await searchLeads(`made ${i}`);
      expect(leads).toHaveLength(answer.status === 200 ? 1 : 0);
      if (answer.status !== 200) continue;
      expect(answer.json()).toEqual([leads[0].id]);
      const { vals } = KINDS[at]!;
      expect([leads[0].expected_revenue, leads[0].city || '', leads[0].active]).toEqual([
        vals.expected_revenue ?? 0,
        vals.city ?? '',
        vals.active ?? true,
      ]);
    }
  });
  expect(groups).toBeGreaterThan(0);
});

test('returns the same results for batched random writes as for separate writes', async () => {
  const ids: number[] = await lab.value('crm.lead/create', {
    vals_list: Array.from({ length: 60 }, (_, i) => ({ name: `before ${i}` })),
  });
  const buildVals = (i: number) =>
    i % 5 === 0
      ? { name: `after ${i}`, stage_id: stages[i % stages.length] }
      : { name: `after ${i}`, city: `City ${i}` };
  const groups = await countGroups(async () => {
    const answers = await Promise.all([
      ...ids.map((id, i) => lab.json2('crm.lead/write', { ids: [id], vals: buildVals(i) })),
      lab.json2('crm.lead/write', { ids: [99_999_999], vals: buildVals(1) }),
      lab.json2('crm.lead/write', { ids: [ids[0]], vals: { stage_id: 99_999_999, name: 'broken' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([...ids.map(() => 200), 404, 404]);
  });
  expect(groups).toBeGreaterThan(0);
  const rows = await lab.value('crm.lead/read', { ids, fields: ['name', 'city', 'stage_id'] });
  for (const [i, row] of rows.entries()) {
    expect([row.name, row.city || '']).toEqual([`after ${i}`, i % 5 === 0 ? '' : `City ${i}`]);
    if (i % 5 === 0) expect(row.stage_id[0]).toBe(stages[i % stages.length]);
  }
});

test('completes all concurrent writes to one record, and keeps the values of one write', async () => {
  const [id] = await lab.value('crm.lead/create', { vals_list: [{ name: 'one' }] });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      lab.json2('crm.lead/write', { ids: [id], vals: { name: `one ${i}` } }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const [row] = await lab.value('crm.lead/read', { ids: [id], fields: ['name'] });
  expect(row.name).toMatch(/^one \d+$/);
});

test('applies two writes to one record on one connection in order', async () => {
  const ids: number[] = await lab.value('crm.lead/create', {
    vals_list: [{ name: 'twice' }, { name: 'once' }],
  });
  const socket = connect(lab.app.port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  const write = (id: number, city: string) => {
    const body = JSON.stringify({ ids: [id], vals: { city } });
    return [
      'POST /json/2/crm.lead/write HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Authorization: Bearer ${lab.app.main.admin.key}`,
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  };
  const groups = await countGroups(async () => {
    for (let round = 1; round <= 10; round++) {
      socket.write(
        [write(ids[0]!, `first ${round}`), write(ids[1]!, 'other'), write(ids[0]!, `last ${round}`)].join(''),
      );
      await until(() => text.split('HTTP/1.1 200').length > round * 3, 'all are answered');
      const [row] = await lab.value('crm.lead/read', { ids: [ids[0]], fields: ['city'] });
      expect(row.city).toBe(`last ${round}`);
    }
  });
  expect(groups).toBeGreaterThan(0);
  socket.destroy();
});

test('delays only the write to a locked record', async () => {
  const ids: number[] = await lab.value('crm.lead/create', {
    vals_list: Array.from({ length: 30 }, () => ({ name: 'locked' })),
  });
  const otherClient = new pg.Client({ connectionString: lab.app.databaseUrl });
  await otherClient.connect();
  try {
    await otherClient.query('begin');
    await otherClient.query('select 1 from crm_lead where workspace_id = $1 and id = $2 for update', [
      lab.app.main.ctx.workspace.id,
      ids[0],
    ]);
    const write = (id: number) => lab.json2('crm.lead/write', { ids: [id], vals: { name: 'free' } });
    let isLate = true;
    const lateWrite = write(ids[0]!).finally(() => {
      isLate = false;
    });
    const answers = await Promise.all(ids.slice(1).map(write));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(isLate).toBe(true);
    await otherClient.query('commit');
    expect((await lateWrite).status).toBe(200);
  } finally {
    await otherClient.end();
  }
  expect(await searchLeads('free')).toHaveLength(30);
});

test('delays only the write that links to a locked record', async () => {
  const ids: number[] = await lab.value('crm.lead/create', {
    vals_list: Array.from({ length: 30 }, () => ({ name: 'to link', stage_id: stages[1] })),
  });
  const otherClient = new pg.Client({ connectionString: lab.app.databaseUrl });
  await otherClient.connect();
  const buildLinked = (i: number) => ({ name: 'linked', stage_id: stages[i === 3 ? 0 : 1] });
  try {
    await otherClient.query('begin');
    await otherClient.query('select 1 from crm_stage where workspace_id = $1 and id = $2 for update', [
      lab.app.main.ctx.workspace.id,
      stages[0],
    ]);
    const endedIds = new Set<number>();
    const note = (i: number) => (response: { status: number }) => {
      endedIds.add(i);
      return response;
    };
    const changes = [
      ...ids.map((_, i) => lab.json2('crm.lead/create', { vals_list: [buildLinked(i)] }).then(note(i))),
      ...ids.map((id, i) =>
        lab.json2('crm.lead/write', { ids: [id], vals: buildLinked(i) }).then(note(i + 30)),
      ),
    ];
    const responses = await Promise.all(changes.filter((_, i) => i % 30 !== 3));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect([endedIds.has(3), endedIds.has(33)]).toEqual([false, false]);
    await otherClient.query('rollback');
    const lateResults = await Promise.all(changes);
    expect(new Set(lateResults.map(({ status }) => status))).toEqual(new Set([200]));
  } finally {
    await otherClient.end();
  }
  expect(await searchLeads('linked')).toHaveLength(60);
});

test('rejects only the write to a record hidden by a rule', async () => {
  const { user } = lab.app.main;
  const [model] = await lab.value('ir.model/search', { domain: [['model', '=', 'mail.activity.type']] });
  const access = { name: 'all', model_id: model, perm_read: true, perm_write: true, perm_create: true };
  const [right] = await lab.value('ir.model.access/create', { vals_list: [access] });
  const [rule] = await lab.value('ir.rule/create', {
    vals_list: [
      { name: 'r', model_id: model, domain_force: "[('name', '!=', 'refused')]", groups: [[6, 0, []]] },
    ],
  });
  const names = Array.from({ length: 30 }, (_, i) => (i % 7 === 3 ? 'refused' : `allowed ${i}`));
  const created = await Promise.all(
    names.map((name) => lab.json2('mail.activity.type/create', { vals_list: [{ name }] }, user.key)),
  );
  expect(created.map(({ status }) => status)).toEqual(names.map((name) => (name === 'refused' ? 403 : 200)));
  const ids = created.flatMap((answer) => (answer.status === 200 ? answer.json() : []));
  await lab.value('ir.rule/unlink', { ids: [rule] });
  await lab.value('mail.activity.type/write', { ids: [ids[2]], vals: { name: 'refused' } });
  const [secondRule] = await lab.value('ir.rule/create', {
    vals_list: [
      { name: 'r', model_id: model, domain_force: "[('name', '!=', 'refused')]", groups: [[6, 0, []]] },
    ],
  });
  const writes = await Promise.all(
    ids.map((id) => lab.json2('mail.activity.type/write', { ids: [id], vals: { summary: 's' } }, user.key)),
  );
  expect(writes.map(({ status }) => status)).toEqual(ids.map((_, i) => (i === 2 ? 403 : 200)));
  await lab.value('ir.rule/unlink', { ids: [secondRule] });
  await lab.value('ir.model.access/unlink', { ids: [right] });
});

test("returns each GraphQL mutation's own record", async () => {
  const create =
    'mutation ($name: String!) { mailActivityTypeCreate(input: { name: $name }) { id name delayCount } }';
  const update =
    'mutation ($id: ID!, $name: String!) { mailActivityTypeUpdate(id: $id, input: { name: $name }) { id name delayCount } }';
  const { key } = lab.app.main.admin;
  const groups = await countGroups(async () => {
    const createdResponses = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        postGraphql(lab.app, create, { key, variables: { name: `graph ${i}` } }),
      ),
    );
    const records = createdResponses.map(({ data }) => data.mailActivityTypeCreate);
    expect(records.map(({ name }) => name)).toEqual(createdResponses.map((_, i) => `graph ${i}`));
    expect(new Set(records.map(({ id }) => id)).size).toBe(40);
    const changedResponses = await Promise.all(
      records.map(({ id }, i) =>
        postGraphql(lab.app, update, { key, variables: { id, name: `changed ${i}` } }),
      ),
    );
    expect(changedResponses.map(({ data }) => data.mailActivityTypeUpdate)).toEqual(
      records.map(({ id, delayCount }, i) => ({ id, name: `changed ${i}`, delayCount })),
    );
  });
  expect(groups).toBeGreaterThan(1);
});

test('does not repeat a batch whose response is lost', async () => {
  const failConnection = () => Promise.reject(new Error('Connection terminated unexpectedly'));
  const groups = await countGroups(async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => lab.json2('crm.lead/create', { vals_list: [{ name: 'lost' }] })),
    );
    const failureCount = answers.filter(({ status }) => status >= 500).length;
    expect(failureCount).toBeGreaterThan(0);
    expect(await searchLeads('lost')).toHaveLength(30 - failureCount);
  }, failConnection);
  expect(groups).toBeGreaterThan(0);
});

test('does not mix the writes of two workspaces', async () => {
  const otherTenant = await lab.app.tenant('other');
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      lab.json2(
        'crm.lead/create',
        { vals_list: [{ name: i % 2 ? 'theirs' : 'ours' }] },
        i % 2 ? otherTenant.admin.key : undefined,
      ),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await searchLeads('ours')).toHaveLength(20);
  expect(await searchLeads('theirs')).toHaveLength(0);
});
