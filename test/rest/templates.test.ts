import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { buildExpectedEnvelope, buildMail, setUpTeam } from '../harness/facades/rest.ts';
import type { Tenant } from '../harness/tenant.ts';

const team = setUpTeam();
let otherTenant: Tenant;
beforeAll(async () => {
  otherTenant = await team.tenant('other');
});

const CREATE = 'mutation ($template: TemplateInput!) { templateCreate(template: $template) { id } }';
const UPDATE =
  'mutation ($id: ID!, $template: TemplateInput!) { templateUpdate(id: $id, template: $template) { id version } }';
const buildTemplate = (change: object = {}) => ({
  name: 'Welcome',
  subject: 'Hello {{name}}',
  html: '<p>Dear {{name}}, your code is {{code}}.</p>',
  ...change,
});
async function createTemplate(change: object = {}, key?: string): Promise<string> {
  const { data, errors } = await team.graphql(CREATE, { template: buildTemplate(change) }, key);
  expect(errors ?? []).toEqual([]);
  return data.templateCreate.id;
}
const update = (id: string, change: object) => team.graphql(UPDATE, { id, template: change });
const sendByTemplate = (templateId: string, variables?: object, overrides: object = {}) =>
  team.send({ to: 'ann@example.net', from: 'hello@main.test', templateId, variables, ...overrides });
async function sendTemplate(templateId: string, variables?: object, overrides?: object) {
  const { status, json, text } = await sendByTemplate(templateId, variables, overrides);
  expect(status, text).toBe(200);
  return team.email(json.emailId);
}

test('renders the subject and body of a template with variables', async () => {
  const id = await createTemplate();
  expect(await sendTemplate(id, { name: 'Ann', code: '1' })).toMatchObject({
    subject: 'Hello Ann',
    html: '<p>Dear Ann, your code is 1.</p>',
    text: null,
    templateId: id,
  });
});

test('prefers the template to a subject and body in the request', async () => {
  const id = await createTemplate();
  const email = await sendTemplate(
    id,
    { name: 'Ann', code: 1 },
    { subject: 'Mine', html: 'mine', text: 'mine' },
  );
  expect(email).toMatchObject({ subject: 'Hello Ann', html: '<p>Dear Ann, your code is 1.</p>', text: null });
});

test.each([
  ['a string', 'x', 'x'],
  ['a number', 12.5, '12.5'],
  ['zero', 0, '0'],
  ['true', true, 'true'],
  ['false', false, 'false'],
])('accepts %s as a variable', async (_case, value, expected) => {
  const id = await createTemplate({ subject: '{{code}}' });
  expect((await sendTemplate(id, { name: 'n', code: value })).subject).toBe(expected);
});

test.each([[{ name: {}, code: 1 }], [{ name: ['a'], code: 1 }]])(
  'rejects a variable that is not a scalar with BAD_REQUEST: %j',
  async (variables) => {
    const { status, json } = await sendByTemplate(await createTemplate(), variables);
    expect([status, json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
    expect(json.error.message).toContain('name');
  },
);

test('escapes values in HTML, but not in the subject or text', async () => {
  const id = await createTemplate({ text: 'Dear {{name}}' });
  const name = '<script>alert("x")</script> & \'Co\'';
  const email = await sendTemplate(id, { name, code: 1 });
  expect(email.html).not.toContain('<script>');
  expect(email.html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#x27;Co&#x27;');
  expect(email).toMatchObject({ subject: `Hello ${name}`, text: `Dear ${name}` });
});

test('returns BAD_REQUEST and names the variable if it has neither a value nor a fallback', async () => {
  const id = await createTemplate();
  const before = await team.countWritten();
  for (const variables of [{ name: 'Ann' }, { name: 'Ann', code: null }, undefined]) {
    const { status, json } = await sendByTemplate(id, variables);
    expect([status, json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
    expect(json.error.message).toMatch(/value for (code|name)/);
  }
  expect(await team.countWritten()).toBe(before);
});

test('uses the fallback of a variable that is missing, null or empty', async () => {
  const id = await createTemplate({ variables: { name: 'friend', code: 7 } });
  for (const variables of [undefined, {}, { name: null }, { name: '' }])
    expect(await sendTemplate(id, variables)).toMatchObject({
      subject: 'Hello friend',
      html: '<p>Dear friend, your code is 7.</p>',
    });
  expect((await sendTemplate(id, { name: 'Ann' })).subject).toBe('Hello Ann');
});

test.each([
  ['{{plan,fallback=Free}}', 'Free'],
  ['{{ plan , fallback = Free of charge }}', 'Free of charge'],
  ['{{plan, fallback="Free"}}', 'Free'],
  ["{{plan, FALLBACK='a = b'}}", 'a = b'],
  ['{{plan, fallback=}}', ''],
  ['{{!-- {{plan, fallback=x}} --}}{{plan,fallback=a}}{{plan,fallback=b}}', 'ab'],
])('accepts an inline fallback: %s', async (place, expected) => {
  const id = await createTemplate({ subject: `S ${place}`, html: `<p>${place}</p>`, text: `T ${place}` });
  expect(await sendTemplate(id)).toMatchObject({
    subject: `S ${expected}`,
    html: `<p>${expected}</p>`,
    text: `T ${expected}`,
  });
  const filled = await sendTemplate(id, { plan: '<Pro>' });
  expect([filled.subject, filled.html]).toEqual([
    expect.stringContaining('<Pro>'),
    expect.stringContaining('&lt;Pro&gt;'),
  ]);
  const { data } = await team.graphql('query ($id: ID!) { templatePreview(id: $id) { names missing } }', {
    id,
  });
  expect(data.templatePreview).toEqual({ names: ['plan'], missing: [] });
});

test("prefers an inline fallback to the template's, even in triple braces", async () => {
  const variables = { plan: 'Basic' };
  const html = '{{plan, fallback=<i>Free</i>}} {{plan}} {{{plan, fallback=<b>}}}';
  const id = await createTemplate({ subject: 's', html, variables, raw: ['plan'] });
  expect((await sendTemplate(id)).html).toBe('<i>Free</i> Basic <b>');
  expect((await sendTemplate(id, { plan: '&' })).html).toBe('&amp; &amp; &');
});

test.each([
  '{{plan, other=x}}',
  '{{plan fallback=0}}',
  '{{plan, fallback=x}} {{plan fallback=0}}',
  '{{a.b, fallback=x}}',
])('rejects other syntax after a variable name: %s', async (html) => {
  const { errors } = await team.graphql(CREATE, { template: buildTemplate({ html }) });
  expect([errors[0]!.extensions.code, errors[0]!.message]).toEqual([
    'BAD_REQUEST',
    expect.stringMatching(/^html: /),
  ]);
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  "accepts %s only as the caller's own property",
  async (name) => {
    const id = await createTemplate({ subject: `{{${name}}}`, html: 'x' });
    expect((await sendByTemplate(id, {})).json.error.message).toContain(name);
    // The request parser drops a field with this name.
    if (name === '__proto__') return;
    expect((await sendTemplate(id, JSON.parse(`{"${name}": "own"}`))).subject).toBe('own');
  },
);

test('rejects a line break in a value used in the subject', async () => {
  const id = await createTemplate();
  const { status, json } = await sendByTemplate(id, { name: 'x\r\nBcc: evil@example.net', code: 1 });
  expect(status).toBe(400);
  expect(json.error.message).toContain('subject');
});

test.each([
  ['a helper', '{{#if name}}x{{/if}}', /html.*variables/],
  ['a call', '{{lookup this "constructor"}}', /html.*variables/],
  ['a path', '{{a.b}}', /html.*variables/],
  ['a partial', '{{> other}}', /html.*variables/],
  ['an open brace', '{{name', /html: unbalanced braces/],
  ['a raw variable that is not allowed', '{{{name}}}', /raw/],
  ['too many variables', '{{name}}'.repeat(20_001), /html: must have at most 20000 variables/],
])('rejects a template with %s, and reports the position', async (_case, html, reason) => {
  const { errors } = await team.graphql(CREATE, { template: buildTemplate({ html }) });
  expect(errors[0]!.message).toMatch(reason);
  expect(errors[0]!.extensions.code).toBe('BAD_REQUEST');
});

test('does not escape a variable in triple braces if the template lists it in raw', async () => {
  const id = await createTemplate({ html: '{{{body}}} {{body}}', subject: 's', raw: ['body'] });
  expect((await sendTemplate(id, { body: '<b>x</b>' })).html).toBe('<b>x</b> &lt;b&gt;x&lt;/b&gt;');
});

test("hides another team's template in REST, the record API and GraphQL", async () => {
  const otherTemplate = await createTemplate({ name: 'Theirs' }, otherTenant.admin.key);
  const before = await team.countWritten();
  const { status, json } = await sendByTemplate(otherTemplate, { name: 'a', code: 1 });
  expect([status, json]).toEqual([404, buildExpectedEnvelope('NOT_FOUND')]);
  expect(await team.countWritten()).toBe(before);
  for (const change of [
    team.graphql(UPDATE, { id: otherTemplate, template: { name: 'mine' } }),
    team.graphql('mutation ($id: ID!) { templateDelete(id: $id) { id } }', { id: otherTemplate }),
    team.graphql('mutation ($id: ID!) { templateDuplicate(id: $id) { id } }', { id: otherTemplate }),
    team.graphql('query ($id: ID!) { templatePreview(id: $id) { subject } }', { id: otherTemplate }),
  ])
    expect((await change).errors[0]!.extensions.code).toBe('NOT_FOUND');
  const { data } = await team.graphql('{ templates { nodes { name } } }', {});
  expect(JSON.stringify(data)).not.toContain('Theirs');
});

test('renders two templates in one batch separately', async () => {
  const one = await createTemplate({ subject: 'One {{n}}', html: 'one {{n}}' });
  const two = await createTemplate({ subject: 'Two {{n}}', html: 'two {{n}}' });
  const body = [one, two, one, two].map((templateId, n) => ({
    to: 'a@example.net',
    from: 'hello@main.test',
    templateId,
    variables: { n },
  }));
  const { status, json } = await team.batch(body);
  expect(status).toBe(200);
  const emails = await Promise.all(json.data.map((row: { emailId: string }) => team.email(row.emailId)));
  expect(emails.map((email) => [email.subject, email.html])).toEqual([
    ['One 0', 'one 0'],
    ['Two 1', 'two 1'],
    ['One 2', 'one 2'],
    ['Two 3', 'two 3'],
  ]);
});

test('rejects an entire batch if one email lacks a variable, and names that email', async () => {
  const id = await createTemplate();
  const before = await team.countWritten();
  const body = [buildMail(), buildMail({ templateId: id, variables: { name: 'x' } })];
  const { status, json } = await team.batch(body);
  expect(status).toBe(400);
  expect(json.error.message).toMatch(/^1: .*code/);
  expect(await team.countWritten()).toBe(before);
});

test('applies a change to the next send in every process, and keeps earlier versions', async () => {
  const id = await createTemplate();
  expect((await sendTemplate(id, { name: 'Ann', code: 1 })).subject).toBe('Hello Ann');
  expect((await update(id, { subject: 'Bye {{name}}' })).data.templateUpdate.version).toBe(2);
  expect((await sendTemplate(id, { name: 'Ann', code: 1 })).subject).toBe('Bye Ann');
  // Simulates a change by another process that sends no invalidation.
  await team.main.ctx.db.rows(
    sql`update svc_template set subject = 'Again {{name}}', version = 3 where workspace_id = ${team.main.ctx.workspace.id} and public_id = ${id}`,
  );
  expect((await sendTemplate(id, { name: 'Ann', code: 1 })).subject).toBe('Again Ann');
  const { data } = await team.graphql(
    '{ templateVersions { nodes { number subject template { id } } } }',
    {},
  );
  const versions = data.templateVersions.nodes.filter(
    (version: { template: { id: string } }) => version.template.id === id,
  );
  expect(versions.map((version: { number: number }) => version.number)).toEqual([2, 1]);
});

test('stores a rename as a version', async () => {
  const id = await createTemplate();
  expect((await update(id, { name: 'Other' })).data.templateUpdate.version).toBe(2);
  expect((await update(id, { name: 'Other' })).data.templateUpdate.version).toBe(2);
});

test('returns the first response for a repeated request even if the template has changed', async () => {
  const id = await createTemplate();
  const headers = { 'idempotency-key': 'template-1' };
  const body = {
    to: 'a@example.net',
    from: 'hello@main.test',
    templateId: id,
    variables: { name: 'a', code: 1 },
  };
  const first = await team.send(body, headers);
  await update(id, { html: '{{other}}' });
  expect((await team.send(body, headers)).json).toEqual(first.json);
  await team.graphql('mutation ($id: ID!) { templateDelete(id: $id) { id } }', { id });
  expect((await team.send(body, headers)).json).toEqual(first.json);
  expect((await team.send(body)).status).toBe(404);
});

test('duplicates, previews and deletes a template', async () => {
  const id = await createTemplate({ variables: { code: 9 } });
  const copy = (await team.graphql('mutation ($id: ID!) { templateDuplicate(id: $id) { id } }', { id })).data
    .templateDuplicate.id;
  expect(copy).not.toBe(id);
  expect((await sendTemplate(copy, { name: 'Bo' })).subject).toBe('Hello Bo');
  const preview = (variables: object) =>
    team.graphql(
      'query ($id: ID!, $v: JSON) { templatePreview(id: $id, variables: $v) { subject html text names missing } }',
      {
        id,
        v: variables,
      },
    );
  expect((await preview({ name: 'Ann' })).data.templatePreview).toEqual({
    subject: 'Hello Ann',
    html: '<p>Dear Ann, your code is 9.</p>',
    text: 'Dear Ann, your code is 9.',
    names: ['name', 'code'],
    missing: [],
  });
  expect((await preview({})).data.templatePreview).toMatchObject({
    subject: 'Hello {{name}}',
    missing: ['name'],
  });
  expect(
    (await team.graphql('mutation ($id: ID!) { templateDelete(id: $id) { id } }', { id })).data
      .templateDelete,
  ).toEqual({ id });
  expect((await sendByTemplate(id, { name: 'a' })).status).toBe(404);
});

test('sends a test to one address, tagged as a test', async () => {
  const id = await createTemplate();
  const { data } = await team.graphql(
    'mutation ($id: ID!, $v: JSON) { templateTestSend(id: $id, from: "hello@main.test", to: "me@example.net", variables: $v) { subject } }',
    { id, v: { name: 'Me', code: 1 } },
  );
  expect(data.templateTestSend).toEqual({ subject: 'Hello Me' });
  const [{ id: email }] = (await team.ask('GET', '/api/v1/emails')).json.data;
  expect(await team.email(email)).toMatchObject({
    to: ['me@example.net'],
    tags: { test: 'template' },
  });
});

test('rejects a test without a recipient if the login is not an email address', async () => {
  const id = await createTemplate();
  const { errors } = await team.graphql(
    'mutation ($id: ID!) { templateTestSend(id: $id, from: "hello@main.test") { id } }',
    { id },
  );
  expect([errors[0]!.extensions.code, errors[0]!.message]).toEqual([
    'BAD_REQUEST',
    expect.stringMatching(/^to: .*login "admin" is not an email address/),
  ]);
});

test("the schema documents that a template's id is used as templateId", async () => {
  const { data } = await team.graphql('{ __type(name: "Template") { fields { name description } } }', {});
  const { fields } = data.__type as { fields: { name: string; description: string }[] };
  expect(fields.find(({ name }) => name === 'id')!.description).toMatch(/`templateId`/);
});

test('the record API validates templates and keeps versions', async () => {
  const call = (method: string, body: object) =>
    team.ask('POST', `/json/2/svc.template/${method}`, { key: team.main.admin.key, body });
  expect(
    (await call('create', { vals_list: [buildTemplate({ html: '{{#each x}}{{/each}}' })] })).status,
  ).toBe(400);
  const { json } = await call('create', { vals_list: [buildTemplate()] });
  const id = json[0];
  expect((await call('write', { ids: [id], vals: { subject: 'New {{name}}' } })).json).toBe(true);
  const [row] = (await call('read', { ids: [id], fields: ['public_id', 'version', 'version_ids'] })).json;
  expect(row).toMatchObject({ version: 2, version_ids: [expect.any(Number), expect.any(Number)] });
  expect((await sendTemplate(row.public_id, { name: 'R', code: 1 })).subject).toBe('New R');
  const plainResponse = await team.ask('POST', '/json/2/svc.template/create', {
    key: team.main.user.key,
    body: { vals_list: [buildTemplate()] },
  });
  expect(plainResponse.status).toBe(403);
});

test('generates HTML and fallbacks from block editor content', async () => {
  const content = JSON.stringify({
    type: 'doc',
    content: [
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'Hi <you> ' },
          { type: 'variable', attrs: { id: 'name', fallback: 'there' } },
        ],
      },
      { type: 'button', attrs: { text: 'Go', url: '{{link}}' } },
    ],
  });
  const id = await createTemplate({ html: undefined, subject: 'Blocks', content });
  const email = await sendTemplate(id, { link: 'https://example.net/?a=1&b=2' });
  expect(email.html).toContain('Hi &lt;you&gt; there');
  expect(email.html).toContain('href="https://example.net/?a&#x3D;1&amp;b&#x3D;2"');
});

test('creates a separate version for each concurrent change', async () => {
  const call = (method: string, body: object) =>
    team.ask('POST', `/json/2/svc.template/${method}`, { key: team.main.admin.key, body });
  const [id] = (await call('create', { vals_list: [buildTemplate()] })).json;
  const [{ public_id: publicId }] = (await call('read', { ids: [id], fields: ['public_id'] })).json;
  await Promise.all([
    ...Array.from({ length: 5 }, (_, n) => call('write', { ids: [id], vals: { subject: `S${n} {{name}}` } })),
    ...Array.from({ length: 5 }, (_, n) => update(publicId, { text: `T${n} {{name}}` })),
  ]);
  const [row] = (await call('read', { ids: [id], fields: ['version', 'subject', 'text', 'version_ids'] }))
    .json;
  expect(row).toMatchObject({
    version: 11,
    subject: expect.stringMatching(/^S/),
    text: expect.stringMatching(/^T/),
  });
  expect(row.version_ids).toHaveLength(11);
});

test('rejects a change based on an outdated version', async () => {
  const id = await createTemplate();
  await update(id, { subject: 'Theirs' });
  const change =
    'mutation ($id: ID!, $v: Int) { templateUpdate(id: $id, template: { subject: "Mine" }, expectedVersion: $v) { version } }';
  const { errors } = await team.graphql(change, { id, v: 1 });
  expect(errors[0]!.extensions).toMatchObject({ code: 'STALE', argument: 'expectedVersion' });
  expect(errors[0]!.message).toContain('version 2');
  expect((await team.graphql(change, { id, v: 2 })).data.templateUpdate).toEqual({ version: 3 });
});

const RESTORE =
  'mutation ($id: ID!, $v: Int!) { templateRestore(id: $id, version: $v) { version subject html text variables raw } }';

test('restores a version as a new version with all its content', async () => {
  const first = { text: 'Dear {{name}}', variables: { name: 'you', code: 7 }, raw: ['code'] };
  const id = await createTemplate(first);
  await update(id, { subject: 'Other', html: '<p>Other</p>', text: '', variables: {}, raw: [] });
  const { data, errors } = await team.graphql(RESTORE, { id, v: 1 });
  expect(errors ?? []).toEqual([]);
  const { name: _name, ...content } = buildTemplate(first);
  expect(data.templateRestore).toEqual({ ...content, version: 3 });
  expect((await team.graphql(RESTORE, { id, v: 3 })).data.templateRestore.version).toBe(3);
});

test("returns NOT_FOUND for an unknown version or another workspace's template", async () => {
  const id = await createTemplate();
  for (const [key, v] of [
    [undefined, 9],
    [otherTenant.admin.key, 1],
  ] as const) {
    const { errors } = await team.graphql(RESTORE, { id, v }, key);
    expect(errors[0]!.extensions.code).toBe('NOT_FOUND');
  }
});

test('names the invalid field of a template in the error', async () => {
  const { errors } = await team.graphql(CREATE, { template: buildTemplate({ html: '{{#if a}}' }) });
  expect(errors[0]!.extensions).toMatchObject({ code: 'BAD_REQUEST', argument: 'template.html' });
});
