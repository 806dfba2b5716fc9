import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { buildMail, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document has no static type
let doc: any;
let validators: Ajv2020;
beforeAll(async () => {
  doc = (await team.ask('GET', '/api/v1/doc', { key: null })).json;
  validators = new Ajv2020({ strict: false, validateFormats: false, schemas: { doc } });
});

function compileSchema(path: string, method: string, status: number): ValidateFunction {
  const at = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema'];
  return validators.compile({
    $ref: `doc#/${at.map((part) => encodeURIComponent(part.replaceAll('/', '~1'))).join('/')}`,
  });
}

test('serves the OpenAPI document without a key, including the server, security scheme and all routes', () => {
  expect(doc.openapi).toMatch(/^3\.1/);
  expect(doc.servers).toEqual([{ url: `${team.url}/api` }]);
  expect(doc.components.securitySchemes).toEqual({ Bearer: { type: 'http', scheme: 'bearer' } });
  const routes = Object.entries(doc.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method} ${path}`),
  );
  expect(routes).toEqual(
    expect.arrayContaining([
      'get /v1/domains',
      'get /v1/emails',
      'get /v1/emails/{emailId}',
      'post /v1/emails',
      'post /v1/emails/batch',
    ]),
  );
});

test('every route in the document requires a bearer token and describes success and error responses', () => {
  for (const [path, methods] of Object.entries<typeof doc>(doc.paths)) {
    for (const [method, route] of Object.entries<typeof doc>(methods)) {
      expect(route.security, path).toEqual([{ Bearer: [] }]);
      if (route.responses[200].content['application/json'])
        expect(compileSchema(path, method, 200)({ nothing: 'of it' }), `${method} ${path}`).toBe(false);
      for (const status of [401, 403, 500]) {
        const error = { code: 'FORBIDDEN', message: 'x' };
        expect(compileSchema(path, method, status)({ error, ...error })).toBe(true);
        expect(compileSchema(path, method, status)({ error: 'x' })).toBe(false);
      }
    }
  }
});

test('responses match the document', async () => {
  const sentResponse = await team.send(buildMail());
  const id = sentResponse.json.emailId;
  const requests: [string, string, number, string, object?][] = [
    ['post', '/v1/emails', 200, '/v1/emails', { body: buildMail({ scheduledAt: '2099-01-01T00:00:00Z' }) }],
    ['post', '/v1/emails/batch', 200, '/v1/emails/batch', { body: [buildMail()] }],
    ['get', '/v1/emails', 200, '/v1/emails'],
    ['get', '/v1/emails/{emailId}', 200, `/v1/emails/${id}`],
    ['get', '/v1/domains', 200, '/v1/domains'],
    ['post', '/v1/emails', 400, '/v1/emails', { body: {} }],
    ['post', '/v1/emails', 404, '/v1/emails', { body: buildMail({ templateId: 'x' }) }],
    ['post', '/v1/emails/batch', 400, '/v1/emails/batch', { body: [] }],
    ['get', '/v1/emails', 400, '/v1/emails?limit=99'],
    ['get', '/v1/emails/{emailId}', 404, '/v1/emails/nothing'],
    ['get', '/v1/domains', 401, '/v1/domains', { key: null }],
    ['get', '/v1/domains', 403, '/v1/domains', { key: team.main.user.key }],
  ];
  const server = new URL(doc.servers[0].url).pathname;
  for (const [method, path, status, address, ask] of requests) {
    const response = await team.ask(method.toUpperCase(), server + address, ask);
    expect(response.status, `${method} ${address}`).toBe(status);
    const valid = compileSchema(path, method, status);
    expect(valid(response.json), `${method} ${address}: ${JSON.stringify(valid.errors)}`).toBe(true);
  }
});

test('includes every response field in the document', async () => {
  const { emailId } = (await team.send(buildMail())).json;
  const readFields = async (path: string) => (await team.ask('GET', `/api/v1${path}`)).json;
  const listProperties = (schema: string) => Object.keys(doc.components.schemas[schema].properties).sort();
  expect(Object.keys(await readFields(`/emails/${emailId}`)).sort()).toEqual(listProperties('Email'));
  expect(Object.keys((await readFields('/emails')).data[0]).sort()).toEqual(listProperties('EmailItem'));
  expect(Object.keys((await readFields('/domains'))[0]).sort()).toEqual(listProperties('Domain'));
});

test('includes the request limits in the document', () => {
  const parameters = doc.paths['/v1/emails'].get.parameters;
  const findParameter = (name: string) =>
    parameters.find((parameter: { name: string }) => parameter.name === name).schema;
  expect(findParameter('limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: 50, default: 50 });
  expect(findParameter('page')).toMatchObject({ type: 'integer', minimum: 1, default: 1 });
  const key = doc.paths['/v1/emails'].post.parameters[0];
  expect(key).toMatchObject({
    in: 'header',
    name: 'Idempotency-Key',
    required: false,
    schema: { minLength: 1, maxLength: 256 },
  });
  expect(doc.components.schemas.EmailRequest.required).toEqual(['to', 'from']);
});

test('serves the documentation page without a key, and loads no external resources', async () => {
  const page = await team.ask('GET', '/api/v1/ui', { key: null });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const loaded = [...page.text.matchAll(/<(?:link|script)[^>]* (?:src|href)="([^"]+)"/g)].map(
    (match) => match[1]!,
  );
  expect(loaded.length).toBeGreaterThan(2);
  expect(loaded).toContain('/favicon.ico');
  for (const address of loaded) {
    expect(address).toMatch(/^\/api\/v1\/ui\/|^\/favicon\.ico$/);
    const { status, text } = await team.ask('GET', address, { key: null });
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(50);
    if (address.endsWith('.css')) expect(text).not.toMatch(/@import|url\(["']?https?:/);
  }
  expect((await team.ask('GET', '/api/v1/ui/start.js', { key: null })).text).toContain("url: '/api/v1/doc'");
});

test.each([
  'package.json',
  '..%2Fpackage.json',
  '%2e%2e%2fpackage.json',
  'constructor',
  'swagger-ui.css.map',
])('serves no other file next to the documentation page: %s', async (name) => {
  expect((await team.ask('GET', `/api/v1/ui/${name}`, { key: null })).status).toBe(404);
});

test('reports its health without a key', async () => {
  const { status, json } = await team.ask('GET', '/api/health', { key: null });
  expect([status, json]).toMatchObject([200, { data: 'Healthy' }]);
});
