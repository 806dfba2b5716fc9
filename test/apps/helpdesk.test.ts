import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { startDueWork } from '../../src/engine/work/due-work.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';
import { callMailOk, createSharedMailbox, loadMailbox } from '../mailbox/mailboxes.ts';
import { addMember } from './member.ts';

const app = setUpApp();
let otherTenant: Tenant;
const admin = createJsonClient(app);
let ann: Awaited<ReturnType<typeof addMember>>;
let ben: Awaited<ReturnType<typeof addMember>>;
let stages: Record<string, number>;

beforeAll(async () => {
  otherTenant = await app.tenant('other');
  ann = await addMember(app, app.main, 'ann', ['helpdesk.group_helpdesk_user']);
  ben = await addMember(app, app.main, 'ben', ['helpdesk.group_helpdesk_user']);
  const rows = await admin.value('helpdesk.stage/search_read', { domain: [], fields: ['name'] });
  stages = Object.fromEntries(rows.map(({ id, name }: { id: number; name: string }) => [name, id]));
  await app.deliver();
  await app.fileMail();
});

const createTeam = (values: object) => admin.create('helpdesk.team', { name: 'Team', ...values });

const createTicket = (values: object, calls = admin) =>
  calls.create('helpdesk.ticket', { name: 'Ticket', ...values });

const readTicket = (id: number, ...fields: string[]) => admin.read('helpdesk.ticket', id, fields);

describe('a ticket', () => {
  test("has a number, its customer's details and its team's first stage", async () => {
    const partner = await admin.create('res.partner', {
      name: 'Cleo',
      email: 'Cleo@Example.org',
      phone: '1',
    });
    const team = await createTeam({ stage_ids: [[6, 0, [stages['On Hold'], stages.Solved]]] });
    const only = await admin.create('helpdesk.stage', {
      name: 'Triage',
      sequence: 0,
      team_ids: [[6, 0, [team]]],
    });
    const id = await createTicket({ partner_id: partner, team_id: team });
    const ticketValues = await readTicket(
      id,
      'ticket_ref',
      'partner_email',
      'partner_name',
      'stage_id',
      'is_closed',
    );
    expect(ticketValues).toMatchObject({
      partner_email: 'Cleo@Example.org',
      partner_name: 'Cleo',
      stage_id: only,
      is_closed: false,
    });
    const next = await readTicket(await createTicket({}), 'ticket_ref');
    expect(Number(next.ticket_ref)).toBe(Number(ticketValues.ticket_ref) + 1);
    const otherTeamId = await createTeam({ name: 'Elsewhere' });
    await admin.value('helpdesk.ticket/write', { ids: [id], vals: { team_id: otherTeamId } });
    expect((await readTicket(id, 'stage_id')).stage_id).toBe(stages.New);
  });

  test("belongs to its team's company", async () => {
    const company = await admin.create('res.company', { name: 'Branch' });
    await admin.value('res.users/write', {
      ids: [app.main.admin.id],
      vals: { company_ids: [[4, company]] },
    });
    const team = await createTeam({ company_id: company });
    const ticket = await createTicket({ team_id: team });
    expect((await readTicket(ticket, 'company_id')).company_id).toBe(company);
  });

  test('is closed when moved to a closing stage and reopened when moved to any other stage', async () => {
    const id = await createTicket({});
    const move = (stage: string) =>
      admin.value('helpdesk.ticket/write', { ids: [id], vals: { stage_id: stages[stage] } });
    await move('Solved');
    expect(await readTicket(id, 'is_closed', 'close_date')).toMatchObject({ is_closed: true });
    await move('In Progress');
    expect(await readTicket(id, 'is_closed', 'close_date')).toMatchObject({
      is_closed: false,
      close_date: false,
    });
  });

  test('is assigned round-robin or to the member with the fewest open tickets', async () => {
    const members = [[6, 0, [ann.id, ben.id]]];
    const team = await createTeam({ auto_assignment: true, member_ids: members });
    const readUsers = async (count: number) => {
      const ids = [];
      for (let index = 0; index < count; index++) ids.push(await createTicket({ team_id: team }));
      return Promise.all(ids.map(async (id) => (await readTicket(id, 'user_id')).user_id));
    };
    const [first, second] = await readUsers(2);
    expect([first, second].sort()).toEqual([ann.id, ben.id].sort());
    await admin.value('helpdesk.team/write', { ids: [team], vals: { assign_method: 'balanced' } });
    await createTicket({ team_id: team, user_id: ann.id });
    await createTicket({ team_id: team, user_id: ann.id });
    expect(await readUsers(2)).toEqual([ben.id, ben.id]);
  });

  test('is visible only to members, managers and the assignee if its team is private', async () => {
    const team = await createTeam({ privacy_visibility: 'invited_internal', member_ids: [[6, 0, [ann.id]]] });
    const id = await createTicket({ name: 'Secret', team_id: team });
    const canSee = async ({ caller }: typeof ann) =>
      (await caller.value('helpdesk.ticket/search', { domain: [['id', '=', id]] })).length === 1;
    expect([await canSee(ann), await canSee(ben)]).toEqual([true, false]);
    await ben.caller.expectError(403, 'helpdesk.ticket/write', { ids: [id], vals: { name: 'Mine' } });
    await ben.caller.expectError(403, 'helpdesk.ticket/action_revoke_link', { ids: [id] });
    await admin.value('helpdesk.ticket/write', { ids: [id], vals: { user_id: ben.id } });
    expect(await canSee(ben)).toBe(true);
    await createJsonClient(app, app.main.user.key).expectError(403, 'helpdesk.ticket/search', { domain: [] });
    await createJsonClient(app, otherTenant.admin.key).expectError(
      404,
      'helpdesk.ticket/action_revoke_link',
      {
        ids: [id],
      },
    );
  });

  test('defaults to a team that its creator can see', async () => {
    const before = await admin.value('helpdesk.team/search', { domain: [] });
    const secret = { privacy_visibility: 'invited_internal', sequence: -5, member_ids: [[6, 0, [ann.id]]] };
    const first = await createTeam(secret);
    const readTeam = async (calls: JsonClient) =>
      (await readTicket(await createTicket({}, calls), 'team_id')).team_id;
    expect(await readTeam(ann.caller)).toBe(first);
    expect(before).toContain(await readTeam(ben.caller));
    await admin.value('helpdesk.team/write', { ids: before, vals: { active: false } });
    expect(await readTeam(ben.caller)).toBe(false);
    await admin.value('helpdesk.team/write', { ids: before, vals: { active: true } });
    await admin.value('helpdesk.team/write', { ids: [first], vals: { active: false } });
  });

  test('is visible to a customer with an account, without its internal notes', async () => {
    const portal = await addMember(app, app.main, 'customer', ['base.group_portal']);
    const { partner_id: partner } = await admin.read('res.users', portal.id, ['partner_id']);
    const ownTicket = await createTicket({ name: 'Own', partner_id: partner });
    const hiddenId = await createTeam({ privacy_visibility: 'internal' });
    await createTicket({ name: 'Hidden', partner_id: partner, team_id: hiddenId });
    await createTicket({ name: 'Of another' });
    await admin.value('helpdesk.ticket/message_post', { ids: [ownTicket], body: 'A note' });
    const args = { ids: [ownTicket], body: 'An answer', subtype_xmlid: 'mail.mt_comment' };
    await admin.value('helpdesk.ticket/message_post', args);
    const tickets = await portal.caller.value('helpdesk.ticket/search_read', {
      domain: [],
      fields: ['name'],
    });
    expect(tickets).toEqual([{ id: ownTicket, name: 'Own' }]);
    const messages = await portal.caller.value('mail.message/search_read', {
      domain: [
        ['model', '=', 'helpdesk.ticket'],
        ['res_id', '=', ownTicket],
      ],
      fields: ['body'],
    });
    expect(messages.map(({ body }: { body: string }) => body)).toEqual(['<p>An answer</p>']);
    await portal.caller.expectError(403, 'helpdesk.ticket/write', {
      ids: [ownTicket],
      vals: { name: 'Changed' },
    });
  });

  test('supports lists, filters, mutations and enums in GraphQL', async () => {
    const create =
      'mutation { helpdeskTicketCreate(input: { name: "By GraphQL", priority: URGENT }) { id name priority } }';
    const response = await postGraphql(app, create, { key: ann.key });
    expect(response.errors ?? []).toEqual([]);
    const list = `{ helpdeskTickets(where: { name: { eq: "By GraphQL" } }, first: 5) {
      totalCount nodes { name priority team { name } stage { name } slaStatuses { nodes { status } } } } }`;
    const listResponse = await postGraphql(app, list, { key: ann.key });
    expect(listResponse.errors ?? []).toEqual([]);
    expect(listResponse.data.helpdeskTickets).toMatchObject({ totalCount: 1 });
  });
});

test('a form keeps the entered email of a customer without one', async () => {
  const partner_id = await admin.create('res.partner', { name: 'Silent', phone: '+32 1' });
  const partner_email = 'Typed@example.com';
  const fields_spec = { partner_email: {}, partner_email_normalized: {}, partner_phone: {} };
  const form = { ids: [], values: { name: 'Help', partner_email, partner_id }, field_names: ['partner_id'] };
  expect((await admin.value('helpdesk.ticket/onchange', { ...form, fields_spec })).value).toEqual({
    ...{ partner_email_normalized: 'typed@example.com', partner_phone: '+32 1' },
  });
});

describe('an SLA policy', () => {
  const always = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true };
  const readStatuses = async (id: number) =>
    admin.value('helpdesk.sla.status/search_read', {
      domain: [['ticket_id', '=', id]],
      fields: ['sla_id', 'status', 'reached_datetime'],
      order: 'id',
      load: null,
    });

  test("sets a deadline on matching tickets, and is met when a ticket reaches the policy's stage", async () => {
    const team = await createTeam({ ...always, hour_from: 0, hour_to: 24 });
    const policy = { team_id: team, stage_id: stages.Solved, time: 48 };
    const all = await admin.create('helpdesk.sla', { ...policy, name: 'All' });
    const urgent = await admin.create('helpdesk.sla', { ...policy, name: 'Urgent', priority: '3', time: 2 });
    const id = await createTicket({ team_id: team, priority: '3' });
    expect((await readStatuses(id)).map(({ sla_id }: { sla_id: number }) => sla_id)).toEqual([all, urgent]);
    const { sla_deadline, create_date } = await readTicket(id, 'sla_deadline', 'create_date');
    const hours = (Date.parse(`${sla_deadline}Z`) - Date.parse(`${create_date}Z`)) / 3_600_000;
    expect(hours).toBeCloseTo(2, 2);
    await admin.value('helpdesk.ticket/write', { ids: [id], vals: { priority: '0' } });
    expect(await readStatuses(id)).toMatchObject([{ sla_id: all, status: 'ongoing' }]);
    await admin.value('helpdesk.ticket/write', { ids: [id], vals: { stage_id: stages.Solved } });
    expect(await readStatuses(id)).toMatchObject([{ status: 'reached' }]);
    expect(await readTicket(id, 'sla_deadline', 'sla_fail')).toMatchObject({
      sla_deadline: false,
      sla_fail: false,
    });
    await admin.value('helpdesk.ticket/write', { ids: [id], vals: { stage_id: stages.New } });
    expect(await readStatuses(id)).toMatchObject([{ status: 'ongoing', reached_datetime: false }]);
  });

  test.each(['archived', 'deleted'])('is removed from its tickets when %s', async (change) => {
    const team = await createTeam({ use_sla: true });
    const policy = { name: 'Gone', team_id: team, stage_id: stages.Solved, time: 8 };
    const later = await admin.create('helpdesk.sla', { ...policy, time: 16 });
    const sooner = await admin.create('helpdesk.sla', policy);
    const id = await createTicket({ team_id: team });
    const readDeadline = async () => (await readTicket(id, 'sla_deadline')).sla_deadline;
    const first = await readDeadline();
    const end = (ids: number[]) =>
      change === 'deleted'
        ? admin.value('helpdesk.sla/unlink', { ids })
        : admin.value('helpdesk.sla/write', { ids, vals: { active: false } });
    await end([sooner]);
    expect((await readDeadline()) > first).toBe(true);
    await end([later]);
    expect(await readDeadline()).toBe(false);
  });

  test('records a missed deadline once and creates an activity for the assignee', async () => {
    const team = await createTeam({ ...always, hour_from: 0, hour_to: 24 });
    const id = await createTicket({ team_id: team, user_id: ann.id });
    const policy = { name: 'At once', team_id: team, stage_id: stages.Solved, time: 1 };
    await admin.create('helpdesk.sla', policy);
    await admin.value('helpdesk.ticket/write', { ids: [id], vals: { priority: '1' } });
    const workspace = app.main.ctx.workspace.id;
    await app.runtime.db.rows(
      sql`update helpdesk_sla_status set deadline = now() - interval '1 minute'
       where workspace_id = ${workspace} and ticket_id = ${id}`,
    );
    await until(async () => {
      const rows = await app.runtime.db.rows(
        sql`update svc_due set next_at = now() - interval '1 minute'
         where workspace_id = ${workspace} and kind = 'helpdesk-sla' returning 1`,
      );
      return rows.length > 0;
    }, 'the deadline is noted');
    const workers = [startDueWork(app.runtime), startDueWork(app.runtime)];
    try {
      await until(async () => (await readTicket(id, 'sla_fail')).sla_fail, 'it has failed');
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
    }
    expect(await readStatuses(id)).toMatchObject([{ status: 'failed' }]);
    const activities = await admin.value('mail.activity/search_read', {
      domain: [
        ['res_model', '=', 'helpdesk.ticket'],
        ['res_id', '=', id],
      ],
      fields: ['summary', 'user_id'],
      load: null,
    });
    expect(activities).toMatchObject([{ summary: 'SLA failed: At once', user_id: ann.id }]);
  });

  test('rejects a team without working days or with invalid working hours', async () => {
    for (const hours of [
      { hour_from: 17, hour_to: 9 },
      { hour_from: -1, hour_to: 9 },
      { hour_from: 8, hour_to: 25 },
    ])
      await admin.expectError(422, 'helpdesk.team/create', { vals_list: [{ name: 'Night', ...hours }] });
    const days = Object.fromEntries(Object.keys(always).map((day) => [day, false]));
    await admin.expectError(422, 'helpdesk.team/create', { vals_list: [{ name: 'Never', ...days }] });
  });
});

describe('mail between mailboxes in the same installation', () => {
  test('adds a message to the ticket named in its subject, and sends a revocable link with the reply', async () => {
    const { main } = app;
    const support = await createSharedMailbox(main.ctx, [main.admin.id], 'local');
    const team = await createTeam({ mailbox_id: support.id });
    const box = await loadMailbox(otherTenant.ctx, otherTenant.user.id);
    const write = (subject: string) =>
      callMailOk(
        app,
        'compose_send',
        { account_id: box.id, to: support.address, subject, body: 'Text' },
        otherTenant.user.key,
      );
    const searchTickets = () =>
      admin.value('helpdesk.ticket/search_read', {
        domain: [['team_id', '=', team]],
        fields: ['ticket_ref', 'message_ids'],
      });
    await write('A question');
    await until(async () => (await searchTickets()).length === 1, 'it is a ticket');
    const [{ id, ticket_ref }] = await searchTickets();
    await write(`More [#${ticket_ref}]`);
    await until(async () => (await searchTickets())[0].message_ids.length === 2, 'it is in the ticket');
    expect(await searchTickets()).toHaveLength(1);

    const readLinks = async () => {
      const rows = await otherTenant.ctx.db.rows<{ text: string }>(
        sql`select m.text from svc_mail_entry e join svc_mail_message m on m.workspace_id = e.workspace_id
         and m.id = e.content_id where e.workspace_id = ${otherTenant.ctx.workspace.id} and e.account_id = ${box.id}
         and m.in_reply_to is not null order by e.id`,
      );
      return rows.map(({ text }) => /https?:\S+\/helpdesk\/ticket\S+/.exec(text)![0]);
    };
    const reply = () => admin.value('helpdesk.ticket/action_answer', { ids: [id], body: '<p>Answer</p>' });
    await reply();
    await until(async () => (await readLinks()).length === 1, 'the answer has come');
    const [link] = await readLinks();
    expect((await fetch(link!)).status).toBe(200);
    const robot = new URLSearchParams({ action: 'answer', text: 'Buy', homepage: 'https://spam.example' });
    expect((await fetch(link!, { method: 'POST', body: robot })).status).toBe(200);
    const body = new URLSearchParams({ action: 'answer', text: '<b>Thanks</b>' });
    const response = await fetch(link!, { method: 'POST', body });
    const page = await response.text();
    expect(page).toContain('&lt;b&gt;Thanks&lt;/b&gt;');
    expect(page).not.toContain('Buy');
    const forged = link!.replace(/id=\d+/, `id=${id - 1}`);
    expect((await fetch(forged)).status).toBe(404);
    await admin.value('helpdesk.ticket/action_revoke_link', { ids: [id] });
    expect((await fetch(link!)).status).toBe(404);
    expect((await fetch(link!, { method: 'POST', body })).status).toBe(404);
    await reply();
    await until(async () => (await readLinks()).length === 2, 'the second answer has come');
    expect((await fetch((await readLinks())[1]!)).status).toBe(200);
  });
});
