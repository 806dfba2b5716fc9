import { beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { loadEmailRow, loadEvents, untilEmail } from './sending.ts';

const team = setUpTeam();
let book: string;

interface EmailRow {
  public_id: string;
  to: string[];
  headers: Record<string, string>;
}

let campaign: string;
let emails: EmailRow[];
beforeEach(async () => {
  book = await team.book();
  for (const email of ['ann@example.net', 'bob@example.net'])
    await team.ask('POST', `/api/v1/contactBooks/${book}/contacts`, { body: { email } });
  const { json } = await team.ask('POST', '/api/v1/campaigns', {
    body: {
      name: 'Spring',
      from: 'news@main.test',
      subject: 'Hello',
      contactBookId: book,
      html: '<a href="{{usesend_unsubscribe_url}}">leave</a>',
      sendNow: true,
    },
  });
  campaign = json.id;
  await runDueCampaigns(team.runtime);
  emails = await team.runtime.db.rows<EmailRow>(
    sql`select e.public_id, e."to", e.headers from svc_email e join svc_campaign c on c.workspace_id = e.workspace_id and c.id = e.campaign_id
     where e.workspace_id > 0 and c.public_id = ${campaign} order by e.contact_id`,
  );
  expect(emails.map(({ to }) => to)).toEqual([['ann@example.net'], ['bob@example.net']]);
});

async function unsubscribe(email: EmailRow): Promise<void> {
  const address = email.headers['List-Unsubscribe']!.slice(1, -1);
  const { status } = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(status).toBe(200);
}

async function deleteContact(): Promise<void> {
  const contacts = (await team.ask('GET', `/api/v1/contactBooks/${book}/contacts`)).json as {
    id: string;
    email: string;
  }[];
  const { id } = contacts.find(({ email }) => email === 'ann@example.net')!;
  expect((await team.ask('DELETE', `/api/v1/contactBooks/${book}/contacts/${id}`)).status).toBe(200);
}

test.each([
  ['unsubscribes', () => unsubscribe(emails[0]!), /unsubscribed/],
  ['is deleted', deleteContact, /deleted/],
] as const)(
  'does not send a waiting campaign email to a contact who %s, and shows the reason',
  async (_, leave, reason) => {
    await leave();
    const worker = await team.deliver();
    const [ann, bob] = emails as [EmailRow, EmailRow];
    await untilEmail(team, bob.public_id, ({ state }) => state === 'sent');
    const finalEmail = await untilEmail(
      team,
      ann.public_id,
      ({ state }) => state !== 'queued' && state !== 'sending',
    );
    await worker.stop();
    expect(finalEmail).toMatchObject({
      state: 'cancelled',
      latest_status: 'CANCELLED',
      reason: expect.stringMatching(reason),
    });
    expect(await loadEvents(team, ann.public_id)).toEqual([
      { status: 'CANCELLED', data: { error: expect.stringMatching(reason) } },
    ]);
    expect((await team.ask('GET', `/api/v1/emails/${ann.public_id}`)).json.latestStatus).toBe('CANCELLED');
  },
);

test('does not send to a contact who unsubscribes while the campaign is paused', async () => {
  const [ann, bob] = emails as [EmailRow, EmailRow];
  await team.runtime.db.rows(
    sql`update svc_campaign set status = 'RUNNING' where workspace_id > 0 and public_id = ${campaign}`,
  );
  expect((await team.ask('POST', `/api/v1/campaigns/${campaign}/pause`, { body: {} })).status).toBe(200);
  await unsubscribe(ann);
  expect((await team.ask('POST', `/api/v1/campaigns/${campaign}/resume`, { body: {} })).status).toBe(200);
  const worker = await team.deliver();
  await untilEmail(team, bob.public_id, ({ state }) => state === 'sent');
  await untilEmail(team, ann.public_id, ({ state }) => state === 'cancelled');
  await worker.stop();
});

test('sends to a contact who has unsubscribed and resubscribed since then', async () => {
  const [ann] = emails as [EmailRow, EmailRow];
  await unsubscribe(ann);
  await team.runtime.db.rows(
    sql`update svc_contact set subscribed = true, unsubscribe_reason = null where workspace_id > 0 and email = 'ann@example.net'`,
  );
  const worker = await team.deliver();
  await untilEmail(team, ann.public_id, ({ state }) => state === 'sent');
  await worker.stop();
  expect((await loadEmailRow(team, ann.public_id)).reason).toBeNull();
});
