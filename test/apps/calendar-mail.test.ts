import { generateKeyPairSync } from 'node:crypto';
import { simpleParser } from 'mailparser';
import ical from 'node-ical';
import { beforeAll, describe, expect, test } from 'vitest';
import { startSubmission } from '../../facades/smtp/facade.ts';
import { sql } from '../../src/db/sql.ts';
import { startDueWork } from '../../src/engine/work/due-work.ts';
import { startApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { setUp } from '../harness/set-up.ts';
import { sendOverSmtp } from '../harness/smtp.ts';
import type { Tenant } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';
import { openExchange } from '../mailbox/exchange.ts';
import { loadMailbox } from '../mailbox/mailboxes.ts';
import { startNameServer } from '../standins/dns.ts';

/** An external attendee's domain, which has a strict DMARC policy. */
const STRICT = 'strict.example';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

const names = setUp(() =>
  startNameServer({
    [`TXT s1._domainkey.${STRICT}`]: [`v=DKIM1; k=rsa; p=${key}`],
    [`TXT ${STRICT}`]: ['v=spf1 ip4:192.0.2.7 -all'],
    [`TXT _dmarc.${STRICT}`]: ['v=DMARC1; p=reject'],
  }),
);
const app = setUp(() => startApp({ DNS_SERVERS: names.address }));
const user = setUp(() => createJsonClient(app, app.main.user.key));
const admin = createJsonClient(app);
const submission = setUp(() => startSubmission(app.runtime, { port: 0 }));
const exchange = setUp(() => openExchange(app));
let otherTenant: Tenant;
let organizer: string;
let bobAddress: string;
let bob: number;
let carol: number;

beforeAll(async () => {
  otherTenant = await app.tenant('other');
  organizer = (await loadMailbox(app.main.ctx, app.main.user.id)).address;
  bobAddress = (await loadMailbox(otherTenant.ctx, otherTenant.user.id)).address;
  await admin.value('res.users/write', { ids: [app.main.user.id], vals: { email: organizer } });
  bob = await admin.create('res.partner', { name: 'Bob', email: bobAddress });
  carol = await admin.create('res.partner', { name: 'Carol', email: 'carol@example.org' });
  await app.deliver();
  await app.fileMail();
});

interface SentMail {
  to: string;
  subject: string;
  text: string;
  raw: Buffer;
  calendar: string;
  method: string;
}

async function waitForMails(name: string, count: number): Promise<SentMail[]> {
  let rows: { raw: Buffer }[] = [];
  await until(async () => {
    rows = await app.runtime.db.rows<{ raw: Buffer }>(
      sql`select o.raw from svc_email m join svc_outbox o on o.workspace_id = m.workspace_id and o.email_id = m.id
       where m.workspace_id = ${app.main.ctx.workspace.id} and m.subject like ${`%: ${name}`} order by m.id`,
    );
    return rows.length >= count;
  }, `${count} mails about ${name}`);
  expect(rows).toHaveLength(count);
  return Promise.all(rows.map(({ raw }) => readSent(raw)));
}

async function readSent(raw: Buffer): Promise<SentMail> {
  const mail = await simpleParser(raw);
  const part = mail.attachments.find(({ contentType }) => contentType === 'text/calendar');
  const calendar = part?.content.toString() ?? '';
  const to = /^To: .*?<?([^\s<>]+@[^\s<>]+)>?\r?$/m.exec(raw.toString('latin1'))?.[1];
  return {
    to: to!,
    subject: mail.subject!,
    text: mail.text!,
    raw,
    calendar: calendar.replace(/\r\n[ \t]/g, ''),
    method: /method=(\w+)/i.exec(raw.toString('latin1').replace(/\r\n[ \t]+/g, ' '))?.[1] ?? '',
  };
}

const createInvitation = (values: object) =>
  user.create('calendar.event', {
    start: '2097-03-05 09:00:00',
    stop: '2097-03-05 10:00:00',
    partner_ids: [[6, 0, [bob]]],
    ...values,
  });

const getAttendeeState = async (event: number, partner = bob): Promise<string> =>
  (
    await user.value('calendar.attendee/search_read', {
      domain: [
        ['event_id', '=', event],
        ['partner_id', '=', partner],
      ],
      fields: ['state'],
    })
  )[0].state;

const findLine = (calendar: string, name: string): string =>
  new RegExp(`^${name}[;:](.*?)\\r?$`, 'm').exec(calendar)?.[1] ?? '';

function replyTo(
  calendar: string,
  from: string,
  reply: string,
  extra: string[] = [],
  method = 'REPLY',
): string {
  return [
    'BEGIN:VCALENDAR',
    'PRODID:-//Test//EN',
    'VERSION:2.0',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${findLine(calendar, 'UID')}`,
    `SEQUENCE:${findLine(calendar, 'SEQUENCE')}`,
    'DTSTAMP:20970101T000000Z',
    `ORGANIZER:mailto:${organizer}`,
    `ATTENDEE;PARTSTAT=${reply};CN=Bob:mailto:${from}`,
    ...extra,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

/** Sends a reply from the other workspace by SMTP submission. */
async function sendReply(from: string, content: string, method = 'REPLY'): Promise<void> {
  const mail = {
    from,
    to: organizer,
    subject: 'Re: Invitation',
    text: 'My answer',
    icalEvent: { method, content },
  };
  await sendOverSmtp(submission.port, mail, { auth: { user: 'any', pass: otherTenant.teamKey } });
}

/** Delivers a reply like an external mail server. @returns its authentication results, once it is filed */
async function replyFromOutside(
  from: string,
  subject: string,
  content: string,
  dkim?: { domainName: string; keySelector: string; privateKey: string },
): Promise<object> {
  const icalEvent = { method: 'REPLY', content };
  await sendOverSmtp(exchange.port, {
    envelope: { from, to: [organizer] },
    from,
    to: organizer,
    subject,
    text: 'Yes',
    icalEvent,
    ...(dkim && { dkim }),
  });
  let verdicts: object | undefined;
  await until(async () => {
    const [row] = await app.runtime.db.rows<{ verdicts: object }>(
      sql`select verdicts from svc_mail_message
       where workspace_id = ${app.main.ctx.workspace.id} and subject = ${subject}`,
    );
    verdicts = row?.verdicts;
    return verdicts;
  }, `${subject} is filed`);
  return verdicts!;
}

const untilDelivered = () =>
  until(async () => {
    const rows = await app.runtime.db.rows(
      sql`select 1 from svc_email where workspace_id > 0 and state in ('queued', 'sending')
       union all select 1 from svc_mail_delivery where workspace_id > 0 and next_at is not null`,
    );
    return rows.length === 0;
  }, 'all is filed');

describe('an invitation', () => {
  test('is sent to all attendees except the organizer, as a calendar part and as an attachment', async () => {
    const [{ partner_id: ownPartner }] = await admin.value('res.users/read', {
      ids: [app.main.user.id],
      fields: ['partner_id'],
    });
    await createInvitation({
      name: 'Größe, "und"; mehr',
      description: '<p>Line one<br>Line two</p>',
      location: 'Room 1',
      partner_ids: [[6, 0, [bob, carol, ownPartner[0]]]],
    });
    const mails = await waitForMails('Größe, "und"; mehr', 2);
    expect(mails.map(({ to }) => to)).toEqual([bobAddress, 'carol@example.org']);
    const [mail] = mails;
    expect(mail!.subject).toBe('Invitation: Größe, "und"; mehr');
    const types = [
      ...mail!.raw
        .toString('latin1')
        .replace(/\r\n[ \t]+/g, ' ')
        .matchAll(/^Content-Type: ([^;\r]+)/gm),
    ].map(([, type]) => type);
    expect(types).toEqual([
      ...[
        'multipart/mixed',
        'multipart/alternative',
        'text/plain',
        'text/html',
        'text/calendar',
        'application/ics',
      ],
    ]);
    expect(mail!.method).toBe('REQUEST');
    const event = Object.values(ical.sync.parseICS(mail!.calendar)).find(
      (item) => item?.type === 'VEVENT',
    ) as never as {
      summary: string;
      description: string;
      start: Date;
      end: Date;
      attendee: { params: { PARTSTAT: string }; val: string }[];
      organizer: { val: string };
    };
    expect(event.summary).toBe('Größe, "und"; mehr');
    expect(event.description).toContain('Line one\nLine two');
    expect([event.start.toISOString(), event.end.toISOString()]).toEqual([
      ...['2097-03-05T09:00:00.000Z', '2097-03-05T10:00:00.000Z'],
    ]);
    expect(event.organizer.val).toBe(`mailto:${organizer}`);
    expect(event.attendee.map(({ val, params }) => [val, params.PARTSTAT])).toContainEqual([
      ...[`mailto:${bobAddress}`, 'NEEDS-ACTION'],
    ]);
    for (const line of (await simpleParser(mail!.raw)).attachments[0]!.content.toString().split('\r\n'))
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  });

  test('shows the beginning of a long description without splitting a character', async () => {
    await createInvitation({ name: 'Cut', description: `<p>${'a'.repeat(4_999)}\u{1f600}b</p>` });
    const [mail] = await waitForMails('Cut', 1);
    expect(mail!.text).toMatch(/a{4999}\ufffd?$/m);
  });

  test('is followed by updates with a higher SEQUENCE and by a cancellation', async () => {
    const id = await createInvitation({ name: 'Followed' });
    await user.value('calendar.event/write', { ids: [id], vals: { location: 'Hall' } });
    await user.value('calendar.event/write', { ids: [id], vals: { show_as: 'busy' } });
    await user.value('calendar.event/write', { ids: [id], vals: { partner_ids: [[4, carol]] } });
    await user.value('calendar.event/write', { ids: [id], vals: { partner_ids: [[3, carol]] } });
    await user.value('calendar.event/unlink', { ids: [id] });
    const mails = await waitForMails('Followed', 5);
    expect(mails.map(({ to, method, calendar }) => [to, method, findLine(calendar, 'SEQUENCE')])).toEqual([
      [bobAddress, 'REQUEST', '0'],
      [bobAddress, 'REQUEST', '1'],
      ['carol@example.org', 'REQUEST', '1'],
      ['carol@example.org', 'CANCEL', '2'],
      [bobAddress, 'CANCEL', '2'],
    ]);
    expect(findLine(mails[4]!.calendar, 'STATUS')).toBe('CANCELLED');
    expect(new Set(mails.map(({ calendar }) => findLine(calendar, 'UID'))).size).toBe(1);
  });

  test('covers a whole recurrence, and refers to a changed occurrence by its RECURRENCE-ID', async () => {
    const id = await createInvitation({
      name: 'Repeated',
      event_tz: 'Europe/Brussels',
      ...{ recurrency: true, rrule_type: 'weekly', tue: true, end_type: 'count', count: 4 },
    });
    const { recurrence_id: series } = await user.read('calendar.event', id, ['recurrence_id']);
    const ids: number[] = await user.value('calendar.event/search', {
      domain: [['recurrence_id', '=', series]],
      order: 'start',
    });
    await user.value('calendar.event/write', { ids: [ids[1]], vals: { start: '2097-03-12 14:00:00' } });
    await user.value('calendar.event/unlink', { ids: [ids[2]] });
    await user.value('calendar.event/write', {
      ids: [ids[3]],
      vals: { recurrence_update: 'all_events', location: 'Hall' },
    });
    const mails = await waitForMails('Repeated', 4);
    expect(
      mails.map(({ method, calendar }) => [
        method,
        findLine(calendar, 'RRULE'),
        findLine(calendar, 'RECURRENCE-ID'),
      ]),
    ).toEqual([
      ['REQUEST', 'FREQ=WEEKLY;BYDAY=TU;COUNT=4', ''],
      ['REQUEST', '', 'TZID="Europe/Brussels":20970312T100000'],
      ['CANCEL', '', 'TZID="Europe/Brussels":20970319T100000'],
      ['REQUEST', 'FREQ=WEEKLY;BYDAY=TU;COUNT=4', ''],
    ]);
    expect(findLine(mails[3]!.calendar, 'EXDATE')).toBe('TZID="Europe/Brussels":20970319T100000');
    expect(mails[0]!.calendar).toContain('BEGIN:VTIMEZONE');
  });

  test('is not sent for past events or from an organizer without a sending domain', async () => {
    const before = await count();
    await admin.value('res.users/write', {
      ids: [app.main.user.id],
      vals: { email: 'me@elsewhere.example' },
    });
    const id = await createInvitation({ name: 'Unsent' });
    await admin.value('res.users/write', { ids: [app.main.user.id], vals: { email: organizer } });
    await createInvitation({ name: 'Past', start: '2020-01-01 09:00:00', stop: '2020-01-01 10:00:00' });
    expect(await count()).toBe(before);
    await user.value('calendar.event/write', { ids: [id], vals: { location: 'Hall' } });
    expect((await waitForMails('Unsent', 1))[0]!.method).toBe('REQUEST');
  });

  test('is sent only if the organizer makes the change', async () => {
    const before = await count();
    const colleague = (await loadMailbox(app.main.ctx, app.main.admin.id)).address;
    await admin.value('res.users/write', { ids: [app.main.user.id], vals: { email: colleague } });
    await createInvitation({ name: 'Borrowed' });
    await admin.value('res.users/write', { ids: [app.main.user.id], vals: { email: organizer } });
    const id = await createInvitation({ name: 'Handed', partner_ids: [] });
    await admin.value('calendar.event/write', { ids: [id], vals: { user_id: app.main.admin.id } });
    await admin.value('res.users/write', { ids: [app.main.admin.id], vals: { email: colleague } });
    await user.value('calendar.event/write', { ids: [id], vals: { partner_ids: [[4, bob]] } });
    expect(await count()).toBe(before);
    await admin.value('calendar.event/write', { ids: [id], vals: { location: 'Hall' } });
    expect((await waitForMails('Handed', 1))[0]!.to).toBe(bobAddress);
  });

  const count = () =>
    app.runtime.db.value<number>(
      sql`select count(*)::int from svc_email where workspace_id = ${app.main.ctx.workspace.id}`,
    );
});

describe('an email reply', () => {
  test("sets the attendee's status, which is reset when the event's time changes", async () => {
    const id = await createInvitation({ name: 'Answered' });
    const [mail] = await waitForMails('Answered', 1);
    await sendReply(bobAddress, replyTo(mail!.calendar, bobAddress, 'ACCEPTED'));
    await until(async () => (await getAttendeeState(id)) === 'accepted', 'the answer is noted');
    await user.value('calendar.event/write', { ids: [id], vals: { start: '2097-03-06 09:00:00' } });
    expect(await getAttendeeState(id)).toBe('needsAction');
    // A reply to the previous time does not count.
    await sendReply(bobAddress, replyTo(mail!.calendar, bobAddress, 'ACCEPTED'));
    const [, update] = await waitForMails('Answered', 2);
    await untilDelivered();
    expect(await getAttendeeState(id)).toBe('needsAction');
    await sendReply(bobAddress, replyTo(update!.calendar, bobAddress, 'TENTATIVE'));
    await until(async () => (await getAttendeeState(id)) === 'tentative', 'the answer is noted');
  });

  test('applies to one occurrence or to the whole recurrence', async () => {
    const id = await createInvitation({
      name: 'Series',
      event_tz: 'Europe/Brussels',
      ...{ recurrency: true, rrule_type: 'weekly', tue: true, end_type: 'count', count: 3 },
    });
    const { recurrence_id: series } = await user.read('calendar.event', id, ['recurrence_id']);
    const ids: number[] = await user.value('calendar.event/search', {
      domain: [['recurrence_id', '=', series]],
      order: 'start',
    });
    const readStates = () => Promise.all(ids.map((id) => getAttendeeState(id)));
    const [mail] = await waitForMails('Series', 1);
    await sendReply(bobAddress, replyTo(mail!.calendar, bobAddress, 'ACCEPTED'));
    await until(async () => (await readStates()).join() === 'accepted,accepted,accepted', 'all are accepted');
    const one = replyTo(mail!.calendar, bobAddress, 'DECLINED', ['RECURRENCE-ID:20970312T090000Z']);
    await sendReply(bobAddress, one);
    await until(async () => (await readStates()).join() === 'accepted,declined,accepted', 'one is declined');
    // An occurrence that was changed separately has its own invitation.
    await user.value('calendar.event/write', { ids: [ids[2]], vals: { location: 'Attic' } });
    await user.value('calendar.event/write', {
      ids: [ids[0]],
      vals: { recurrence_update: 'all_events', location: 'Hall' },
    });
    const [, , update] = await waitForMails('Series', 3);
    await sendReply(bobAddress, replyTo(update!.calendar, bobAddress, 'TENTATIVE'));
    await until(async () => (await getAttendeeState(ids[0]!)) === 'tentative', 'the answer is noted');
    expect(await readStates()).toEqual(['tentative', 'tentative', 'accepted']);
  });

  test('is ignored if it is forged, is not an iTIP reply or names another attendee', async () => {
    const id = await createInvitation({ name: 'Forged', partner_ids: [[6, 0, [bob, carol]]] });
    const [mail] = await waitForMails('Forged', 2);
    const calendar = mail!.calendar;
    // Bob replies for Carol.
    await sendReply(bobAddress, replyTo(calendar, 'carol@example.org', 'ACCEPTED'));
    await sendReply(bobAddress, replyTo(calendar, bobAddress, 'ACCEPTED', [], 'REQUEST'), 'REQUEST');
    // An unauthenticated external message that claims to be from Bob.
    await replyFromOutside(bobAddress, 'Re: Forged', replyTo(calendar, bobAddress, 'ACCEPTED'));
    await untilDelivered();
    expect([await getAttendeeState(id), await getAttendeeState(id, carol)]).toEqual([
      'needsAction',
      'needsAction',
    ]);
  });

  test("must pass DMARC if the sender domain's policy is p=reject", async () => {
    const address = `dora@${STRICT}`;
    const dora = await admin.create('res.partner', { name: 'Dora', email: address });
    const id = await createInvitation({ name: 'Strict', partner_ids: [[6, 0, [dora]]] });
    const [mail] = await waitForMails('Strict', 1);
    const reply = replyTo(mail!.calendar, address, 'DECLINED');
    expect(await replyFromOutside(address, 'Re: Strict', reply)).toMatchObject({
      dmarc: 'fail',
      policy: 'reject',
    });
    await untilDelivered();
    expect(await getAttendeeState(id, dora)).toBe('needsAction');
    const dkim = {
      domainName: STRICT,
      keySelector: 's1',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
    expect(await replyFromOutside(address, 'Re: Strict, signed', reply, dkim)).toMatchObject({
      dmarc: 'pass',
      policy: 'reject',
    });
    await until(async () => (await getAttendeeState(id, dora)) === 'declined', 'the signed answer is noted');
  });
});

describe('a reply link in the invitation', () => {
  test("records the attendee's reply after confirmation, without a sign-in", async () => {
    const id = await createInvitation({ name: 'Linked' });
    const [mail] = await waitForMails('Linked', 1);
    const url = /Yes: (\S+)/.exec(mail!.text)![1]!;
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Reply: Yes')]);
    expect(await getAttendeeState(id)).toBe('needsAction');
    const response = await fetch(url, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('<strong>Yes</strong>'),
    ]);
    expect(await getAttendeeState(id)).toBe('accepted');
    const forgedResponse = await fetch(url.replace(/id=\d+/, 'id=1'), { method: 'POST' });
    expect(forgedResponse.status).toBe(400);
    await user.value('calendar.event/unlink', { ids: [id] });
    expect(await (await fetch(url)).text()).toContain('This event has ended');
  });
});

describe('a reminder', () => {
  const makeReminderDue = (id: number) =>
    app.runtime.db.rows(
      sql`update calendar_event set remind_at = now() - interval '1 minute'
       where workspace_id = ${app.main.ctx.workspace.id} and id = ${id}`,
    );
  /** The workspace's due entry is written asynchronously. */
  const untilWorkerChecked = () =>
    until(async () => {
      const notedRows = await app.runtime.db.rows(
        sql`update svc_due set next_at = now() - interval '1 minute'
         where workspace_id = ${app.main.ctx.workspace.id} and kind = 'reminder' returning 1`,
      );
      return notedRows.length > 0;
    }, 'the workspace to be noted');
  const inHours = (hours: number) =>
    new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

  test('is sent for a changed event, but not if its alarm was deleted', async () => {
    const createAlarm = () =>
      admin.create('calendar.alarm', { name: 'Early', alarm_type: 'email', duration: 2, interval: 'hours' });
    const [futureAlarm, deleted] = [await createAlarm(), await createAlarm()];
    const createEventSoon = (name: string, id: number) =>
      createInvitation({ name, start: inHours(1), stop: false, duration: 1, alarm_ids: [[6, 0, [id]]] });
    const [late, silent] = [
      await createEventSoon('Late', futureAlarm),
      await createEventSoon('Silent', deleted),
    ];
    // A future reminder creates a due entry, so that the worker checks for due reminders.
    await createInvitation({ name: 'Later', start: inHours(9), alarm_ids: [[6, 0, [futureAlarm]]] });
    await makeReminderDue(late);
    await makeReminderDue(silent);
    await user.value('calendar.event/write', { ids: [late], vals: { location: 'Hall' } });
    await admin.value('calendar.alarm/unlink', { ids: [deleted] });
    await untilWorkerChecked();
    const worker = startDueWork(app.runtime);
    try {
      const mails = await waitForMails('Late', 3);
      expect(mails[2]!.subject).toBe('Reminder: Late');
      await waitForMails('Silent', 1);
    } finally {
      await worker.stop();
    }
  });

  test('is sent once, when due, to attendees who have not declined', async () => {
    const alarm = await admin.create('calendar.alarm', {
      name: 'Soon',
      alarm_type: 'email',
      duration: 2,
      interval: 'hours',
    });
    const id = await createInvitation({
      name: 'Reminded',
      start: inHours(3),
      stop: false,
      duration: 1,
      alarm_ids: [[6, 0, [alarm]]],
    });
    await waitForMails('Reminded', 1);
    await makeReminderDue(id);
    await untilWorkerChecked();
    const workers = [startDueWork(app.runtime), startDueWork(app.runtime)];
    try {
      const mails = await waitForMails('Reminded', 2);
      expect(mails[1]).toMatchObject({ to: bobAddress, subject: 'Reminder: Reminded', calendar: '' });
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  });
});
