import { OpenAPIHono } from '@hono/zod-openapi';
import type { Endpoint } from './endpoint.ts';

const ABOUT = [
  'Send single emails or batches, and list what was sent.',
  'Authenticate every request with `Authorization: Bearer <key>`. Team keys begin with `us_`; the operator ' +
    "creates one with `npm run -s cli -- key create --workspace <slug> --team`. An administrator's user key (`uk_…`) " +
    'works too.',
  'There is no rate limit.',
].join(' ');

/**
 * The OpenAPI document of the endpoints as JSON text, for a public URL. Its paths begin with
 * `/v1`, as in the contract, so the server URL ends before that.
 */
export function documentOf(endpoints: Endpoint[]): (publicUrl: string) => string {
  const app = new OpenAPIHono();
  app.openAPIRegistry.registerComponent('securitySchemes', 'Bearer', { type: 'http', scheme: 'bearer' });
  for (const { route } of endpoints) app.openAPIRegistry.registerPath(route);
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Email sending API', version: '1.0.0', description: ABOUT },
  });
  return (publicUrl) => JSON.stringify({ ...document, servers: [{ url: `${publicUrl}/api` }] });
}
