import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptsCoding } from './accept.ts';

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

export interface PageFiles {
  /** A hash of all files. It is part of their URLs, so that browsers can cache them forever. */
  version: string;
  /**
   * Responds with a file, compressed once for browsers that accept it. A page of another version receives the current
   * file, but must not cache it.
   */
  respond(request: Request, version: string, name: string): Promise<Response>;
}

/** @param texts scripts and styles by name, such as `main.js` */
export function createPageFiles(texts: ReadonlyMap<string, string>): PageFiles {
  const hash = createHash('sha256').update([...texts.values()].join('\0'));
  const contentHash = hash.digest('hex').slice(0, 16);
  const zipped = new Map<string, Promise<Buffer>>();
  return {
    version: contentHash,
    async respond(request, version, name) {
      const text = texts.get(name);
      if (text === undefined) return new Response('Not found', { status: 404 });
      const headers = {
        'content-type': CONTENT_TYPES[extname(name)]!,
        'cache-control': version === contentHash ? 'public, max-age=31536000, immutable' : 'no-cache',
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
      };
      if (!acceptsCoding(request, 'gzip')) return new Response(text, { headers });
      const body = zipped.get(name) ?? promisify(gzip)(text);
      zipped.set(name, body);
      return new Response(new Uint8Array(await body), {
        headers: { ...headers, 'content-encoding': 'gzip' },
      });
    },
  };
}
