import { createRequire } from 'node:module';
import type { Side } from './compare.ts';
import type { Stage } from './stage.ts';

// Serializer of the package that the tests use as a client. The package exports it without types.
const { serializeMethodCall } = createRequire(import.meta.url)('xmlrpc/lib/serializer.js') as {
  serializeMethodCall(method: string, params: unknown[]): string;
};

export function buildXmlSearch(stage: Stage, model: string, domain: unknown[], fields: string[]): Side {
  const params = ['main', 1, stage.userKey, model, 'search_read', [domain], { fields, limit: 80 }];
  return {
    port: stage.app.port,
    path: '/xmlrpc/2/object',
    headers: { 'content-type': 'text/xml' },
    body: serializeMethodCall('execute_kw', params),
  };
}
