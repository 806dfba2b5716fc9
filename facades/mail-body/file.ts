import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/verb/call.ts';
import { errors } from '../../src/errors.ts';
import { buildFileResponse } from '../../src/http/file-answer.ts';
import { createLinkCtx } from '../../src/http/guest.ts';
import { authenticateCaller, createCallerCtx } from '../../src/http/http.ts';
import { PICTURE } from './part.ts';

/**
 * A file of a message: for who follows a signed link, or for a member of the mailbox by `entry` and `number` (0: the
 * raw message). Always a download, but for pictures that the HTML of a message shows.
 */
export async function mailFile(runtime: Runtime, request: Request, requestId: string): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const isLinked = query.has('hash');
  const file = isLinked
    ? await linked(runtime, query, requestId)
    : await own(runtime, request, query, requestId);
  const answer = await buildFileResponse(request, requestId, file, !PICTURE.test(file.mimetype));
  // A page of another workspace, on a host beside this one, has the member's session sent along.
  if (!isLinked) answer.headers.set('cross-origin-resource-policy', 'same-origin');
  return answer;
}

async function linked(runtime: Runtime, query: URLSearchParams, requestId: string) {
  const expires = Number(query.get('expires'));
  const link = { id: query.get('id') ?? '', hash: query.get('hash') ?? '', expires };
  return call(await createLinkCtx(runtime, 'mail-file', link, requestId), 'mailFileLinked', {});
}

async function own(runtime: Runtime, request: Request, query: URLSearchParams, requestId: string) {
  const caller = await authenticateCaller(runtime, request.headers, 'web');
  if (!caller) throw errors.noCredential();
  const [entryId, number] = [numberIn(query, 'entry'), numberIn(query, 'number')];
  const ctx = createCallerCtx(runtime, caller, 'web', requestId, request.headers);
  return call(ctx, 'mailFile', { entryId, number });
}

function numberIn(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '0';
  if (!/^\d{1,15}$/.test(text)) throw errors.badRequest(`${name}: must be a number.`);
  return Number(text);
}
