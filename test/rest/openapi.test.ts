import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, expect, test } from 'vitest';
import { buildMail, type RestRequest, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document has no static type
let doc: any;
let validators: Ajv2020;
const validated = new Set<string>();

beforeAll(async () => {
  doc = (await team.ask('GET', '/api/v1/doc', { key: null })).json;
  validators = new Ajv2020({ strict: false, allErrors: true, schemas: { doc } });
  // The package is CommonJS, so its default export is the module itself.
  (formats as unknown as (ajv: Ajv2020) => void)(validators);
});

const compiled = new Map<string, ValidateFunction>();
function compileSchema(path: string, method: string, status: number): ValidateFunction {
  const at = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema'];
  const ref = `doc#/${at.map((part) => encodeURIComponent(part.replaceAll('/', '~1'))).join('/')}`;
  const validator = compiled.get(ref) ?? validators.compile({ $ref: ref });
  compiled.set(ref, validator);
  return validator;
}

/** Validates a route's response against the document. `at` contains the values of the route's parameters. */
async function check(
  route: string,
  at: string[],
  status: number,
  options: RestRequest & { query?: string } = {},
) {
  const [method, path] = route.split(' ') as [string, string];
  const { query = '', ...rest } = options;
  let next = 0;
  const address = path.replace(/\{\w+\}/g, () => at[next++] ?? 'x');
  const response = await team.ask(method, `/api${address}${query}`, rest);
  const summary = `${route} ${query}: ${response.status} ${response.text.slice(0, 300)}`;
  expect(response.status, summary).toBe(status);
  const { content } = doc.paths[path][method.toLowerCase()].responses[status] ?? {};
  expect(content, `${route} does not describe ${status}`).toBeDefined();
  if (content['application/json']) {
    const valid = compileSchema(path, method.toLowerCase(), status);
    expect(valid(response.json), `${summary}\n${JSON.stringify(valid.errors)}`).toBe(true);
  }
  if (status === 200) validated.add(`${method} ${path}`);
  return response.json;
}

const FUTURE_TIME = '2099-01-01T00:00:00Z';

test('email routes match the document', async () => {
  const { emailId } = await check('POST /v1/emails', [], 200, { body: buildMail() });
  const full = {
    scheduledAt: FUTURE_TIME,
    cc: 'c@example.net',
    replyTo: ['r@example.net'],
    tags: { a: 'b' },
    metadata: { deep: { n: 1 } },
    attachments: [{ filename: 'a.txt', content: 'aGk=', contentId: 'x' }],
    inReplyToId: emailId,
  };
  const scheduled = await check('POST /v1/emails', [], 200, { body: buildMail(full) });
  await check('POST /v1/emails/batch', [], 200, { body: [buildMail(), buildMail({ text: 't' })] });
  await check('GET /v1/emails', [], 200);
  await check('GET /v1/emails', [], 200, {
    query: `?page=2&limit=1&startDate=2020-01-01&endDate=${FUTURE_TIME}`,
  });
  await check('GET /v1/emails/{emailId}', [emailId], 200);
  await check('PATCH /v1/emails/{emailId}', [scheduled.emailId], 200, { body: { scheduledAt: FUTURE_TIME } });
  await check('POST /v1/emails/{emailId}/cancel', [scheduled.emailId], 200);
  await check('GET /v1/emails/{emailId}', [scheduled.emailId], 200);
  await check('POST /v1/emails', [], 400, { body: {} });
  await check('POST /v1/emails', [], 404, { body: buildMail({ templateId: 'x' }) });
  await check('POST /v1/emails/batch', [], 400, { body: [] });
  await check('GET /v1/emails', [], 400, { query: '?limit=99' });
  await check('GET /v1/emails/{emailId}', ['nothing'], 404);
  await check('PATCH /v1/emails/{emailId}', ['nothing'], 404, { body: { scheduledAt: FUTURE_TIME } });
  await check('PATCH /v1/emails/{emailId}', [emailId], 400, { body: { scheduledAt: FUTURE_TIME } });
  await check('POST /v1/emails/{emailId}/cancel', [emailId], 400);
  await check('POST /v1/emails/{emailId}/cancel', ['nothing'], 404);
  const headers = { 'idempotency-key': 'contract' };
  await check('POST /v1/emails', [], 200, { body: buildMail(), headers });
  await check('POST /v1/emails', [], 409, { body: buildMail({ subject: 'x' }), headers });
});

test('domain routes match the document', async () => {
  const body = { name: 'contract.example', region: 'eu-west-1' };
  const { id } = await check('POST /v1/domains', [], 200, { body });
  await check('GET /v1/domains', [], 200);
  await check('GET /v1/domains/{id}', [String(id)], 200);
  await check('PUT /v1/domains/{id}/verify', [String(id)], 200, { body: {} });
  await check('POST /v1/domains', [], 409, { body });
  await check('POST /v1/domains', [], 400, { body: { name: 'x', region: 'y' } });
  await check('DELETE /v1/domains/{id}', [String(id)], 200);
  for (const route of ['GET /v1/domains/{id}', 'PUT /v1/domains/{id}/verify', 'DELETE /v1/domains/{id}'])
    await check(route, ['999999'], 404);
});

test('contact book and contact routes match the document', async () => {
  const book = await check('POST /v1/contactBooks', [], 200, { body: { name: 'Book' } });
  const at = [book.id];
  await check('GET /v1/contactBooks', [], 200);
  await check('GET /v1/contactBooks/{contactBookId}', at, 200);
  await check('PATCH /v1/contactBooks/{contactBookId}', at, 200, { body: { name: 'Other' } });
  const contacts = '/v1/contactBooks/{contactBookId}/contacts';
  const { contactId } = await check(`POST ${contacts}`, at, 200, { body: { email: 'a@example.net' } });
  const contactPath = `${contacts}/{contactId}`;
  await check(`GET ${contactPath}`, [book.id, contactId], 200);
  await check(`PATCH ${contactPath}`, [book.id, contactId], 200, { body: { firstName: 'Ann' } });
  await check(`PUT ${contactPath}`, [book.id, contactId], 200, { body: { email: 'a@example.net' } });
  await check(`GET ${contacts}`, at, 200);
  await check('GET /v1/contacts', [], 200);
  await check(`GET ${contacts}/export`, at, 200);
  await check(`POST ${contacts}/bulk`, at, 200, { body: [{ email: 'b@example.net' }] });
  await check(`POST ${contacts}/import`, at, 200, {
    body: 'email\nc@example.net\n',
    headers: { 'content-type': 'text/csv' },
  });
  await check(`DELETE ${contacts}/bulk`, at, 200, { body: { contactIds: [contactId] } });
  const last = await check(`POST ${contacts}`, at, 200, { body: { email: 'd@example.net' } });
  await check(`DELETE ${contactPath}`, [book.id, last.contactId], 200);
  await check(`GET ${contactPath}`, [book.id, 'x'], 404);
  await check('GET /v1/contactBooks/{contactBookId}', ['x'], 404);
  await check('DELETE /v1/contactBooks/{contactBookId}', at, 200);
});

test('campaign routes match the document', async () => {
  const book = await check('POST /v1/contactBooks', [], 200, { body: { name: 'Readers' } });
  await check('POST /v1/contactBooks/{contactBookId}/contacts', [book.id], 200, {
    body: { email: 'a@example.net' },
  });
  const body = {
    name: 'News',
    from: 'hello@main.test',
    subject: 'News',
    contactBookId: book.id,
    html: '<a href="{{usesend_unsubscribe_url}}">x</a>',
  };
  const { id } = await check('POST /v1/campaigns', [], 200, { body });
  await check('GET /v1/campaigns', [], 200);
  const campaignPath = '/v1/campaigns/{campaignId}';
  await check(`GET ${campaignPath}`, [id], 200);
  await check(`POST ${campaignPath}/schedule`, [id], 200, { body: { scheduledAt: FUTURE_TIME } });
  await check(`POST ${campaignPath}/pause`, [id], 200);
  await check(`POST ${campaignPath}/resume`, [id], 200);
  await check(`DELETE ${campaignPath}`, [id], 200);
  await check(`GET ${campaignPath}`, ['x'], 404);
  await check('POST /v1/campaigns', [], 400, { body: { ...body, html: 'no link' } });
});

test('analytics routes match the document', async () => {
  await check('GET /v1/analytics/email-time-series', [], 200);
  await check('GET /v1/analytics/email-time-series', [], 200, { query: '?days=7' });
  await check('GET /v1/analytics/email-time-series', [], 400, { query: '?days=8' });
  await check('GET /v1/analytics/reputation-metrics', [], 200);
});

test('every route is covered by these tests, and reports a missing key in the documented format', async () => {
  const routes = Object.entries<object>(doc.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect([...validated].sort()).toEqual(routes.sort());
  for (const route of routes) await check(route, [], 401, { key: null });
});
