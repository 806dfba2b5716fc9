import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import type { Tenant } from '../harness/tenant.ts';

const team = setUpTeam();
let otherTenant: Tenant;
let book: string;
beforeAll(async () => {
  otherTenant = await team.tenant('other');
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

const LEAVE = '<a href="{{usesend_unsubscribe_url}}">leave</a>';

async function createCampaign(overrides: object = {}): Promise<string> {
  const campaign = {
    name: 'Spring',
    from: `News <news@${team.main.domain}>`,
    subject: 'Hello {{firstName, fallback=you}}',
    contactBookId: book,
    html: `<p>{{firstName}} of {{city, fallback=town}}</p>${LEAVE}`,
    ...overrides,
  };
  return (await team.ask('POST', '/api/v1/campaigns', { body: campaign })).json.id;
}

const PREVIEW = `query ($id: ID!, $campaign: CampaignChanges, $contact: String) {
  campaignPreview(id: $id, campaign: $campaign, contact: $contact) {
    subject html text contact unknownVariables recipients { subscribed suppressed isComplete }
  } }`;
const queryPreview = (variables: object, key?: string) => team.graphql(PREVIEW, variables, key);

test("previews a campaign with the first subscribed contact's values, and counts the recipients", async () => {
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

test("previews unsaved changes for a contact selected by address, and escapes the contact's values", async () => {
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

test('does not unsubscribe a contact through the link in a preview', async () => {
  const { data } = await queryPreview({ id: await createCampaign() });
  const link = /href="([^"]*unsubscribe[^"]*)"/.exec(data.campaignPreview.html)![1]!.replaceAll('&amp;', '&');
  const { search } = new URL(link);
  await fetch(`${team.url}/api/unsubscribe-oneclick${search}`, { method: 'POST' });
  const after = (await queryPreview({ id: await createCampaign() })).data.campaignPreview;
  expect(after.recipients.subscribed).toBe(3);
});

test('names the argument that contains an unknown contact or an invalid change', async () => {
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

test("hides another workspace's campaign", async () => {
  const { errors } = await queryPreview({ id: await createCampaign() }, otherTenant.admin.key);
  expect(errors[0]!.extensions.code).toBe('NOT_FOUND');
});

test('uses fallbacks in the preview of a campaign without contacts', async () => {
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

test('returns a scheduled campaign to draft, and allows scheduling it again', async () => {
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

test('does not return a campaign to draft once sending has started', async () => {
  const id = await createCampaign();
  await team.ask('POST', `/api/v1/campaigns/${id}/schedule`, { body: {} });
  await runDueCampaigns(team.runtime);
  const { errors } = await team.graphql(UNSCHEDULE, { id });
  expect(errors[0]!.message).toContain('sending has started');
});

const PROBLEMS = 'query ($id: ID!) { campaignPreview(id: $id) { problems } }';

test('reports an unverified domain and a subject that may be empty', async () => {
  const findProblems = async (id: string) =>
    (await team.graphql(PROBLEMS, { id })).data.campaignPreview.problems;
  const id = await createCampaign();
  const empty = await createCampaign({ subject: '{{firstName}} ' });
  expect([await findProblems(id), await findProblems(empty)]).toEqual([[], ['EMPTY_SUBJECT']]);
  const setStatus = (status: string) =>
    team.runtime.db.rows(
      sql`update svc_domain set status = ${status} where workspace_id > 0 and name = ${team.main.domain}`,
    );
  await setStatus('FAILED');
  try {
    expect(await findProblems(id)).toEqual(['UNVERIFIED_DOMAIN']);
  } finally {
    await setStatus('SUCCESS');
  }
});

const TEST_SEND = `mutation ($id: ID!, $to: [String!], $contact: String) {
  campaignTestSend(id: $id, to: $to, contact: $contact) { to subject html } }`;

test("sends a test to each address with a contact's values, and does not change the campaign", async () => {
  const id = await createCampaign();
  const to = ['me@example.net', 'you@example.net'];
  const { data } = await team.graphql(TEST_SEND, { id, to, contact: 'bob@example.net' });
  const subject = 'Hello <b>Bob</b>';
  const html = expect.stringContaining('<p>&lt;b&gt;Bob&lt;/b&gt; of town</p>');
  expect(data.campaignTestSend).toEqual(to.map((address) => ({ to: [address], subject, html })));
  const link = /href="([^"]*unsubscribe[^"]*)"/.exec(data.campaignTestSend[0].html)![1]!;
  const { search } = new URL(link.replaceAll('&amp;', '&'));
  await fetch(`${team.url}/api/unsubscribe-oneclick${search}`, { method: 'POST' });
  const [{ id: email }] = (await team.ask('GET', '/api/v1/emails')).json.data;
  expect(await team.email(email)).toMatchObject({ tags: { test: 'campaign' } });
  await team.deliver();
  const { json } = await team.ask('GET', `/api/v1/campaigns/${id}`);
  expect(json).toMatchObject({ status: 'DRAFT', sent: 0, unsubscribed: 0 });
});

test("rejects a test without addresses, with too many addresses or for another workspace's campaign", async () => {
  const id = await createCampaign();
  const to = Array.from({ length: 11 }, (_, index) => `me${index}@example.net`);
  const faults = [
    [{}, team.main.admin.key, /^to: your login "admin" is not an email address/],
    [{ to: [] }, team.main.admin.key, /^to: must contain 1 to 10 addresses/],
    [{ to }, team.main.admin.key, /^to: must contain 1 to 10 addresses/],
    [{ to: ['nobody'] }, team.main.admin.key, /nobody/],
    [{ to: ['me@example.net'] }, otherTenant.admin.key, /Campaign/],
  ] as const;
  const writtenCount = await team.countWritten();
  for (const [variables, key, message] of faults)
    expect((await team.graphql(TEST_SEND, { id, ...variables }, key)).errors[0]!.message).toMatch(message);
  expect(await team.countWritten()).toBe(writtenCount);
});

const DUPLICATE = `mutation ($id: ID!, $name: String) {
  campaignDuplicate(id: $id, name: $name) { id name status subject html replyTo total sent book { id } createdBy { login } } }`;

test('duplicates a sent campaign as a draft with the same content', async () => {
  const id = await createCampaign({ name: 'x'.repeat(255), replyTo: ['reply@example.net'] });
  await team.ask('POST', `/api/v1/campaigns/${id}/schedule`, { body: {} });
  await runDueCampaigns(team.runtime);
  const { data } = await team.graphql(DUPLICATE, { id });
  expect(data.campaignDuplicate).toEqual({
    id: expect.not.stringMatching(id),
    name: `${'x'.repeat(248)} (copy)`,
    status: 'DRAFT',
    subject: 'Hello {{firstName, fallback=you}}',
    html: expect.stringContaining('{{firstName}} of'),
    replyTo: ['reply@example.net'],
    total: 0,
    sent: 0,
    book: { id: book },
    createdBy: { login: 'admin' },
  });
  expect((await team.graphql(DUPLICATE, { id, name: 'Summer' })).data.campaignDuplicate.name).toBe('Summer');
});

test("does not duplicate another workspace's campaign", async () => {
  const { errors } = await team.graphql(DUPLICATE, { id: await createCampaign() }, otherTenant.admin.key);
  expect(errors[0]!.extensions.code).toBe('NOT_FOUND');
});
