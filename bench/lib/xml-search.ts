import { createRequire } from 'node:module';
import { ABSENT_NAMES, type Caller } from './callers.ts';
import type { Side } from './compare.ts';
import type { Stage } from './stage.ts';

// Serializer of the package that the tests use as a client. The package exports it without types.
const { serializeMethodCall } = createRequire(import.meta.url)('xmlrpc/lib/serializer.js') as {
  serializeMethodCall(method: string, params: unknown[]): string;
};

export function buildXmlSearch(
  stage: Stage,
  callers: readonly Caller[],
  model: string,
  domain: unknown[],
  fields: string[],
): Side {
  const bodies = ABSENT_NAMES.flatMap((name) =>
    callers.map(({ uid, key }) =>
      serializeMethodCall('execute_kw', [
        ...['main', uid, key, model, 'search_read'],
        [[...domain, ['name', '!=', name]]],
        { fields, limit: 80 },
      ]),
    ),
  );
  return {
    port: stage.app.port,
    path: '/xmlrpc/2/object',
    headers: { 'content-type': 'text/xml' },
    body: bodies[0]!,
    bodies,
  };
}
