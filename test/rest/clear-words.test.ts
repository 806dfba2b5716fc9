import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelope, mail, startTeam, type Team } from './team.ts';

let team: Team;
let book: string;
beforeAll(async () => {
  team = await startTeam();
  book = (await team.ask('POST', '/api/v1/contactBooks', { body: { name: 'Readers' } })).json.id;
});
afterAll(() => team.close());

const file = (change: object) => ({ attachments: [{ filename: 'a.txt', content: 'aGVsbG8=', ...change }] });
const contacts = () => `/api/v1/contactBooks/${book}/contacts`;
const campaign = (change: object) => ({
  name: 'Spring',
  from: 'news@main.test',
  subject: 'Hello',
  contactBookId: book,
  html: '{{usesend_unsubscribe_url}}',
  ...change,
});

async function refused(path: string, body: unknown): Promise<string> {
  const before = await team.written();
  const { status, json } = await team.ask('POST', path, { body });
  expect([status, json]).toEqual([400, envelope('BAD_REQUEST')]);
  expect(await team.written()).toBe(before);
  return json.message;
}

test.each([
  ['reply_to', { reply_to: 'x@main.test' }, 'reply_to: write it replyTo.'],
  ['scheduled_at', { scheduled_at: '2099-01-01T00:00:00Z' }, 'scheduled_at: write it scheduledAt.'],
  ['template_id', { template_id: 't' }, 'template_id: write it templateId.'],
  ['in_reply_to_id', { in_reply_to_id: 'e' }, 'in_reply_to_id: write it inReplyToId.'],
  ['content_id', file({ content_id: 'logo' }), 'attachments.0.content_id: write it contentId.'],
  ['content_type', file({ content_type: 'a/b' }), 'attachments.0.content_type: write it contentType.'],
])(
  'a field that is spelled %s is refused with the spelling we know, and nothing is sent',
  async (_, more, words) => {
    expect(await refused('/api/v1/emails', mail(more))).toBe(words);
    expect(await refused('/api/v1/emails/batch', [mail(), mail(more)])).toBe(`1.${words}`);
  },
);

test('contacts, books and campaigns tell of such a spelling as well', async () => {
  const ann = { email: 'ann@example.net' };
  expect(await refused(contacts(), { ...ann, first_name: 'Ann' })).toBe('first_name: write it firstName.');
  expect(await refused(`${contacts()}/bulk`, [ann, { ...ann, last_name: 'A' }])).toBe(
    '1.last_name: write it lastName.',
  );
  expect(await refused('/api/v1/campaigns', campaign({ send_now: true, batch_size: 1 }))).toBe(
    'send_now: write it sendNow; batch_size: write it batchSize.',
  );
  expect(await refused('/api/v1/contactBooks', { name: 'x', double_opt_in_enabled: true })).toBe(
    'double_opt_in_enabled: write it doubleOptInEnabled.',
  );
});

test("any other unknown field is ignored, and names of your own are nobody else's", async () => {
  const own = { reply_to: 'mine', scheduled_at: 'too' };
  const { status, json } = await team.send(
    mail({
      from_: 'x',
      some_thing: 1,
      to_: 'x',
      __proto__x: 1,
      metadata: own,
      tags: own,
      headers: { reply_to: 'x' },
    }),
  );
  expect(status).toBe(200);
  expect(await team.email(json.emailId)).toMatchObject({
    metadata: own,
    tags: own,
  });
});

const wrong: [path: string, body: unknown, words: string][] = [
  ['/api/v1/domains', { name: 'a.test' }, 'region: is required'],
  ['/api/v1/domains', { name: 5, region: null }, 'name: must be text; region: must be text'],
  ['/api/v1/emails', { from: 'a@main.test' }, 'to: is required'],
  ['/api/v1/emails', [], 'the body must be an object'],
  ['/api/v1/emails', mail({ to: 5 }), 'to: must be a text or a list of texts'],
  ['/api/v1/emails', mail({ headers: [] }), 'headers: must be an object'],
  ['/api/v1/emails', mail({ headers: { 'X-A': 5 } }), 'headers.X-A: must be text'],
  ['/api/v1/emails', mail({ attachments: {} }), 'attachments: must be a list'],
  ['/api/v1/emails', mail(file({ content: undefined })), 'attachments.0.content: is required'],
  [
    '/api/v1/emails',
    mail({ attachments: Array(11).fill({ filename: 'a', content: '' }) }),
    'attachments: may hold at most 10',
  ],
  ['/api/v1/emails/batch', Array(101).fill(mail()), 'the batch may hold at most 100 emails'],
  ['/api/v1/emails/batch', [], 'the batch must hold at least one email'],
  ['/api/v1/emails/batch', {}, 'the body must be a list'],
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

test.each(wrong.map(([path, body, words]) => ({ path, body, words })))(
  '$path says in plain words: $words',
  async ({ path, body, words }) => {
    expect(await refused(path, body)).toBe(`${words}.`);
  },
);

test('a choice that there is not is answered with those that there are', async () => {
  const { status, json } = await team.ask('GET', '/api/v1/campaigns?status=OLD');
  expect([status, json.message]).toEqual([
    400,
    'status: must be one of DRAFT, SCHEDULED, RUNNING, PAUSED, SENT.',
  ]);
});

test('words name what there is: the call and the command that add a domain, never a dashboard', async () => {
  expect(await refused('/api/v1/emails', mail({ from: 'a@elsewhere.test' }))).toMatch(
    /elsewhere\.test is not one of yours.*POST \/api\/v1\/domains.*domain add elsewhere\.test/,
  );
  const { text } = await team.ask('GET', '/api/v1/doc', { key: null });
  expect(text).not.toMatch(/dashboard/i);
  expect(text).toMatch(/key create/);
  expect(text).toMatch(/templateCreate/);
});
