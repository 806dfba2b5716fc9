import { beforeAll, describe, expect, test } from 'vitest';
import { crm } from '../../apps/crm/app.ts';
import { computeClosing } from '../../apps/crm/lead-change.ts';
import { normalizeEmail, sanitizePhone } from '../../apps/crm/lead-contact.ts';
import { mergeValues, sortByConfidence } from '../../apps/crm/lead-merge.ts';
import { computeInitialValues } from '../../apps/crm/lead-new.ts';
import { findFirstStage, findTeam, findWonStage, type Pipeline } from '../../apps/crm/pipeline.ts';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { addMember } from './member.ts';

const app = setUpApp();
const admin = createJsonClient(app);
let stages: number[];
beforeAll(async () => {
  stages = await admin.value('crm.stage/search', { domain: [] });
});

const STATUS = ['stage_id', 'probability', 'won_status', 'active', 'date_closed', 'lost_reason_id'];

describe('a new workspace', () => {
  test('has pipeline stages in order', async () => {
    expect(
      await admin.value('crm.stage/search_read', { domain: [], fields: ['name', 'sequence', 'is_won'] }),
    ).toEqual([
      { id: stages[0], name: 'New', sequence: 1, is_won: false },
      { id: stages[1], name: 'Qualified', sequence: 2, is_won: false },
      { id: stages[2], name: 'Proposition', sequence: 3, is_won: false },
      { id: stages[3], name: 'Won', sequence: 70, is_won: true },
    ]);
    expect(await admin.value('crm.team/search_count', { domain: [['name', '=', 'Sales']] })).toBe(1);
    expect(await admin.value('crm.lost.reason/search_count', { domain: [] })).toBe(3);
  });
});

test('moves leads to a team of their new salesperson, unless they are already in one', async () => {
  const member = await addMember(app, app.main, 'mover', ['sales_team.group_sale_salesman']);
  const join = { sequence: 90, member_ids: [[6, 0, [member.id]]] };
  const first = await admin.create('crm.team', { name: 'First', ...join });
  const second = await admin.create('crm.team', { name: 'Second', ...join });
  const createLead = (values: object) => admin.create('crm.lead', { name: 'Moved', ...values });
  const ids = [
    await createLead({}),
    await createLead({ team_id: second }),
    await createLead({ user_id: false }),
  ];
  const readTeams = async () =>
    (await admin.value('crm.lead/read', { ids, fields: ['team_id'], load: null })).map(
      (lead: { team_id: number }) => lead.team_id,
    );
  const form = { values: { user_id: member.id }, field_names: ['user_id'], fields_spec: { team_id: {} } };
  const [before] = await readTeams();
  expect((await admin.value('crm.lead/onchange', { ids: [ids[0]], ...form })).value).toEqual({
    team_id: first,
  });
  expect((await admin.value('crm.lead/onchange', { ids: [ids[1]], ...form })).value).toEqual({});
  expect((await readTeams())[0]).toBe(before);
  await admin.value('crm.lead/write', { ids, vals: { user_id: member.id } });
  expect(await readTeams()).toEqual([first, second, first]);
  await admin.value('crm.lead/write', { ids, vals: { user_id: app.main.admin.id, team_id: second } });
  expect(await readTeams()).toEqual([second, second, second]);
  await admin.value('crm.lead/write', { ids, vals: { user_id: false } });
  expect(await readTeams()).toEqual([second, second, second]);
  await admin.value('crm.team/write', { ids: [first, second], vals: { active: false } });
});

describe('a new lead', () => {
  test('is assigned to its creator, the first team and the first stage', async () => {
    const id = await admin.create('crm.lead', { name: 'Fresh' });
    const [lead] = await admin.value('crm.lead/read', { ids: [id] });
    expect(lead).toMatchObject({
      name: 'Fresh',
      type: 'opportunity',
      priority: '0',
      user_id: [app.main.admin.id, 'admin'],
      team_id: [expect.any(Number), 'Sales'],
      stage_id: [stages[0], 'New'],
      won_status: 'pending',
      probability: 0,
      expected_revenue: 0,
      active: true,
      tag_ids: [],
      day_open: 0,
    });
    expect(lead.company_id).toEqual([expect.any(Number), expect.any(String)]);
    expect(lead.company_currency).toEqual([expect.any(Number), 'EUR']);
    expect(lead.date_open).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(lead.date_last_stage_update).toBe(lead.date_open);
    expect(lead.date_closed).toBe(false);
  });

  test('has no team and no assignment date if it is unassigned', async () => {
    const id = await admin.create('crm.lead', { name: 'Nobody', user_id: false, type: 'lead' });
    expect(await admin.read('crm.lead', id, ['user_id', 'team_id', 'date_open'])).toMatchObject({
      user_id: false,
      team_id: false,
      date_open: false,
    });
  });

  test("copies its customer's details into fields that are not set explicitly", async () => {
    const partner = await admin.create('res.partner', {
      name: 'Ines Ferro',
      email: 'Ines@Ferro.example',
      phone: '+351 22 123 45 67',
      city: 'Porto',
    });
    const id = await admin.create('crm.lead', { partner_id: partner, city: 'Braga' });
    expect(
      await admin.read('crm.lead', id, [
        'name',
        'contact_name',
        'partner_name',
        'city',
        'email_from',
        'email_normalized',
        'phone_sanitized',
      ]),
    ).toMatchObject({
      name: "Ines Ferro's opportunity",
      contact_name: 'Ines Ferro',
      partner_name: false,
      city: 'Braga',
      email_from: 'Ines@Ferro.example',
      email_normalized: 'ines@ferro.example',
      phone_sanitized: '+351221234567',
    });
  });

  test('resets its stage and status when copied', async () => {
    const id = await admin.create('crm.lead', { name: 'Again', expected_revenue: 7 });
    await admin.value('crm.lead/action_set_won', { ids: [id] });
    const [copy] = await admin.value('crm.lead/copy', { ids: [id] });
    expect(
      await admin.read('crm.lead', copy, [
        'name',
        'stage_id',
        'won_status',
        'probability',
        'expected_revenue',
      ]),
    ).toMatchObject({
      name: 'Again (copy)',
      stage_id: stages[0],
      won_status: 'pending',
      probability: 0,
      expected_revenue: 7,
    });
  });

  test('requires a name', async () => {
    for (const values of [{}, { name: false }]) {
      const error = await admin.expectRejection('crm.lead/create', { vals_list: [values] });
      expect(error.status).toBe(422);
      expect(error.message).toContain("'Opportunity' (name)");
    }
  });

  test('accepts a probability between 0 and 100', async () => {
    for (const probability of [-1, 101])
      expect(
        await admin.expectRejection('crm.lead/create', { vals_list: [{ name: 'Odd', probability }] }),
      ).toMatchObject({ status: 422, message: expect.stringContaining('probability') });
  });

  test('is won if created in a won stage', async () => {
    const id = await admin.create('crm.lead', { name: 'Done deal', stage_id: stages[3] });
    expect(await admin.read('crm.lead', id, STATUS)).toMatchObject({ probability: 100, won_status: 'won' });
  });

  test('can be created with a thousand others in one call', async () => {
    const vals_list = Array.from({ length: 1000 }, (_, n) => ({
      name: `Bulk ${n}`,
      expected_revenue: n,
      priority: String(n % 4),
    }));
    const ids = await admin.value('crm.lead/create', { vals_list });
    expect(ids).toHaveLength(1000);
    const first = await admin.value('crm.lead/search_read', {
      domain: [['name', '=like', 'Bulk %']],
      fields: ['priority', 'name'],
      limit: 2,
    });
    expect(first.map((lead: { name: string }) => lead.name)).toEqual(['Bulk 999', 'Bulk 995']);
    expect(
      await admin.value('crm.lead/formatted_read_group', {
        domain: [['id', 'in', ids]],
        groupby: ['stage_id'],
        aggregates: ['__count', 'expected_revenue:sum'],
      }),
    ).toMatchObject([{ stage_id: [stages[0], 'New'], __count: 1000, 'expected_revenue:sum': 499_500 }]);
    expect(await admin.value('crm.lead/unlink', { ids })).toBe(true);
  });
});

describe('lead progress', () => {
  test("uses the stage's probability until a user sets one", async () => {
    const [follows, keeps] = await admin.value('crm.lead/create', {
      vals_list: [{ name: 'Follows' }, { name: 'Keeps', probability: 45 }],
    });
    await admin.value('crm.lead/write', { ids: [follows, keeps], vals: { stage_id: stages[2] } });
    const readLead = async (id: number) => (await admin.read('crm.lead', id, ['probability'])).probability;
    expect([await readLead(follows), await readLead(keeps)]).toEqual([66.67, 45]);
    await admin.value('crm.lead/write', { ids: [follows], vals: { stage_id: stages[1] } });
    expect(await readLead(follows)).toBe(33.33);
  });

  test('closes a won lead and reopens it when it moves to another stage', async () => {
    const id = await admin.create('crm.lead', { name: 'Up and down' });
    expect(await admin.value('crm.lead/action_set_won', { ids: [id] })).toBe(true);
    const won = await admin.read('crm.lead', id, STATUS);
    expect(won).toMatchObject({ stage_id: stages[3], probability: 100, won_status: 'won' });
    expect(won.date_closed).toMatch(/^\d{4}/);
    await admin.value('crm.lead/write', { ids: [id], vals: { stage_id: stages[1] } });
    expect(await admin.read('crm.lead', id, STATUS)).toMatchObject({
      probability: 33.33,
      won_status: 'pending',
      date_closed: false,
    });
  });

  test('archives a lost lead with a reason and restores it', async () => {
    const [reason] = await admin.value('crm.lost.reason/search', { domain: [], limit: 1 });
    const id = await admin.create('crm.lead', { name: 'Lost and found', stage_id: stages[1] });
    const closing_note = 'Too <expensive>';
    const lost = { ids: [id], lost_reason_id: reason, closing_note };
    expect(await admin.value('crm.lead/action_set_lost', lost)).toBeNull();
    const [note] = await admin.value('mail.message/search_read', {
      domain: [
        ['model', '=', 'crm.lead'],
        ['res_id', '=', id],
        ['body', 'ilike', 'expensive'],
      ],
      fields: ['body', 'subtype_id'],
    });
    expect(note).toMatchObject({
      body: expect.stringContaining('Too &lt;expensive&gt;'),
      subtype_id: [expect.any(Number), 'Note'],
    });
    expect(await admin.read('crm.lead', id, STATUS)).toMatchObject({
      active: false,
      probability: 0,
      won_status: 'lost',
      lost_reason_id: reason,
    });
    expect(await admin.value('crm.lead/search_count', { domain: [['id', '=', id]] })).toBe(0);
    expect(
      await admin.value('crm.lead/search', {
        domain: [
          ['won_status', '=', 'lost'],
          ['id', '=', id],
          ['active', 'in', [true, false]],
        ],
      }),
    ).toEqual([id]);
    await admin.value('crm.lead/action_unarchive', { ids: [id] });
    expect(await admin.read('crm.lead', id, STATUS)).toMatchObject({
      active: true,
      probability: 33.33,
      won_status: 'pending',
      lost_reason_id: false,
      date_closed: false,
    });
  });

  test('rejects marking a won lead as lost until it is moved to another stage', async () => {
    const id = await admin.create('crm.lead', { name: 'Won' });
    await admin.value('crm.lead/action_set_won', { ids: [id] });
    const error = await admin.expectRejection('crm.lead/action_set_lost', { ids: [id] });
    expect(error).toMatchObject({ status: 422, name: 'odoo.exceptions.ValidationError' });
    expect((await admin.read('crm.lead', id, STATUS)).won_status).toBe('won');
    await admin.value('crm.lead/action_set_lost', { ids: [id], stage_id: stages[0] });
    expect((await admin.read('crm.lead', id, STATUS)).won_status).toBe('lost');
  });

  test('marks an archived lead as lost and a restored lead as open', async () => {
    const id = await admin.create('crm.lead', { name: 'Put away', stage_id: 3 });
    expect(await admin.value('crm.lead/action_archive', { ids: [id] })).toBeNull();
    expect((await admin.read('crm.lead', id, STATUS)).won_status).toBe('lost');
    await admin.value('crm.lead/action_restore', { ids: [id] });
    expect((await admin.read('crm.lead', id, STATUS)).won_status).toBe('pending');
    const restored = await admin.read('crm.lead', id, ['probability', 'automated_probability']);
    expect(restored.probability).toBeGreaterThan(0);
    expect(restored.probability).toBe(restored.automated_probability);
  });

  test('marks leads as lost and open through recordArchive and recordUnarchive', async () => {
    const reason = await admin.create('crm.lost.reason', { name: 'Reconsidered' });
    const id = await admin.create('crm.lead', { name: 'Archived in the browser', lost_reason_id: reason });
    const run = (operation: string) =>
      queryData(app, `mutation ($ids: [ID!]!) { ${operation}(model: "crm.lead", ids: $ids) }`, {
        variables: { ids: [id] },
      });
    await run('recordArchive');
    expect((await admin.read('crm.lead', id, STATUS)).won_status).toBe('lost');
    await run('recordUnarchive');
    expect(await admin.read('crm.lead', id, STATUS)).toMatchObject({
      active: true,
      won_status: 'pending',
      lost_reason_id: false,
    });
  });

  test('converts leads to opportunities and assigns them to salespeople in turn', async () => {
    const users = [app.main.admin.id, app.main.user.id];
    const ids = await admin.value('crm.lead/create', {
      vals_list: ['a', 'b', 'c'].map((name) => ({ name, type: 'lead', user_id: false })),
    });
    expect(await admin.value('crm.lead/convert_opportunity', { ids, partner: false, user_ids: users })).toBe(
      true,
    );
    const leads = await admin.value('crm.lead/read', {
      ids,
      fields: ['type', 'user_id', 'date_conversion'],
      load: null,
    });
    expect(leads.map((lead: { type: string; user_id: number }) => [lead.type, lead.user_id])).toEqual([
      ['opportunity', users[0]],
      ['opportunity', users[1]],
      ['opportunity', users[0]],
    ]);
    expect(leads[0].date_conversion).toMatch(/^\d{4}/);
  });

  test('merges leads into the lead in the most advanced stage', async () => {
    const [nearLead, farLead] = await admin.value('crm.lead/create', {
      vals_list: [
        { name: 'Near', email_from: 'near@x.example', phone: '1', priority: '2' },
        { name: 'Far', stage_id: stages[2], email_from: 'far@x.example', expected_revenue: 10 },
      ],
    });
    expect(await admin.value('crm.lead/merge_opportunity', { ids: [nearLead, farLead] })).toEqual([farLead]);
    expect(
      await admin.read('crm.lead', farLead, ['name', 'email_from', 'phone', 'priority', 'expected_revenue']),
    ).toMatchObject({
      name: 'Far',
      email_from: 'far@x.example',
      phone: '1',
      priority: '2',
      expected_revenue: 10,
    });
    expect(await admin.value('crm.lead/read', { ids: [nearLead], fields: ['name'] })).toEqual([]);
    expect((await admin.expectRejection('crm.lead/merge_opportunity', { ids: [farLead] })).status).toBe(422);
  });
});

describe('the CRM pipeline', () => {
  test('marks the leads in a stage as won when the stage becomes a won stage', async () => {
    const stage = await admin.create('crm.stage', { name: 'Signed', sequence: 60 });
    const id = await admin.create('crm.lead', { name: 'To be signed', stage_id: stage });
    await admin.value('crm.stage/write', { ids: [stage], vals: { is_won: true } });
    expect(await admin.read('crm.lead', id, STATUS)).toMatchObject({ probability: 100, won_status: 'won' });
    await admin.value('crm.lead/unlink', { ids: [id] });
    await admin.value('crm.stage/unlink', { ids: [stage] });
  });

  test('assigns new leads to a newly created first stage', async () => {
    const stage = await admin.create('crm.stage', { name: 'Inbox', sequence: 0 });
    const id = await admin.create('crm.lead', { name: 'Into the inbox' });
    expect((await admin.read('crm.lead', id, ['stage_id'])).stage_id).toBe(stage);
    await admin.value('crm.lead/unlink', { ids: [id] });
    await admin.value('crm.stage/unlink', { ids: [stage] });
    expect(
      (await admin.read('crm.lead', await admin.create('crm.lead', { name: 'As before' }), ['stage_id']))
        .stage_id,
    ).toBe(stages[0]);
  });

  test('rejects the deletion of a stage in use', async () => {
    await admin.create('crm.lead', { name: 'In the way' });
    expect((await admin.expectRejection('crm.stage/unlink', { ids: [stages[0]] })).status).toBe(422);
  });
});

describe('CRM access rights', () => {
  test('hide CRM data from users without a sales group and name the groups that have access', async () => {
    const error = await createJsonClient(app, app.main.user.key).expectRejection('crm.lead/search', {
      domain: [],
    });
    expect(error).toMatchObject({ status: 403, name: 'odoo.exceptions.AccessError' });
    expect(error.message).toContain('Sales/');
  });

  test('show salespeople their own and unassigned leads, and show all leads to the all-documents group', async () => {
    const seller = await addMember(app, app.main, 'seller', ['sales_team.group_sale_salesman']);
    const leader = await addMember(app, app.main, 'leader', ['sales_team.group_sale_salesman_all_leads']);
    const [otherLead, unassignedLead] = await admin.value('crm.lead/create', {
      vals_list: [{ name: 'Of the admin' }, { name: 'Free', user_id: false }],
    });
    const ownLead = await seller.caller.create('crm.lead', { name: 'Own' });
    const domain = [['id', 'in', [otherLead, unassignedLead, ownLead]]];
    expect(await seller.caller.value('crm.lead/search', { domain, order: 'id' })).toEqual([
      unassignedLead,
      ownLead,
    ]);
    expect(await leader.caller.value('crm.lead/search_count', { domain })).toBe(3);
    expect(
      (await seller.caller.expectRejection('crm.lead/write', { ids: [otherLead], vals: { name: 'x' } }))
        .status,
    ).toBe(403);
    expect(
      (await seller.caller.expectRejection('crm.lead/action_set_won', { ids: [otherLead] })).status,
    ).toBe(403);
    expect((await seller.caller.expectRejection('crm.lead/unlink', { ids: [ownLead] })).status).toBe(403);
    expect(
      (await seller.caller.expectRejection('crm.stage/create', { vals_list: [{ name: 'x' }] })).status,
    ).toBe(403);
    expect(await seller.caller.value('crm.lead/action_set_won', { ids: [ownLead] })).toBe(true);
  });
});

test('creates demo data only once', async () => {
  const otherTenant = await app.tenant('demo');
  for (let i = 0; i < 2; i++) await otherTenant.ctx.tx((ctx) => crm.demo(ctx));
  const caller = createJsonClient(app, otherTenant.admin.key);
  const count = (domain: unknown[]) =>
    caller.value('crm.lead/search_count', { domain, context: { active_test: false } });
  expect(await count([])).toBe(40);
  expect(await count([['won_status', '=', 'won']])).toBe(4);
  expect(await count([['won_status', '=', 'lost']])).toBe(3);
});

describe('lead defaults and transitions', () => {
  const pipeline: Pipeline = {
    stages: [
      { id: 1, isWon: false, folded: true, teams: [], progress: 0 },
      { id: 2, isWon: false, folded: false, teams: [7], progress: 33 },
      { id: 3, isWon: false, folded: false, teams: [], progress: 67 },
      { id: 4, isWon: true, folded: false, teams: [], progress: 100 },
      { id: 5, isWon: true, folded: false, teams: [], progress: 100 },
    ],
    teams: [
      { id: 6, companyId: null, users: [20] },
      { id: 7, companyId: 1, users: [10, 11] },
    ],
  };

  test.each([
    [null, 3],
    [6, 3],
    [7, 2],
  ])('places a lead of team %s in stage %s', (team, stage) => {
    expect(findFirstStage(pipeline, team)?.id).toBe(stage);
  });

  test.each([
    [1, 4],
    [4, 4],
    [5, 5],
    [null, 4],
  ])('decides whether a lead moved from stage %s is won in stage %s', (from, stage) => {
    expect(findWonStage(pipeline, null, from)?.id).toBe(stage);
  });

  test.each([
    [10, 7],
    [20, 6],
    [99, 6],
  ])('user %s is assigned to team %s', (user, team) => {
    expect(findTeam(pipeline, user)?.id).toBe(team);
  });

  const [, , open, won] = pipeline.stages;
  test.each([
    [{}, undefined, {}],
    [{ name: 'x' }, undefined, {}],
    [{ probability: 100 }, undefined, { date_closed: 'now' }],
    [{ probability: 20 }, undefined, { date_closed: false }],
    [{ active: false, probability: 0 }, undefined, { date_closed: 'now' }],
    [{ active: true }, undefined, { date_closed: false }],
    [{ stage_id: 3 }, open, { automated_probability: 67, date_last_stage_update: 'now', date_closed: false }],
    [
      { stage_id: 4 },
      won,
      { automated_probability: 100, date_last_stage_update: 'now', probability: 100, date_closed: 'now' },
    ],
  ])('completes the change %j with %j', (values, stage, expected) => {
    expect(computeClosing(values, stage, 'now')).toEqual(expected);
  });

  test.each([
    [{}, undefined, { probability: 0, date_open: false, date_closed: false }],
    [{ user_id: 1 }, open, { probability: 67, date_open: 'now', date_closed: false }],
    [{ probability: 0 }, open, { probability: 0, date_closed: false }],
    [{ probability: 10 }, won, { probability: 100, date_closed: 'now' }],
    [{ active: false }, open, { date_closed: 'now' }],
  ])('completes a new lead %j in a stage with %j', (values, stage, expected) => {
    expect(computeInitialValues(values, stage, 'now')).toMatchObject(expected);
  });

  test.each([
    ['Ann <Ann@X.example>', 'ann@x.example'],
    ['a@x.example, b@x.example', false],
    ['no address', false],
    [false, false],
  ])('normalizes the address in %j to %j', (text, address) => {
    expect(normalizeEmail(text)).toBe(address);
  });

  test.each([
    ['+32 (0)2 290.34', '+320229034'],
    ['0049 30 1234567', '+49301234567'],
    ['030 1234567', false],
    ['+1 abc', false],
  ])('normalizes the number %j to %j', (text, number) => {
    expect(sanitizePhone(text)).toBe(number);
  });

  test('ranks leads by active state, type, stage, probability and age', () => {
    const buildLead = (id: number, overrides: object) => ({
      id,
      active: true,
      type: 'opportunity',
      stage_id: 3,
      probability: 50,
      ...overrides,
    });
    const leads = [
      buildLead(1, { active: false, stage_id: 4 }),
      buildLead(2, { type: 'lead', stage_id: 4 }),
      buildLead(5, {}),
      buildLead(4, {}),
      buildLead(6, { probability: 60 }),
      buildLead(7, { stage_id: 4 }),
    ];
    expect(sortByConfidence(leads, pipeline).map(({ id }) => id)).toEqual([7, 6, 4, 5, 2, 1]);
  });

  test('takes each merged value from the first lead that has one', () => {
    expect(
      mergeValues([
        {
          id: 1,
          type: 'lead',
          city: false,
          expected_revenue: 0,
          tag_ids: [1],
          description: '<p>a</p>',
          priority: '1',
        },
        {
          id: 2,
          type: 'opportunity',
          city: 'Gent',
          expected_revenue: 5,
          tag_ids: [2, 1],
          description: false,
          priority: '3',
        },
      ]),
    ).toEqual({
      type: 'opportunity',
      city: 'Gent',
      expected_revenue: 5,
      tag_ids: [[6, 0, [1, 2]]],
      description: '<p>a</p>',
      priority: '3',
    });
  });
});
