import { matchesEtag } from './http.ts';

export interface WebFile {
  name: string;
  mimetype: string;
  checksum: string;
  size: number;
  read(range: FileRange): AsyncIterable<Buffer>;
}

/** `from` is inclusive, `to` is exclusive. */
interface FileRange {
  from: number;
  to: number;
}

/** @param download true if browsers must not display the file inline */
export async function buildFileResponse(
  request: Request,
  requestId: string,
  file: WebFile,
  download: boolean,
): Promise<Response> {
  const headers = buildHeaders(file, download, requestId);
  if (matchesEtag(request.headers.get('if-none-match'), headers.etag))
    return new Response(null, { status: 304, headers });
  const range = parseRange(request.headers, file, headers.etag);
  if (range === null)
    return new Response(null, {
      status: 416,
      headers: { ...headers, 'content-range': `bytes */${file.size}` },
    });
  const { from, to } = range ?? { from: 0, to: file.size };
  return new Response(await createBody(file, { from, to }), {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(to - from),
      ...(range && { 'content-range': `bytes ${from}-${to - 1}/${file.size}` }),
    },
  });
}

/**
 * Parses a single range (RFC 9110 14). Undefined for the whole file, including requests for several ranges. Null if the
 * range starts after the end.
 */
function parseRange(headers: Headers, { size }: WebFile, etag: string): FileRange | undefined | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range') ?? '') ?? [];
  const condition = headers.get('if-range');
  if ((first === '' && last === '') || (condition !== null && condition !== etag)) return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return from < to ? { from, to } : null;
}

/**
 * Reads the first chunk before the response starts, so that unreadable content causes an error instead of a truncated
 * response.
 */
async function createBody(
  file: WebFile,
  range: FileRange,
): Promise<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>> {
  const chunks = file.read(range)[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return new Uint8Array();
  if (first.value.length === range.to - range.from) {
    await chunks.return?.();
    return new Uint8Array(first.value);
  }
  let next: IteratorResult<Buffer> | null = first;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = next ?? (await chunks.next());
      next = null;
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}

/** Media types that a browser displays without executing anything. */
const INLINE_TYPES =
  /^(text\/plain|application\/pdf|image\/(png|jpeg|gif|webp|bmp|tiff|vnd\.microsoft\.icon)|(audio|video)\/[\w.-]+)$/;

function buildHeaders(file: WebFile, download: boolean, requestId: string) {
  const isInline = !download && INLINE_TYPES.test(file.mimetype);
  const text = file.mimetype.startsWith('text/') ? '; charset=utf-8' : '';
  return {
    'content-type': `${file.mimetype}${text}`,
    'content-disposition': `${isInline ? 'inline' : 'attachment'}; ${formatFileName(file.name)}`,
    etag: `"${file.checksum}"`,
    'accept-ranges': 'bytes',
    'cache-control': 'no-cache, private',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
    'x-request-id': requestId,
  };
}

/** Formats the file name parameters of RFC 6266. A name that is not simple is also encoded as UTF-8. */
export function formatFileName(name: string): string {
  if (/^[\w.-]{1,200}$/.test(name)) return `filename=${name}`;
  const cleanName = name
    .replace(/[\u0000-\u001f\u007f/\\]/g, '_')
    .slice(0, 200)
    .toWellFormed();
  const asciiName = cleanName.replace(/[^\x20-\x7e]|["%]/g, '_');
  const encoded = encodeURIComponent(cleanName).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${asciiName}"; filename*=UTF-8''${encoded}`;
}
