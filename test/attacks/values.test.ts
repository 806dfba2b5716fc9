import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();

const from = 'hello@main.test';
const repeatPlaceholder = (count: number) => '{{x}}'.repeat(count);
const url = '{{usesend_unsubscribe_url}}';
const value = 'x'.repeat(10_000);

async function createTemplate(html: string): Promise<string> {
  const { data } = await team.graphql(
    'mutation ($template: TemplateInput!) { templateCreate(template: $template) { id } }',
    { template: { name: crypto.randomUUID(), subject: 's', html } },
  );
  return data.templateCreate.id;
}

async function createBook(overrides: object = {}): Promise<string> {
  const body = { name: 'Readers', variables: ['x'], ...overrides };
  const { status, json, text } = await team.ask('POST', '/api/v1/contactBooks', { body });
  expect(status, text).toBe(200);
  return json.id;
}

const join = (bookId: string, email: string, x: string) =>
  team.ask('POST', `/api/v1/contactBooks/${bookId}/contacts`, { body: { email, properties: { x } } });

async function run(contactBookId: string, html: string) {
  const body = { name: 'Spring', from, subject: 's', contactBookId, html: `${html}${url}`, sendNow: true };
  const { json, text } = await team.ask('POST', '/api/v1/campaigns', { body });
  expect(json.status, text).toBe('SCHEDULED');
  await runDueCampaigns(team.runtime);
  return (await team.ask('GET', `/api/v1/campaigns/${json.id}`)).json;
}

const loadRecipients = (pattern: string) =>
  team.runtime.db.rows<{ to: string[] }>(
    sql`select "to" from svc_email where workspace_id = ${team.main.ctx.workspace.id}
     and array_to_string("to", ',') like ${pattern} order by id`,
  );

test('limits the expanded size of a template', async () => {
  const templateId = await createTemplate(repeatPlaceholder(15_000));
  const { status, json } = await team.send({
    to: 'a@example.net',
    from,
    templateId,
    variables: { x: 'x'.repeat(100_000) },
  });
  expect([status, json.error.message]).toEqual([400, 'variables: their values make the email too large.']);
});

test('limits the total expanded size of the emails in a request', { tags: 'slow' }, async () => {
  const templateId = await createTemplate(repeatPlaceholder(1_000));
  const one = { to: 'a@example.net', from, templateId, variables: { x: 'x'.repeat(1_000) } };
  const send = (count: number) =>
    team.ask('POST', '/api/v1/emails/batch', { body: Array.from({ length: count }, () => one) });
  const { status, json } = await send(100);
  expect([status, json.error.message]).toEqual([
    400,
    expect.stringMatching(/^\d+: this email makes the request too large\. Send fewer emails per request\.$/),
  ]);
  expect((await send(10)).status).toBe(200);
});

test('pauses a campaign whose emails exceed the size limit', async () => {
  const readers = await createBook();
  expect((await join(readers, 'a@large.test', value)).status).toBe(200);
  expect(await run(readers, repeatPlaceholder(15_000))).toMatchObject({
    status: 'PAUSED',
    reason: "A contact's values make an email too large.",
  });
  expect(await loadRecipients('%@large.test')).toEqual([]);
});

test('delivers a campaign with large emails in small batches', { tags: 'slow' }, async () => {
  const readers = await createBook();
  for (const name of ['a', 'b', 'c'])
    expect((await join(readers, `${name}@some.test`, value)).status).toBe(200);
  expect(await run(readers, repeatPlaceholder(1_000))).toMatchObject({ status: 'SENT', total: 3 });
  expect(await loadRecipients('%@some.test')).toEqual(
    [['a@some.test'], ['b@some.test'], ['c@some.test']].map((to) => ({ to })),
  );
});

test('limits the expanded size of a double opt-in email', async () => {
  const doubleOptInContent = JSON.stringify({
    type: 'doc',
    content: [
      { type: 'paragraph', content: [{ type: 'text', text: repeatPlaceholder(15_000) }] },
      { type: 'button', attrs: { text: 'Yes', url: '{{doubleOptInUrl}}' } },
    ],
  });
  const readers = await createBook({ doubleOptInEnabled: true, doubleOptInContent });
  const { status, json } = await join(readers, 'a@asked.test', value);
  expect([status, json.error.message]).toEqual([400, "A contact's values make the email too large."]);
  expect(await loadRecipients('%@asked.test')).toEqual([]);
});
