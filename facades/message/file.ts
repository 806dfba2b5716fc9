import { call } from '../../src/engine/operation/call.ts';
import { errors } from '../../src/errors.ts';
import { buildFileResponse } from '../../src/http/file-response.ts';
import { createLinkCtx } from '../../src/http/guest.ts';
import { createVisitorCtx, type Visit } from '../../src/http/visit.ts';
import { INLINE_IMAGE_TYPES } from './part.ts';

/**
 * Serves a message's file to anyone with a signed link, or to a mailbox member by `entry` and `number` (0: the raw
 * message). Images that the message's HTML shows are served inline, and all other files as downloads.
 */
export async function serveMailFile(visit: Visit): Promise<Response> {
  const { request, requestId } = visit;
  const query = new URL(request.url).searchParams;
  const isLinked = query.has('hash');
  const file = isLinked ? await readLinkedFile(visit, query) : await readOwnFile(visit, query);
  const response = await buildFileResponse(request, requestId, file, !INLINE_IMAGE_TYPES.test(file.mimetype));
  // Otherwise, a page of another workspace on a sibling host could embed the file with the member's session.
  if (!isLinked) response.headers.set('cross-origin-resource-policy', 'same-origin');
  return response;
}

async function readLinkedFile({ runtime, requestId }: Visit, query: URLSearchParams) {
  const expires = Number(query.get('expires'));
  const link = { id: query.get('id') ?? '', hash: query.get('hash') ?? '', expires };
  return call(await createLinkCtx(runtime, 'mail-file', link, requestId), 'mailFileLinked', {});
}

async function readOwnFile(visit: Visit, query: URLSearchParams) {
  const ctx = await createVisitorCtx(visit);
  const [entryId, number] = [parseNumberParam(query, 'entry'), parseNumberParam(query, 'number')];
  return call(ctx, 'mailFile', { entryId, number });
}

function parseNumberParam(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '0';
  if (!/^\d{1,15}$/.test(text)) throw errors.badRequest(`${name}: must be a number.`);
  return Number(text);
}
