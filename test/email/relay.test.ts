import { beforeAll, beforeEach, expect, test } from 'vitest';
import { verifyDomain } from '../../schema/email/domains/domain-verify.ts';
import { addDomain } from '../../schema/email/domains/domains.ts';
import { sql } from '../../src/db/sql.ts';
import { buildMail, startTeam } from '../harness/facades/rest.ts';
import { setUp } from '../harness/set-up.ts';
import { pause } from '../harness/wait.ts';
import { startSmtp } from '../standins/smtp.ts';
import { loadEmailRow, loadEvents, untilEmail, updateEmail } from './sending.ts';

const relay = setUp(startSmtp);
const team = setUp(() => startTeam({ MAIL_TRANSPORT: 'smtp', SMTP_URL: relay.url }));

beforeAll(() => team.deliver());
beforeEach(() => {
  relay.received.length = 0;
  relay.refuse.clear();
});

test('lets a domain send through a relay once the operator has verified it', async () => {
  const rejection = await team.send(buildMail());
  expect([rejection.status, rejection.json.error.message]).toEqual([
    400,
    expect.stringContaining('not verified'),
  ]);
  const [domain] = (await team.ask('GET', '/api/v1/domains')).json;
  expect(domain).toMatchObject({ status: 'NOT_STARTED' });
  const response = await team.graphql(`mutation { domainVerify(id: ${domain.id}) { id status } }`);
  expect(response.errors[0]).toMatchObject({ extensions: { code: 'BAD_REQUEST' } });

  expect(await verifyDomain(team.main.ctx, 'Main.test')).toEqual({
    id: domain.id,
    name: 'main.test',
    status: 'SUCCESS',
  });
  const { status, json } = await team.send(buildMail({ bcc: 'hidden@example.net' }));
  expect(status).toBe(200);
  await untilEmail(team, json.emailId, ({ state }) => state === 'sent');
  expect(relay.received).toMatchObject([
    { from: 'hello@main.test', recipients: ['ann@example.net', 'hidden@example.net'] },
  ]);
  const raw = relay.received[0]!.raw.toString();
  expect(raw).toContain('<p>Hi</p>');
  expect(raw).not.toContain('hidden@example.net');
  const email = await team.email(json.emailId);
  expect(email).toMatchObject({ latestStatus: 'SENT', emailEvents: [{ status: 'SENT' }] });
});

test('rejects verification of a name that another workspace has verified', async () => {
  const otherTenant = await team.tenant('there');
  const claims = await team.main.ctx.db.rows(
    sql`select 1 from domain_claim where name = 'main.test' and workspace_id = ${team.main.ctx.workspace.id}`,
  );
  expect(claims).toHaveLength(1);
  await expect(addDomain(otherTenant.ctx, 'main.test')).rejects.toMatchObject({ kind: 'NOT_UNIQUE' });
  await addDomain(otherTenant.ctx, 'both.test');
  await addDomain(team.main.ctx, 'both.test');
  await verifyDomain(otherTenant.ctx, 'both.test');
  await expect(verifyDomain(team.main.ctx, 'both.test')).rejects.toMatchObject({ kind: 'NOT_UNIQUE' });
  await expect(verifyDomain(team.main.ctx, 'none.test')).rejects.toMatchObject({ kind: 'NOT_FOUND' });
});

test('retries only the greylisted recipient of an email', async () => {
  relay.refuse.set('grey@example.net', { code: 451, text: '4.7.1 greylisted' });
  const { json } = await team.send(buildMail({ to: ['ann@example.net', 'grey@example.net'] }));
  const email = await untilEmail(team, json.emailId, ({ pending }) => pending.length > 0);
  expect(email).toMatchObject({ state: 'queued', latest_status: 'SENT', pending: ['grey@example.net'] });
  expect(email.reason).toContain('greylisted');
  await updateEmail(team, json.emailId, 'run_at = now()');
  await untilEmail(team, json.emailId, ({ attempts, state }) => attempts === 2 && state === 'queued');
  relay.refuse.clear();
  await updateEmail(team, json.emailId, 'run_at = now()');
  const sentRow = await untilEmail(team, json.emailId, ({ state }) => state === 'sent');
  expect(sentRow).toMatchObject({ reason: null, pending: [] });
  expect(relay.received.map((message) => message.recipients)).toEqual([
    ['ann@example.net'],
    ['grey@example.net'],
  ]);
  expect((await loadEvents(team, json.emailId)).map((event) => event.status)).toEqual(['SENT', 'SENT']);
});

test('does not delay mail to other recipients after a deferral', async () => {
  relay.refuse.set('grey@example.net', { code: 451, text: '4.7.1 greylisted' });
  const grey = (await team.send(buildMail({ to: 'grey@example.net' }))).json.emailId;
  await untilEmail(team, grey, ({ reason }) => reason !== null);
  const other = (await team.send(buildMail())).json.emailId;
  await untilEmail(team, other, ({ state }) => state === 'sent');
  // The second email does not wait until the first one is retried after a minute.
  const waits = await team.runtime.db.rows(
    sql`select 1 from svc_email where workspace_id > 0 and public_id = ${grey} and run_at > now()`,
  );
  expect(waits).toHaveLength(1);
  expect(await loadEmailRow(team, grey)).toMatchObject({ state: 'queued', latest_status: 'QUEUED' });
});

test('retries a deferred recipient even if another recipient was rejected', async () => {
  relay.refuse.set('gone@example.net', { code: 550, text: '5.7.1 unwanted' });
  relay.refuse.set('grey@example.net', { code: 451, text: '4.7.1 greylisted' });
  const { json } = await team.send(buildMail({ to: ['gone@example.net', 'grey@example.net'] }));
  await untilEmail(team, json.emailId, ({ pending }) => pending.length > 0);
  expect((await loadEvents(team, json.emailId))[0]).toMatchObject({
    status: 'DELIVERY_DELAYED',
    data: { error: expect.stringContaining('gone@example.net') },
  });
  relay.refuse.clear();
  await updateEmail(team, json.emailId, 'run_at = now()');
  await untilEmail(team, json.emailId, ({ state }) => state === 'sent');
  expect(relay.received.map((message) => message.recipients)).toEqual([['grey@example.net']]);
  expect(await loadEmailRow(team, json.emailId)).toMatchObject({ latest_status: 'SENT' });
});

test('marks an email as sent and lists the recipients that it did not reach', async () => {
  relay.refuse.set('grey@example.net', { code: 451, text: '4.7.1 greylisted' });
  const { json } = await team.send(buildMail({ to: ['ann@example.net', 'grey@example.net'] }));
  await untilEmail(team, json.emailId, ({ pending }) => pending.length > 0);
  relay.refuse.set('grey@example.net', { code: 550, text: '5.7.1 never' });
  await updateEmail(team, json.emailId, 'run_at = now()');
  const finalEmail = await untilEmail(team, json.emailId, ({ state }) => state === 'sent');
  expect(finalEmail).toMatchObject({
    latest_status: 'SENT',
    reason: expect.stringMatching(/Not sent to grey@example\.net.*never/),
  });
  await pause(100);
  expect(relay.received).toHaveLength(1);
});

const loadSuppressions = async (email: string) =>
  (
    await team.runtime.db.rows<{ reason: string }>(
      sql`select reason from svc_suppression where workspace_id = ${team.main.ctx.workspace.id} and email = ${email}`,
    )
  ).map(({ reason }) => reason);

test('records a bounce and suppresses the address if the mailbox does not exist', async () => {
  relay.refuse.set('none@example.net', { code: 550, text: '5.1.1 user unknown' });
  const { json } = await team.send(buildMail({ to: 'none@example.net' }));
  await untilEmail(team, json.emailId, (now) => now.latest_status === 'BOUNCED');
  expect(await loadEmailRow(team, json.emailId)).toMatchObject({
    state: 'sent',
    reason: expect.stringContaining('user unknown'),
  });
  expect(await loadEvents(team, json.emailId)).toMatchObject([
    {
      status: 'BOUNCED',
      data: {
        bounceType: 'Permanent',
        bouncedRecipients: [{ emailAddress: 'none@example.net', status: '5.1.1' }],
      },
    },
  ]);
  expect(await loadSuppressions('none@example.net')).toEqual(['HARD_BOUNCE']);
  const next = (await team.send(buildMail({ to: 'none@example.net' }))).json.emailId;
  await untilEmail(team, next, ({ state }) => state === 'suppressed');
});

test.each([
  ['552', '5.2.2 mailbox full', ['SOFT_BOUNCE']],
  ['550', '5.4.4 unable to route', ['SOFT_BOUNCE']],
  ['550', '5.7.1 spam', []],
])('decides whether five rejections with %s %s suppress the recipient: %j', async (code, text, reasons) => {
  const to = `r${text.slice(0, 5)}@example.net`;
  relay.refuse.set(to, { code: Number(code), text });
  for (let sent = 1; sent <= 5; sent++) {
    expect(await loadSuppressions(to)).toEqual([]);
    const both = sent % 2 ? [to] : [to, 'ann@example.net'];
    const { json } = await team.send(buildMail({ to: both }));
    await untilEmail(team, json.emailId, ({ state }) => state === 'failed' || state === 'sent');
  }
  expect(await loadSuppressions(to)).toEqual(reasons);
});

test('records a bounce for a nonexistent mailbox and sends once to the other recipients', async () => {
  relay.refuse.set('void@example.net', { code: 550, text: '5.1.10 null MX' });
  relay.refuse.set('grey@example.net', { code: 451, text: '4.7.1 greylisted' });
  const to = ['ann@example.net', 'void@example.net', 'grey@example.net'];
  const { json } = await team.send(buildMail({ to }));
  const email = await untilEmail(team, json.emailId, ({ latest_status }) => latest_status === 'BOUNCED');
  expect(email).toMatchObject({ state: 'queued', pending: ['grey@example.net'] });
  relay.refuse.clear();
  await updateEmail(team, json.emailId, 'run_at = now()');
  await untilEmail(team, json.emailId, ({ state }) => state === 'sent');
  expect(relay.received.map(({ recipients }) => recipients)).toEqual([
    ['ann@example.net'],
    ['grey@example.net'],
  ]);
  expect((await loadEvents(team, json.emailId)).map(({ status }) => status)).toEqual([
    'SENT',
    'BOUNCED',
    'SENT',
  ]);
  expect(await loadSuppressions('void@example.net')).toEqual(['HARD_BOUNCE']);
  expect(await loadSuppressions('grey@example.net')).toEqual([]);
});

test('bases rates on accepted emails, because a relay reports no deliveries', async () => {
  const readMetrics = async () => (await team.ask('GET', '/api/v1/analytics/reputation-metrics')).json;
  const before = await readMetrics();
  relay.refuse.set('nobody@example.net', { code: 550, text: '5.1.1 user unknown' });
  for (const to of [...Array.from({ length: 9 }, () => 'ann@example.net'), 'nobody@example.net']) {
    const { json } = await team.send(buildMail({ to }));
    await untilEmail(team, json.emailId, ({ state }) => state === 'sent');
  }
  const { sent, hardBounced, bounceRate, delivered } = await readMetrics();
  expect(sent - before.sent).toBe(10);
  expect(hardBounced - before.hardBounced).toBe(1);
  expect(delivered).toBe(0);
  expect(bounceRate).toBeCloseTo((hardBounced / sent) * 100, 9);
});

test('suppresses no address if the content is rejected', async () => {
  relay.refuse.set('fine@example.net', { code: 550, text: '5.7.1 content not wanted' });
  const { json } = await team.send(buildMail({ to: 'fine@example.net' }));
  await untilEmail(team, json.emailId, ({ state }) => state === 'failed');
  expect(await loadSuppressions('fine@example.net')).toEqual([]);
});
