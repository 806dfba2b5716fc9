import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startDelivery } from '../../schema/email/queue/deliver.ts';
import { sql } from '../../src/db/sql.ts';
import { createTransport } from '../../src/email/create-transport.ts';
import { createSmtpTransport } from '../../src/email/smtp.ts';
import type { Transport } from '../../src/email/transport.ts';
import { createManualClock } from '../harness/clock.ts';
import { type SmtpStandin, startSmtp } from '../standins/smtp.ts';
import {
  loadEmailRow,
  moveThroughStates,
  sendEmails,
  setUpSending,
  untilEmail,
  updateEmail,
} from './sending.ts';

const { ses, app } = setUpSending();

beforeEach(async () => {
  ses.reset();
  ses.set({}, { MaxSendRate: 1000 });
  await app.runtime.db.rows(sql`delete from svc_email where workspace_id > 0`);
});

const never = { keep: () => Promise.reject(new Error('not the local transport')) };

/** Starts a worker with a manual clock. Returns it with its log lines. */
function start(transport: Transport) {
  const lines: string[] = [];
  const say = (level: string) => (facts: object | string, text?: string) =>
    void lines.push(`${level}: ${text ?? facts}`);
  const log = Object.assign(Object.create(app.runtime.log), { warn: say('warn'), info: say('info') });
  const clock = createManualClock();
  const worker = startDelivery({ ...app.runtime, log }, transport, { clock });
  const stop = async () => {
    let isStopped = false;
    void worker.stop().then(() => {
      isStopped = true;
    });
    await clock.until(() => isStopped, 'it has stopped');
  };
  return { lines, clock, stop };
}

const startSesDelivery = async () => start(await createTransport(app.runtime.config, never));

describe('SES rejections', () => {
  test.each([
    ['SendingPausedException', 400, 'Sending paused for this account.'],
    ['AccountSuspendedException', 403, 'The account is suspended.'],
  ])('%s holds all mail with the reason and fails none', async (name, status, message) => {
    ses.set({ failures: { 'someone@example.org': { name, status, message } } });
    const { lines, clock, stop } = await startSesDelivery();
    const ids = await sendEmails(app, app.main, {}, 20);
    await untilEmail(app, ids[0]!, ({ reason }) => reason !== null, clock);
    const later = await sendEmails(app, app.main, { to: ['other@example.org'] });
    for (const id of [...ids, ...later]) {
      const heldEmail = await untilEmail(app, id, ({ reason }) => reason !== null, clock);
      expect(heldEmail).toMatchObject({ state: 'queued', reason: expect.stringContaining(name) });
    }
    expect(lines).toEqual(['warn: the mail provider accepts no mail from this account; emails stay queued']);
    ses.set({ failures: {} });
    await clock.jump(900_000);
    for (const id of [...ids, ...later]) await updateEmail(app, id, 'run_at = now()');
    for (const id of [...ids, ...later]) await untilEmail(app, id, ({ state }) => state === 'sent', clock);
    expect(lines.slice(1)).toEqual(['info: the mail provider is reachable again']);
    expect(ses.duplicates()).toEqual({});
    await stop();
  });

  test('lets a held scheduled email, but not one in progress, be canceled or rescheduled', async () => {
    const error = {
      name: 'SendingPausedException',
      status: 400,
      message: 'Sending paused for this account.',
    };
    ses.set({ failures: { 'someone@example.org': error } });
    const { clock, stop } = await startSesDelivery();
    const scheduledAt = new Date(Date.now() + 100).toISOString();
    const ids = await sendEmails(app, app.main, { scheduledAt }, 3);
    for (const id of ids) await untilEmail(app, id, ({ reason }) => reason !== null, clock);
    const [cancelled, moved, leaving] = ids as [string, string, string];
    const changeEmail = async (name: string, id: string, extra = '') => {
      const { data, errors } = await app.graphql(
        `mutation { ${name}(id: "${id}"${extra}) { latestStatus } }`,
      );
      return errors[0]?.message ?? data[name].latestStatus;
    };
    expect(await changeEmail('emailCancel', cancelled)).toBe('CANCELLED');
    expect(await changeEmail('emailReschedule', moved, ', scheduledAt: "2099-01-01T00:00:00Z"')).toBe(
      'SCHEDULED',
    );
    await moveThroughStates(app, leaving, 'sending');
    expect(await changeEmail('emailCancel', leaving)).toBe(
      'The email is already being sent and can no longer be changed.',
    );
    await moveThroughStates(app, leaving, 'queued');
    ses.set({ failures: {} });
    await clock.jump(900_000);
    await updateEmail(app, leaving, 'run_at = now()');
    await untilEmail(app, leaving, ({ state }) => state === 'sent', clock);
    expect([(await loadEmailRow(app, cancelled)).state, (await loadEmailRow(app, moved)).state]).toEqual([
      'cancelled',
      'queued',
    ]);
    expect(ses.accepted.map(({ emailId }) => emailId)).toEqual([leaving]);
    await stop();
  });

  test.each([
    ['MailFromDomainNotVerifiedException', 'The domain is not verified.'],
    [
      'MessageRejected',
      'Email address is not verified. The following identities failed the check in region EU: me@main.test',
    ],
  ])("%s for a sender holds only its domain's mail", async (name, message) => {
    const slug = name.toLowerCase().slice(0, 10);
    ses.verify(`${slug}.test`);
    const otherTenant = await app.tenant(slug);
    ses.set({ failures: { 'someone@example.org': { name, message } } });
    const { lines, clock, stop } = await startSesDelivery();
    const [first] = await sendEmails(app, app.main);
    await untilEmail(app, first!, ({ reason }) => reason !== null, clock);
    const posts = ses.posts();
    const waiting = await sendEmails(app, app.main, { to: ['fine@example.org'] }, 3);
    const [elsewhere] = await sendEmails(app, otherTenant, { to: ['fine@example.org'] });
    await untilEmail(app, elsewhere!, ({ state }) => state === 'sent', clock);
    for (const id of waiting) {
      const heldEmail = await untilEmail(app, id, ({ reason }) => reason !== null, clock);
      expect(heldEmail).toMatchObject({ state: 'queued', reason: expect.stringContaining(name) });
    }
    expect(ses.posts()).toBe(posts + 1);
    expect(lines).toEqual(['warn: the mail provider rejects some of the mail; it stays queued']);
    ses.set({ failures: {} });
    await clock.jump(60_000);
    for (const id of [first!, ...waiting]) {
      await updateEmail(app, id, 'run_at = now()');
      await untilEmail(app, id, ({ state }) => state === 'sent', clock);
    }
    expect(lines.slice(1)).toEqual(['info: the mail provider accepts this mail again']);
    await stop();
  });

  test('holds only tracked mail if the configuration set is missing', async () => {
    const missing = {
      name: 'NotFoundException',
      status: 404,
      message: 'Configuration set <x> does not exist.',
    };
    ses.set({ failures: { 'someone@example.org': missing } });
    const { clock, stop } = await startSesDelivery();
    const [id] = await sendEmails(app, app.main);
    const heldEmail = await untilEmail(app, id!, ({ reason }) => reason !== null, clock);
    expect(heldEmail).toMatchObject({ state: 'queued', reason: expect.stringContaining('does not exist') });
    ses.set({ failures: {} });
    await clock.jump(60_000);
    await updateEmail(app, id!, 'run_at = now()');
    await untilEmail(app, id!, ({ state }) => state === 'sent', clock);
    await stop();
  });
});

describe('SMTP relay rejections', () => {
  let relay: SmtpStandin;
  beforeAll(async () => {
    relay = await startSmtp();
  });
  afterAll(() => relay?.close());

  test('holds only mail from a rejected sender', async () => {
    relay.refuse.set('me@main.test', { code: 550, text: '5.7.1 not your address' });
    const { clock, stop } = start(createSmtpTransport({ url: relay.url }));
    const [first] = await sendEmails(app, app.main);
    await untilEmail(app, first!, ({ reason }) => reason !== null, clock);
    const [second] = await sendEmails(app, app.main, { from: 'you@main.test' });
    await untilEmail(app, second!, ({ state }) => state === 'sent', clock);
    expect(await loadEmailRow(app, first!)).toMatchObject({
      state: 'queued',
      reason: expect.stringContaining('5.7.1'),
    });
    relay.refuse.clear();
    await clock.jump(60_000);
    await updateEmail(app, first!, 'run_at = now()');
    await untilEmail(app, first!, ({ state }) => state === 'sent', clock);
    await stop();
  });

  test.each([
    [554, '5.7.1 <someone@example.org>: Relay access denied'],
    [550, '5.4.5 Daily user sending limit exceeded'],
    [530, '5.7.0 Authentication required'],
  ])('holds all mail on %i %s for a recipient', async (code, text) => {
    relay.refuse.set('someone@example.org', { code, text });
    const { clock, stop } = start(createSmtpTransport({ url: relay.url }));
    const [first] = await sendEmails(app, app.main);
    const heldEmail = await untilEmail(app, first!, ({ reason }) => reason !== null, clock);
    expect(heldEmail).toMatchObject({ state: 'queued', reason: expect.stringContaining(text.slice(0, 5)) });
    const [second] = await sendEmails(app, app.main, { to: ['fine@example.org'] });
    await untilEmail(app, second!, ({ reason }) => reason !== null, clock);
    expect(await loadEmailRow(app, second!)).toMatchObject({ state: 'queued' });
    relay.refuse.clear();
    await clock.jump(900_000);
    for (const id of [first!, second!]) {
      await updateEmail(app, id, 'run_at = now()');
      await untilEmail(app, id, ({ state }) => state === 'sent', clock);
    }
    await stop();
  });
});
