import { beforeAll, expect, test } from 'vitest';
import { buildExpectedEnvelope, buildMail, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();
let book: string;
beforeAll(async () => {
  book = await team.book();
});

const buildFile = (change: object) => ({
  attachments: [{ filename: 'a.txt', content: 'aGVsbG8=', ...change }],
});
const getContactsPath = () => `/api/v1/contactBooks/${book}/contacts`;
const buildCampaign = (change: object) => ({
  name: 'Spring',
  from: 'news@main.test',
  subject: 'Hello',
  contactBookId: book,
  html: '{{usesend_unsubscribe_url}}',
  ...change,
});

async function postRejected(path: string, body: unknown): Promise<string> {
  const before = await team.countWritten();
  const { status, json } = await team.ask('POST', path, { body });
  expect([status, json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
  expect(await team.countWritten()).toBe(before);
  return json.message;
}

test.each([
  ['reply_to', { reply_to: 'x@main.test' }, 'reply_to: use replyTo.'],
  ['scheduled_at', { scheduled_at: '2099-01-01T00:00:00Z' }, 'scheduled_at: use scheduledAt.'],
  ['template_id', { template_id: 't' }, 'template_id: use templateId.'],
  ['in_reply_to_id', { in_reply_to_id: 'e' }, 'in_reply_to_id: use inReplyToId.'],
  ['content_id', buildFile({ content_id: 'logo' }), 'attachments.0.content_id: use contentId.'],
  ['content_type', buildFile({ content_type: 'a/b' }), 'attachments.0.content_type: use contentType.'],
])('rejects %s, and suggests the correct field name', async (_, overrides, text) => {
  expect(await postRejected('/api/v1/emails', buildMail(overrides))).toBe(text);
  expect(await postRejected('/api/v1/emails/batch', [buildMail(), buildMail(overrides)])).toBe(`1.${text}`);
});

test('suggests field names for contacts, contact books and campaigns', async () => {
  const ann = { email: 'ann@example.net' };
  expect(await postRejected(getContactsPath(), { ...ann, first_name: 'Ann' })).toBe(
    'first_name: use firstName.',
  );
  expect(await postRejected(`${getContactsPath()}/bulk`, [ann, { ...ann, last_name: 'A' }])).toBe(
    '1.last_name: use lastName.',
  );
  expect(await postRejected('/api/v1/campaigns', buildCampaign({ send_now: true, batch_size: 1 }))).toBe(
    'send_now: use sendNow; batch_size: use batchSize.',
  );
  expect(await postRejected('/api/v1/contactBooks', { name: 'x', double_opt_in_enabled: true })).toBe(
    'double_opt_in_enabled: use doubleOptInEnabled.',
  );
});

test('ignores other unknown fields, and accepts any key in free-form objects', async () => {
  const body = { reply_to: 'mine', scheduled_at: 'too' };
  const { status, json } = await team.send(
    buildMail({
      from_: 'x',
      some_thing: 1,
      to_: 'x',
      __proto__x: 1,
      metadata: body,
      tags: body,
      headers: { reply_to: 'x' },
    }),
  );
  expect(status).toBe(200);
  expect(await team.email(json.emailId)).toMatchObject({
    metadata: body,
    tags: body,
  });
});

const requests: [path: string, body: unknown, words: string][] = [
  ['/api/v1/domains', { name: 'a.test' }, 'region: is required'],
  ['/api/v1/domains', { name: 5, region: null }, 'name: must be a string; region: must be a string'],
  ['/api/v1/emails', { from: 'a@main.test' }, 'to: is required'],
  ['/api/v1/emails', [], 'the body must be an object'],
  ['/api/v1/emails', buildMail({ to: 5 }), 'to: must be a string or an array of strings'],
  ['/api/v1/emails', buildMail({ headers: [] }), 'headers: must be an object'],
  ['/api/v1/emails', buildMail({ headers: { 'X-A': 5 } }), 'headers.X-A: must be a string'],
  ['/api/v1/emails', buildMail({ attachments: {} }), 'attachments: must be an array'],
  [
    '/api/v1/emails',
    buildMail(buildFile({ content: undefined })),
    'attachments[0]: either content or path is required',
  ],
  [
    '/api/v1/emails',
    buildMail({ attachments: Array(11).fill({ filename: 'a', content: '' }) }),
    'attachments: must have at most 10 items',
  ],
  ['/api/v1/emails/batch', Array(101).fill(buildMail()), 'the batch must contain at most 100 emails'],
  ['/api/v1/emails/batch', [], 'the batch must contain at least one email'],
  ['/api/v1/emails/batch', {}, 'the body must be an array'],
  [
    '/api/v1/campaigns',
    { name: '', from: 'a@main.test', subject: 's' },
    'name: must not be empty; contactBookId: is required',
  ],
  [
    '/api/v1/campaigns',
    { ...{ name: 'n', from: 'f', subject: 's', contactBookId: 'b' }, sendNow: 'yes', batchSize: 0 },
    'sendNow: must be true or false; batchSize: must be at least 1',
  ],
  [
    '/api/v1/campaigns',
    { ...{ name: 'n', from: 'f', subject: 's', contactBookId: 'b' }, batchSize: 1.5 },
    'batchSize: must be a whole number',
  ],
];

test.each(requests.map(([path, body, text]) => ({ path, body, words: text })))(
  'returns an error from $path: $words',
  async ({ path, body, words }) => {
    expect(await postRejected(path, body)).toBe(`${words}.`);
  },
);

test('lists the allowed values for an invalid enum value', async () => {
  const { status, json } = await team.ask('GET', '/api/v1/campaigns?status=OLD');
  expect([status, json.message]).toEqual([
    400,
    'status: must be one of DRAFT, SCHEDULED, RUNNING, PAUSED, SENT.',
  ]);
});

test('explains how to add a domain through the API and the command line, and mentions no dashboard', async () => {
  expect(await postRejected('/api/v1/emails', buildMail({ from: 'a@elsewhere.test' }))).toMatch(
    /elsewhere\.test is not registered in this workspace.*POST \/api\/v1\/domains.*domain add elsewhere\.test/,
  );
  const { text } = await team.ask('GET', '/api/v1/doc', { key: null });
  expect(text).not.toMatch(/dashboard/i);
  expect(text).toMatch(/key create/);
  expect(text).toMatch(/templateCreate/);
});
