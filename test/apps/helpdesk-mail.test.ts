import { randomBytes } from 'node:crypto';
import { type ParsedMail, simpleParser } from 'mailparser';
import type { SendMailOptions } from 'nodemailer';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { loadMailTeam } from '../../apps/helpdesk/mail/mail-team.ts';
import { verifyDomain } from '../../schema/email/domains/domain-verify.ts';
import type { MailFiler } from '../../schema/mailbox/filing/mail-filer.ts';
import { FILING_LEASE_MS } from '../../schema/mailbox/filing/mail-filer.ts';
import { INTAKE_KIND } from '../../schema/mailbox/intake/accept.ts';
import { sql } from '../../src/db/sql.ts';
import { createBareCtx } from '../../src/engine/ctx/system-ctx.ts';
import { startApp } from '../harness/app.ts';
import { MAX_BLOCK_MS, measureBestRun } from '../harness/cpu.ts';
import { advanceDue } from '../harness/due.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { startProcess } from '../harness/process.ts';
import { setUp } from '../harness/set-up.ts';
import { sendOverSmtp } from '../harness/smtp.ts';
import { until } from '../harness/wait.ts';
import { openExchange, waitUntilFiled } from '../mailbox/exchange.ts';
import { createSharedMailbox, loadMailbox, type Mailbox } from '../mailbox/mailboxes.ts';
import { type ReceivedMessage, startSmtp } from '../standins/smtp.ts';
import { addMember } from './member.ts';

const relay = setUp(startSmtp);
const app = setUp(() =>
  startApp({ MAIL_TRANSPORT: 'smtp', SMTP_URL: relay.url, DNS_SERVERS: '127.0.0.1:9' }),
);
const admin = createJsonClient(app);
const exchange = setUp(() => openExchange(app));
let support: Mailbox;
let agent: Awaited<ReturnType<typeof addMember>>;
let team: number;
let stages: Record<string, number>;
let workers: MailFiler[];

beforeAll(async () => {
  const { main } = app;
  await verifyDomain(main.ctx, main.domain);
  support = await createSharedMailbox(main.ctx, [main.admin.id], 'support');
  agent = await addMember(app, main, 'agent', ['helpdesk.group_helpdesk_user']);
  [team] = await admin.value('helpdesk.team/search', { domain: [] });
  await admin.value('helpdesk.team/write', {
    ids: [team],
    vals: { mailbox_id: support.id, auto_acknowledge: true, member_ids: [[6, 0, [agent.id]]] },
  });
  const rows = await admin.value('helpdesk.stage/search_read', { domain: [], fields: ['name'] });
  stages = Object.fromEntries(rows.map(({ id, name }: { id: number; name: string }) => [name, id]));
  await app.deliver();
  // Two workers, as in an installation with two machines.
  workers = [await app.fileMail(), await app.fileMail()];
});

const getWorkspaceId = () => app.main.ctx.workspace.id;

const buildCustomer = () => `c${randomBytes(4).toString('hex')}@customer.example`;

const buildMessageId = () => `<${randomBytes(8).toString('hex')}@customer.example>`;

/** Delivers a message like an external mail server. */
const deliverMail = (from: string, mail: SendMailOptions, to = support.address): Promise<string> =>
  sendOverSmtp(exchange.port, {
    envelope: { from, to: [to] },
    from,
    to: support.address,
    text: 'Hello',
    ...mail,
  });

interface Ticket {
  id: number;
  ticket_ref: string;
  name: string;
  description: string;
  stage_id: number;
  partner_id: number;
  close_date: string | false;
  first_response_date: string | false;
  rating: string | false;
}

const FIELDS = ['ticket_ref', 'name', 'description', 'stage_id', 'partner_id', 'close_date'];

const findTickets = (from: string): Promise<Ticket[]> =>
  admin.value('helpdesk.ticket/search_read', {
    domain: [['partner_email', '=', from]],
    fields: [...FIELDS, 'first_response_date', 'rating'],
    order: 'id',
    load: null,
  });

async function waitForTicket(from: string): Promise<Ticket> {
  await until(async () => (await findTickets(from)).length > 0, `a ticket of ${from}`);
  const tickets = await findTickets(from);
  expect(tickets).toHaveLength(1);
  return tickets[0]!;
}

interface Message {
  id: number;
  body: string;
  message_type: string;
  author_id: number | false;
  attachment_ids: number[];
}

const getMessages = (ticket: number): Promise<Message[]> =>
  admin.value('mail.message/search_read', {
    domain: [
      ['model', '=', 'helpdesk.ticket'],
      ['res_id', '=', ticket],
    ],
    fields: ['body', 'message_type', 'author_id', 'attachment_ids'],
    order: 'id',
    load: null,
  });

async function waitForRelayed(
  to: string,
  count: number,
): Promise<{ mail: ParsedMail; received: ReceivedMessage }[]> {
  const filterReceived = () => relay.received.filter(({ recipients }) => recipients.includes(to));
  await until(() => filterReceived().length >= count, `${count} mails for ${to}`);
  expect(filterReceived()).toHaveLength(count);
  return Promise.all(
    filterReceived().map(async (receivedMessage) => ({
      received: receivedMessage,
      mail: await simpleParser(receivedMessage.raw),
    })),
  );
}

const replyTo = (mail: ParsedMail): string => mail.replyTo!.value[0]!.address!;

describe('an incoming message', () => {
  test('becomes a ticket that both sides can reply to, and that the customer can close and rate', async () => {
    const from = buildCustomer();
    const first = buildMessageId();
    await deliverMail(from, {
      from: `"Ada Customer" <${from}>`,
      subject: 'The printer is offline',
      html: '<p>It <b>hums</b>.<img src="https://tracker.example/x.png"><script>alert(1)</script></p>',
      messageId: first,
      attachments: [{ filename: 'photo.txt', content: 'a photo' }],
    });
    const ticket = await waitForTicket(from);
    expect(ticket).toMatchObject({ name: 'The printer is offline', stage_id: stages.New });
    expect(ticket.description).toContain('<b>hums</b>');
    expect(ticket.description).not.toMatch(/script|tracker/);
    const contact = await admin.read('res.partner', ticket.partner_id, ['name', 'email']);
    expect(contact).toMatchObject({ name: 'Ada Customer', email: from });
    const [customerMessage, ack] = await getMessages(ticket.id);
    expect([customerMessage!.message_type, ack!.message_type]).toEqual(['email', 'auto_comment']);
    expect(customerMessage!.author_id).toBe(ticket.partner_id);
    const file = await admin.read('ir.attachment', customerMessage!.attachment_ids[0]!, ['name', 'raw']);
    expect(file).toMatchObject({ name: 'photo.txt', raw: 'a photo' });
    const { mail: acknowledgedMail } = (await waitForRelayed(from, 1))[0]!;
    expect(acknowledgedMail.headers.get('auto-submitted')).toBe('auto-replied');
    expect(acknowledgedMail.inReplyTo).toBe(first);

    await agent.caller.value('helpdesk.ticket/message_post', { ids: [ticket.id], body: 'He is rude.' });
    const attachment = await agent.caller.create('ir.attachment', { name: 'manual.txt', raw: 'Turn it off' });
    await agent.caller.value('helpdesk.ticket/action_answer', {
      ids: [ticket.id],
      body: '<p>Please turn it <i>off</i> and on.</p>',
      attachment_ids: [attachment],
    });
    expect((await waitForTicket(from)).first_response_date).toMatch(/^\d/);
    const { mail: answer, received } = (await waitForRelayed(from, 2))[1]!;
    expect(answer.from!.value[0]).toMatchObject({ address: support.address, name: 'support' });
    expect(answer.subject).toBe(`Re: The printer is offline [#${ticket.ticket_ref}]`);
    expect(answer.inReplyTo).toBe(first);
    expect(answer.references).toContain(acknowledgedMail.messageId);
    expect(answer.text).toContain('Please turn it off and on.');
    expect(answer.attachments[0]).toMatchObject({ filename: 'manual.txt' });
    expect(received.raw.toString()).not.toContain('rude');
    const inSent = await app.runtime.db.rows(
      sql`select 1 from svc_mail_entry where workspace_id = ${getWorkspaceId()} and folder_id = ${support.folders.sent}`,
    );
    expect(inSent.length).toBeGreaterThanOrEqual(2);

    const reply = { subject: `Re: ${answer.subject}`, inReplyTo: answer.messageId!, text: 'It works.' };
    await deliverMail(from, { ...reply, messageId: buildMessageId() });
    await until(async () => (await getMessages(ticket.id)).length === 5, 'the reply is in the ticket');
    await waitForTicket(from);

    const link = /https?:\S+\/helpdesk\/ticket\S+/.exec(answer.text!)![0]!;
    const page = await (await fetch(link)).text();
    expect(page).toContain('It works.');
    expect(page).toContain('Please turn it off and on.');
    expect(page).not.toContain('rude');
    const send = (fields: Record<string, string>) =>
      fetch(link, { method: 'POST', body: new URLSearchParams(fields) });
    expect((await send({ action: 'rate', rating: '5' })).status).toBe(400);
    expect(await (await send({ action: 'close' })).text()).toContain('How satisfied are you?');
    expect(await waitForTicket(from)).toMatchObject({ stage_id: stages.Solved });
    expect((await send({ action: 'rate', rating: '4' })).status).toBe(400);
    expect((await send({ action: 'rate', rating: '5', comment: 'Quick' })).status).toBe(200);
    expect(await waitForTicket(from)).toMatchObject({ rating: '5' });
    await deliverMail(from, { ...reply, messageId: buildMessageId(), text: 'It is off again.' });
    await until(async () => (await waitForTicket(from)).stage_id === stages.New, 'it is open again');
    expect(await waitForTicket(from)).toMatchObject({ close_date: false });
  });

  test('creates a single ticket if several copies arrive concurrently', async () => {
    const from = buildCustomer();
    const mail = {
      subject: 'Twice',
      messageId: buildMessageId(),
      date: new Date(),
      headers: { 'x-same': '1' },
    };
    await Promise.all([deliverMail(from, mail), deliverMail(from, mail), deliverMail(from, mail)]);
    await waitUntilFiled(app);
    const ticket = await waitForTicket(from);
    expect(
      (await getMessages(ticket.id)).filter(({ message_type }) => message_type === 'email'),
    ).toHaveLength(1);
  });

  test('creates no ticket if sent by a program, a mailing list, an unknown sender or the mailbox itself', async () => {
    const from = buildCustomer();
    const kinds: SendMailOptions[] = [
      { headers: { 'Auto-Submitted': 'auto-replied' } },
      { headers: { Precedence: 'bulk' } },
      { headers: { 'List-Id': '<news.customer.example>' } },
      { headers: { 'X-Auto-Response-Suppress': 'All' } },
      { envelope: { from: '', to: [support.address] } },
      { from: support.address },
      { from: 'MAILER-DAEMON@customer.example' },
    ];
    for (const kind of kinds)
      await deliverMail(from, { subject: 'Automatic', messageId: buildMessageId(), ...kind });
    await until(async () => {
      const rows = await app.runtime.db.rows(
        sql`select 1 from svc_mail_message where workspace_id = ${getWorkspaceId()} and subject = 'Automatic'`,
      );
      return rows.length === kinds.length;
    }, 'all are in the mailbox');
    await waitUntilFiled(app);
    expect(await admin.value('helpdesk.ticket/search_count', { domain: [['name', '=', 'Automatic']] })).toBe(
      0,
    );
    expect(relay.received.some(({ recipients }) => recipients.includes(from))).toBe(false);
  });

  test('is sanitized if it contains malicious HTML, without delaying other mail', async () => {
    const from = buildCustomer();
    const deep = `${'<div>'.repeat(2_000)}<svg onload=alert(1)>${'</div>'.repeat(2_000)}`;
    await deliverMail(from, {
      from: `"=?utf-8?q?=00=0d=0aBcc:_x?= <b>" <${from}>`,
      subject: `\u0000<script>${'x'.repeat(2_000)}`,
      html: `<a href="javascript:alert(1)">a</a><style>*{}</style><form action=/x><input></form>${deep}`,
      messageId: buildMessageId(),
    });
    const ticket = await waitForTicket(from);
    expect(ticket.name.length).toBeLessThanOrEqual(500);
    expect(ticket.description).not.toMatch(/javascript:|<style|<form|<svg|onload=/);
    await deliverMail(from, { subject: 'After it', messageId: buildMessageId() });
    await until(async () => (await findTickets(from)).length === 2, 'the next one is filed');
  });

  test.each([
    '<table><tr><td width="1" style="padding:1px">x</td></tr></table>',
    '<style>.a{color:red}</style><p class="a">x</p>',
  ])('does not block the event loop if it is long: %s', async (unit) => {
    const html = unit.repeat((250 * 1024) / unit.length);
    let from = '';
    let ids: number[] = [];
    const file = async () => {
      from = buildCustomer();
      await deliverMail(from, { subject: 'Long', html, messageId: buildMessageId() });
      const { id, description } = await waitForTicket(from);
      expect(description).toContain('x');
      ids = [id];
    };
    expect(await measureBestRun(file), 'filing').toBeLessThan(MAX_BLOCK_MS);
    const { mail } = (await waitForRelayed(from, 1))[0]!;
    const link = /http:[^"]*\/helpdesk\/ticket[^"\s]*/.exec(String(mail.html))![0].replaceAll('&amp;', '&');
    const answer = () => agent.caller.value('helpdesk.ticket/action_answer', { ids, body: html.repeat(2) });
    expect(await measureBestRun(answer), 'reply').toBeLessThan(MAX_BLOCK_MS);
    const openPage = async () => expect((await fetch(link)).status).toBe(200);
    expect(await measureBestRun(openPage), 'page').toBeLessThan(MAX_BLOCK_MS);
  });

  test('triggers at most three acknowledgments per customer per hour', async () => {
    const from = buildCustomer();
    for (let count = 1; count <= 5; count++) {
      await deliverMail(from, { subject: `Question ${count}`, messageId: buildMessageId() });
      await until(async () => (await findTickets(from)).length === count, `${count} tickets`);
    }
    await waitForRelayed(from, 3);
  });

  test('creates no ticket if sent to another mailbox of the workspace', async () => {
    const mailbox = await loadMailbox(app.main.ctx, app.main.user.id);
    const from = buildCustomer();
    await deliverMail(from, { subject: 'Private', messageId: buildMessageId() }, mailbox.address);
    await until(async () => {
      const rows = await app.runtime.db.rows(
        sql`select 1 from svc_mail_entry where workspace_id = ${getWorkspaceId()} and account_id = ${mailbox.id}`,
      );
      return rows.length > 0;
    }, 'it is filed');
    expect(await findTickets(from)).toEqual([]);
  });
});

describe("a user's message on a ticket", () => {
  /** Builds a message by which a user poses as the customer. */
  const buildForgedMessage = (ticket: Ticket) => ({
    model: 'helpdesk.ticket',
    res_id: ticket.id,
    body: '<p>I agree to pay.</p>',
    author_id: ticket.partner_id,
  });

  test('is never treated as a customer message, regardless of its type, author and id', async () => {
    const from = buildCustomer();
    await deliverMail(from, { subject: 'Provable', text: 'I refuse to pay.', messageId: buildMessageId() });
    const ticket = await waitForTicket(from);
    const link = /https?:\S+\/helpdesk\/ticket\S+/.exec((await waitForRelayed(from, 1))[0]!.mail.text!)![0]!;
    const values = { email_from: from, subtype_id: await readCommentSubtype() };
    const guessed = buildMessageId();
    const { caller } = agent;
    for (const message_type of ['email', 'email_outgoing', 'auto_comment'])
      await caller.create('mail.message', {
        ...{ ...buildForgedMessage(ticket), ...values, message_type },
        message_id: guessed.slice(1, -1),
      });
    await caller.value('helpdesk.ticket/message_post', {
      ...{ ids: [ticket.id], body: 'I agree to pay.', message_type: 'email', email_from: from },
      ...{ author_id: ticket.partner_id, subtype_xmlid: 'mail.mt_comment' },
    });
    const page = await (await fetch(link)).text();
    expect(page).toContain('I refuse to pay.');
    expect(page).not.toContain('I agree to pay.');
    const stranger = buildCustomer();
    await deliverMail(stranger, {
      subject: 'To the guessed id',
      inReplyTo: guessed,
      messageId: buildMessageId(),
    });
    expect((await waitForTicket(stranger)).id).not.toBe(ticket.id);
  });

  test('cannot be marked as received mail or used to change a received message', async () => {
    const from = buildCustomer();
    await deliverMail(from, { subject: 'Sealed', text: 'As I wrote it.', messageId: buildMessageId() });
    const ticket = await waitForTicket(from);
    const { caller } = agent;
    await caller.expectRejection('mail.message/create', {
      vals_list: [{ ...buildForgedMessage(ticket), origin: 'mail' }],
    });
    const [ownMessage] = await caller.value('mail.message/create', {
      vals_list: [buildForgedMessage(ticket)],
      context: { default_origin: 'mail' },
    });
    expect((await admin.read('mail.message', ownMessage, ['origin'])).origin).toBe(false);
    const [customerMessage] = await getMessages(ticket.id);
    const write = (vals: object) => ({ ids: [customerMessage!.id], vals });
    for (const calls of [caller, admin]) {
      await calls.expectRejection('mail.message/write', write({ body: 'I agree.' }));
      await calls.expectRejection('mail.message/write', write({ author_id: app.main.admin.id }));
      await calls.expectRejection('mail.message/write', write({ origin: false }));
    }
    const [copy] = await admin.value('mail.message/copy', { ids: [customerMessage!.id] });
    expect((await admin.read('mail.message', copy, ['origin'])).origin).toBe(false);
    expect(await admin.read('mail.message', customerMessage!.id, ['origin', 'body'])).toMatchObject({
      origin: 'mail',
      body: expect.stringContaining('As I wrote it.'),
    });
  });

  const readCommentSubtype = async (): Promise<number> =>
    (await admin.value('mail.message.subtype/search', { domain: [['name', '=', 'Discussions']] }))[0];
});

describe('a customer reply', () => {
  async function createTicketWithMail() {
    const from = buildCustomer();
    const first = buildMessageId();
    await deliverMail(from, { subject: 'Broken', messageId: first });
    const ticket = await waitForTicket(from);
    const { mail } = (await waitForRelayed(from, 1))[0]!;
    return { from, first, ticket, mail };
  }
  const count = async (ticket: Ticket) =>
    (await getMessages(ticket.id)).filter(({ message_type }) => message_type === 'email').length;

  test('is added to the ticket if sent to the signed address, even without other references', async () => {
    const { from, ticket, mail } = await createTicketWithMail();
    await deliverMail(from, { subject: 'Something else', messageId: buildMessageId() }, replyTo(mail));
    await until(async () => (await count(ticket)) === 2, 'it is in the ticket');
    await waitForTicket(from);
  });

  test("is added to the ticket if it refers to the customer's original message", async () => {
    const { from, first, ticket } = await createTicketWithMail();
    await deliverMail(from, { subject: 'Re: Broken', messageId: buildMessageId(), references: [first] });
    await until(async () => (await count(ticket)) === 2, 'it is in the ticket');
  });

  test('becomes a separate ticket if an unknown sender guesses the number, message id or address', async () => {
    const { first, ticket, mail } = await createTicketWithMail();
    const stranger = buildCustomer();
    const guessed = replyTo(mail).replace(/\.[0-9a-f]{20}@/, `.${'0'.repeat(20)}@`);
    await deliverMail(stranger, {
      subject: `Re: Broken [#${ticket.ticket_ref}]`,
      messageId: buildMessageId(),
    });
    await deliverMail(stranger, { subject: 'Re: Broken', messageId: buildMessageId(), inReplyTo: first });
    await deliverMail(stranger, { subject: 'Re: Broken', messageId: buildMessageId() }, guessed);
    await until(async () => (await findTickets(stranger)).length === 3, 'three tickets of the stranger');
    expect(await count(ticket)).toBe(1);
  });

  test('is not matched by ticket number if the sender is not authenticated', async () => {
    const { from, ticket } = await createTicketWithMail();
    await deliverMail(from, { subject: `[#${ticket.ticket_ref}] hello`, messageId: buildMessageId() });
    await until(async () => (await findTickets(from)).length === 2, 'a ticket of its own');
    expect(await count(ticket)).toBe(1);
  });
});

describe('a reply to a customer', () => {
  test('requires write access to the ticket, a team mailbox and an address that is not suppressed', async () => {
    const from = buildCustomer();
    await deliverMail(from, { subject: 'Locked', messageId: buildMessageId() });
    const { id } = await waitForTicket(from);
    await waitForRelayed(from, 1);
    const args = { ids: [id], body: '<p>Hello</p>' };
    await createJsonClient(app, app.main.user.key).expectError(403, 'helpdesk.ticket/action_answer', args);
    const otherId = await admin.create('helpdesk.team', { name: 'Without', privacy_visibility: 'internal' });
    const bareId = await admin.create('helpdesk.ticket', {
      name: 'Bare',
      team_id: otherId,
      partner_email: from,
    });
    const { message } = await agent.caller.expectError(422, 'helpdesk.ticket/action_answer', {
      ...args,
      ids: [bareId],
    });
    expect(message).toContain('no mailbox');
    await app.runtime.db.rows(
      sql`insert into svc_suppression (workspace_id, id, email, reason) values (${getWorkspaceId()}, 800, ${from}, 'MANUAL')`,
    );
    const error = await agent.caller.expectError(422, 'helpdesk.ticket/action_answer', args);
    expect(error.message).toContain('suppression');
    expect((await getMessages(id)).filter(({ message_type }) => message_type === 'email_outgoing')).toEqual(
      [],
    );
  });

  test('cannot use a team mailbox that the caller does not manage', async () => {
    const mailbox = await loadMailbox(app.main.ctx, app.main.admin.id);
    const manager = await addMember(app, app.main, 'manager', ['helpdesk.group_helpdesk_manager']);
    const create = (mailbox_id: number) => ({ vals_list: [{ name: 'Ours', mailbox_id }] });
    await admin.expectError(422, 'helpdesk.team/create', create(mailbox.id));
    await manager.caller.expectError(403, 'helpdesk.team/create', create(mailbox.id));
    const sharedMailbox = await createSharedMailbox(app.main.ctx, [manager.id, app.main.admin.id], 'board');
    const { message } = await manager.caller.expectError(
      403,
      'helpdesk.team/create',
      create(sharedMailbox.id),
    );
    expect(message).toContain("Only administrators and the mailbox's manager");
    expect(
      await admin.create('helpdesk.team', { name: 'Ours', mailbox_id: sharedMailbox.id }),
    ).toBeGreaterThan(0);
  });
});

test('creates one ticket even if the worker is killed while filing the message', {
  tags: 'soak',
}, async () => {
  const box = await createSharedMailbox(app.main.ctx, [app.main.admin.id], 'kill');
  await admin.create('helpdesk.team', { name: 'Kill', mailbox_id: box.id });
  await app.runtime.db.rows(
    sql`create function wait_for_ticket() returns trigger language plpgsql as
     'begin perform pg_sleep(1); return new; end'`,
  );
  await app.runtime.db.rows(
    sql`create trigger wait_for_ticket before insert on helpdesk_ticket for each row when (new.name = 'Killed')
       execute function wait_for_ticket() -- workspace_id`,
  );
  // Only the other process may file mail.
  await Promise.all(workers.map((worker) => worker.stop()));
  const server = await startProcess({ ...app.env, MAIL_TRANSPORT: 'smtp', SMTP_URL: relay.url });
  try {
    const from = buildCustomer();
    const waitingSql = sql`select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
    await deliverMail(from, { subject: 'Killed', messageId: buildMessageId() }, box.address);
    await until(async () => (await app.runtime.db.rows(waitingSql)).length > 0, 'it is being filed');
    await server.end('SIGKILL');
    // Expires the process's lease.
    await advanceDue(app.runtime.db, 'svc_mail_delivery', INTAKE_KIND, FILING_LEASE_MS);
    await app.fileMail();
    await until(async () => (await findTickets(from)).length > 0, 'another worker has filed it', 120_000);
    await waitUntilFiled(app);
    await waitForTicket(from);
  } finally {
    await server.end('SIGKILL');
    await app.runtime.db.rows(sql`drop trigger wait_for_ticket on helpdesk_ticket -- workspace_id`);
  }
});

test('looks up the teams of concurrently filed messages in one query', async () => {
  const ctx = createBareCtx(app.runtime, getWorkspaceId());
  const rowsSpy = vi.spyOn(ctx.db, 'rows');
  const mailbox = await loadMailbox(app.main.ctx, app.main.admin.id);
  rowsSpy.mockClear();
  const teams = await Promise.all([support.id, mailbox.id, support.id].map((id) => loadMailTeam(ctx, id)));
  expect(teams.map((team) => team?.id ?? null)).toEqual([team, null, team]);
  expect(rowsSpy).toHaveBeenCalledTimes(1);
});
