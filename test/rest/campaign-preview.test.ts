import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCampaigns } from '../../schema/send/campaigns/run.ts';
import { startTeam, type Team } from '../harness/facades/rest.ts';
import type { Tenant } from '../harness/tenant.ts';

let team: Team;
let other: Tenant;
let book: string;
beforeAll(async () => {
  team = await startTeam();
  other = await team.tenant('other');
  book = await team.book({ variables: ['city'] });
  const people = [
    { email: 'gone@example.net', subscribed: false },
    { email: 'ann@example.net', firstName: 'Ann', properties: { city: 'Ghent' } },
    { email: 'Bob@example.net', firstName: '<b>Bob</b>' },
    { email: 'no@example.net' },
  ];
  for (const body of people) {
    const { status } = await team.ask('POST', `/api/v1/contactBooks/${book}/contacts`, { body });
    expect(status).toBe(200);
  }
  await team.graphql('mutation { suppressionsAdd(emails: ["no@example.net", "ann@example.org"]) { added } }');
});
afterAll(() => team.close());

const LEAVE = '<a href="{{usesend_unsubscribe_url}}">leave</a>';

async function createCampaign(more: object = {}): Promise<string> {
  const campaign = {
    name: 'Spring',
    from: `News <news@${team.main.domain}>`,
    subject: 'Hello {{firstName, fallback=you}}',
    contactBookId: book,
    html: `<p>{{firstName}} of {{city, fallback=town}}</p>${LEAVE}`,
    ...more,
  };
  return (await team.ask('POST', '/api/v1/campaigns', { body: campaign })).json.id;
}

const PREVIEW = `query ($id: ID!, $campaign: CampaignChanges, $contact: String) {
  campaignPreview(id: $id, campaign: $campaign, contact: $contact) {
    subject html text contact unknownVariables recipients { subscribed suppressed isComplete }
  } }`;
const queryPreview = (variables: object, key?: string) => team.graphql(PREVIEW, variables, key);

test('a preview uses the values of the first subscribed contact, and counts the recipients', async () => {
  const { data, errors } = await queryPreview({ id: await createCampaign() });
  expect(errors).toEqual([]);
  expect(data.campaignPreview).toEqual({
    subject: 'Hello Ann',
    html: expect.stringMatching(/^<p>Ann of Ghent<\/p><a href="http.*\/unsubscribe\?id=/),
    text: expect.stringContaining('Ann of Ghent'),
    contact: 'ann@example.net',
    unknownVariables: [],
    recipients: { subscribed: 3, suppressed: 1, isComplete: true },
  });
});

test('shows unsaved changes for a contact found by address in any case, and escapes values', async () => {
  const id = await createCampaign();
  const campaign = { subject: '{{firstName}}', html: `<p>{{firstName}} {{street}}</p>${LEAVE}` };
  const { data } = await queryPreview({ id, campaign, contact: 'BOB@example.net' });
  expect(data.campaignPreview).toMatchObject({
    subject: '<b>Bob</b>',
    html: expect.stringContaining('<p>&lt;b&gt;Bob&lt;/b&gt; {{street}}</p>'),
    contact: 'Bob@example.net',
    unknownVariables: ['street'],
  });
  expect((await queryPreview({ id })).data.campaignPreview.subject).toBe('Hello Ann');
});

test('the unsubscribe link in a preview unsubscribes no contact', async () => {
  const { data } = await queryPreview({ id: await createCampaign() });
  const link = /href="([^"]*unsubscribe[^"]*)"/.exec(data.campaignPreview.html)![1]!.replaceAll('&amp;', '&');
  const { search } = new URL(link);
  await fetch(`${team.url}/api/unsubscribe-oneclick${search}`, { method: 'POST' });
  const after = (await queryPreview({ id: await createCampaign() })).data.campaignPreview;
  expect(after.recipients.subscribed).toBe(3);
});

test('an error names its argument: an unknown contact address, or changes that cannot be saved', async () => {
  const id = await createCampaign();
  const faults = [
    [{ contact: 'else@example.net' }, 'contact'],
    [{ campaign: { html: '<p>no way out</p>' } }, 'campaign.html'],
    [{ campaign: { from: 'nobody' } }, 'campaign.from'],
  ] as const;
  for (const [variables, argument] of faults) {
    const { errors } = await queryPreview({ id, ...variables });
    expect(errors[0]!.extensions).toMatchObject({ code: 'BAD_REQUEST', argument });
  }
});

test('a campaign of another workspace has no preview', async () => {
  const { errors } = await queryPreview({ id: await createCampaign() }, other.admin.key);
  expect(errors[0]!.extensions.code).toBe('NOT_FOUND');
});

test('a campaign without contacts shows its fallbacks and counts no recipients', async () => {
  const empty = await team.book();
  const { data } = await queryPreview({ id: await createCampaign({ contactBookId: empty }) });
  expect(data.campaignPreview).toMatchObject({
    subject: 'Hello you',
    contact: null,
    unknownVariables: ['city'],
    recipients: { subscribed: 0, suppressed: 0, isComplete: true },
  });
});

const UNSCHEDULE = 'mutation ($id: ID!) { campaignUnschedule(id: $id) { status scheduledAt total } }';

test('a scheduled campaign can return to draft and be scheduled again, and a draft is rejected', async () => {
  const id = await createCampaign();
  const later = { scheduledAt: new Date(Date.now() + 86_400_000).toISOString() };
  const schedule = () => team.ask('POST', `/api/v1/campaigns/${id}/schedule`, { body: later });
  expect((await schedule()).status).toBe(200);
  const { data } = await team.graphql(UNSCHEDULE, { id });
  expect(data.campaignUnschedule).toEqual({ status: 'DRAFT', scheduledAt: null, total: 0 });
  expect((await team.graphql(UNSCHEDULE, { id })).errors[0]!.message).toContain('not scheduled');
  expect((await schedule()).status).toBe(200);
  await team.ask('POST', `/api/v1/campaigns/${id}/pause`, { body: {} });
  expect((await team.graphql(UNSCHEDULE, { id })).data.campaignUnschedule.status).toBe('DRAFT');
});

test('a campaign that has started sending cannot return to draft', async () => {
  const id = await createCampaign();
  await team.ask('POST', `/api/v1/campaigns/${id}/schedule`, { body: {} });
  await runCampaigns(team.runtime);
  const { errors } = await team.graphql(UNSCHEDULE, { id });
  expect(errors[0]!.message).toContain('sending has started');
});
