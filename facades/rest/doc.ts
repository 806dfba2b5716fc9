import { OpenAPIHono } from '@hono/zod-openapi';
import type { Endpoint } from './endpoint.ts';

const ABOUT = [
  'Send email, one or a batch, and list what was sent.',
  'Every request carries `Authorization: Bearer <key>` with a key of the Team; it begins with `us_`. The operator makes one with `npm run -s cli -- key create --workspace <slug> --team`.',
  'Requests are not throttled.',
].join(' ');

/**
 * The OpenAPI document of the endpoints as JSON text, for the address the server is known by. Its paths begin with
 * `/v1` as the contract writes them, so the server's address ends before that.
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
