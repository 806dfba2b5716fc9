import { OpenAPIHono } from '@hono/zod-openapi';
import type { Endpoint } from './endpoint.ts';
import { buildOperationTexts, OPENAPI_TAGS } from './operation-texts.ts';
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

/**
 * Builds the OpenAPI document as JSON text for a public URL. `region` is used in examples. Paths begin with `/v1`, as
 * in the contract, so the server URL ends before it.
 */
export function buildDocument(endpoints: Endpoint[], region: string): (publicUrl: string) => string {
  const app = new OpenAPIHono();
  app.openAPIRegistry.registerComponent('securitySchemes', 'Bearer', { type: 'http', scheme: 'bearer' });
  for (const [name, component] of buildShapeComponents())
    app.openAPIRegistry.registerComponent('schemas', name, component);
  const texts = buildOperationTexts(region);
  for (const endpoint of endpoints) app.openAPIRegistry.registerPath(completeRoute(endpoint, texts));
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Email API', version: '1.0.0', description: API_DESCRIPTION },
    tags: OPENAPI_TAGS,
  });
  return (publicUrl) => JSON.stringify({ ...document, servers: [{ url: `${publicUrl}/api` }] });
}

/** Adds the security, the request schemas, the description and the example to a route. */
function completeRoute(
  { route, body, query }: Endpoint,
  texts: ReturnType<typeof buildOperationTexts>,
): Endpoint['route'] {
  const text = texts[route.operationId!];
  if (!text) throw new Error(`operation-texts.ts has no text for ${route.operationId}`);
  const { description, example } = text;
  const media = body ? { 'application/json': { schema: body } } : route.request?.body?.content;
  const content = Object.fromEntries(
    Object.entries(media ?? {}).map(([type, item]) => [type, { ...item, example }]),
  );
  const request = {
    ...route.request,
    ...(query && { query }),
    ...(media && { body: { required: true, content } }),
  };
  return { ...route, security: BEARER_SECURITY, description, request };
}
