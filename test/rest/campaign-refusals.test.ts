import { UseSend } from 'usesend-js';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { buildExpectedEnvelope, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();
let book: string;
beforeAll(async () => {
  book = await team.book({ variables: ['Plan'] });
  const contact = { email: 'ann@example.net', properties: { plan: 'pro', shoe: '44' } };
  await team.ask('POST', `/api/v1/contactBooks/${book}/contacts`, { body: contact });
});

const LINK = '{{usesend_unsubscribe_url}}';
const make = (overrides: object = {}) =>
  team.ask('POST', '/api/v1/campaigns', {
    body: {
      name: 'Spring',
      from: 'news@main.test',
      subject: 'Hello',
      contactBookId: book,
      html: LINK,
      ...overrides,
    },
  });
const schedule = (id: string, body: object = {}) =>
  team.ask('POST', `/api/v1/campaigns/${id}/schedule`, { body });
const listCampaigns = async () => (await team.ask('GET', '/api/v1/campaigns')).json.campaigns;
const formatMinutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

test.each(['2020-01-01T00:00:00Z', formatMinutesAgo(6)])(
  'rejects a campaign for %s in the past and sends no mail',
  async (scheduledAt) => {
    const before = await listCampaigns();
    const response = await make({ scheduledAt });
    expect([response.status, response.json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
    expect(response.json.message).toMatch(/^scheduledAt: .* is in the past/);
    expect(await listCampaigns()).toEqual(before);
    const { id } = (await make()).json;
    const client = new UseSend(team.main.teamKey, team.url);
    const { error } = await client.campaigns.schedule(id, { scheduledAt });
    expect(error).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('past') });
    expect((await team.ask('GET', `/api/v1/campaigns/${id}`)).json.status).toBe('DRAFT');
  },
);

test.each(['', '  ', '\n'])('rejects a blank time %j and sends no mail', async (scheduledAt) => {
  const before = await listCampaigns();
  for (const extra of [{}, { sendNow: false }]) {
    const { status, json } = await make({ scheduledAt, ...extra });
    expect([status, json.message]).toEqual([400, expect.stringMatching(/^scheduledAt: /)]);
  }
  expect(await listCampaigns()).toEqual(before);
  const { id } = (await make()).json;
  const { status, json } = await schedule(id, { scheduledAt });
  expect([status, json.message]).toEqual([400, expect.stringMatching(/^scheduledAt: must not be blank/)]);
  expect((await team.ask('GET', `/api/v1/campaigns/${id}`)).json.status).toBe('DRAFT');
});

test('rejects gradual delivery, and names the supported option in the error', async () => {
  const delivery = { strategy: 'gradual', batchPercentage: 10, interval: 'hour' };
  const { id } = (await make()).json;
  for (const { status, json } of [await make({ delivery, sendNow: true }), await schedule(id, { delivery })])
    expect([status, json.message]).toEqual([400, expect.stringMatching(/^delivery: .*batchSize/)]);
});

test('rejects a campaign with unreachable links if mail is sent over SMTP', async () => {
  const { config } = team.runtime;
  const { mailTransport, publicUrl } = config;
  const ready = (await make({ scheduledAt: 'in 2 hours' })).json.id;
  const paused = (await make({ scheduledAt: 'in 2 hours' })).json.id;
  await team.ask('POST', `/api/v1/campaigns/${paused}/pause`, { body: {} });
  const { id } = (await make()).json;
  const due = sql`update svc_campaign set next_at = now() where workspace_id > 0 and public_id = ${ready}`;
  try {
    config.mailTransport = 'smtp';
    for (const response of [
      await make({ sendNow: true }),
      await schedule(id),
      await schedule(id, { scheduledAt: 'in 2 hours' }),
      await team.ask('POST', `/api/v1/campaigns/${paused}/resume`, { body: {} }),
    ])
      expect([response.status, response.json.message]).toEqual([400, expect.stringContaining('PUBLIC_URL')]);
    await team.runtime.db.rows(due);
    await runDueCampaigns(team.runtime);
    const { json } = await team.ask('GET', `/api/v1/campaigns/${ready}`);
    expect(json).toMatchObject({ status: 'PAUSED', reason: expect.stringContaining('PUBLIC_URL') });
    config.publicUrl = 'https://mail.example';
    expect((await schedule(id, { scheduledAt: 'in 2 hours' })).status).toBe(200);
  } finally {
    Object.assign(config, { mailTransport, publicUrl });
  }
});

test('schedules a campaign immediately if its time has just passed', async () => {
  const { status, json } = await make({ scheduledAt: formatMinutesAgo(4) });
  expect([status, json.status]).toEqual([200, 'SCHEDULED']);
  await runDueCampaigns(team.runtime);
  expect((await team.ask('GET', `/api/v1/campaigns/${json.id}`)).json.status).toBe('SENT');
});

test.each([
  ['subject', { subject: 'S {{nope}}' }, /^subject: .*\{\{nope\}\}.*variables/],
  ['previewText', { previewText: 'Dear {{Nope}}' }, /^previewText: .*\{\{Nope\}\}/],
  ['html', { html: `{{ contact.nope }} ${LINK}` }, /^html: .*\{\{ contact\.nope \}\}/],
  [
    'html, with a fallback',
    { html: `{{nope, fallback=x}} ${LINK}` },
    /^html: .*nope.*add nope to the book's variables/,
  ],
  ['html, even if contacts have such a property', { html: `{{shoe}} ${LINK}` }, /^html: .*shoe/],
  [
    'content',
    {
      html: undefined,
      content: JSON.stringify({
        type: 'doc',
        content: [{ type: 'variable', attrs: { id: 'nope' } }, { type: 'unsubscribeFooter' }],
      }),
    },
    /^content: .*nope/,
  ],
])('saves a draft with an unknown variable in %s, but does not send it', async (_, overrides, pattern) => {
  const before = await listCampaigns();
  for (const when of [{ sendNow: true }, { scheduledAt: 'in 2 hours' }]) {
    const { status, json } = await make({ ...overrides, ...when });
    expect([status, json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
    expect(json.message).toMatch(pattern);
  }
  expect(await listCampaigns()).toEqual(before);
  const { status, json } = await make(overrides);
  expect(status).toBe(200);
  const response = await schedule(json.id);
  expect([response.status, response.json.message]).toEqual([400, expect.stringMatching(pattern)]);
});

test('sends a draft once the contact book declares its variables', async () => {
  const { id } = (await make({ subject: '{{ shoe }} {{plan, fallback=Free}} {{a b}} {{lastName}}' })).json;
  expect((await schedule(id)).status).toBe(400);
  await team.ask('PATCH', `/api/v1/contactBooks/${book}`, { body: { variables: ['plan', 'SHOE'] } });
  expect((await schedule(id)).status).toBe(200);
  await runDueCampaigns(team.runtime);
  const subject = await team.runtime.db.value<string>(
    sql`select e.subject from svc_email e join svc_campaign c on c.workspace_id = e.workspace_id and c.id = e.campaign_id where e.workspace_id > 0 and c.public_id = ${id}`,
  );
  expect(subject).toBe('44 pro {{a b}} ');
});
