import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { buildMail, setUpTeam } from '../harness/facades/rest.ts';
import { loadEmailRow, untilEmail } from './sending.ts';

const team = setUpTeam();
beforeAll(() => suppress('bad@example.net', 'x@example.net'));

const suppress = (...emails: string[]) =>
  team.graphql('mutation ($emails: [String!]!) { suppressionsAdd(emails: $emails) { added } }', { emails });

test('lists recipients omitted at acceptance as written by the caller', async () => {
  const to = ['Bad <BAD@example.net>', 'good@example.net'];
  const { json } = await team.send(buildMail({ to, bcc: 'x@example.net' }));
  expect(await team.email(json.emailId)).toMatchObject({
    to: ['good@example.net'],
    bcc: [],
    suppressed: ['Bad <BAD@example.net>', 'x@example.net'],
    latestStatus: 'QUEUED',
  });
  const records = await team.ask('POST', '/json/2/svc.email/search_read', {
    key: team.main.admin.key,
    body: { domain: [['public_id', '=', json.emailId]], fields: ['suppressed'] },
  });
  expect(records.json[0].suppressed).toEqual(['Bad <BAD@example.net>', 'x@example.net']);
  const { data } = await team.graphql(
    `{ emails(where: { id: { eq: "${json.emailId}" } }) { nodes { suppressed } } }`,
  );
  expect(data.emails.nodes).toEqual([{ suppressed: ['Bad <BAD@example.net>', 'x@example.net'] }]);
});

test('lists every recipient if all are omitted, and none if all are kept', async () => {
  const rejectedResponse = await team.send(
    buildMail({ to: 'bad@example.net', cc: ['fine@example.net', 'x@example.net'] }),
  );
  expect(await team.email(rejectedResponse.json.emailId)).toMatchObject({
    latestStatus: 'SUPPRESSED',
    to: ['bad@example.net'],
    suppressed: ['bad@example.net', 'x@example.net'],
  });
  const all = await team.send(buildMail());
  expect((await team.email(all.json.emailId)).suppressed).toEqual([]);
});

test('also lists recipients suppressed between acceptance and sending', async () => {
  const scheduledAt = '2099-01-01T00:00:00Z';
  const to = ['bad@example.net', 'Late <late@example.net>', 'good@example.net'];
  const some = (await team.send(buildMail({ to, scheduledAt }))).json.emailId;
  const one = (await team.send(buildMail({ to: 'late@example.net', scheduledAt }))).json.emailId;
  await suppress('late@example.net');
  const worker = await team.deliver();
  try {
    const now = { body: { scheduledAt: '2020-01-01T00:00:00Z' } };
    for (const id of [some, one]) await team.ask('PATCH', `/api/v1/emails/${id}`, now);
    await untilEmail(team, some, (email) => email.state === 'sent');
    await untilEmail(team, one, (email) => email.state === 'suppressed');
  } finally {
    await worker.stop();
  }
  expect(await team.email(some)).toMatchObject({
    to: ['good@example.net'],
    suppressed: ['bad@example.net', 'Late <late@example.net>'],
  });
  expect(await team.email(one)).toMatchObject({ to: ['late@example.net'], suppressed: ['late@example.net'] });
  expect((await loadEmailRow(team, one)).state).toBe('suppressed');
});

test('lists omitted contacts and Cc recipients of campaign emails', async () => {
  const book = await team.book();
  for (const email of ['bad@example.net', 'good@example.net'])
    await team.ask('POST', `/api/v1/contactBooks/${book}/contacts`, { body: { email } });
  const { json } = await team.ask('POST', '/api/v1/campaigns', {
    body: {
      name: 'n',
      from: 'news@main.test',
      subject: 's',
      contactBookId: book,
      html: '{{usesend_unsubscribe_url}}',
      cc: ['X <x@example.net>', 'copy@example.net'],
      sendNow: true,
    },
  });
  await runDueCampaigns(team.runtime);
  const emails = await team.runtime.db.rows(
    sql`select e."to", e.cc, e.suppressed from svc_email e join svc_campaign c on c.workspace_id = e.workspace_id and c.id = e.campaign_id
     where e.workspace_id > 0 and c.public_id = ${json.id} order by e.contact_id`,
  );
  expect(emails).toEqual([
    {
      to: ['bad@example.net'],
      cc: ['copy@example.net'],
      suppressed: ['bad@example.net', 'X <x@example.net>'],
    },
    { to: ['good@example.net'], cc: ['copy@example.net'], suppressed: ['X <x@example.net>'] },
  ]);
});
