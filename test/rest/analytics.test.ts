import { UseSend } from 'usesend-js';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createKey } from '../../schema/base/keys/keys.ts';
import { addDomain } from '../../schema/email/domains/domains.ts';
import { recordEvents } from '../../schema/email/state/email-events.ts';
import type { EmailStatus } from '../../schema/email/state/email-status.ts';
import { sql } from '../../src/db/sql.ts';
import { buildRecipientFilter } from '../../web/src/email/campaigns/recipient-states.ts';
import { untilEmail } from '../email/sending.ts';
import { avoidMidnight } from '../harness/clock.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { buildExpectedEnvelope, buildMail, setUpTeam } from '../harness/facades/rest.ts';
import { getEmailNumbers } from '../harness/two-domains.ts';

const team = setUpTeam();
let client: UseSend;
let domains: { id: number; name: string }[];

beforeAll(async () => {
  client = new UseSend(team.main.teamKey, team.url);
  await addDomain(team.main.ctx, 'second.test');
  domains = (await team.ask('GET', '/api/v1/domains')).json;
  await team.deliver();
});
avoidMidnight();
beforeEach(() => team.runtime.db.rows(sql`delete from svc_daily_usage where workspace_id > 0`));

const findDomainId = (name: string) => domains.find((domain) => domain.name === name)!.id;

async function createEmail(from: string, ...events: [EmailStatus, object?][]): Promise<void> {
  const { json } = await team.send(buildMail({ from }));
  await untilEmail(team, json.emailId, ({ latest_status }) => latest_status === 'DELIVERED');
  const numbers = await getEmailNumbers(team, json.emailId);
  for (const [status, data] of events)
    await recordEvents(team.runtime.db, team.runtime.config, [
      { ...numbers, status, data: (data ?? {}) as never },
    ]);
}

const counts = { sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0 };
const hard = { bounceType: 'Permanent', bouncedRecipients: [] };

test('returns totals and a row for each day, with zeros for days without email', async () => {
  await createEmail('a@main.test', ['OPENED'], ['OPENED'], ['CLICKED']);
  await createEmail('a@main.test', ['BOUNCED', hard]);
  await createEmail('a@second.test', ['COMPLAINED']);
  const { data } = await client.analytics.emailTimeSeries({ days: '7' });
  const today = new Date().toLocaleString('en-US', { month: 'short', day: '2-digit', timeZone: 'UTC' });
  const all = { sent: 3, delivered: 3, opened: 1, clicked: 1, bounced: 1, complained: 1 };
  expect(data!.result).toHaveLength(8);
  expect(data!.result.at(-1)).toEqual({ date: today, ...all });
  expect(data!.result[0]).toEqual({ date: expect.stringMatching(/^[A-Z][a-z]{2} \d\d$/), ...counts });
  expect(data!.totalCounts).toEqual(all);
  const month = await client.analytics.emailTimeSeries();
  expect(month.data!.result).toHaveLength(31);
  const second = await client.analytics.emailTimeSeries({
    days: '7',
    domainId: String(findDomainId('second.test')),
  });
  expect(second.data!.totalCounts).toEqual({ ...counts, sent: 1, delivered: 1, complained: 1 });
});

test('returns consistent numbers in the series, totals and breakdown for random email histories', async () => {
  let seed = 7;
  const pick = <Each>(list: readonly Each[]): Each => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return list[seed % list.length]!;
  };
  const outOfOffice = { bounceType: 'Transient', bounceSubType: 'General', bouncedRecipients: [] };
  const noAnswer = { ...outOfOffice, bouncedRecipients: [{ action: 'failed', status: '4.4.7' }] };
  const mailboxFull = { bounceType: 'Transient', bounceSubType: 'MailboxFull' };
  const kinds: [EmailStatus, object?][] = [
    ['OPENED'],
    ['CLICKED'],
    ['BOUNCED', hard],
    ['BOUNCED', outOfOffice],
    ['BOUNCED', noAnswer],
    ['BOUNCED', mailboxFull],
    ['COMPLAINED'],
    ['DELIVERED'],
  ];
  const from = 'Numbers <numbers@main.test>';
  for (let index = 0; index < 12; index++)
    await createEmail(from, ...Array.from({ length: pick([0, 1, 2, 3, 4]) }, () => pick(kinds)));
  const names = 'sent delivered opened clicked bounced complained';
  const { data } = await team.graphql(`{
    emailStatistics(days: 0) { periods { ${names} } totals { ${names} } }
    emailBreakdown(by: SENDER, days: 0) { groups { key ${names} } }
  }`);
  const { periods, totals } = data.emailStatistics;
  expect(periods).toEqual([totals]);
  const { key: _key, ...group } = data.emailBreakdown.groups.find(
    (group: { key: string }) => group.key === from,
  );
  expect(group).toEqual(totals);
  expect(totals.sent).toBe(12);
  expect(totals.delivered).toBe(12);
});

test('returns the same numbers in statistics, breakdowns, campaigns, lists and exports', async () => {
  const { ctx } = team.main;
  await team.runtime.db.rows(sql`delete from svc_email where workspace_id > 0`);
  const ask = async (method: string, path: string, body?: object) =>
    (await team.ask(method, `/api/v1${path}`, body ? { body } : {})).json;
  const book = await team.book({});
  const people = Array.from({ length: 14 }, (_, index) => ({ email: `p${index}@example.net` }));
  await ask('POST', `/contactBooks/${book}/contacts/bulk`, people as never);
  await team.graphql(
    'mutation { suppressionsAdd(emails: ["p0@example.net", "lost@example.net"]) { added } }',
  );
  const html = '<p>Hi</p><a href="{{usesend_unsubscribe_url}}">Leave</a>';
  const { id: campaign } = await ask('POST', '/campaigns', {
    ...{ name: 'Numbers', from: 'News <news@main.test>', subject: 'Hi', contactBookId: book, html },
  });
  await ask('POST', `/campaigns/${campaign}/schedule`, {});
  await expect
    .poll(async () => {
      await runDueCampaigns(team.runtime);
      return ctx.db.value<number>(
        sql`select count(*)::int from svc_email where workspace_id = ${ctx.workspace.id}
         and latest_status in ('DELIVERED', 'SUPPRESSED')`,
      );
    })
    .toBe(14);
  await createEmail('a@main.test');
  const later = new Date(Date.now() + 86_400_000).toISOString();
  for (const to of ['later@example.net', 'never@example.net'])
    await team.send(buildMail({ from: 'a@main.test', to, scheduledAt: later }));
  const publicId = await ctx.db.value<string>(
    sql`select public_id from svc_email where workspace_id = ${ctx.workspace.id} and 'never@example.net' = any("to")`,
  );
  await ask('POST', `/emails/${publicId}/cancel`);
  await team.send(buildMail({ from: 'a@main.test', to: 'lost@example.net' }));

  const emails = await ctx.db.rows<{ public_id: string; campaign_id: number | null }>(
    sql`select public_id, campaign_id from svc_email where workspace_id = ${ctx.workspace.id}
     and latest_status = 'DELIVERED' order by id`,
  );
  const outOfOffice = { bounceType: 'Transient', bounceSubType: 'General', bouncedRecipients: [] };
  const histories: [EmailStatus, object?][][] = [
    [],
    [['OPENED'], ['OPENED']],
    [['OPENED'], ['CLICKED'], ['COMPLAINED']],
    [['BOUNCED', hard]],
    [['BOUNCED', outOfOffice]],
    [['OPENED'], ['BOUNCED', hard], ['COMPLAINED']],
    [['BOUNCED', outOfOffice], ['COMPLAINED']],
  ];
  const happened = new Map<string, Set<string>>();
  for (const [index, { public_id }] of emails.entries()) {
    const numbers = await getEmailNumbers(team, public_id);
    const history = histories[index % histories.length]!;
    for (const [status, data] of history)
      await recordEvents(team.runtime.db, team.runtime.config, [
        { ...numbers, status, data: (data ?? {}) as never },
      ]);
    const kinds = history.flatMap(([status, data]) => (data === outOfOffice ? [] : [status.toLowerCase()]));
    happened.set(public_id, new Set(['sent', 'delivered', ...kinds]));
  }
  const names = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const;
  const countHappened = (list: { public_id: string }[]) =>
    Object.fromEntries(
      names.map((name) => [name, list.filter(({ public_id }) => happened.get(public_id)!.has(name)).length]),
    );
  const expected = countHappened(emails);
  const inCampaign = emails.filter(({ campaign_id }) => campaign_id !== null);
  const expectedInCampaign = countHappened(inCampaign);
  expect(Object.values(expectedInCampaign).every((count) => count > 0)).toBe(true);

  const fields = names.join(' ');
  const { data } = await team.graphql(`{
    emailStatistics(days: 0) { totals { ${fields} } }
    usage(days: 0) { ${fields} }
    reputation { sent delivered hardBounced complained }
    campaigns(first: 5) { nodes { id name total ${fields} } }
    ${['HOUR', 'KEY', 'CAMPAIGN', 'TEMPLATE', 'SENDER'].map((by) => `${by}: emailBreakdown(by: ${by}, days: 0) { groups { label emails ${fields} } }`).join(' ')}
  }`);
  expect(data.emailStatistics.totals).toEqual(expected);
  const addUp = (rows: Record<string, number>[]) =>
    Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + row[name]!, 0)]));
  expect(addUp(data.usage)).toEqual(expected);
  for (const by of ['HOUR', 'KEY', 'CAMPAIGN', 'TEMPLATE', 'SENDER'])
    expect([by, addUp(data[by].groups)]).toEqual([by, expected]);
  const { sent, delivered, complained } = expected;
  expect(data.reputation).toEqual({ sent, delivered, hardBounced: expected.bounced, complained });
  const campaignRow = data.campaigns.nodes.find(({ name }: { name: string }) => name === 'Numbers');
  expect(campaignRow).toMatchObject(expectedInCampaign);
  expect(data.CAMPAIGN.groups.find(({ label }: { label: string }) => label === 'Numbers')).toMatchObject(
    expectedInCampaign,
  );

  for (const name of names) {
    const list = await team.graphql(
      'query ($where: EmailWhere) { emails(where: $where, first: 100) { totalCount nodes { id } } }',
      { where: buildRecipientFilter(campaignRow.id, name) },
    );
    expect([name, list.data.emails.totalCount]).toEqual([name, expectedInCampaign[name]]);
  }
  const statuses = new Map<string, number>();
  const all = await team.graphql('{ emails(first: 100) { totalCount nodes { latestStatus } } }');
  for (const { latestStatus } of all.data.emails.nodes)
    statuses.set(latestStatus, (statuses.get(latestStatus) ?? 0) + 1);
  expect([...statuses.keys()]).toEqual(expect.arrayContaining(['SCHEDULED', 'CANCELLED', 'SUPPRESSED']));
  for (const [status, number] of statuses) {
    const { data } = await team.graphql(
      `{ emails(where: { latestStatus: { eq: ${status} } }) { totalCount } emailsExport(status: [${status}]) }`,
    );
    expect([status, data.emails.totalCount]).toEqual([status, number]);
    expect([status, data.emailsExport.trim().split('\r\n').length - 1]).toEqual([status, number]);
  }
});

test('counts an out-of-office reply as delivered, and a later bounce as bounced', async () => {
  const outOfOffice = { bounceType: 'Transient', bounceSubType: 'General', bouncedRecipients: [] };
  await createEmail('a@main.test', ['BOUNCED', outOfOffice]);
  const { data } = await team.graphql(
    '{ emails(first: 1) { nodes { id latestStatus } } emailStatistics(days: 0) { totals { delivered bounced } } }',
  );
  expect(data.emails.nodes[0].latestStatus).toBe('DELIVERED');
  expect(data.emailStatistics.totals).toEqual({ delivered: 1, bounced: 0 });
  const numbers = await getEmailNumbers(team, data.emails.nodes[0].id);
  await recordEvents(team.runtime.db, team.runtime.config, [
    { ...numbers, status: 'BOUNCED', data: hard as never },
  ]);
  const after = await team.graphql('{ emailStatistics(days: 0) { totals { delivered bounced } } }');
  expect(after.data.emailStatistics.totals).toEqual({ delivered: 1, bounced: 1 });
});

test('usage is grouped by day and domain', async () => {
  await createEmail('a@main.test');
  await createEmail('a@second.test', ['BOUNCED', hard], ['BOUNCED', hard]);
  await team.runtime.db.rows(
    sql`insert into svc_daily_usage (workspace_id, day, domain_id, slot, sent) values (${team.main.ctx.workspace.id}, current_date - 40, ${findDomainId('main.test')}, 3, 7)`,
  );
  const { data } = await team.graphql(
    '{ usage(days: 50) { day domainId sent delivered opened clicked bounced complained hardBounced } }',
  );
  const day = new Date().toISOString().slice(0, 10);
  const none = { ...counts, hardBounced: 0 };
  expect(data.usage).toEqual([
    { day, domainId: `${findDomainId('main.test')}`, ...none, sent: 1, delivered: 1 },
    {
      day,
      domainId: `${findDomainId('second.test')}`,
      ...none,
      sent: 1,
      delivered: 1,
      bounced: 1,
      hardBounced: 1,
    },
    { day: expect.any(String), domainId: `${findDomainId('main.test')}`, ...none, sent: 7 },
  ]);
  expect((await team.ask('GET', '/api/v1/analytics/email-time-series')).json.totalCounts.sent).toBe(2);
});

test('calculates bounce and complaint rates as percentages of sent emails', async () => {
  expect((await client.analytics.reputationMetrics()).data).toEqual({
    sent: 0,
    delivered: 0,
    hardBounced: 0,
    complained: 0,
    bounceRate: 0,
    complaintRate: 0,
  });
  for (let i = 0; i < 3; i++) await createEmail('a@main.test');
  await createEmail('a@main.test', ['BOUNCED', { bounceType: 'Transient' }], ['BOUNCED', hard]);
  await createEmail('a@second.test', ['COMPLAINED'], ['BOUNCED', { bounceType: 'Transient' }]);
  expect((await client.analytics.reputationMetrics()).data).toEqual({
    sent: 5,
    delivered: 5,
    hardBounced: 1,
    complained: 1,
    bounceRate: 20,
    complaintRate: 20,
  });
  const main = await client.analytics.reputationMetrics({ domainId: String(findDomainId('main.test')) });
  expect(main.data).toMatchObject({ delivered: 4, complained: 0, bounceRate: 25 });
});

test.each(['days=8', 'days=', 'days=thirty', 'domainId=0', 'domainId=x', 'domainId=99999999999'])(
  'rejects %s, and names it in the error',
  async (query) => {
    const { status, json } = await team.ask('GET', `/api/v1/analytics/email-time-series?${query}`);
    expect([status, json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
    expect(json.message).toContain(query.split('=')[0]);
  },
);

test('returns zeros to another team and for an unknown domain', async () => {
  await createEmail('a@main.test');
  const otherTenant = await team.tenant('other');
  for (const path of ['email-time-series', `email-time-series?domainId=${findDomainId('main.test')}`]) {
    const { json } = await team.ask('GET', `/api/v1/analytics/${path}`, { key: otherTenant.teamKey });
    expect(json.totalCounts).toEqual(counts);
  }
  const { json } = await team.ask('GET', '/api/v1/analytics/reputation-metrics?domainId=2000000000');
  expect(json.delivered).toBe(0);
});

test('a domain key sees only its own domain, even if it requests another one', async () => {
  await createEmail('a@main.test');
  await createEmail('a@second.test');
  const { key, id } = await createKey(team.main.ctx, { name: 'one', userId: null, scopes: [], days: null });
  await team.runtime.db.rows(
    sql`update svc_api_key set domain_id = ${findDomainId('second.test')} where workspace_id = ${team.main.ctx.workspace.id} and id = ${id}`,
  );
  team.runtime.identity.invalidate();
  for (const query of ['', `?domainId=${findDomainId('main.test')}`]) {
    const { json } = await team.ask('GET', `/api/v1/analytics/email-time-series${query}`, { key });
    expect(json.totalCounts.sent).toBe(1);
  }
});

test('counts many concurrent events without losing any', async () => {
  const { json } = await team.ask('POST', '/api/v1/emails/batch', {
    body: Array.from({ length: 60 }, () => buildMail()),
  });
  for (const { emailId } of json.data)
    await untilEmail(team, emailId, ({ latest_status }) => latest_status === 'DELIVERED');
  const rows = await team.runtime.db.rows<{ workspaceId: number; emailId: number }>(
    sql`select workspace_id as "workspaceId", id as "emailId" from svc_email where workspace_id > 0 and public_id = any(${json.data.map((item: { emailId: string }) => item.emailId)})`,
  );
  // Four connections report the same opens in different orders.
  const opened = rows.map((row) => ({ ...row, status: 'OPENED' as const, data: null }));
  await Promise.all(
    [opened, opened.toReversed(), opened.slice(30), opened.slice(0, 30).toReversed()].map((events) =>
      recordEvents(team.runtime.db, team.runtime.config, events),
    ),
  );
  const { totalCounts } = (await team.ask('GET', '/api/v1/analytics/email-time-series')).json;
  expect(totalCounts).toMatchObject({ sent: 60, delivered: 60, opened: 60 });
});

const BREAKDOWN = `query ($by: EmailBreakdownBy!, $tag: String, $domainId: ID) {
  emailBreakdown(by: $by, tag: $tag, days: 1, domainId: $domainId) {
    isComplete groups { key label emails sent delivered opened clicked bounced complained }
  } }`;

test('breaks emails down by shared attributes and delivery status', async () => {
  await team.runtime.db.rows(sql`delete from svc_email where workspace_id > 0`);
  const queryBreakdown = async (variables: object, key?: string) =>
    (await queryData(team, BREAKDOWN, { key, variables })).emailBreakdown;
  for (const [plan, ...events] of [
    ['pro', 'OPENED', 'CLICKED'],
    ['pro', 'BOUNCED'],
    ['free', 'COMPLAINED'],
    [null],
  ] as [string | null, ...EmailStatus[]][]) {
    const { json } = await team.send({
      ...buildMail({ from: 'a@main.test' }),
      ...(plan && { tags: { plan } }),
    });
    await untilEmail(team, json.emailId, ({ latest_status }) => latest_status === 'DELIVERED');
    const numbers = await getEmailNumbers(team, json.emailId);
    for (const status of events)
      await recordEvents(team.runtime.db, team.runtime.config, [
        { ...numbers, status, data: (status === 'BOUNCED' ? hard : {}) as never },
      ]);
  }
  await createEmail('a@second.test');
  expect(await queryBreakdown({ by: 'TAG', tag: 'plan' })).toEqual({
    isComplete: true,
    groups: [
      {
        ...counts,
        key: 'pro',
        label: null,
        emails: 2,
        sent: 2,
        delivered: 2,
        opened: 1,
        clicked: 1,
        bounced: 1,
      },
      { ...counts, key: null, label: null, emails: 2, sent: 2, delivered: 2 },
      { ...counts, key: 'free', label: null, emails: 1, sent: 1, delivered: 1, complained: 1 },
    ].sort((a, b) => b.emails - a.emails || Number(a.key === null) - Number(b.key === null)),
  });
  const { groups: keys } = await queryBreakdown({ by: 'KEY' });
  expect(keys).toMatchObject([{ key: expect.stringMatching(/^\d+$/), label: expect.any(String), emails: 5 }]);
  const { groups: hours } = await queryBreakdown({ by: 'HOUR' });
  expect(hours.reduce((sum: number, { emails }: { emails: number }) => sum + emails, 0)).toBe(5);
  expect(Date.now() - Date.parse(hours.at(-1).key)).toBeLessThan(2 * 3_600_000);
  const { groups: senders } = await queryBreakdown({
    by: 'SENDER',
    domainId: String(findDomainId('second.test')),
  });
  expect(senders).toMatchObject([{ key: 'a@second.test', emails: 1 }]);
  // A key restricted to a domain counts only that domain, and another workspace counts nothing.
  const { key } = await createKey(team.main.ctx, {
    name: 'second',
    userId: null,
    scopes: ['read'],
    days: null,
    domainId: findDomainId('second.test'),
  });
  const bound = await queryBreakdown({ by: 'SENDER', domainId: String(findDomainId('main.test')) }, key);
  expect(bound.groups).toMatchObject([{ key: 'a@second.test', emails: 1 }]);
  const { errors } = await team.graphql(BREAKDOWN, { by: 'TAG' });
  expect(errors[0]!.message).toBe('tag is required if by is TAG, and not allowed otherwise.');
});
