import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ListSuppressedDestinationsCommand,
  PutSuppressedDestinationCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findNoticeEmails } from '../../schema/email/provider/apply-notices.ts';
import { waitForNotices } from '../../schema/email/provider/notices.ts';
import { reconcile } from '../../schema/email/provider/reconcile.ts';
import { parseSesEvent } from '../../schema/email/provider/ses-event.ts';
import { isSnsUrl, parseSnsEnvelope } from '../../schema/email/provider/sns.ts';
import { recordEvents } from '../../schema/email/state/email-events.ts';
import { sql } from '../../src/db/sql.ts';
import { removeSesSuppression } from '../../src/email/ses-suppression.ts';
import { listScheduledJobs } from '../../src/engine/work/jobs.ts';
import { AppError } from '../../src/errors.ts';
import { startTeam } from '../harness/facades/rest.ts';
import { setUp } from '../harness/set-up.ts';
import { pause } from '../harness/wait.ts';
import { createTopic, type SnsEnvelope, type Topic } from '../standins/sns.ts';
import {
  buildSesEnv,
  loadEmailRow,
  loadEvents,
  moveThroughStates,
  sendEmails,
  setUpSes,
  untilEmail,
  updateEmail,
} from './sending.ts';

const ses = setUpSes();
const team = setUp(() => {
  ses.set({}, { MaxSendRate: 1000 });
  return startTeam({
    ...buildSesEnv(ses),
    SES_TOPIC_ARNS: `arn:aws:sns:eu-west-1:123456789012:other, ${ses.topic.arn}`,
    AWS_SNS_ENDPOINT: ses.url,
  });
});
let callback: string;

beforeAll(async () => {
  callback = `${team.url}/api/ses_callback`;
  await team.runtime.db.rows(sql`update svc_domain set status = 'SUCCESS' where workspace_id > 0`);
  await team.deliver();
});

async function sendEmail(email: object = {}): Promise<{ id: string; messageId: string }> {
  const [id] = await sendEmails(team, team.main, email);
  const { provider_id } = await untilEmail(team, id!, ({ state }) => state === 'sent');
  return { id: id!, messageId: provider_id! };
}

type Kind = 'Send' | 'Delivery' | 'Bounce' | 'Complaint' | 'Reject' | 'Open' | 'Click' | 'DeliveryDelay';

const recipient = 'someone@example.org';

function buildEvent(
  kind: Kind | 'Rendering Failure',
  messageId: string,
  overrides: object = {},
  mail: object = {},
) {
  const key = kind === 'Rendering Failure' ? 'failure' : kind[0]!.toLowerCase() + kind.slice(1);
  const timestamp = new Date().toISOString();
  return {
    eventType: kind,
    mail: { messageId, timestamp, destination: [recipient], ...mail },
    [key]: { timestamp, ...overrides },
  };
}

const buildBounce = (bounceType: string, ...addresses: string[]) => ({
  bounceType,
  bounceSubType: 'General',
  bouncedRecipients: addresses.map((emailAddress) => ({
    emailAddress,
    diagnosticCode: 'smtp; 550 5.1.1 user unknown',
  })),
});

/** Posts a notification, and waits until it is applied. */
async function postNotification(
  envelope: ReturnType<Topic['notification']>,
  topic: Topic = ses.topic,
): Promise<number> {
  const status = await topic.post(callback, envelope);
  await waitForNotices(team.runtime.db);
  return status;
}

const reportEvent = (message: object, topic: Topic = ses.topic): Promise<number> =>
  postNotification(topic.notification(message), topic);

const loadStatuses = async (id: string) => (await loadEvents(team, id)).map((event) => event.status);

const loadSuppressions = async () =>
  (
    await team.runtime.db.rows<{ email: string; reason: string; source: string }>(
      sql`select email, reason, source from svc_suppression where workspace_id > 0 order by email`,
    )
  ).map(({ email, reason, source }) => [email, reason, source]);

const readUsage = async () => {
  const { json } = await team.ask('GET', '/api/v1/analytics/email-time-series?days=7');
  return json.totalCounts;
};

beforeEach(async () => {
  for (const table of ['svc_suppression', 'svc_soft_bounce', 'svc_daily_usage'])
    await team.runtime.db.rows(sql.given(`delete from ${table} where workspace_id > 0`, []));
});

describe('SES event notifications', () => {
  test('responds to GET with 200', async () => {
    const response = await fetch(callback);
    expect([response.status, await response.json()]).toEqual([200, { data: 'Hello' }]);
  });

  test('update the status for deliveries, opens and clicks, and count once per email', async () => {
    const { id, messageId } = await sendEmail();
    for (const kind of ['Send', 'Delivery', 'Open', 'Open', 'Click', 'Click', 'Open'] as const)
      expect(
        await reportEvent(buildEvent(kind, messageId, kind === 'Click' ? { link: 'https://x.test/' } : {})),
      ).toBe(200);
    expect((await loadEmailRow(team, id)).latest_status).toBe('CLICKED');
    // The worker recorded SENT, so the provider's Send adds no second event.
    expect(await loadStatuses(id)).toEqual([
      'SENT',
      'DELIVERED',
      'OPENED',
      'OPENED',
      'CLICKED',
      'CLICKED',
      'OPENED',
    ]);
    expect(await readUsage()).toEqual({
      sent: 1,
      delivered: 1,
      opened: 1,
      clicked: 1,
      bounced: 0,
      complained: 0,
    });
  });

  test('are applied once if delivered twice, even concurrently', async () => {
    const { id, messageId } = await sendEmail();
    const notice = ses.topic.notification(buildEvent('Delivery', messageId));
    const responses = await Promise.all(Array.from({ length: 10 }, () => postNotification(notice)));
    responses.push(await postNotification(notice));
    expect(new Set(responses)).toEqual(new Set([200]));
    expect(await loadStatuses(id)).toEqual(['SENT', 'DELIVERED']);
    expect(await readUsage()).toMatchObject({ sent: 1, delivered: 1 });
  });

  describe('duplicate events with different SNS message ids', () => {
    const loadWebhookCalls = (id: string) =>
      team.runtime.db.rows<{ type: string }>(
        sql`select c.type from svc_webhook_call c
         join svc_email e on e.workspace_id = c.workspace_id and e.id = c.email_id
         where e.public_id = ${id} and c.type not in ('email.queued', 'email.sent') order by c.id`,
      );

    /** Builds an identity notification, which uses another name for the kind. */
    const buildNotification = ({ eventType, ...rest }: ReturnType<typeof buildEvent>) => ({
      notificationType: eventType,
      ...rest,
    });
    const changeZone = (notification: object) =>
      JSON.parse(JSON.stringify(notification).replace(/(\d\d:\d\d:\d\d\.\d\d\d)Z/g, '$1+0000'));

    beforeAll(async () => {
      const { data } = await team.graphql(
        'mutation { webhookCreate(url: "https://hooks.example.com/ses") { id secret } }',
      );
      expect(data.webhookCreate).toBeDefined();
    });
    afterAll(() => team.runtime.db.rows(sql`delete from svc_webhook where workspace_id > 0`));

    test.each([
      ['Delivery', 'DELIVERED', 'delivered', { recipients: [recipient] }],
      ['Bounce', 'BOUNCED', 'bounced', buildBounce('Permanent', recipient)],
      ['Bounce', 'BOUNCED', 'bounced', buildBounce('Transient', recipient)],
      ['Complaint', 'COMPLAINED', 'complained', { complainedRecipients: [{ emailAddress: recipient }] }],
      ['Reject', 'REJECTED', null, { reason: 'Bad content' }],
      ['Open', 'OPENED', 'opened', { ipAddress: '192.0.2.1', userAgent: 'A' }],
      ['Click', 'CLICKED', 'clicked', { ipAddress: '192.0.2.1', userAgent: 'A', link: 'https://a.test/' }],
      ['Rendering Failure', 'RENDERING_FAILURE', null, { errorMessage: 'no such variable' }],
      [
        'DeliveryDelay',
        'DELIVERY_DELAYED',
        null,
        { delayType: 'MailboxFull', delayedRecipients: [{ emailAddress: recipient }] },
      ],
    ] as const)(
      '%s creates one entry, one webhook call and one count',
      async (kind, status, counter, overrides) => {
        const { id, messageId } = await sendEmail();
        const before = await readUsage();
        const notification = buildEvent(kind, messageId, overrides);
        for (const copy of [
          notification,
          notification,
          buildNotification(notification),
          changeZone(notification),
          changeZone(buildNotification(notification)),
        ])
          expect(await reportEvent(copy)).toBe(200);
        expect(await loadStatuses(id)).toEqual(['SENT', status]);
        expect(await loadWebhookCalls(id)).toEqual([{ type: `email.${status.toLowerCase()}` }]);
        if (counter) expect((await readUsage())[counter]).toBe(before[counter] + 1);
      },
    );

    test('treats a different timestamp, recipient or link as a separate event', async () => {
      const { id, messageId } = await sendEmail();
      const timestamp = new Date().toISOString();
      await reportEvent(buildEvent('Click', messageId, { timestamp, link: 'https://a.test/' }));
      await reportEvent(buildEvent('Click', messageId, { timestamp, link: 'https://b.test/' }));
      await reportEvent(
        buildEvent('Click', messageId, { timestamp: '2026-01-01T00:00:00Z', link: 'https://a.test/' }),
      );
      await reportEvent(buildEvent('Delivery', messageId, { timestamp, recipients: [recipient] }));
      await reportEvent(buildEvent('Delivery', messageId, { timestamp, recipients: ['other@example.org'] }));
      expect(await loadStatuses(id)).toEqual([
        'SENT',
        ...['CLICKED', 'CLICKED', 'CLICKED', 'DELIVERED', 'DELIVERED'],
      ]);
    });
  });

  test.each([
    [['Delivery', 'Bounce'], 'BOUNCED'],
    [['Bounce', 'Delivery'], 'BOUNCED'],
    [['Complaint', 'Open', 'Delivery', 'Send'], 'COMPLAINED'],
    [['Click', 'Open', 'Delivery', 'DeliveryDelay', 'Send'], 'CLICKED'],
    [['Delivery', 'DeliveryDelay'], 'DELIVERED'],
    [['DeliveryDelay'], 'DELIVERY_DELAYED'],
    [['Reject', 'Send'], 'REJECTED'],
    [['Rendering Failure'], 'RENDERING_FAILURE'],
  ] as const)('in the order %s result in the status %s', async (kinds, status) => {
    const { id, messageId } = await sendEmail();
    for (const kind of kinds)
      await reportEvent(
        buildEvent(kind, messageId, kind === 'Bounce' ? buildBounce('Transient', recipient) : {}),
      );
    expect((await loadEmailRow(team, id)).latest_status).toBe(status);
  });

  test('produce the same result in any order', async () => {
    const kinds = ['Send', 'Delivery', 'Open', 'Click', 'Bounce', 'Complaint'] as const;
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...kinds], { minLength: 6 }), async (order) => {
        const { id, messageId } = await sendEmail();
        await Promise.all(order.map((kind) => reportEvent(buildEvent(kind, messageId))));
        expect((await loadEmailRow(team, id)).latest_status).toBe('COMPLAINED');
        expect((await loadStatuses(id)).sort()).toEqual(
          ['BOUNCED', 'CLICKED', 'COMPLAINED', 'DELIVERED', 'OPENED', 'SENT'].sort(),
        );
      }),
      { numRuns: 5 },
    );
  });

  test('suppress addresses of permanent bounces and complaints, but not of transient bounces', async () => {
    const to = ['gone', 'away', 'angry', 'full'].map((name) => `${name}@example.org`);
    const { id, messageId } = await sendEmail({ to });
    await reportEvent(buildEvent('Bounce', messageId, buildBounce('Transient', 'full@example.org')));
    expect(await loadSuppressions()).toEqual([]);
    await reportEvent(
      buildEvent(
        'Bounce',
        messageId,
        buildBounce('Permanent', '"Gone" <Gone@Example.org>', 'away@example.org'),
      ),
    );
    await reportEvent(
      buildEvent('Complaint', messageId, {
        complainedRecipients: [{ emailAddress: 'angry@example.org' }, { emailAddress: 'away@example.org' }],
      }),
    );
    expect(await loadSuppressions()).toEqual([
      ['angry@example.org', 'COMPLAINT', id],
      ['away@example.org', 'HARD_BOUNCE', id],
      ['gone@example.org', 'HARD_BOUNCE', id],
    ]);
    const { json } = await team.ask('GET', '/api/v1/analytics/reputation-metrics');
    expect(json).toMatchObject({ delivered: 0, hardBounced: 1, complained: 1 });
    const [repeatedId] = await sendEmails(team, team.main, { to: ['Gone <GONE@example.org>'] });
    expect((await loadEmailRow(team, repeatedId!)).state).toBe('suppressed');
  });

  const buildRecipientBounce = (bounceType: string, bounceSubType: string, diagnosticCode: string) => ({
    bounceType,
    bounceSubType,
    bouncedRecipients: [{ emailAddress: recipient, action: 'failed', diagnosticCode }],
  });
  const buildComplaint = (
    complaintFeedbackType: string | undefined,
    complaintSubType: string | null = null,
  ) => ({
    complaintSubType,
    complaintFeedbackType,
    complainedRecipients: [{ emailAddress: recipient }],
  });
  const UNKNOWN = 'smtp; 550 5.1.1 user unknown';

  // As documented by SES.
  const subtypes = [
    ['Bounce', buildRecipientBounce('Undetermined', 'Undetermined', ''), 'BOUNCED', null],
    ['Bounce', buildRecipientBounce('Permanent', 'General', UNKNOWN), 'BOUNCED', 'HARD_BOUNCE'],
    ['Bounce', buildRecipientBounce('Permanent', 'General', ''), 'BOUNCED', 'HARD_BOUNCE'],
    ['Bounce', buildRecipientBounce('Permanent', 'NoEmail', ''), 'BOUNCED', 'HARD_BOUNCE'],
    ['Bounce', buildRecipientBounce('Permanent', 'Suppressed', ''), 'BOUNCED', 'HARD_BOUNCE'],
    ['Bounce', buildRecipientBounce('Permanent', 'OnAccountSuppressionList', ''), 'BOUNCED', 'HARD_BOUNCE'],
    ['Bounce', buildRecipientBounce('Permanent', 'UnsubscribedRecipient', ''), 'BOUNCED', null],
    ['Bounce', buildRecipientBounce('Transient', 'General', ''), 'BOUNCED', null],
    ['Bounce', buildRecipientBounce('Transient', 'MailboxFull', ''), 'BOUNCED', null],
    ['Bounce', buildRecipientBounce('Transient', 'MessageTooLarge', ''), 'BOUNCED', null],
    ['Bounce', buildRecipientBounce('Transient', 'ContentRejected', ''), 'BOUNCED', null],
    ['Bounce', buildRecipientBounce('Transient', 'AttachmentRejected', ''), 'BOUNCED', null],
    // Rejections because the sender is blocked, for which SES has no subtype.
    [
      'Bounce',
      buildRecipientBounce('Permanent', 'General', 'smtp; 550 5.7.1 blocked for reputation'),
      'BOUNCED',
      null,
    ],
    [
      'Bounce',
      buildRecipientBounce('Permanent', 'General', 'smtp; 550 5.7.26 unauthenticated'),
      'BOUNCED',
      null,
    ],
    [
      'Bounce',
      buildRecipientBounce('Permanent', 'General', 'smtp; 554 listed at zen.spamhaus.org'),
      'BOUNCED',
      null,
    ],
    [
      'Bounce',
      buildRecipientBounce('Permanent', 'General', 'smtp; 550 5.1.8 sender address rejected'),
      'BOUNCED',
      null,
    ],
    ['Complaint', buildComplaint('abuse'), 'COMPLAINED', 'COMPLAINT'],
    ['Complaint', buildComplaint('fraud'), 'COMPLAINED', 'COMPLAINT'],
    ['Complaint', buildComplaint('virus'), 'COMPLAINED', 'COMPLAINT'],
    ['Complaint', buildComplaint('other'), 'COMPLAINED', 'COMPLAINT'],
    ['Complaint', buildComplaint(undefined), 'COMPLAINED', 'COMPLAINT'],
    ['Complaint', buildComplaint(undefined, 'OnAccountSuppressionList'), 'COMPLAINED', 'COMPLAINT'],
    ['Complaint', buildComplaint('not-spam'), 'SENT', null],
    ['Complaint', buildComplaint('auth-failure'), 'SENT', null],
  ] as const;

  test.each(subtypes)(
    'set email status and suppressed addresses: %s (case %$)',
    async (kind, overrides, status, reason) => {
      const { id, messageId } = await sendEmail();
      const readRates = async () => (await team.ask('GET', '/api/v1/analytics/reputation-metrics')).json;
      const before = await readRates();
      expect(await reportEvent(buildEvent(kind, messageId, overrides))).toBe(200);
      expect((await loadEmailRow(team, id)).latest_status).toBe(status);
      expect(await loadSuppressions()).toEqual(reason ? [[recipient, reason, id]] : []);
      const { hardBounced, complained } = await readRates();
      expect([hardBounced - before.hardBounced, complained - before.complained]).toEqual([
        reason === 'HARD_BOUNCE' ? 1 : 0,
        reason === 'COMPLAINT' ? 1 : 0,
      ]);
    },
  );

  test('do not suppress recipients whose bounce was caused by a policy', async () => {
    const { messageId } = await sendEmail({ to: ['gone@example.org', 'strict@example.org'] });
    const bouncedRecipients = [
      { emailAddress: 'strict@example.org', diagnosticCode: 'smtp; 550 5.7.1 blocked' },
      { emailAddress: 'gone@example.org', diagnosticCode: UNKNOWN },
    ];
    await reportEvent(
      buildEvent('Bounce', messageId, {
        bounceType: 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients,
      }),
    );
    expect((await loadSuppressions()).map(([email]) => email)).toEqual(['gone@example.org']);
  });

  test.each([
    ['Bounce', buildBounce('Permanent', 'forwarded@elsewhere.test'), 'HARD_BOUNCE'],
    ['Complaint', { complainedRecipients: [{ emailAddress: 'forwarded@elsewhere.test' }] }, 'COMPLAINT'],
  ] as const)(
    'apply a %s of a forwarding target to the original address',
    async (kind, overrides, reason) => {
      const { id, messageId } = await sendEmail();
      await reportEvent(buildEvent(kind, messageId, overrides));
      expect(await loadSuppressions()).toEqual([[recipient, reason, id]]);
      // With several recipients, the affected one is unknown.
      const { messageId: other } = await sendEmail({ to: ['a@example.org'], cc: ['b@example.org'] });
      await reportEvent(buildEvent(kind, other, overrides));
      expect(await loadSuppressions()).toEqual([[recipient, reason, id]]);
    },
  );

  describe('repeated soft bounces', () => {
    /** Sends `times` emails to a unique address, each followed by a bounce. @returns ids of the emails */
    async function sendAndBounce(to: string, times: number, overrides: object = {}): Promise<string[]> {
      const ids = await sendEmails(team, team.main, { to: [to] }, times);
      for (const id of ids) {
        const { provider_id } = await untilEmail(team, id, ({ state }) => state === 'sent');
        const bouncedRecipients = [{ emailAddress: to, action: 'failed' }];
        const kind = { bounceType: 'Transient', bounceSubType: 'General', bouncedRecipients, ...overrides };
        expect(await reportEvent(buildEvent('Bounce', provider_id!, kind))).toBe(200);
      }
      return ids;
    }
    const stateOfNext = async (to: string) => {
      const [id] = await sendEmails(team, team.main, { to: [to] });
      return (await loadEmailRow(team, id!)).state;
    };
    const loadSuppressionRows = async () => {
      const { data } = await team.graphql(`{
        suppressions { nodes { email reason expiresAt } } suppressionStatistics { softBounce total }
      }`);
      return data;
    };

    test('suppress an address for 7 days after the fifth bounce within 14 days', async () => {
      const to = 'Full@example.org';
      await sendAndBounce(to, 4);
      expect(await loadSuppressions()).toEqual([]);
      const [fifth] = await sendAndBounce(to, 1);
      expect(await loadSuppressions()).toEqual([['full@example.org', 'SOFT_BOUNCE', fifth]]);
      expect(await stateOfNext(to)).toBe('suppressed');
      const { suppressions, suppressionStatistics } = await loadSuppressionRows();
      expect(suppressions.nodes).toMatchObject([{ email: 'full@example.org', reason: 'SOFT_BOUNCE' }]);
      const days = (Date.parse(suppressions.nodes[0].expiresAt) - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(6.9);
      expect(days).toBeLessThanOrEqual(7);
      expect(suppressionStatistics).toEqual({ softBounce: 1, total: 1 });
    });

    test('do not extend an expired suppression, but can create a new one', async () => {
      const to = 'full@example.org';
      const expire = () =>
        team.runtime.db.rows(
          sql`update svc_suppression set expires_at = now() - interval '1 second' where workspace_id > 0`,
        );
      await sendAndBounce(to, 5);
      await expire();
      expect((await loadSuppressionRows()).suppressionStatistics).toEqual({ softBounce: 0, total: 0 });
      const { data } = await team.graphql('{ suppressionsExport }');
      expect(data.suppressionsExport).not.toContain(to);
      const [repeatedId] = await sendAndBounce(to, 1);
      expect(await loadSuppressions()).toEqual([[to, 'SOFT_BOUNCE', repeatedId]]);
      expect(await stateOfNext(to)).toBe('suppressed');
      await expire();
      expect(await stateOfNext(to)).not.toBe('suppressed');
      await listScheduledJobs()
        .find(({ name }) => name === 'suppression-expiry')!
        .run(team.runtime, {});
      expect(await loadSuppressions()).toEqual([]);
    });

    test('do not prevent a permanent suppression after a hard bounce or a manual addition', async () => {
      const to = 'full@example.org';
      await sendAndBounce(to, 5);
      const { data } = await team.graphql(
        `mutation { suppressionsAdd(emails: ["${to}"]) { added suppressions { reason expiresAt } } }`,
      );
      expect(data.suppressionsAdd).toEqual({
        added: 1,
        suppressions: [{ reason: 'MANUAL', expiresAt: null }],
      });
      await team.runtime.db.rows(sql`delete from svc_suppression where workspace_id > 0`);
      const [soft, hard, late] = await sendEmails(team, team.main, { to: [to] }, 3);
      const readId = async (id: string) =>
        (await untilEmail(team, id, ({ state }) => state === 'sent')).provider_id!;
      const [softId, hardId, lateId] = [await readId(soft!), await readId(hard!), await readId(late!)];
      await reportEvent(buildEvent('Bounce', softId, buildRecipientBounce('Transient', 'General', '')));
      await reportEvent(buildEvent('Bounce', hardId, buildBounce('Permanent', to)));
      await reportEvent(buildEvent('Bounce', lateId, buildBounce('Transient', to)));
      expect(await loadSuppressions()).toEqual([[to, 'HARD_BOUNCE', hard]]);
    });

    test('are counted from zero after a delivery, regardless of the order in a batch', async () => {
      const to = 'away@example.org';
      await sendAndBounce(to, 4);
      const [id] = await sendEmails(team, team.main, { to: [to] });
      const { provider_id } = await untilEmail(team, id!, ({ state }) => state === 'sent');
      await reportEvent(buildEvent('Delivery', provider_id!, { recipients: [to] }));
      await sendAndBounce(to, 4);
      expect(await loadSuppressions()).toEqual([]);
      // An auto-reply: delivered, then bounced.
      const numbers = await loadEmailNumbers(await sendEmails(team, team.main, { to: [to] }, 10));
      const recipients = { recipients: [to] };
      const reply = { bounceType: 'Transient', bouncedRecipients: [{ emailAddress: to }] };
      const { db, config } = team.runtime;
      for (const email of numbers)
        await recordEvents(db, config, [
          { ...email, status: 'DELIVERED', data: recipients },
          { ...email, status: 'BOUNCED', data: reply },
        ]);
      expect(await loadSuppressions()).toEqual([]);
      const five = await loadEmailNumbers(await sendEmails(team, team.main, { to: [to] }, 5));
      const all = five.map((email) => ({ ...email, status: 'BOUNCED' as const, data: reply }));
      await recordEvents(db, config, all);
      expect((await loadSuppressions()).map(([, reason]) => reason)).toEqual(['SOFT_BOUNCE']);
    });

    const loadEmailNumbers = (ids: string[]) =>
      team.runtime.db.rows<{ workspaceId: number; emailId: number }>(
        sql`select workspace_id as "workspaceId", id as "emailId" from svc_email
         where workspace_id > 0 and public_id = any(${ids}) order by id`,
      );

    test('are not counted across workspaces, after 14 days, or once the suppression is removed', async () => {
      const to = 'full@example.org';
      await sendAndBounce(to, 4);
      await team.runtime.db.rows(
        sql`update svc_soft_bounce set times = array(select t - interval '15 days' from unnest(times) t)
         where workspace_id > 0`,
      );
      await sendAndBounce(to, 4);
      expect(await loadSuppressions()).toEqual([]);
      await team.runtime.db.rows(
        sql`update svc_soft_bounce set workspace_id = 999999 where workspace_id > 0`,
      );
      await sendAndBounce(to, 4);
      expect(await loadSuppressions()).toEqual([]);
      await sendAndBounce(to, 1);
      await team.graphql(`mutation { suppressionRemove(email: "${to}") }`);
      await sendAndBounce(to, 4);
      expect(await loadSuppressions()).toEqual([]);
    });

    test('are counted once if reported several times', async () => {
      const [id] = await sendEmails(team, team.main, { to: ['full@example.org'] });
      const { provider_id } = await untilEmail(team, id!, ({ state }) => state === 'sent');
      for (let second = 10; second < 20; second++) {
        const timestamp = `2026-01-01T00:00:${second}Z`;
        await reportEvent(
          buildEvent('Bounce', provider_id!, { ...buildBounce('Transient', 'full@example.org'), timestamp }),
        );
      }
      expect(await loadSuppressions()).toEqual([]);
    });

    test.each([
      [{ bounceSubType: 'MailboxFull' }, true],
      [{ bounceType: 'Undetermined', bounceSubType: 'Undetermined' }, true],
      [
        {
          bouncedRecipients: [{ emailAddress: 'x@example.org', diagnosticCode: 'smtp; 554 5.4.4 no route' }],
        },
        true,
      ],
      [{ bounceSubType: 'ContentRejected' }, false],
      [{ bounceSubType: 'AttachmentRejected' }, false],
      [{ bounceSubType: 'MessageTooLarge' }, false],
      [{ bounceType: 'Permanent', bounceSubType: 'UnsubscribedRecipient' }, false],
      [
        { bouncedRecipients: [{ emailAddress: 'x@example.org', diagnosticCode: 'smtp; 421 4.7.0 [TSS04]' }] },
        false,
      ],
    ])('count for %j: %s', async (overrides, counts) => {
      await sendAndBounce('x@example.org', 5, overrides);
      expect((await loadSuppressions()).length).toBe(counts ? 1 : 0);
    });

    test('suppress nothing with a limit of 0', async () => {
      const { config } = team.runtime;
      const { softBounces } = config;
      config.softBounces = null;
      try {
        await sendAndBounce('full@example.org', 6);
      } finally {
        config.softBounces = softBounces;
      }
      expect(await loadSuppressions()).toEqual([]);
    });
  });

  test('store the details that SES reports', async () => {
    const { id, messageId } = await sendEmail();
    await reportEvent(buildEvent('Rendering Failure', messageId, { errorMessage: 'no such variable' }));
    expect((await loadEvents(team, id)).at(-1)).toMatchObject({
      status: 'RENDERING_FAILURE',
      data: { errorMessage: 'no such variable' },
    });
  });

  test('identify an email by a header if its response was lost, and mark it as sent', async () => {
    const { id } = await sendEmail();
    await moveThroughStates(team, id, 'queued', 'sending');
    await updateEmail(team, id, `state = 'unknown', latest_status = 'DELIVERY_DELAYED', provider_id = null`);
    await team.runtime.db.rows(
      sql`delete from svc_email_event v using svc_email e where v.workspace_id = e.workspace_id and v.email_id = e.id and e.public_id = ${id}`,
    );
    const headers = [
      { name: 'From', value: 'x' },
      { name: 'X-Atrium-Email-ID', value: id },
    ];
    await reportEvent(buildEvent('Send', 'another-message-id', {}, { headers }));
    expect(await loadEmailRow(team, id)).toMatchObject({
      state: 'sent',
      latest_status: 'SENT',
      provider_id: 'another-message-id',
    });
    // From now on, the provider's id suffices.
    await reportEvent(buildEvent('Delivery', 'another-message-id'));
    expect((await loadEmailRow(team, id)).latest_status).toBe('DELIVERED');
  });

  test('are matched only in the workspace named in the message tags', async () => {
    const { id, messageId } = await sendEmail();
    const workspace = team.main.ctx.workspace.id;
    const { tags } = ses.accepted.at(-1)!;
    expect(tags).toEqual({ workspace: String(workspace), email: id });
    const buildTags = (tenantId: number) => ({ tags: { workspace: [String(tenantId)], email: [id] } });
    await reportEvent(buildEvent('Delivery', messageId, {}, buildTags(workspace + 1)));
    expect((await loadEmailRow(team, id)).latest_status).toBe('SENT');
    const texts: string[] = [];
    const { db } = team.runtime;
    const spyOnApply = (notification: object) => {
      const notice = parseSesEvent(JSON.stringify(notification))!;
      const readRows: typeof db.rows = (statement, running) => {
        texts.push(statement.render().text);
        return db.rows(statement, running);
      };
      return findNoticeEmails({ ...db, rows: readRows }, [notice]);
    };
    const statements = await spyOnApply(buildEvent('Delivery', messageId, {}, buildTags(workspace)));
    expect(statements.get(0)).toMatchObject({ workspace_id: workspace });
    expect(await spyOnApply(buildEvent('Delivery', 'not known yet', {}, buildTags(workspace)))).toEqual(
      statements,
    );
    expect(texts).toHaveLength(3);
    for (const text of texts) expect(text).toContain('e.workspace_id = $2');
    await reportEvent(buildEvent('Delivery', messageId, {}, buildTags(workspace)));
    expect((await loadEmailRow(team, id)).latest_status).toBe('DELIVERED');
  });

  test('record the Send event once, whether the worker or SES reports it', async () => {
    const { id, messageId } = await sendEmail();
    await moveThroughStates(team, id, 'queued', 'sending');
    await team.runtime.db.rows(sql`delete from svc_email_event where workspace_id > 0 and status = 'SENT'`);
    await reportEvent(buildEvent('Send', messageId));
    expect(await loadStatuses(id)).toEqual([]);
    // The worker has died in the meantime, so the outcome is unknown.
    await updateEmail(team, id, `state = 'unknown'`);
    await reconcile(team.runtime);
    expect(await loadStatuses(id)).toEqual(['SENT']);
    expect((await loadEmailRow(team, id)).state).toBe('sent');
    await reconcile(team.runtime);
    expect(await loadStatuses(id)).toEqual(['SENT']);
  });

  test('are acknowledged once stored, and applied once by any process', async () => {
    const { id, messageId } = await sendEmail();
    const repeats: Promise<void>[] = [];
    await team.runtime.db.transaction(async (tx) => {
      await tx.rows(sql`select from svc_email where workspace_id > 0 and public_id = ${id} for update`);
      const notice = ses.topic.notification(buildEvent('Delivery', messageId));
      expect(await ses.topic.post(callback, notice)).toBe(200);
      expect(await loadStatuses(id)).toEqual(['SENT']);
      repeats.push(reconcile(team.runtime), reconcile(team.runtime), waitForNotices(team.runtime.db));
    });
    await Promise.all(repeats);
    expect(await loadStatuses(id)).toEqual(['SENT', 'DELIVERED']);
    expect(await readUsage()).toMatchObject({ sent: 1, delivered: 1 });
  });

  test('are applied once if both the queue and the job process them', async () => {
    const [first, second] = [await sendEmail(), await sendEmail()];
    const repeats: Promise<void>[] = [];
    await team.runtime.db.transaction(async (tx) => {
      await tx.rows(sql`select from svc_email where workspace_id > 0 and public_id = ${first.id} for update`);
      for (const { messageId } of [first, second])
        expect(await ses.topic.post(callback, ses.topic.notification(buildEvent('Open', messageId)))).toBe(
          200,
        );
      repeats.push(reconcile(team.runtime), waitForNotices(team.runtime.db));
      // Waits until the job has processed all pending notifications.
      await pause(100);
    });
    await Promise.all(repeats);
    for (const { id } of [first, second]) expect(await loadStatuses(id)).toEqual(['SENT', 'OPENED']);
  });

  test('are stored for an unknown email and applied once it exists', async () => {
    const earlyId = 'not-known-yet';
    await reportEvent(buildEvent('Bounce', earlyId, buildBounce('Permanent', recipient)));
    await reconcile(team.runtime);
    const { id } = await sendEmail();
    await updateEmail(team, id, `provider_id = '${earlyId}'`);
    expect((await loadEmailRow(team, id)).latest_status).toBe('SENT');
    await reconcile(team.runtime);
    expect((await loadEmailRow(team, id)).latest_status).toBe('BOUNCED');
    expect(await loadSuppressions()).toHaveLength(1);
  });

  test('are acknowledged and ignored if they are not message events', async () => {
    const before = await countProviderEvents();
    for (const message of [
      { eventType: 'Subscription', mail: { messageId: 'x' } },
      {},
      { eventType: 'Open' },
    ])
      expect(await reportEvent(message)).toBe(200);
    expect(await countProviderEvents()).toBe(before);
  });

  test('are stripped of characters that the database cannot store, and applied with their batch', async () => {
    const [one, two] = [await sendEmail(), await sendEmail()];
    const responses = await Promise.all([
      reportEvent(buildEvent('Open', one.messageId, { userAgent: 'a \0 and half \ud83d' })),
      reportEvent(buildEvent('Open', two.messageId)),
    ]);
    expect(responses).toEqual([200, 200]);
    expect((await loadEvents(team, one.id)).at(-1)!.data).toMatchObject({ userAgent: 'a  and half \ufffd' });
  });

  test('record the outcomes of simulator addresses in the SES stand-in', async () => {
    await ses.subscribe(callback);
    ses.set({ autoEvents: true });
    const { id } = await sendEmail({
      to: ['bounce@simulator.amazonses.com', 'complaint@simulator.amazonses.com'],
    });
    await untilEmail(team, id, ({ latest_status }) => latest_status === 'COMPLAINED');
    ses.set({ autoEvents: false });
    expect((await loadStatuses(id)).sort()).toEqual(['BOUNCED', 'COMPLAINED', 'DELIVERED', 'SENT']);
    expect((await loadSuppressions()).map(([email]) => email)).toEqual([
      'bounce@simulator.amazonses.com',
      'complaint@simulator.amazonses.com',
    ]);
  });
});

test("removes an address from the provider's suppression list when it is unsuppressed", async () => {
  const address = 'back@example.org';
  const options = { region: 'eu-west-1', endpoint: ses.url };
  const client = new SESv2Client({ ...options, maxAttempts: 1 });
  await client.send(new PutSuppressedDestinationCommand({ EmailAddress: address, Reason: 'BOUNCE' }));
  await team.graphql(`mutation { suppressionsAdd(emails: ["${address}"]) { added } }`);
  await team.graphql(`mutation { suppressionRemove(email: "${address}") }`);
  const jobs = await team.runtime.db.rows(
    sql`select data from pgboss.job where name = 'provider-unsuppress' and data ->> 'address' = ${address}`,
  );
  expect(jobs).toEqual([{ data: { address } }]);
  await removeSesSuppression(options, address);
  // Repeated, because a job may run twice.
  await removeSesSuppression(options, address);
  const list = await client.send(new ListSuppressedDestinationsCommand({}));
  expect(list.SuppressedDestinationSummaries).toEqual([]);
  client.destroy();
});

const countProviderEvents = () =>
  team.runtime.db.value<number>(
    sql`select count(*)::int from svc_provider_event where workspace_id is null or workspace_id > 0`,
  );

describe('notification authentication', () => {
  test.each(['1', '2'] as const)('accepts signatures of version %s', async (version) => {
    const { id, messageId } = await sendEmail();
    const topic = createTopic({ base: () => signer.url, version });
    const signer = await serve(() => topic.pem);
    team.runtime.config.awsSnsEndpoint = signer.url;
    try {
      expect(await reportEvent(buildEvent('Delivery', messageId), topic)).toBe(200);
      expect((await loadEmailRow(team, id)).latest_status).toBe('DELIVERED');
      expect(signer.visits).toHaveLength(1);
      await reportEvent(buildEvent('Open', messageId), topic);
      // The certificate is cached.
      expect(signer.visits).toHaveLength(1);
    } finally {
      team.runtime.config.awsSnsEndpoint = ses.url;
      signer.close();
    }
  });

  const forgeries: [string, number, (envelope: SnsEnvelope) => object][] = [
    ['another message under the signature', 403, (e) => ({ ...e, Message: `${e.Message} ` })],
    ['another subject', 403, (e) => ({ ...e, Subject: 'more' })],
    ['another id', 403, (e) => ({ ...e, MessageId: 'another' })],
    ['the other version', 403, (e) => ({ ...e, SignatureVersion: '1' })],
    ['no signature', 400, ({ Signature: _, ...e }) => e],
    ['a topic that is not ours', 403, (e) => ({ ...e, TopicArn: 'arn:aws:sns:us-east-1:111111111111:x' })],
    ['a certificate from elsewhere', 403, (e) => ({ ...e, SigningCertURL: 'https://sns.evil.test/x.pem' })],
    ['a certificate that is none', 403, (e) => ({ ...e, SigningCertURL: `${ses.url}/x.txt` })],
    ['a message of last year', 403, (e) => ({ ...e, Timestamp: '2020-01-01T00:00:00.000Z' })],
    ['another type', 403, (e) => ({ ...e, Type: 'UnsubscribeConfirmation', Token: 'x' })],
    ['a type that is none', 400, (e) => ({ ...e, Type: 'Something' })],
    ['a raw delivery', 400, (e) => JSON.parse(e.Message)],
  ];
  test.each(forgeries)('rejects %s with %i and changes nothing', async (_, status, forge) => {
    const { id, messageId } = await sendEmail();
    const before = await countProviderEvents();
    const envelope = ses.topic.notification(
      buildEvent('Bounce', messageId, buildBounce('Permanent', recipient)),
    );
    const warned = vi.spyOn(team.runtime.log, 'warn');
    expect(await postNotification(forge(envelope) as SnsEnvelope)).toBe(status);
    // A stack would suggest an error of this server.
    for (const [facts] of warned.mock.calls) expect(facts).toMatchObject({ reason: expect.any(String) });
    warned.mockRestore();
    expect((await loadEmailRow(team, id)).latest_status).toBe('SENT');
    expect([await countProviderEvents(), await loadSuppressions()]).toEqual([before, []]);
  });

  test('rejects everything without SES_TOPIC_ARNS', async () => {
    const { sesTopicArns } = team.runtime.config;
    team.runtime.config.sesTopicArns = [];
    expect(await reportEvent(buildEvent('Delivery', 'x'))).toBe(403);
    team.runtime.config.sesTopicArns = sesTopicArns;
  });

  test('confirms subscriptions only for a known topic and a SubscribeURL of the provider', async () => {
    expect(await ses.subscribe(callback)).toBe(200);
    expect(ses.confirmed()).toBe(true);
    const elsewhere = await serve(() => 'ok');
    const topic = createTopic({
      base: () => elsewhere.url,
      certUrl: () => `${ses.url}/SimpleNotificationService-standin.pem`,
    });
    // Confirmations signed with another key, with our key but a foreign URL, and for another topic.
    expect(await topic.post(callback, topic.confirmation())).toBe(403);
    expect(
      await postNotification({
        ...ses.topic.confirmation(),
        SubscribeURL: `${elsewhere.url}/?Action=ConfirmSubscription`,
      }),
    ).toBe(403);
    // Correctly signed, but with a foreign URL.
    const signer = await serve(() => genuineTopic.pem);
    const genuineTopic = createTopic({
      base: () => elsewhere.url,
      certUrl: () => `${signer.url}/genuine.pem`,
    });
    team.runtime.config.awsSnsEndpoint = signer.url;
    try {
      expect(await genuineTopic.post(callback, genuineTopic.confirmation())).toBe(403);
      const tamperedNotification = { ...genuineTopic.notification({}), Message: 'changed' };
      expect(await genuineTopic.post(callback, tamperedNotification)).toBe(403);
      expect(await genuineTopic.post(callback, genuineTopic.notification(buildEvent('Delivery', 'x')))).toBe(
        200,
      );
    } finally {
      team.runtime.config.awsSnsEndpoint = ses.url;
      signer.close();
    }
    expect(signer.visits).toEqual(['/genuine.pem']);
    expect(elsewhere.visits).toEqual([]);
    elsewhere.close();
  });

  test.each([
    ['https://sns.eu-west-1.amazonaws.com/a.pem', true],
    ['https://sns.cn-north-1.amazonaws.com.cn/a.pem', true],
    ['http://sns.eu-west-1.amazonaws.com/a.pem', false],
    ['https://sns.eu-west-1.amazonaws.com.evil.test/a.pem', false],
    ['https://evil.test/sns.eu-west-1.amazonaws.com/a.pem', false],
    ['https://sns.eu-west-1.amazonaws.com@evil.test/a.pem', false],
    ['https://sns.eu-west-1.amazonaws.com:8443/a.pem', false],
    ['https://user@sns.eu-west-1.amazonaws.com/a.pem', false],
    ['https://bucket.s3.amazonaws.com/a.pem', false],
    ['https://xsns.eu-west-1.amazonaws.com/a.pem', false],
    ['', false],
  ])('decides whether %s belongs to Amazon SNS: %s', (url, expected) => {
    expect(isSnsUrl(url, null)).toBe(expected);
  });
});

describe('arbitrary notification bodies', () => {
  const body = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc
      .record({
        Type: fc.oneof(fc.constantFrom('Notification', 'SubscriptionConfirmation'), fc.jsonValue()),
        MessageId: fc.oneof(fc.string(), fc.jsonValue()),
        TopicArn: fc.oneof(fc.constant('arn'), fc.jsonValue()),
        Message: fc.oneof(fc.json(), fc.jsonValue()),
        Timestamp: fc.oneof(fc.constant(new Date().toISOString()), fc.jsonValue()),
        SignatureVersion: fc.oneof(fc.constantFrom('1', '2'), fc.jsonValue()),
        Signature: fc.oneof(fc.base64String(), fc.jsonValue()),
        SigningCertURL: fc.oneof(fc.webUrl(), fc.jsonValue()),
      })
      .map((value) => JSON.stringify(value)),
  );

  test('are parsed as an envelope or rejected with BAD_REQUEST', () => {
    fc.assert(
      fc.property(body, (text) => {
        try {
          const envelope = parseSnsEnvelope(Buffer.from(text));
          expect(typeof envelope.Message).toBe('string');
          expect(typeof envelope.MessageId).toBe('string');
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).kind).toBe('BAD_REQUEST');
        }
      }),
      { numRuns: 3000 },
    );
  });

  const hostile = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.constant(null),
      tie('object'),
      tie('list'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(
      fc.constantFrom(
        'eventType',
        'mail',
        'messageId',
        'headers',
        'tags',
        'bounce',
        'name',
        '__proto__',
        'x',
      ),
      tie('value'),
      { maxKeys: 5 },
    ),
  })).value;

  test('are either parsed as a storable event or ignored', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom('Bounce', 'Open', 'constructor'), (value, kind) => {
        const event = {
          eventType: kind,
          mail: { messageId: 'm', headers: value, tags: value },
          bounce: value,
        };
        for (const message of [JSON.stringify(value), JSON.stringify(event), String(value)]) {
          const notice = parseSesEvent(message ?? '');
          if (notice) expect(notice.event).not.toMatch(/\\u0000/);
        }
      }),
      { numRuns: 2000 },
    );
    expect(parseSesEvent('['.repeat(200_000))).toBeNull();
    const text = '{"eventType":"Open","mail":{"messageId":"m"},"open":{"a":1e400,"b":"\\ud800\\u0000"}}';
    expect(parseSesEvent(text)!.event).toBe(
      '{"eventType":"Open","mail":{"messageId":"m"},"open":{"a":null,"b":"\ufffd"}}',
    );
    const deep = `{"eventType":"Open","mail":{"messageId":"m"},"open":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`;
    expect(parseSesEvent(deep)!.event.length).toBeLessThan(1000);
  });

  test('are rejected with 400 if malformed and 413 if too large', async () => {
    for (const [text, status] of [
      ['', 400],
      ['{', 400],
      ['[]', 400],
      ['"x"', 400],
      ['\xff', 400],
      [JSON.stringify({ Type: 'Notification' }), 400],
      ['x'.repeat(2 * 1024 * 1024), 413],
    ] as const) {
      const response = await fetch(callback, { method: 'POST', body: text });
      expect([text.slice(0, 20), response.status]).toEqual([text.slice(0, 20), status]);
      expect(await response.json()).toMatchObject({ error: { code: 'BAD_REQUEST' } });
    }
  });
});

async function serve(text: () => string): Promise<{ url: string; visits: string[]; close(): void }> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(request.url!);
    response.end(text());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    close: () => server.close(),
  };
}
