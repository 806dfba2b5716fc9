import { beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { buildExpectedEnvelope, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();
let book: string;
beforeEach(async () => {
  await queryRows(`delete from svc_email where workspace_id = $1`);
  await queryRows(`delete from svc_campaign where workspace_id = $1`);
  book = await createBook('ann', 'bob', 'carl', 'dora', 'emil');
});

const queryRows = <R = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  team.runtime.db.rows<R>(sql.given(text, [team.main.ctx.workspace.id, ...params]));

async function createBook(...names: string[]): Promise<string> {
  const id = await team.book({ variables: ['city'] });
  for (const name of names)
    await team.ask('POST', `/api/v1/contactBooks/${id}/contacts`, { body: { email: `${name}@example.net` } });
  return id;
}

const callCampaigns = (method: string, path = '', body?: unknown) =>
  team.ask(method, `/api/v1/campaigns${path}`, body === undefined ? {} : { body });

const LEAVE = '<a href="{{usesend_unsubscribe_url}}">leave</a>';

async function createCampaign(change: object = {}): Promise<string> {
  const { json, text } = await callCampaigns('POST', '', {
    name: 'Spring',
    from: 'News <news@main.test>',
    subject: 'Hello',
    contactBookId: book,
    html: LEAVE,
    ...change,
  });
  expect(json.id, text).toEqual(expect.any(String));
  return json.id;
}

const readCampaign = async (id: string) => (await callCampaigns('GET', `/${id}`)).json;

const loadRecipients = async (): Promise<string[]> =>
  (
    await queryRows<{ name: string }>(
      `select split_part("to"[1], '@', 1) as name from svc_email where workspace_id = $1 order by contact_id`,
    )
  ).map(({ name }) => name);

async function wait(): Promise<number> {
  const [row] = await queryRows<{ minutes: number }>(
    `select (extract(epoch from next_at - now()) / 60)::float8 as minutes from svc_campaign where workspace_id = $1`,
  );
  return row!.minutes;
}

const passMinutes = (minutes: number) =>
  queryRows(
    `update svc_campaign set next_at = next_at - make_interval(mins => $2::int) where workspace_id = $1`,
    [minutes],
  );

const run = () => runDueCampaigns(team.runtime);

test('creates one batch per window', async () => {
  const id = await createCampaign({ sendNow: true, batchSize: 2, batchWindowMinutes: 30 });
  expect(await readCampaign(id)).toMatchObject({ batchSize: 2, batchWindowMinutes: 30 });
  await run();
  await run();
  expect(await loadRecipients()).toEqual(['ann', 'bob']);
  expect(await readCampaign(id)).toMatchObject({ status: 'RUNNING' });
  expect(await wait()).toBeGreaterThan(29);
  expect(await wait()).toBeLessThanOrEqual(30);
  await passMinutes(29);
  await run();
  expect(await loadRecipients()).toEqual(['ann', 'bob']);
  await passMinutes(2);
  await run();
  expect(await loadRecipients()).toEqual(['ann', 'bob', 'carl', 'dora']);
  await passMinutes(31);
  await run();
  expect(await loadRecipients()).toEqual(['ann', 'bob', 'carl', 'dora', 'emil']);
  expect(await readCampaign(id)).toMatchObject({ status: 'SENT', total: 5 });
});

test('does not shorten or extend the window because of a pause between batches', async () => {
  const id = await createCampaign({ sendNow: true, batchSize: 2, batchWindowMinutes: 60 });
  await run();
  await passMinutes(20);
  await callCampaigns('POST', `/${id}/pause`, {});
  await callCampaigns('POST', `/${id}/resume`, {});
  await run();
  expect(await loadRecipients()).toHaveLength(2);
  expect(await wait()).toBeGreaterThan(39);
  expect(await wait()).toBeLessThanOrEqual(40);
  await callCampaigns('POST', `/${id}/pause`, {});
  await passMinutes(600);
  await run();
  expect(await loadRecipients()).toHaveLength(2);
  await callCampaigns('POST', `/${id}/resume`, {});
  await run();
  expect(await loadRecipients()).toHaveLength(4);
  expect(await wait()).toBeGreaterThan(59);
});

test('creates no duplicates if the process is killed between a batch and the next window', async () => {
  await createCampaign({ sendNow: true, batchSize: 2, batchWindowMinutes: 30 });
  const { db } = team.runtime;
  const ending = {
    ...team.runtime,
    db: {
      ...db,
      transaction: async <T>(fn: (tx: typeof db) => Promise<T>) => {
        await db.transaction(async (tx) => {
          await fn(tx as typeof db);
          throw new Error('the process ended');
        });
      },
    },
  } as never;
  await runDueCampaigns(ending);
  expect(await loadRecipients()).toEqual([]);
  await passMinutes(2);
  await run();
  await run();
  expect(await loadRecipients()).toEqual(['ann', 'bob']);
});

test('accepts a valid window when scheduling, and rejects an invalid one', async () => {
  const id = await createCampaign();
  const schedule = (body: object) => callCampaigns('POST', `/${id}/schedule`, body);
  for (const batchWindowMinutes of [-1, 1.5, 10_081, 'soon']) {
    const { status, json } = await schedule({ batchWindowMinutes });
    expect([status, json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
    expect(json.message).toContain('batchWindowMinutes');
  }
  expect((await schedule({ scheduledAt: '2099-01-01T00:00:00Z', batchWindowMinutes: 10_080 })).status).toBe(
    200,
  );
  expect((await readCampaign(id)).batchWindowMinutes).toBe(10_080);
  await schedule({ scheduledAt: '2099-01-02T00:00:00Z' });
  expect((await readCampaign(id)).batchWindowMinutes).toBe(10_080);
});

const UPDATE = `mutation ($id: ID!, $campaign: CampaignChanges!) {
  campaignUpdate(id: $id, campaign: $campaign) { id status subject html batchWindowMinutes total }
}`;

const update = (id: string, campaign: object, key?: string) => team.graphql(UPDATE, { id, campaign }, key);

test('rejects an unpaired surrogate in a new or changed campaign, and names the field', async () => {
  const id = await createCampaign();
  const buildDoc = (text: string) =>
    JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] });
  for (const [field, value] of Object.entries({
    name: 'Spring\ud83d',
    subject: 'Hello\ud83d',
    previewText: '\ude00',
    html: `${LEAVE}\ud83d`,
    content: buildDoc(`\ud83d {{usesend_unsubscribe_url}}`),
  })) {
    const message = `${field}: contains a lone surrogate (half of a character).`;
    expect((await update(id, { [field]: value })).errors[0]?.message).toBe(message);
    const body = { name: 'n', from: 'a@main.test', subject: 's', contactBookId: book, html: LEAVE };
    const { status, json } = await callCampaigns('POST', '', { ...body, [field]: value });
    expect([status, json.error?.message]).toEqual([400, message]);
  }
});

test('updates individual fields of a draft, keeps omitted fields, and clears optional fields set to null', async () => {
  const id = await createCampaign({
    previewText: 'Flowers',
    replyTo: 'a@main.test',
    cc: 'b@main.test',
    batchSize: 7,
  });
  const before = await readCampaign(id);
  const { data, errors } = await update(id, {
    subject: 'Hi',
    batchWindowMinutes: 5,
    previewText: null,
    cc: null,
  });
  expect(errors).toEqual([]);
  expect(data.campaignUpdate).toEqual({
    id,
    status: 'DRAFT',
    subject: 'Hi',
    html: LEAVE,
    batchWindowMinutes: 5,
    total: 0,
  });
  expect(await readCampaign(id)).toEqual({
    ...before,
    subject: 'Hi',
    batchWindowMinutes: 5,
    previewText: null,
    cc: [],
    updatedAt: expect.any(String),
  });
});

test("replaces a campaign's blocks with HTML, and changes its contact book", async () => {
  const content = JSON.stringify({
    type: 'doc',
    content: [
      { type: 'unsubscribeFooter', content: [{ type: 'text', text: '{{usesend_unsubscribe_url}}' }] },
    ],
  });
  const id = await createCampaign();
  const blocks = await update(id, { content });
  expect(blocks.errors).toEqual([]);
  expect((await readCampaign(id)).content).toBe(content);
  await update(id, { html: `<p>new</p>${LEAVE}`, contactBookId: await createBook('fay') });
  expect(await readCampaign(id)).toMatchObject({ content: null, html: `<p>new</p>${LEAVE}` });
  await callCampaigns('POST', `/${id}/schedule`, {});
  await run();
  expect(await loadRecipients()).toEqual(['fay']);
});

test('keeps a changed campaign scheduled, and validates the change', async () => {
  const id = await createCampaign({ scheduledAt: '2099-01-01T00:00:00Z' });
  const other = await createBook('fay');
  const { data } = await update(id, { contactBookId: other });
  expect(data.campaignUpdate).toMatchObject({ status: 'SCHEDULED', total: 1 });
  expect((await readCampaign(id)).scheduledAt).toBe('2099-01-01T00:00:00.000Z');
  for (const [change, message] of [
    [{ subject: 'Hi {{nick}}' }, 'nick'],
    [{ contactBookId: await createBook() }, 'no subscribed contacts'],
    [{ html: '<p>no way out</p>' }, 'unsubscribe'],
    [{ from: 'a@elsewhere.example' }, 'elsewhere.example'],
    [{ batchSize: 0 }, 'batchSize'],
    [{ batchWindowMinutes: -1 }, 'batchWindowMinutes'],
    [{ contactBookId: 'none' }, 'not found'],
  ] as const) {
    const { errors } = await update(id, change);
    expect(errors[0]?.message).toContain(message);
  }
  expect(await readCampaign(id)).toMatchObject({
    subject: 'Hello',
    total: 1,
    html: LEAVE,
    contactBookId: other,
  });
});

test('rejects changes to a campaign that has started or belongs to another workspace', async () => {
  const id = await createCampaign({ sendNow: true, batchSize: 2, batchWindowMinutes: 30 });
  await run();
  for (const status of ['RUNNING', 'PAUSED']) {
    if (status === 'PAUSED') await callCampaigns('POST', `/${id}/pause`, {});
    const { errors } = await update(id, { subject: 'Too late' });
    expect(errors[0]).toMatchObject({
      message: `The campaign is ${status} and cannot be changed: sending has started.`,
      extensions: { code: 'BAD_REQUEST' },
    });
  }
  expect((await readCampaign(id)).subject).toBe('Hello');
  const stranger = await team.tenant('window-strangers');
  expect((await update(id, { subject: 'Mine' }, stranger.admin.key)).errors[0]?.message).toContain(
    'not found',
  );
});
