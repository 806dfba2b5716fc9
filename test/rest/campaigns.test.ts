import { UseSend } from 'usesend-js';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createKey } from '../../schema/base/keys/keys.ts';
import { findDueCampaigns } from '../../schema/email/campaigns/due.ts';
import { addDomain } from '../../schema/email/domains/domains.ts';
import { recordEvents } from '../../schema/email/state/email-events.ts';
import type { Sql } from '../../src/db/sql.ts';
import { sql } from '../../src/db/sql.ts';
import { claimDue, runDueCampaigns } from '../harness/due.ts';
import { buildExpectedEnvelope, buildMail, setUpTeam } from '../harness/facades/rest.ts';
import { renderText } from '../harness/sql.ts';

const team = setUpTeam();
let client: UseSend;
let book: string;
beforeAll(async () => {
  client = new UseSend(team.main.teamKey, team.url);
});
beforeEach(async () => {
  await queryRows(`update svc_email set state = 'cancelled' where workspace_id = $1 and state = 'queued'`);
  book = await createBook(['ann@example.net', 'bob@example.net', 'carl@example.net']);
});

const queryRows = <R = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  team.runtime.db.rows<R>(sql.given(text, [team.main.ctx.workspace.id, ...params]));

async function createBook(emails: string[], overrides: object = {}): Promise<string> {
  const id = await team.book(overrides);
  for (let start = 0; start < emails.length; start += 1000) {
    const body = emails.slice(start, start + 1000).map((email) => ({ email }));
    await team.ask('POST', `/api/v1/contactBooks/${id}/contacts/bulk`, { body });
  }
  return id;
}

const buildDraft = (overrides: object = {}) => ({
  name: 'Spring',
  from: 'News <news@main.test>',
  subject: 'Hello',
  contactBookId: book,
  html: '<p>Hi</p><a href="{{usesend_unsubscribe_url}}">leave</a>',
  ...overrides,
});

const callCampaigns = (method: string, path = '', body?: unknown) =>
  team.ask(method, `/api/v1/campaigns${path}`, body === undefined ? {} : { body });

const make = async (overrides: object = {}) => (await callCampaigns('POST', '', buildDraft(overrides))).json;
const readCampaign = async (id: string) => (await callCampaigns('GET', `/${id}`)).json;

interface EmailRow {
  id: number;
  public_id: string;
  to: string[];
  cc: string[];
  subject: string;
  html: string;
  headers: Record<string, string>;
  state: string;
}

const loadEmails = (id: string) =>
  queryRows<EmailRow>(
    `select e.id, e.public_id, e."to", e.cc, e.subject, e.html, e.headers, e.state from svc_email e join svc_campaign c on c.workspace_id = e.workspace_id and c.id = e.campaign_id
     where e.workspace_id = $1 and c.public_id = $2 order by e.contact_id`,
    [id],
  );

test('creates, lists, reads, schedules, pauses, resumes and deletes campaigns with the Node client', async () => {
  const campaign = await client.campaigns.create(
    buildDraft({ replyTo: 'answers@main.test', previewText: 'Flowers' }),
  );
  expect(campaign.error).toBeNull();
  const id = campaign.data!.id;
  expect(campaign.data).toEqual({
    ...buildDraft(),
    id,
    teamId: team.main.ctx.workspace.id,
    previewText: 'Flowers',
    content: null,
    status: 'DRAFT',
    reason: null,
    scheduledAt: null,
    batchSize: 500,
    batchWindowMinutes: 0,
    total: 0,
    sent: 0,
    delivered: 0,
    opened: 0,
    clicked: 0,
    unsubscribed: 0,
    bounced: 0,
    hardBounced: 0,
    complained: 0,
    replyTo: ['answers@main.test'],
    cc: [],
    bcc: [],
    createdAt: expect.stringMatching(/\.\d{3}Z$/),
    updatedAt: expect.stringMatching(/\.\d{3}Z$/),
  });
  expect((await client.campaigns.get(id)).data).toEqual(campaign.data);
  const scheduledResponse = await client.campaigns.schedule(id, {
    scheduledAt: '2099-01-01T10:00:00+02:00',
    batchSize: 7,
  });
  expect(scheduledResponse).toEqual({ data: { success: true }, error: null });
  expect((await client.campaigns.get(id)).data).toMatchObject({
    status: 'SCHEDULED',
    scheduledAt: '2099-01-01T08:00:00.000Z',
    batchSize: 7,
    total: 3,
  });
  expect((await client.campaigns.pause(id)).data).toEqual({ success: true });
  expect((await readCampaign(id)).status).toBe('PAUSED');
  expect((await client.campaigns.resume(id)).data).toEqual({ success: true });
  expect((await readCampaign(id)).status).toBe('SCHEDULED');
  const listedResponse = await client.campaigns.getAll({
    page: '1',
    status: 'SCHEDULED',
    search: 'spRING',
  } as never);
  expect(listedResponse.data).toMatchObject({
    totalPage: 1,
    campaigns: [{ id, name: 'Spring', status: 'SCHEDULED', total: 3 }],
  });
  expect((await client.campaigns.delete(id)).data).toMatchObject({ id, name: 'Spring' });
  expect((await client.campaigns.get(id)).error!.code).toBe('NOT_FOUND');
});

test.each([
  ['no name', { name: '' }, /name/],
  ['no sender', { from: 'nobody' }, /from/],
  ["another team's domain", { from: 'x@elsewhere.test' }, /elsewhere\.test/],
  ['no subject', { subject: ' ' }, /subject/],
  ['a subject with a line break', { subject: 'a\r\nBcc: x@y.test' }, /subject/],
  ['no body', { html: undefined }, /content or html/],
  ['no unsubscribe placeholder', { html: '<p>Hi</p>' }, /usesend_unsubscribe_url/],
  [
    'no unsubscribe placeholder in its content',
    { html: undefined, content: '{"type":"doc","content":[]}' },
    /unsubscribe/,
  ],
  ['content that is not JSON', { html: undefined, content: 'x {{usesend_unsubscribe_url}}' }, /JSON/],
  ['content that is not a document', { html: undefined, content: '[]' }, /content/],
  ['a batch size of zero', { batchSize: 0 }, /batchSize/],
  ['a too large batch size', { batchSize: 100_001 }, /batchSize/],
  ['an invalid reply address', { replyTo: ['x'] }, /replyTo/],
  ['an invalid time', { scheduledAt: 'whenever' }, /scheduledAt/],
])('returns BAD_REQUEST and creates nothing for a campaign with %s', async (_name, overrides, pattern) => {
  const { status, json } = await callCampaigns('POST', '', buildDraft(overrides));
  expect([status, json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
  expect(json.message).toMatch(pattern);
});

test("hides another domain's campaigns from a domain key", async () => {
  const { id } = await make();
  const otherId = await addDomain(team.main.ctx, `other${Date.now()}.test`);
  const { key } = await createKey(team.main.ctx, {
    name: 'bound',
    userId: null,
    scopes: [],
    days: null,
    domainId: otherId,
  });
  const requestWithKey = (method: string, path: string, body?: unknown) =>
    team.ask(method, `/api/v1/campaigns${path}`, { key, ...(body === undefined ? {} : { body }) });
  for (const [method, path] of [
    ['GET', `/${id}`],
    ['POST', `/${id}/schedule`],
    ['POST', `/${id}/pause`],
    ['POST', `/${id}/resume`],
    ['DELETE', `/${id}`],
  ] as const)
    expect([path, (await requestWithKey(method, path, method === 'POST' ? {} : undefined)).status]).toEqual([
      path,
      404,
    ]);
  expect((await requestWithKey('GET', '?page=1')).json.campaigns).toEqual([]);
  expect((await readCampaign(id)).status).toBe('DRAFT');
});

test('handles an unterminated body tag quickly', async () => {
  const html = `${'<body '.repeat(150_000)}<a href="{{usesend_unsubscribe_url}}">leave</a>`;
  const { id } = await make({ html, previewText: 'Flowers', sendNow: true });
  await runDueCampaigns(team.runtime);
  expect(await loadEmails(id)).toHaveLength(3);
});

test('a domain key cannot create a campaign for another domain', async () => {
  const { ctx } = team.main;
  const second = await addDomain(ctx, 'second.test');
  const { key } = await createKey(ctx, {
    name: 'bound',
    userId: null,
    scopes: [],
    days: null,
    domainId: second,
  });
  const call = (from: string) => team.ask('POST', '/api/v1/campaigns', { key, body: buildDraft({ from }) });
  const response = await call('x@main.test');
  expect([response.status, response.json]).toEqual([403, buildExpectedEnvelope('FORBIDDEN')]);
  expect((await call('x@second.test')).status).toBe(200);
});

test('a key for a non-ASCII domain accepts each spelling of its domain in campaigns', async () => {
  const { ctx } = team.main;
  const domainId = await addDomain(ctx, 'größe.example');
  const { key } = await createKey(ctx, { name: 'bound', userId: null, scopes: [], days: null, domainId });
  for (const from of ['News <x@größe.example>', 'x@GRÖßE.example']) {
    const response = await team.ask('POST', '/api/v1/campaigns', { key, body: buildDraft({ from }) });
    expect([from, response.status]).toEqual([from, 200]);
  }
  expect((await team.ask('GET', '/api/v1/campaigns', { key })).json.campaigns).toHaveLength(2);
});

test('returns 404 for an unknown contact book, and 400 for sending to no contacts', async () => {
  expect((await callCampaigns('POST', '', buildDraft({ contactBookId: 'nope' }))).json).toEqual(
    buildExpectedEnvelope('NOT_FOUND'),
  );
  const before = (await callCampaigns('GET')).json.campaigns.length;
  const empty = await createBook([]);
  const response = await callCampaigns('POST', '', buildDraft({ contactBookId: empty, sendNow: true }));
  expect([response.status, response.json.message]).toEqual([
    400,
    expect.stringMatching(/no subscribed contacts/),
  ]);
  expect((await callCampaigns('GET')).json.campaigns).toHaveLength(before);
  const emptyDraft = await make({ contactBookId: empty });
  expect((await callCampaigns('POST', `/${emptyDraft.id}/schedule`, {})).status).toBe(400);
});

test.each([
  '{{unsend_unsubscribe_url}}',
  '{{  USESEND_unsubscribe_URL  }}',
  '{{contact.usesend_unsubscribe_url}}',
])('accepts the unsubscribe placeholder %s', async (place) => {
  const { status, json } = await callCampaigns(
    'POST',
    '',
    buildDraft({ html: `<a href="${place}">x</a>`, sendNow: true }),
  );
  expect(status).toBe(200);
  await runDueCampaigns(team.runtime);
  expect((await loadEmails(json.id))[0]!.html).toMatch(
    /href="http:\/\/127[^"{]*\/unsubscribe\?id=[\w-]+&amp;hash=\w+"/,
  );
});

test('sends a campaign once to each subscribed contact, with an unsubscribe link', async () => {
  const { json: listed } = await team.ask('GET', `/api/v1/contactBooks/${book}/contacts`);
  await team.ask('PATCH', `/api/v1/contactBooks/${book}/contacts/${listed[1].id}`, {
    body: { subscribed: false },
  });
  const { id, status, total } = await make({ sendNow: true, batchSize: 1, previewText: 'See <this>' });
  expect([status, total]).toEqual(['SCHEDULED', 2]);
  await Promise.all([runDueCampaigns(team.runtime), runDueCampaigns(team.runtime)]);
  const emails = await loadEmails(id);
  expect(emails.map((email) => email.to)).toEqual([['ann@example.net'], ['carl@example.net']]);
  expect(await readCampaign(id)).toMatchObject({ status: 'SENT', total: 2, sent: 0 });
  for (const { html, headers } of emails) {
    expect(html).toContain('See &lt;this&gt;');
    expect(headers).toMatchObject({
      'List-Unsubscribe': expect.stringMatching(
        /^<http:\/\/127\S+\/api\/unsubscribe-oneclick\?id=[\w-]+&hash=[0-9a-f]{64}>$/,
      ),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      Precedence: 'bulk',
    });
  }
  await runDueCampaigns(team.runtime);
  expect(await loadEmails(id)).toHaveLength(2);
  expect((await callCampaigns('POST', `/${id}/schedule`, {})).status).toBe(400);
});

test("renders a contact's fields and declared properties, and escapes them in HTML", async () => {
  const bookId = await createBook([], { variables: ['Plan', 'city', 'secret'] });
  for (const body of [
    { email: 'ann@example.net', firstName: 'Ann <b>&', properties: { plan: '"pro"', secret: 'hidden' } },
    { email: 'bob@example.net', firstName: '{{usesend_unsubscribe_url}}', properties: { City: '$& $1' } },
  ])
    await team.ask('POST', `/api/v1/contactBooks/${bookId}/contacts`, { body });
  const { id } = await make({
    contactBookId: bookId,
    sendNow: true,
    subject: 'For {{ contact.firstName , fallback=you }} & {{lastname,fallback=yours}}',
    html: '{{EMAIL}}|{{firstName}}|{{contact.plan, fallback=<i>none</i>}}|{{ city }}|{{secret}}|{{ {{unsend_unsubscribe_url}}',
  });
  await team.ask('PATCH', `/api/v1/contactBooks/${bookId}`, { body: { variables: ['Plan', 'city'] } });
  await runDueCampaigns(team.runtime);
  const [ann, bob] = await loadEmails(id);
  expect(ann!.subject).toBe('For Ann <b>& & yours');
  expect(ann!.html).toMatch(
    /^ann@example\.net\|Ann &lt;b&gt;&amp;\|&quot;pro&quot;\|\|\{\{secret\}\}\|\{\{ http/,
  );
  expect(bob!.html).toMatch(
    /^bob@example\.net\|\{\{usesend_unsubscribe_url\}\}\|<i>none<\/i>\|\$&amp; \$1\|/,
  );
});

test('renders block editor content as HTML', async () => {
  const buildText = (text: string, ...marks: object[]) => ({ type: 'text', text, marks });
  const content = JSON.stringify({
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 2, textAlign: 'center' }, content: [buildText('A & B')] },
      {
        type: 'paragraph',
        content: [
          buildText('Dear '),
          { type: 'variable', attrs: { id: 'firstName', fallback: 'friend}}<' } },
          buildText(
            ' bold',
            { type: 'bold' },
            { type: 'link', attrs: { href: 'https://example.net/?a=1&b=2' } },
          ),
          buildText(' bad', { type: 'link', attrs: { href: 'javascript:alert(1)' } }),
        ],
      },
      {
        type: 'bulletList',
        content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [buildText('one')] }] }],
      },
      {
        type: 'orderedList',
        attrs: { start: 3 },
        content: [{ type: 'listItem', content: [buildText('two')] }],
      },
      { type: 'button', attrs: { text: 'Go', url: '{{email}}', buttonColor: 'red;"><script>' } },
      { type: 'image', attrs: { src: 'https://example.net/a.png', alt: '"x"', width: '50' } },
      { type: 'somethingNew', content: [{ type: 'paragraph', content: [buildText('kept')] }] },
      { type: 'unsubscribeFooter', content: [buildText('Acme, 1 Street')] },
    ],
  });
  const { id, html: template } = await make({ html: undefined, content, sendNow: true });
  await runDueCampaigns(team.runtime);
  const { html } = (await loadEmails(id))[0]!;
  expect(template).toContain('{{firstName, fallback=friend&#125;&#125;&lt;}}');
  for (const part of [
    /<h2 [^>]*text-align:center[^>]*>A &amp; B<\/h2>/,
    /Dear friend&#125;&#125;&lt;<a href="https:\/\/example\.net\/\?a=1&amp;b=2"><strong> bold<\/strong><\/a> bad</,
    /<ul [^>]*><li [^>]*><p [^>]*>one<\/p>/,
    /<ol start="3"/,
    /<a href="ann@example\.net" style="[^"<>]*background:#000000[^"<>]*">Go<\/a>/,
    /<img src="https:\/\/example\.net\/a\.png" alt="&quot;x&quot;" width="50"/,
    />kept<\/p>/,
    /Acme, 1 Street <a href="http[^"]*\/unsubscribe\?id=[^"]*"/,
  ])
    expect(html).toMatch(part);
});

test('skips suppressed addresses, and records the reason in their emails', async () => {
  await queryRows(
    `insert into svc_suppression (workspace_id, id, email, expires_at) values ($1, 800, 'bob@example.net', null),
       ($1, 801, 'ann@example.net', now() - interval '1 second'),
       ($1, 802, 'copy@example.net', now() - interval '1 second')`,
  );
  const { id } = await make({ sendNow: true, cc: ['copy@example.net'] });
  const { data } = await team.graphql(
    `{ campaignPreview(id: "${id}") { recipients { subscribed suppressed } } }`,
  );
  expect(data.campaignPreview.recipients).toEqual({ subscribed: 3, suppressed: 1 });
  await runDueCampaigns(team.runtime);
  const emails = await loadEmails(id);
  expect(emails[0]!.cc).toEqual(['copy@example.net']);
  expect(emails.map((email) => email.state)).toEqual(['queued', 'suppressed', 'queued']);
  const suppressedResponse = await team.ask('GET', `/api/v1/emails/${emails[1]!.public_id}`);
  expect(suppressedResponse.json).toMatchObject({
    latestStatus: 'SUPPRESSED',
    emailEvents: [{ status: 'SUPPRESSED' }],
  });
  await queryRows(`delete from svc_suppression where workspace_id = $1`);
});

test("rejects operations that the campaign's status does not allow with BAD_REQUEST", async () => {
  const { id } = await make();
  for (const operation of ['pause', 'resume']) {
    const response = await callCampaigns('POST', `/${id}/${operation}`, {});
    expect([response.status, response.json], operation).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
    expect(response.json.message).toContain('DRAFT');
    expect((await callCampaigns('POST', `/nope/${operation}`, {})).status).toBe(404);
  }
  await callCampaigns('POST', `/${id}/schedule`, { scheduledAt: 'tomorrow at 9am' });
  await callCampaigns('POST', `/${id}/schedule`, { scheduledAt: 'in 5 minutes' });
  const minutes = (Date.parse((await readCampaign(id)).scheduledAt) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(4);
  expect(minutes).toBeLessThan(5.01);
  expect((await callCampaigns('POST', `/${id}/resume`, {})).status).toBe(400);
  await runDueCampaigns(team.runtime);
  expect(await loadEmails(id)).toEqual([]);
});

test('creates and sends no emails while a campaign is paused, and completes it after a resume', async () => {
  const { id } = await make({ sendNow: true, batchSize: 2 });
  await queryRows(
    `update svc_campaign set batch_window_minutes = 30 where workspace_id = $1 and public_id = $2`,
    [id],
  );
  await runDueCampaigns(team.runtime);
  expect(await loadEmails(id)).toHaveLength(2);
  expect((await readCampaign(id)).status).toBe('RUNNING');
  await callCampaigns('POST', `/${id}/pause`, {});
  const want = { worker: 'w', limit: 10, leaseTime: 60_000 };
  expect(await claimDue(team.runtime.db, want)).toEqual([]);
  await queryRows(`update svc_campaign set next_at = now() where workspace_id = $1 and public_id = $2`, [id]);
  await runDueCampaigns(team.runtime);
  expect(await loadEmails(id)).toHaveLength(2);
  await callCampaigns('POST', `/${id}/resume`, {});
  await runDueCampaigns(team.runtime);
  expect(await loadEmails(id)).toHaveLength(3);
  expect((await readCampaign(id)).status).toBe('SENT');
  expect(await claimDue(team.runtime.db, want)).toHaveLength(3);
});

test('sends other mail before campaign mail, regardless of waiting times', async () => {
  await make({ sendNow: true });
  await runDueCampaigns(team.runtime);
  const { json } = await team.send(buildMail({ subject: 'urgent' }));
  const want = { worker: 'w', limit: 3, leaseTime: 60_000 };
  const first = await claimDue(team.runtime.db, want);
  expect(first).toHaveLength(3);
  expect(first[0]!.public_id).toBe(json.emailId);
  expect(await claimDue(team.runtime.db, want)).toHaveLength(1);
});

test('finds a campaign that became due within the current millisecond', async () => {
  const { id } = await make({ sendNow: true });
  for (let index = 0; index < 100; index++) {
    await queryRows(`update svc_campaign set next_at = now() where workspace_id = $1 and public_id = $2`, [
      id,
    ]);
    expect(await findDueCampaigns(team.runtime.db, team.main.ctx.workspace.id)).toMatchObject([
      { public_id: id },
    ]);
  }
});

test('sends nothing twice if the process is killed during a campaign', async () => {
  const { id } = await make({ sendNow: true });
  const { db } = team.runtime;
  const broken = {
    ...team.runtime,
    db: {
      ...db,
      transaction: <T>(fn: (tx: typeof db) => Promise<T>) =>
        db.transaction((tx) =>
          fn({
            ...tx,
            rows: (query: Sql) => {
              if (/set .*last_contact_id = \$/s.test(renderText(query))) throw new Error('the process ended');
              return tx.rows(query);
            },
          } as never),
        ),
    },
  } as never;
  await runDueCampaigns(broken);
  expect(await loadEmails(id)).toEqual([]);
  await queryRows(`update svc_campaign set next_at = now() where workspace_id = $1 and public_id = $2`, [id]);
  await runDueCampaigns(team.runtime);
  expect(await loadEmails(id)).toHaveLength(3);
  // Resets the cursor, as if it had been lost.
  await queryRows(
    `update svc_campaign set status = 'RUNNING', last_contact_id = 0, next_at = now() where workspace_id = $1 and public_id = $2`,
    [id],
  );
  await runDueCampaigns(team.runtime);
  expect(await loadEmails(id)).toHaveLength(3);
});

test('pauses a campaign whose sending domain is no longer verified, and states the reason', async () => {
  const { id } = await make({ sendNow: true });
  await queryRows(`update svc_domain set status = 'FAILED' where workspace_id = $1`);
  await runDueCampaigns(team.runtime);
  await queryRows(`update svc_domain set status = 'SUCCESS' where workspace_id = $1`);
  expect(await readCampaign(id)).toMatchObject({
    status: 'PAUSED',
    reason: expect.stringContaining('domain'),
  });
  await callCampaigns('POST', `/${id}/resume`, {});
  await runDueCampaigns(team.runtime);
  expect(await readCampaign(id)).toMatchObject({ status: 'SENT', reason: null });
});

test('cancels waiting mail and keeps sent mail when a campaign is deleted', async () => {
  const { id } = await make({ sendNow: true });
  await runDueCampaigns(team.runtime);
  const emails = await loadEmails(id);
  await queryRows(`update svc_email set state = 'sent' where workspace_id = $1 and id = $2`, [emails[0]!.id]);
  expect((await callCampaigns('DELETE', `/${id}`)).status).toBe(200);
  const states = await queryRows<{ state: string }>(
    `select state from svc_email where workspace_id = $1 and id = any($2) order by id`,
    [emails.map((email) => email.id)],
  );
  expect(states.map((row) => row.state)).toEqual(['sent', 'cancelled', 'cancelled']);
  const cancelledResponse = await team.ask('GET', `/api/v1/emails/${emails[1]!.public_id}`);
  expect(cancelledResponse.json).toMatchObject({
    latestStatus: 'CANCELLED',
    emailEvents: [{ status: 'CANCELLED' }],
  });
});

test("hides another team's campaign", async () => {
  const { id } = await make();
  const otherTenant = await team.tenant('stranger');
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['DELETE', '', undefined],
    ['POST', '/schedule', {}],
    ['POST', '/pause', {}],
    ['POST', '/resume', {}],
  ] as const) {
    const response = await team.ask(method, `/api/v1/campaigns/${id}${path}`, {
      key: otherTenant.teamKey,
      ...(body && { body }),
    });
    expect([response.status, response.json], `${method} ${path}`).toEqual([
      404,
      buildExpectedEnvelope('NOT_FOUND'),
    ]);
  }
  expect((await team.ask('GET', '/api/v1/campaigns', { key: otherTenant.teamKey })).json).toEqual({
    campaigns: [],
    totalPage: 0,
  });
  const foreignResponse = await team.ask('POST', '/api/v1/campaigns', {
    key: otherTenant.teamKey,
    body: buildDraft({ from: 'x@stranger.test' }),
  });
  expect(foreignResponse.json).toEqual(buildExpectedEnvelope('NOT_FOUND'));
});

test("counts each email once in a campaign's figures, and unsubscribes contacts that bounce or complain", async () => {
  const emails = [
    'success@simulator.amazonses.com',
    'bounce@simulator.amazonses.com',
    'complaint@simulator.amazonses.com',
  ];
  const bookId = await createBook(emails);
  const second = await createBook(['Bounce@simulator.amazonses.com']);
  await team.runtime.jobs.stop();
  await team.runtime.jobs.start(true);
  const delivery = await team.deliver();
  const { id } = await make({ contactBookId: bookId, sendNow: true });
  await expect
    .poll(() => readCampaign(id))
    .toMatchObject({
      status: 'SENT',
      sent: 3,
      delivered: 2,
      bounced: 1,
      complained: 1,
    });
  expect(await readCampaign(id)).toMatchObject({ total: 3, hardBounced: 1, opened: 0, clicked: 0 });
  const sentRow = (await loadEmails(id)).find((email) => email.to[0]!.startsWith('success'));
  const buildEvent = (status: 'OPENED' | 'CLICKED', data: object) => ({
    workspaceId: team.main.ctx.workspace.id,
    emailId: sentRow!.id,
    status,
    data: data as Record<string, unknown>,
  });
  const leaving = { link: `${team.url}/unsubscribe?id=x&hash=y` };
  await recordEvents(team.runtime.db, team.runtime.config, [
    buildEvent('OPENED', {}),
    buildEvent('OPENED', {}),
    buildEvent('CLICKED', leaving),
  ]);
  await recordEvents(team.runtime.db, team.runtime.config, [buildEvent('OPENED', {})]);
  expect(await readCampaign(id)).toMatchObject({ opened: 1, clicked: 0 });
  const listed = (await team.ask('GET', `/api/v1/contactBooks/${bookId}/contacts`)).json;
  expect(listed).toMatchObject([
    { email: 'bounce@simulator.amazonses.com', subscribed: false, unsubscribeReason: 'BOUNCED' },
    { email: 'complaint@simulator.amazonses.com', subscribed: false, unsubscribeReason: 'COMPLAINED' },
    { email: 'success@simulator.amazonses.com', subscribed: true },
  ]);
  expect((await team.ask('GET', `/api/v1/contactBooks/${second}/contacts`)).json).toMatchObject([
    { subscribed: false, unsubscribeReason: 'BOUNCED' },
  ]);
  const [storedMessage] = await queryRows<{ raw: Buffer }>(
    `select raw from svc_outbox where workspace_id = $1 and email_id = $2`,
    [sentRow!.id],
  );
  expect(storedMessage!.raw.toString().replace(/\r\n[ \t]+/g, ' ')).toMatch(
    /^List-Unsubscribe: <http:\/\/127\S+\/api\/unsubscribe-oneclick\?id=[\w-]+&hash=[0-9a-f]{64}>\r$/m,
  );
  expect(storedMessage!.raw.toString()).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  await delivery.stop();
});

test('creates one email for each of 5,000 contacts within seconds', async () => {
  const bookId = await createBook(Array.from({ length: 5_000 }, (_, i) => `many${i}@example.net`));
  const { id } = await make({ contactBookId: bookId, sendNow: true });
  const startTime = performance.now();
  await runDueCampaigns(team.runtime);
  // This process's background worker may send part of the campaign.
  await expect.poll(() => readCampaign(id)).toMatchObject({ status: 'SENT', total: 5_000 });
  expect(performance.now() - startTime).toBeLessThan(20_000);
  const [created] = await queryRows<{ n: number; contacts: number }>(
    `select count(*)::int as n, count(distinct contact_id)::int as contacts from svc_email
     where workspace_id = $1 and campaign_id = (select id from svc_campaign where workspace_id = $1 and public_id = $2)`,
    [id],
  );
  expect(created).toEqual({ n: 5_000, contacts: 5_000 });
});
