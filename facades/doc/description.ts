import { createHash } from 'node:crypto';
import type { Caller } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/operation/call.ts';
import { matchesEtag } from '../../src/http/http.ts';
import { createVisitCtx, type Visit } from '../../src/http/visit.ts';
import { buildDocHeaders } from './headers.ts';

const INDEX = 'index';

/**
 * Returns the index, or the model called `name`, as JSON. Its ETag is a hash of the text, so equal tags mean equal
 * content, regardless of the caller's rights. `?graphql` adds the root field of each method.
 * @throws AppError for the same reasons as the operations docIndex and docModel
 */
export async function describeModels(visit: Visit, caller: Caller, name: string): Promise<Response> {
  const { request, requestId } = visit;
  const ctx = createVisitCtx(visit, caller);
  const graphql = new URL(request.url).searchParams.has('graphql');
  const description =
    name === INDEX ? await call(ctx, 'docIndex', {}) : await call(ctx, 'docModel', { model: name, graphql });
  const text = JSON.stringify(description);
  const hash = createHash('sha256').update(text).digest('hex');
  const etag = `"${hash}"`;
  const headers: Record<string, string> = {
    ...buildDocHeaders(requestId, 'no-cache, private'),
    etag,
    'content-language': caller.principal.lang.replace('_', '-'),
  };
  if (matchesEtag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers });
  if (name === INDEX) headers['content-disposition'] = `inline; filename=doc-index-${hash}.json`;
  return new Response(text, { headers });
}
