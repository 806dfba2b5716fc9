import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Delivery } from '../../schema/email/queue/deliver.ts';
import { expire } from '../../schema/email/state/expire.ts';
import { sql } from '../../src/db/sql.ts';
import { createManualClock } from '../harness/clock.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { buildMail } from '../harness/facades/rest.ts';
import { pause } from '../harness/wait.ts';
import { loadEmailRow, loseEmail, setUpSending, untilEmail, updateEmail } from './sending.ts';

// Campaigns require public links.
const { ses, app: team } = setUpSending({ PUBLIC_URL: 'https://atrium.example' });

beforeEach(async () => {
  ses.reset();
  ses.set({}, { MaxSendRate: 1000 });
  for (const table of ['svc_email', 'svc_campaign', 'svc_suppression'])
    await team.runtime.db.rows(sql.given(`delete from ${table} where workspace_id > 0`, []));
});

const clock = createManualClock();

const FUTURE_TIME = '2099-01-01T00:00:00Z';

async function sendAccepted(fields: object = {}): Promise<string> {
  const { status, json, text } = await team.send(buildMail(fields));
  expect(status, text).toBe(200);
  return json.emailId;
}

async function suppress(...emails: string[]): Promise<void> {
  const { data } = await team.graphql(
    'mutation ($emails: [String!]!) { suppressionsAdd(emails: $emails) { added } }',
    {
      emails,
    },
  );
  expect(data.suppressionsAdd.added).toBe(emails.length);
}

async function createDomain(name: string): Promise<number> {
  const { json } = await team.ask('POST', '/api/v1/domains', { body: { name, region: 'eu-west-1' } });
  ses.verify(name);
  expect(
    (await team.graphql(`mutation { domainVerify(id: ${json.id}) { id status } }`)).data.domainVerify.status,
  ).toBe('SUCCESS');
  return json.id;
}

const remove = async (id: number) =>
  expect((await team.ask('DELETE', `/api/v1/domains/${id}`)).status).toBe(200);

/**
 * Starts a worker that waits for the provider's response to an email. `answer` sends the response, a "slow down" error.
 */
async function startInFlight(): Promise<{ worker: Delivery; answer: () => void }> {
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const failure = { name: 'TooManyRequestsException', status: 429, message: 'slow down' };
  ses.set({ hold: promise, failures: { 'ann@example.net': failure } });
  const worker = await team.deliver({ clock });
  onTestFinished(async () => {
    answer();
    await worker.stop();
  });
  await expect.poll(() => ses.posts()).toBe(1);
  ses.set({ hold: null, failures: {} });
  return { worker, answer };
}

/** Sends an email whose worker dies, so that its outcome is unknown. */
async function sendLost(fields: object = {}): Promise<string> {
  const id = await sendAccepted(fields);
  await loseEmail(team, id);
  return id;
}

const sendAgain = async (id: string) => {
  const { data, text } = await team.graphql(
    'mutation ($id: ID!) { emailSendAgain(id: $id) { id state } }',
    { id },
    team.main.teamKey,
  );
  expect(data.emailSendAgain, text).toEqual({ id, state: 'QUEUED' });
};

async function deliverUntil(id: string, wantedState: string): Promise<void> {
  const worker = await team.deliver();
  await untilEmail(team, id, ({ state }) => state === wantedState);
  await worker.stop();
}

test('does not send delayed mail from a deleted domain', async () => {
  const domain = await createDomain('flying.example');
  const id = await sendAccepted({ from: 'a@flying.example' });
  const { worker, answer } = await startInFlight();
  await remove(domain);
  answer();
  const finalEmail = await untilEmail(team, id, ({ state }) => state === 'failed', clock);
  await worker.stop();
  expect(finalEmail.reason).toContain('domain was deleted');
  expect(ses.posts()).toBe(1);
  expect((await team.email(id)).emailEvents.at(-1)).toMatchObject({
    status: 'FAILED',
    data: { error: expect.stringContaining('deleted') },
  });
});

test('does not resend an email with an unknown outcome after its domain is deleted', async () => {
  const domain = await createDomain('doubtful.example');
  const id = await sendLost({ from: 'a@doubtful.example' });
  await remove(domain);
  await sendAgain(id);
  await deliverUntil(id, 'failed');
  expect((await loadEmailRow(team, id)).reason).toContain('domain was deleted');
  expect(ses.posts()).toBe(0);
});

test('delays mail from an unverified domain and sends it once the domain is verified', async () => {
  const domain = await createDomain('lapsed.example');
  const check = async (status: 'FAILED' | 'TEMPORARY_FAILURE' | 'SUCCESS') => {
    ses.verify('lapsed.example', status);
    expect(
      (await team.graphql(`mutation { domainVerify(id: ${domain}) { id status } }`)).data.domainVerify.status,
    ).toBe(status);
  };
  const id = await sendAccepted({ from: 'a@lapsed.example', scheduledAt: FUTURE_TIME });
  for (const [index, status] of (['FAILED', 'TEMPORARY_FAILURE'] as const).entries()) {
    await check(status);
    await updateEmail(team, id, 'run_at = now()');
    const worker = await team.deliver();
    await untilEmail(team, id, ({ state, attempts }) => state === 'queued' && attempts === index + 1);
    await worker.stop();
    expect(await team.email(id)).toMatchObject({
      latestStatus: 'SCHEDULED',
      reason: expect.stringContaining('verified'),
    });
  }
  const [{ minutes } = { minutes: 0 }] = await team.runtime.db.rows<{ minutes: number }>(
    sql`select round(extract(epoch from run_at - now()) / 60)::int as minutes from svc_email where workspace_id > 0 and public_id = ${id}`,
  );
  expect(minutes).toBe(10);
  expect(ses.posts()).toBe(0);
  await check('SUCCESS');
  await updateEmail(team, id, 'run_at = now()');
  await deliverUntil(id, 'sent');
});

test('fails mail from an unverified domain after the maximum wait', async () => {
  const domain = await createDomain('over.example');
  const id = await sendAccepted({ from: 'a@over.example' });
  ses.verify('over.example', 'FAILED');
  expect(
    (await team.graphql(`mutation { domainVerify(id: ${domain}) { id status } }`)).data.domainVerify.status,
  ).toBe('FAILED');
  const worker = await team.deliver();
  await untilEmail(team, id, ({ reason }) => reason?.includes('verified') ?? false);
  await worker.stop();
  await ageEmail(id);
  await expire(team.runtime.db, team.main.ctx.workspace.id);
  expect(await team.email(id)).toMatchObject({
    latestStatus: 'FAILED',
    reason: expect.stringMatching(/72 hours.*not verified/),
  });
  expect(ses.posts()).toBe(0);
});

test('does not send a waiting email to an address suppressed since acceptance, and lists the address', async () => {
  const id = await sendAccepted({
    to: ['Ann <Ann@Example.net>'],
    cc: 'open@example.net',
    scheduledAt: FUTURE_TIME,
  });
  await suppress('ann@example.net');
  await updateEmail(team, id, 'run_at = now()');
  await deliverUntil(id, 'suppressed');
  expect(await team.email(id)).toMatchObject({
    latestStatus: 'SUPPRESSED',
    to: ['Ann <Ann@Example.net>'],
    emailEvents: [{ status: 'SUPPRESSED', data: { error: expect.stringContaining('suppression list') } }],
  });
  expect(ses.posts()).toBe(0);
});

test('omits recipients suppressed after acceptance by the same rules as at acceptance', async () => {
  const id = await sendAccepted({
    to: ['ann@example.net', 'Bob <bob@bücher.example>'],
    cc: ['carl@example.net', 'dora@example.net'],
    bcc: ['eve@example.net'],
    scheduledAt: FUTURE_TIME,
  });
  await suppress('bob@bücher.example', 'carl@example.net', 'eve@example.net');
  await team.runtime.db.rows(
    sql`insert into svc_suppression (workspace_id, id, email, expires_at)
     values (${team.main.ctx.workspace.id}, 800, 'dora@example.net', now() - interval '1 second')`,
  );
  const otherTenant = await team.tenant('other');
  await team.runtime.db.rows(
    sql`insert into svc_suppression (workspace_id, id, email) values (${otherTenant.ctx.workspace.id}, 800, 'ann@example.net')`,
  );
  await updateEmail(team, id, 'run_at = now()');
  await deliverUntil(id, 'sent');
  expect(ses.accepted.map(({ recipients }) => recipients)).toEqual([['ann@example.net', 'dora@example.net']]);
  expect(ses.accepted[0]!.raw!.toString()).not.toMatch(/bob|carl|eve/);
  expect(await team.email(id)).toMatchObject({
    latestStatus: 'SENT',
    to: ['ann@example.net'],
    cc: ['dora@example.net'],
    bcc: [],
  });
});

/** Creates a running campaign whose first email, to `ann@example.net`, is queued. */
async function createCampaign(): Promise<{ id: string; email: string }> {
  const book = await team.book({ doubleOptInEnabled: false });
  for (const email of ['ann@example.net', 'next@example.net'])
    await team.ask('POST', `/api/v1/contactBooks/${book}/contacts`, { body: { email } });
  const { json, text } = await team.ask('POST', '/api/v1/campaigns', {
    body: {
      name: 'c',
      from: 'news@main.test',
      subject: 's',
      contactBookId: book,
      html: '<a href="{{usesend_unsubscribe_url}}">leave</a>',
      sendNow: true,
      batchSize: 1,
    },
  });
  await team.runtime.db.rows(
    sql`update svc_campaign set batch_window_minutes = 30 where workspace_id > 0 and public_id = ${json.id}`,
  );
  await runDueCampaigns(team.runtime);
  const [created] = await team.runtime.db.rows<{ public_id: string }>(
    sql`select public_id from svc_email where workspace_id > 0 and campaign_id is not null order by id desc limit 1`,
  );
  expect(created, text).toBeDefined();
  return { id: json.id, email: created!.public_id };
}

const changeCampaign = async (id: string, operation: 'pause' | 'resume') =>
  expect((await team.ask('POST', `/api/v1/campaigns/${id}/${operation}`, { body: {} })).status).toBe(200);

test('holds a delayed email of a paused campaign until the campaign is resumed', async () => {
  const { id, email } = await createCampaign();
  const { worker, answer } = await startInFlight();
  await changeCampaign(id, 'pause');
  answer();
  await untilEmail(team, email, ({ state }) => state === 'queued');
  // The provider's retry delay is measured by the database's clock.
  await pause(1_500);
  await clock.pass(6_000);
  expect(await loadEmailRow(team, email)).toMatchObject({ state: 'queued', attempts: 1 });
  expect(ses.posts()).toBe(1);
  await changeCampaign(id, 'resume');
  await untilEmail(team, email, ({ state }) => state === 'sent', clock);
  await worker.stop();
  expect(ses.posts()).toBe(2);
});

test("does not send a deleted campaign's delayed email", async () => {
  const { id, email } = await createCampaign();
  const { worker, answer } = await startInFlight();
  expect((await team.ask('DELETE', `/api/v1/campaigns/${id}`)).status).toBe(200);
  answer();
  const finalEmail = await untilEmail(team, email, ({ state }) => state === 'failed', clock);
  await worker.stop();
  expect(finalEmail.reason).toContain('campaign was deleted');
  expect(ses.posts()).toBe(1);
});

test.each(['resumed', 'paused'] as const)(
  'waits for the commit if a campaign is being %s when its email is delayed',
  async (now) => {
    const { id, email } = await createCampaign();
    const { worker, answer } = await startInFlight();
    const { db } = team.runtime;
    if (now === 'resumed')
      await db.rows(
        sql`update svc_campaign set status = 'PAUSED' where workspace_id > 0 and public_id = ${id}`,
      );
    await db.transaction(async (tx) => {
      await tx.rows(sql`select 1 from svc_campaign where workspace_id > 0 and public_id = ${id} for update`);
      await tx.rows(
        sql`update svc_campaign set status = ${now === 'resumed' ? 'RUNNING' : 'PAUSED'} where workspace_id > 0 and public_id = ${id}`,
      );
      answer();
      await pause(700);
      expect((await loadEmailRow(team, email)).state).toBe('sending');
    });
    await untilEmail(team, email, ({ state }) => state === (now === 'resumed' ? 'sent' : 'queued'), clock);
    await clock.pass(6_000);
    await worker.stop();
    expect(ses.posts()).toBe(now === 'resumed' ? 2 : 1);
  },
);

test("resends a paused campaign's email with an unknown outcome after the campaign is resumed", async () => {
  const { id, email } = await createCampaign();
  await loseEmail(team, email);
  await changeCampaign(id, 'pause');
  await sendAgain(email);
  const worker = await team.deliver({ clock });
  await clock.pass(6_000);
  expect(ses.posts()).toBe(0);
  await changeCampaign(id, 'resume');
  await untilEmail(team, email, ({ state }) => state === 'sent', clock);
  await worker.stop();
});

const ageEmail = (id: string) => updateEmail(team, id, `create_date = now() - interval '100 hours'`);

test('restarts the delivery deadline when a campaign is resumed after a long pause', async () => {
  const { id, email } = await createCampaign();
  await changeCampaign(id, 'pause');
  await ageEmail(email);
  await expire(team.runtime.db, team.main.ctx.workspace.id);
  await changeCampaign(id, 'resume');
  await expire(team.runtime.db, team.main.ctx.workspace.id);
  await deliverUntil(email, 'sent');
});

test('restarts the delivery deadline of an email that is resent after a long time', async () => {
  const id = await sendLost();
  await ageEmail(id);
  await sendAgain(id);
  await expire(team.runtime.db, team.main.ctx.workspace.id);
  await deliverUntil(id, 'sent');
  const other = await sendAccepted();
  await ageEmail(other);
  await expire(team.runtime.db, team.main.ctx.workspace.id);
  expect((await loadEmailRow(team, other)).state).toBe('failed');
});
