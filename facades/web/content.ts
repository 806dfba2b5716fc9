import { call } from '../../src/engine/operation/call.ts';
import { AppError, errors } from '../../src/errors.ts';
import { buildFileResponse, type WebFile } from '../../src/http/file-response.ts';
import { createPublicCtx } from '../../src/http/guest.ts';
import { authenticateCaller, parseHostSlug } from '../../src/http/http.ts';
import { createVisitCtx, type Visit } from '../../src/http/visit.ts';
import { fitImage, type ImageBox, parseBox } from '../../src/image/fit.ts';

/** The requested file: an attachment by id, or a record's binary field. */
interface FileRequest {
  model: string | null;
  id: string;
  field: string | null;
  /** True if the file must be an image. */
  picture: boolean;
  box?: string | undefined;
}

/**
 * Serves a file with the rights of the caller (session or key), or a public attachment to everyone. Unauthenticated
 * clients select the workspace by host, by the X-Odoo-Database header or by `db`.
 * @throws NOT_FOUND if the file does not exist or the caller may not read it, so that its existence is not revealed
 */
export async function serveContent(visit: Visit, fileRequest: FileRequest): Promise<Response> {
  const { request, requestId } = visit;
  const url = new URL(request.url);
  const servedFile = /^\d{1,9}$/.test(fileRequest.id) ? await findFile(visit, fileRequest, url) : null;
  if (!servedFile || (fileRequest.picture && !servedFile.file.mimetype.startsWith('image/')))
    throw errors.notFound(url.pathname.slice(0, 200));
  const box = fileRequest.picture ? parseImageBox(fileRequest, url) : null;
  const file = box ? await fitImage(servedFile.file, box, servedFile) : servedFile.file;
  const response = await buildFileResponse(
    request,
    requestId,
    file,
    isTruthy(url.searchParams.get('download')),
  );
  response.headers.set('cross-origin-resource-policy', servedFile.isOwn ? 'same-origin' : 'cross-origin');
  return response;
}

function parseImageBox({ box }: FileRequest, { searchParams }: URL): ImageBox | null {
  const width = searchParams.get('width') ?? 0;
  const height = searchParams.get('height') ?? 0;
  return parseBox(box ?? `${width}x${height}`);
}

/** `userId` is 0 for anonymous callers and workspace keys. */
interface FoundFile {
  file: WebFile;
  workspaceId: number;
  userId: number;
  /** False if the file is public or was accessed by its token. Other sites may embed such files. */
  isOwn: boolean;
}

async function findFile(
  visit: Visit,
  { model, id, field }: FileRequest,
  url: URL,
): Promise<FoundFile | null> {
  const { runtime, requestId } = visit;
  const { headers } = visit.request;
  const caller = await catchMissingFile(authenticateCaller(runtime, headers, 'web'));
  const args = { model: model ?? 'ir.attachment', id: Number(id), field };
  const callerFile =
    caller && (await catchMissingFile(call(createVisitCtx(visit, caller), 'fileContent', args)));
  if (callerFile)
    return {
      file: callerFile,
      workspaceId: caller.workspace.id,
      userId: caller.principal.userId ?? 0,
      isOwn: true,
    };
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

/** Returns null for any error except BUSY, as if the file were missing. */
async function catchMissingFile<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof AppError && error.kind !== 'BUSY') return null;
    throw error;
  }
}

const isTruthy = (value: string | null): boolean => value !== null && !/^(0|false|)$/i.test(value);
