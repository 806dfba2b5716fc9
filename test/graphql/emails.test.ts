import { describe, expect, it } from 'vitest';
import { createKey } from '../../schema/base/keys/keys.ts';
import { loseEmail, untilEmail } from '../email/sending.ts';
import { captureStatements } from '../harness/capture-statements.ts';
import { avoidMidnight } from '../harness/clock.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { buildMail, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam({ LOG_LEVEL: 'error' });

const FUTURE_TIME = '2099-01-01T00:00:00.000Z';

const queryGraphql = (query: string, variables: object = {}, key = team.main.teamKey) =>
  queryData(team, query, { key, variables });

const sendEmail = async (change: object = {}): Promise<string> =>
  (await team.send(buildMail(change))).json.emailId;

const sendLost = async (): Promise<string> => {
  const id = await sendEmail();
  await loseEmail(team, id);
  return id;
};

const SEND = `mutation ($input: EmailInput!, $key: String) {
  emailSend(input: $input, idempotencyKey: $key) {
    id from to cc subject latestStatus state reason suppressed tags metadata createdAt scheduledAt sentAt
    domain { name }
    attachments { filename contentType size }
    events { totalCount }
  }
}`;

describe('sending emails', () => {
  it('returns the email', async () => {
    const { emailSend: email } = await queryGraphql(SEND, {
      input: {
        ...buildMail({ to: ['Ann <ann@example.net>'], cc: ['carl@example.net'] }),
        tags: { campaign: 'spring' },
        metadata: { order: { id: 7 } },
        attachments: [{ filename: 'a.txt', content: Buffer.from('hello').toString('base64') }],
      },
    });
    expect(email).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{25}$/),
      from: 'Main Team <hello@main.test>',
      to: ['Ann <ann@example.net>'],
      cc: ['carl@example.net'],
      subject: 'Hello',
      latestStatus: 'QUEUED',
      state: 'QUEUED',
      reason: null,
      suppressed: [],
      tags: { campaign: 'spring' },
      metadata: { order: { id: 7 } },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      scheduledAt: null,
      sentAt: null,
      domain: { name: 'main.test' },
      attachments: [{ filename: 'a.txt', contentType: null, size: 5 }],
      events: { totalCount: 0 },
    });
    expect((await team.email(email.id)).id).toBe(email.id);
  });

  it('returns the first email if an idempotency key is reused, and rejects a different email', async () => {
    const input = buildMail({ to: ['ann@example.net'], subject: 'Once' });
    const first = await queryGraphql(SEND, { input, key: 'once' });
    expect((await queryGraphql(SEND, { input, key: 'once' })).emailSend.id).toBe(first.emailSend.id);
    const { errors } = await team.graphql(SEND, { input: { ...input, subject: 'Twice' }, key: 'once' });
    expect(errors[0]!.message).toContain('already used');
    const rest = await team.send({ ...input, to: ['ann@example.net'] }, { 'idempotency-key': 'once' });
    expect(rest.json.emailId).toBe(first.emailSend.id);
  });

  it('sends all emails of a batch or none, and returns them in input order', async () => {
    const document = `mutation ($inputs: [EmailInput!]!) { emailsSend(inputs: $inputs) { id subject latestStatus } }`;
    const inputs = ['One', 'Two'].map((subject) => buildMail({ to: ['ann@example.net'], subject }));
    const before = await team.countWritten();
    const { emailsSend } = await queryGraphql(document, {
      inputs: [...inputs, { ...inputs[0], scheduledAt: FUTURE_TIME }],
    });
    expect(
      emailsSend.map((email: { subject: string; latestStatus: string }) => [
        email.subject,
        email.latestStatus,
      ]),
    ).toEqual([
      ['One', 'QUEUED'],
      ['Two', 'QUEUED'],
      ['One', 'SCHEDULED'],
    ]);
    const { errors } = await team.graphql(document, { inputs: [inputs[0], { ...inputs[1], from: 'no' }] });
    expect(errors[0]!.message).toMatch(/^1: from/);
    expect(await team.countWritten()).toBe(before + 3);
  });

  it('rejects a misspelled or missing field during validation', async () => {
    const input = { ...buildMail({ to: ['a@example.net'] }), subjekt: 'x' };
    expect((await team.graphql(SEND, { input })).errors[0]!.message).toContain('subjekt');
    expect((await team.graphql(SEND, { input: { to: ['a@b.test'] } })).errors[0]!.message).toContain('from');
  });

  it('returns the email to a send-only key, but no related records', async () => {
    const { key } = await createKey(team.main.ctx, { name: 's', userId: null, scopes: ['send'], days: null });
    const input = buildMail({ to: ['ann@example.net'] });
    const plain = 'mutation ($input: EmailInput!) { emailSend(input: $input) { id subject state domainId } }';
    expect((await queryGraphql(plain, { input }, key)).emailSend).toMatchObject({
      subject: 'Hello',
      state: 'QUEUED',
    });
    for (const extra of [
      'domain { name }',
      'events { nodes { id } }',
      'campaign { id }',
      'template { id }',
    ]) {
      const document = `mutation ($input: EmailInput!) { emailSend(input: $input) { id ${extra} } }`;
      const { data, errors, text } = await team.graphql(document, { input }, key);
      const result = data?.emailSend ? Object.values(data.emailSend)[1] : null;
      expect(result, text).toBe(null);
      if (/domain|events/.test(extra)) expect(errors[0]!.extensions.code, text).toMatch(/ACCESS|FORBIDDEN/);
    }
    const { errors } = await team.graphql('{ emails { totalCount } }', {}, key);
    expect(errors[0]!.extensions.code).toBe('FORBIDDEN');
  });
});

it('exports the filtered emails as CSV, newest first, without spreadsheet formulas', async () => {
  const document = `query ($status: [EmailStatus!], $subject: String, $to: String, $from: DateTime, $until: DateTime) {
    emailsExport(status: $status, subject: $subject, to: $to, from: $from, until: $until) }`;
  const ids: string[] = [];
  for (const subject of ['Exported "one"', '=Exported()'])
    ids.push(await sendEmail({ to: ['ann@example.net', 'bob@example.net'], subject }));
  const readIds = async (variables: object) =>
    (await queryGraphql(document, variables)).emailsExport.split('\r\n');
  const [head, newer, older, ...rest] = await readIds({ subject: 'exported', to: 'bob@example.net' });
  expect(head).toBe('id,createdAt,from,to,subject,status,reason,sentAt');
  const [id, createdAt, , to, subject] = newer.split(',');
  expect([id, to, subject]).toEqual([ids[1], 'ann@example.net bob@example.net', `'=Exported()`]);
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(older).toContain(',"Exported ""one""",');
  expect(rest).toEqual(['']);
  expect(await readIds({ subject: 'exported', status: ['CANCELLED'] })).toEqual([head, '']);
  expect(await readIds({ subject: 'exported', until: '2020-01-01T00:00:00Z' })).toEqual([head, '']);
  expect(await readIds({ subject: 'exported', from: '2020-01-01T00:00:00Z' })).toHaveLength(4);
});

describe('changing emails', () => {
  it('reschedules and cancels a scheduled email', async () => {
    const id = await sendEmail({ scheduledAt: FUTURE_TIME });
    const at = '2098-06-01T12:00:00.000Z';
    const moved = await queryGraphql(
      'mutation ($id: ID!, $at: DateTime!) { emailReschedule(id: $id, scheduledAt: $at) { id scheduledAt latestStatus } }',
      { id, at },
    );
    expect(moved.emailReschedule).toEqual({ id, scheduledAt: at, latestStatus: 'SCHEDULED' });
    const cancelled = await queryGraphql(
      'mutation ($id: ID!) { emailCancel(id: $id) { id state latestStatus events { nodes { status } } } }',
      { id },
    );
    expect(cancelled.emailCancel).toEqual({
      id,
      state: 'CANCELLED',
      latestStatus: 'CANCELLED',
      events: { nodes: [{ status: 'CANCELLED' }] },
    });
    const repeatedResponse = await team.graphql('mutation ($id: ID!) { emailCancel(id: $id) { id } }', {
      id,
    });
    expect(repeatedResponse.errors[0]!.extensions.code).toBe('BAD_REQUEST');
  });

  it("returns the email's state after each of several mutations", async () => {
    const id = await sendEmail({ scheduledAt: FUTURE_TIME });
    const { moved, cancelled } = await queryGraphql(
      `mutation ($id: ID!, $at: DateTime!) {
        moved: emailReschedule(id: $id, scheduledAt: $at) { ...Email }
        cancelled: emailCancel(id: $id) { ...Email }
      }
      fragment Email on Email { latestStatus events { nodes { status } } }`,
      { id, at: FUTURE_TIME },
    );
    expect(moved).toEqual({ latestStatus: 'SCHEDULED', events: { nodes: [] } });
    expect(cancelled).toEqual({ latestStatus: 'CANCELLED', events: { nodes: [{ status: 'CANCELLED' }] } });
  });

  it('sends an email with an unknown outcome again, or marks it as failed', async () => {
    const [one, other] = [await sendLost(), await sendLost()];
    const { emailSendAgain } = await queryGraphql(
      'mutation ($id: ID!) { emailSendAgain(id: $id) { id state reason } }',
      {
        id: one,
      },
    );
    expect(emailSendAgain).toMatchObject({
      id: one,
      state: 'QUEUED',
      reason: expect.stringMatching(/^Sent again on request/),
    });
    const { emailGiveUp } = await queryGraphql(
      'mutation ($id: ID!) { emailGiveUp(id: $id) { id state latestStatus events(last: 1) { nodes { status data } } } }',
      { id: other },
    );
    expect(emailGiveUp).toMatchObject({
      id: other,
      state: 'FAILED',
      latestStatus: 'FAILED',
      events: { nodes: [{ status: 'FAILED' }] },
    });
  });
});

describe('reading emails', () => {
  avoidMidnight();

  it('lists emails with their events, filtered and sorted', async () => {
    const marker = `Marked ${Date.now()}`;
    const ids = [];
    for (const to of ['delivered@example.net', 'bounce@example.net'])
      ids.push(await sendEmail({ to, subject: marker }));
    const worker = await team.deliver();
    for (const id of ids)
      await untilEmail(team, id, ({ latest_status }) => ['DELIVERED', 'BOUNCED'].includes(latest_status));
    await worker.stop();
    const { emails } = await queryGraphql(
      `query ($subject: String!) {
        emails(where: { subject: { eq: $subject } }, orderBy: [{ field: CREATED_AT, direction: ASC }]) {
          totalCount pageInfo { hasNextPage }
          nodes { id latestStatus sentAt events { totalCount nodes { status createdAt email { id } } } }
        }
      }`,
      { subject: marker },
    );
    expect(emails.totalCount).toBe(2);
    expect(emails.nodes.map((node: { id: string }) => node.id)).toEqual(ids);
    for (const { id, sentAt, events } of emails.nodes) {
      const rest = await team.email(id);
      expect(sentAt).toEqual(expect.any(String));
      expect(events.nodes).toEqual(
        rest.emailEvents.map((event: { status: string; createdAt: string }) => ({
          status: event.status,
          createdAt: event.createdAt,
          email: { id },
        })),
      );
    }
    const { emails: some } = await queryGraphql(
      `query ($subject: String!) {
        emails(where: { subject: { eq: $subject }, events: { some: { status: { eq: DELIVERED } } } }) { nodes { id } }
      }`,
      { subject: marker },
    );
    expect(some.nodes.map((node: { id: string }) => node.id)).toContain(ids[0]);
    const { emailEvents } = await queryGraphql(
      `query ($subject: String!) {
        emailEvents(where: { email: { subject: { eq: $subject } }, status: { eq: SENT } }) { totalCount }
      }`,
      { subject: marker },
    );
    expect(emailEvents.totalCount).toBe(2);
  });

  it('lists and exports emails by sending key and by tag', async () => {
    const key = await createKey(team.main.ctx, { name: 'Shop', userId: null, days: null, scopes: [] });
    const args = {
      body: buildMail({ subject: 'By the shop', tags: { order: '7', kind: 'invoice' } }),
      key: key.key,
    };
    const id = (await team.ask('POST', '/api/v1/emails', args)).json.emailId;
    await sendEmail({ subject: 'By another', tags: { order: '71' } });
    const document = `query ($key: ID, $keyId: ID, $tags: JSON) {
      emails(where: { keyId: { eq: $key }, tags: { contains: $tags } }) { nodes { id keyId key { name } tags } }
      emailsExport(keyId: $keyId, tags: $tags) }`;
    for (const [requested, expected] of [
      [{ key: key.id, keyId: key.id }, 1],
      [{ tags: { order: '7' } }, 1],
      [{ key: key.id, keyId: key.id, tags: { order: '7', kind: 'invoice' } }, 1],
      [{ tags: { order: '7', kind: 'receipt' } }, 0],
      [{ key: key.id, keyId: key.id, tags: { order: '71' } }, 0],
    ] as const) {
      const { emails, emailsExport } = await queryGraphql(document, requested, team.main.admin.key);
      const tags = { order: '7', kind: 'invoice' };
      const one = { id, keyId: String(key.id), key: { name: 'Shop' }, tags };
      expect(emails.nodes).toEqual(expected ? [one] : []);
      expect(emailsExport.split('\r\n')).toHaveLength(expected + 2);
      expect(emailsExport.includes(id)).toBe(expected === 1);
    }
    const { errors } = await team.graphql(
      '{ emails(where: { tags: { contains: "order" } }) { totalCount } }',
    );
    expect(errors[0]!.extensions.code).toBe('BAD_VALUE');
  });

  it('reads single emails and pages like the REST API, and reports unknown ids', async () => {
    const id = await sendEmail();
    const { email, emailRead, emailPage } = await queryGraphql(
      `query ($id: ID!) {
        email(id: $id) { id __typename subject }
        emailRead(id: $id) { id subject events { totalCount } }
        emailPage(limit: 2) { count data { id from latestStatus } }
      }`,
      { id },
    );
    expect(email).toEqual({ id, __typename: 'Email', subject: 'Hello' });
    expect(emailRead).toEqual({ id, subject: 'Hello', events: { totalCount: 0 } });
    const rest = (await team.ask('GET', '/api/v1/emails?limit=2')).json;
    expect(emailPage.count).toBe(rest.count);
    expect(emailPage.data).toEqual(
      rest.data.map((item: Record<string, string>) => ({
        id: item.id,
        from: item.from,
        latestStatus: item.latestStatus,
      })),
    );
    const absentResponse = await team.graphql(
      '{ email(id: "nothing") { id } emailRead(id: "nothing") { id } }',
    );
    expect([absentResponse.errors.length, absentResponse.errors[0]!.extensions.code]).toEqual([
      1,
      'NOT_FOUND',
    ]);
  });

  it('returns the outbox of the local transport', async () => {
    const { outbox, outboxMessages } = await queryGraphql(
      `{ outbox(limit: 1) { id recipients source isCut keptAt email { id subject } }
         outboxMessages(first: 1) { nodes { id keptAt } } }`,
    );
    expect(outbox[0]).toMatchObject({ source: expect.stringContaining('Subject:'), isCut: false });
    expect(outboxMessages.nodes[0]).toEqual({ id: outbox[0].id, keptAt: outbox[0].keptAt });
  });

  it('loads the source of outbox messages only if it is requested', async () => {
    const captureRead = (fields: string) =>
      captureStatements(team.runtime, 'convert_from', async () => {
        expect((await queryGraphql(`{ outbox(limit: 1) { ${fields} } }`)).outbox).toHaveLength(1);
      });
    expect(await captureRead('id')).toEqual([]);
    expect(await captureRead('id source')).toHaveLength(1);
  });

  it('counts emails by day and month, with the same totals as the REST API', async () => {
    const { emailStatistics, reputation } = await queryGraphql(
      `{ emailStatistics(days: 7) { periods { date sent delivered } totals { sent delivered opened } }
         reputation { sent delivered hardBounced complained bounceRate complaintRate } }`,
    );
    const rest = (await team.ask('GET', '/api/v1/analytics/email-time-series?days=7')).json;
    expect(emailStatistics.periods).toHaveLength(8);
    expect(emailStatistics.periods.at(-1)).toMatchObject({
      date: new Date().toISOString().slice(0, 10),
      sent: rest.result.at(-1).sent,
    });
    expect(emailStatistics.totals).toMatchObject({ sent: rest.totalCounts.sent, opened: 0 });
    expect(reputation).toEqual((await team.ask('GET', '/api/v1/analytics/reputation-metrics')).json);
    const { emailStatistics: months } = await queryGraphql(
      '{ emailStatistics(days: 366, by: MONTH) { periods { date } totals { sent } } }',
    );
    expect(months.periods.length).toBeGreaterThanOrEqual(12);
    expect(months.periods.every(({ date }: { date: string }) => date.endsWith('-01'))).toBe(true);
    expect(months.totals.sent).toBe(emailStatistics.totals.sent);
    for (const days of [-1, 367])
      expect(
        (await team.graphql(`{ emailStatistics(days: ${days}) { totals { sent } } }`)).errors[0]!.message,
      ).toContain('366');
  });
});
