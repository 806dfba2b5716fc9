import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import type { Config } from '../../src/config.ts';
import type { Endpoint } from './endpoint.ts';
import { buildShapeComponents } from './shape-references.ts';

const BEARER_SECURITY = [{ Bearer: [] }];

const API_DESCRIPTION = [
  'Send emails and follow their events, manage sending domains, contact books, contacts and campaigns, and read ' +
    'analytics.',
  'Authenticate every request with `Authorization: Bearer <key>`, where the key is a team key or the key of a user ' +
    'who is an administrator. Team keys begin with `us_`; the operator creates one with ' +
    '`npm run -s cli -- key create --workspace <slug> --team`.',
  'There is no rate limit.',
].join(' ');

const TAGS = [
  { name: 'Emails', description: 'Send, schedule, track and cancel emails.' },
  { name: 'Domains', description: 'Domains that you send from, and their DNS records.' },
  { name: 'Analytics', description: 'Daily email counts, and bounce and complaint rates.' },
  { name: 'Contact books', description: 'Lists of contacts.' },
  { name: 'Contacts', description: 'People who receive campaigns.' },
  { name: 'Campaigns', description: 'Emails to all subscribed contacts in a book.' },
];

export const getRegionName = ({
  mailTransport,
  awsRegion,
}: Pick<Config, 'mailTransport' | 'awsRegion'>): string => (mailTransport === 'ses' ? awsRegion! : 'local');

/**
 * Builds the OpenAPI document as JSON text for a public URL. `region` is used in examples. Paths begin with `/v1`, as
 * in the contract, so the server URL ends before it.
 */
export function buildDocument(endpoints: Endpoint[], region: string): (publicUrl: string) => string {
  const app = new OpenAPIHono();
  app.openAPIRegistry.registerComponent('securitySchemes', 'Bearer', { type: 'http', scheme: 'bearer' });
  for (const [name, component] of buildShapeComponents())
    app.openAPIRegistry.registerComponent('schemas', name, component);
  for (const endpoint of endpoints) app.openAPIRegistry.registerPath(buildRoute(endpoint, region));
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Email API', version: '1.0.0', description: API_DESCRIPTION },
    tags: TAGS,
  });
  return (publicUrl) => JSON.stringify({ ...document, servers: [{ url: `${publicUrl}/api` }] });
}

function buildRoute(endpoint: Endpoint, region: string): RouteConfig {
  const { method, path, operationId, tag, summary, responses, description, ...parts } = endpoint;
  const { body, query, params, headers } = parts;
  const media = body ? { 'application/json': { schema: body } } : parts.content;
  const example = typeof parts.example === 'function' ? parts.example(region) : parts.example;
  const content = Object.fromEntries(
    Object.entries(media ?? {}).map(([type, item]) => [type, { ...item, example }]),
  );
  const request = {
    ...(headers && { headers }),
    params,
    ...(query && { query }),
    ...(media && { body: { required: true, content } }),
  };
  return {
    method: method.toLowerCase() as RouteConfig['method'],
    path,
    operationId,
    tags: [tag],
    summary,
    responses,
    security: BEARER_SECURITY,
    description,
    request,
  };
}
