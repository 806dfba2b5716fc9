import fc from 'fast-check';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { waitForNotices } from '../../schema/email/provider/notices.ts';
import { sql } from '../../src/db/sql.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { startTeam } from '../harness/facades/rest.ts';
import { setUp } from '../harness/set-up.ts';
import { buildSesEnv, loadEmailRow, loadEvents, sendEmails, setUpSes, untilEmail } from './sending.ts';

const ses = setUpSes();
const team = setUp(() => {
  ses.set({}, { MaxSendRate: 1000 });
  return startTeam({
    ...buildSesEnv(ses),
    PUBLIC_URL: 'https://mail.example.com',
    SES_TOPIC_ARNS: ses.topic.arn,
    AWS_SNS_ENDPOINT: ses.url,
  });
});

beforeAll(async () => {
  await team.runtime.db.rows(sql`update svc_domain set status = 'SUCCESS' where workspace_id > 0`);
  await team.deliver();
});
beforeEach(async () => {
  for (const table of ['svc_suppression', 'svc_soft_bounce', 'svc_daily_usage'])
    await team.runtime.db.rows(sql.given(`delete from ${table} where workspace_id > 0`, []));
});

async function sendEmail(...to: string[]): Promise<{ id: string; messageId: string }> {
  const [id] = await sendEmails(team, team.main, { to });
  const { provider_id } = await untilEmail(team, id!, ({ state }) => state === 'sent');
  return { id: id!, messageId: provider_id! };
}

/** Time of day of each kind of event, in the order in which SES creates them. */
const TIMES = { Delivery: '09:00:00', Open: '09:00:01', Bounce: '09:00:02' };

async function report(kind: keyof typeof TIMES, messageId: string, details: object): Promise<void> {
  const timestamp = `2026-01-01T${TIMES[kind]}.000Z`;
  const key = kind.toLowerCase();
  const message = { eventType: kind, mail: { messageId, timestamp }, [key]: { timestamp, ...details } };
  const notification = ses.topic.notification(message);
  expect(await ses.topic.post(`${team.url}/api/ses_callback`, notification)).toBe(200);
  await waitForNotices(team.runtime.db);
}

const buildReply = (address: string) => ({
  bounceType: 'Transient',
  bounceSubType: 'General',
  bouncedRecipients: [{ emailAddress: address }],
});

const loadCounts = async () => {
  const { json } = await team.ask('GET', '/api/v1/analytics/email-time-series?days=7');
  const { delivered, opened, bounced } = json.totalCounts;
  return { delivered, opened, bounced };
};
const loadSuppressed = async () => {
  const rows = await team.runtime.db.rows<{ email: string }>(
    sql`select email from svc_suppression where workspace_id > 0 order by email`,
  );
  return rows.map(({ email }) => email);
};

test.each([[['ann@example.org']], [['ann@example.org', 'bob@example.org']]])(
  'counts an automatic reply of a recipient of %j as delivered, whenever it arrives',
  async (to) => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(['Delivery', 'Open', 'Bounce'] as const, { minLength: 3 }),
        async (order) => {
          const before = await loadCounts();
          const { id, messageId } = await sendEmail(...to);
          const details = { Delivery: { recipients: to }, Open: {}, Bounce: buildReply('Ann@Example.org') };
          for (const kind of order) await report(kind, messageId, details[kind]);
          expect((await loadEmailRow(team, id)).latest_status).toBe('OPENED');
          const { delivered, opened, bounced } = before;
          expect(await loadCounts()).toEqual({ delivered: delivered + 1, opened: opened + 1, bounced });
          const { data } = await team.graphql(
            `{ emailBreakdown(by: SENDER, days: 0) { groups { bounced } } }`,
          );
          expect(data.emailBreakdown.groups).toEqual([{ bounced: 0 }]);
        },
      ),
      { numRuns: 8 },
    );
  },
);

test('removes the suppression that early automatic replies caused', async () => {
  const to = 'away@example.org';
  let messageId = '';
  for (let count = 1; count <= 5; count++) {
    ({ messageId } = await sendEmail(to));
    await report('Bounce', messageId, buildReply(to));
  }
  expect(await loadSuppressed()).toEqual([to]);
  await report('Delivery', messageId, { recipients: [to] });
  expect(await loadSuppressed()).toEqual([]);
});

test('records the bounce of a recipient if only another one got the email', async () => {
  const { id, messageId } = await sendEmail('ann@example.org', 'bob@example.org');
  await report('Bounce', messageId, buildReply('bob@example.org'));
  await report('Delivery', messageId, { recipients: ['ann@example.org'] });
  expect((await loadEmailRow(team, id)).latest_status).toBe('BOUNCED');
  expect(await loadCounts()).toMatchObject({ bounced: 1 });
});

test('records a server response after a delivery as a bounce, and an automatic reply beside it', async () => {
  const to = 'ann@example.org';
  const { id, messageId } = await sendEmail(to);
  await report('Bounce', messageId, buildReply(to));
  const bouncedRecipients = [{ emailAddress: to, action: 'failed', diagnosticCode: 'smtp; 550 5.1.1 gone' }];
  await report('Bounce', messageId, {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients,
    timestamp: '2026-01-01T09:00:03.000Z',
  });
  await report('Delivery', messageId, { recipients: [to] });
  expect((await loadEmailRow(team, id)).latest_status).toBe('BOUNCED');
  expect(await loadCounts()).toMatchObject({ delivered: 1, bounced: 1 });
  expect(await loadSuppressed()).toEqual([to]);
  expect((await loadEvents(team, id)).map(({ data }) => data && 'autoReply' in data)).toEqual([
    null,
    true,
    false,
    false,
  ]);
});

test('takes an early automatic reply out of the bounces of a campaign', async () => {
  const { data } = await team.graphql(`mutation {
    contactBookCreate(book: { name: "Readers", doubleOptInEnabled: false }) { id }
  }`);
  const book = data.contactBookCreate.id;
  await team.graphql(
    `mutation { contactPut(bookId: "${book}", input: { email: "reader@example.org" }) { id } }`,
  );
  const from = `News <news@${team.main.domain}>`;
  const created = await team.graphql(
    `mutation($book: ID!, $from: String!) { campaignCreate(campaign: { name: "C", from: $from, subject: "S",
      contactBookId: $book, html: "<p>Hi</p> {{usesend_unsubscribe_url}}" }) { id } }`,
    { book, from },
  );
  const id = created.data.campaignCreate.id;
  await team.graphql(`mutation { campaignSchedule(id: "${id}") { id } }`);
  await runDueCampaigns(team.runtime);
  const publicId = await team.runtime.db.value<string>(
    sql`select public_id from svc_email where workspace_id > 0 and campaign_id is not null`,
  );
  const { provider_id } = await untilEmail(team, publicId, ({ state }) => state === 'sent');
  const loadStatistics = async () => {
    const [row] = await team.runtime.db.rows<{ delivered: number; bounced: number }>(
      sql`select delivered, bounced from svc_campaign where workspace_id > 0`,
    );
    return row;
  };
  await report('Bounce', provider_id!, buildReply('reader@example.org'));
  expect(await loadStatistics()).toEqual({ delivered: 0, bounced: 1 });
  await report('Delivery', provider_id!, { recipients: ['reader@example.org'] });
  expect(await loadStatistics()).toEqual({ delivered: 1, bounced: 0 });
});
