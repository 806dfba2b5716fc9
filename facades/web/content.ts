import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/verb/call.ts';
import { AppError, errors } from '../../src/errors.ts';
import { buildFileResponse, type WebFile } from '../../src/http/file-response.ts';
import { createPublicCtx } from '../../src/http/guest.ts';
import { authenticateCaller, createCallerCtx, parseHostSlug } from '../../src/http/http.ts';
import { fitImage, type ImageBox, parseBox } from '../../src/image/fit.ts';

/** What is wanted; an attachment by its id, else the binary field of a record. */
export interface FileRequest {
  model: string | null;
  id: string;
  field: string | null;
  /** Only a picture will do. */
  picture: boolean;
  /** The box that it has to fit into, such as `300x200`. */
  box?: string | undefined;
}

/**
 * A file under the rights of the caller (session or key), a public attachment for anybody. A stranger names the
 * workspace by its address, the header X-Odoo-Database or `db`.
 * @throws NOT_FOUND for whatever there is not, or not for the caller: a refusal would reveal that there is something
 */
export async function serveContent(
  runtime: Runtime,
  request: Request,
  requestId: string,
  wanted: FileRequest,
): Promise<Response> {
  const url = new URL(request.url);
  const found = /^\d{1,9}$/.test(wanted.id) ? await findFile(runtime, request, requestId, wanted, url) : null;
  if (!found || (wanted.picture && !found.file.mimetype.startsWith('image/')))
    throw errors.notFound(url.pathname.slice(0, 200));
  const box = wanted.picture ? parseImageBox(wanted, url) : null;
  const file = box ? await fitImage(found.file, box, found) : found.file;
  const answer = await buildFileResponse(request, requestId, file, isTrue(url.searchParams.get('download')));
  answer.headers.set('cross-origin-resource-policy', found.isOwn ? 'same-origin' : 'cross-origin');
  return answer;
}

/** The size that is asked for, in the path or as `width` and `height`. */
function parseImageBox({ box }: FileRequest, { searchParams }: URL): ImageBox | null {
  const width = searchParams.get('width') ?? 0;
  const height = searchParams.get('height') ?? 0;
  return parseBox(box ?? `${width}x${height}`);
}

/** A file with the workspace that it is of, and who asks for it: 0 for a stranger or a key of the workspace. */
interface FoundFile {
  file: WebFile;
  workspaceId: number;
  userId: number;
  /** The caller's rights open it. Any other is public, or opened by its token, and may be shown on other sites. */
  isOwn: boolean;
}

async function findFile(
  runtime: Runtime,
  { headers }: Request,
  requestId: string,
  { model, id, field }: FileRequest,
  url: URL,
): Promise<FoundFile | null> {
  const caller = await nullOnError(authenticateCaller(runtime, headers, 'web'));
  const args = { model: model ?? 'ir.attachment', id: Number(id), field };
  const own =
    caller &&
    (await nullOnError(
      call(createCallerCtx(runtime, caller, 'web', requestId, headers), 'fileContent', args),
    ));
  if (own)
    return { file: own, workspaceId: caller.workspace.id, userId: caller.principal.userId ?? 0, isOwn: true };
  if (model) return null;
  const slug =
    caller?.workspace.slug ??
    parseHostSlug(runtime, headers.get('host')) ??
    headers.get('x-odoo-database') ??
    url.searchParams.get('db');
  const token = url.searchParams.get('access_token');
  const ctx = slug ? await createPublicCtx(runtime, slug, requestId) : null;
  const file = ctx && (await call(ctx, 'publicFile', { id: Number(id), token }));
  return file && { file, workspaceId: ctx.workspace.id, userId: 0, isOwn: false };
}

/** A refusal is as good as nothing. */
async function nullOnError<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError && error.kind !== 'BUSY') return null;
    throw error;
  }
}

const isTrue = (value: string | null): boolean => value !== null && !/^(0|false|)$/i.test(value);
