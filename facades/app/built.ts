import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { acceptsCoding } from '../../src/http/accept.ts';

/** What `npm run setup` has built from `web/`. */
const DIST = join(import.meta.dirname, '../../web/dist');

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The encodings that the build has written beside each file, the smallest first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** The application as it was built. Its files have a hash in their names, so they never change. */
export interface BuiltApp {
  index: string;
  /** A file of the application as the browser takes it; null where there is none of the name. */
  file(request: Request, name: string): Promise<Response | null>;
}

let loading: Promise<BuiltApp | null> | undefined;

/** Null where nothing was built. Read once; a server that finds nothing looks again with the next request. */
export async function loadBuiltApp(): Promise<BuiltApp | null> {
  loading ??= load().catch(() => null);
  const found = await loading;
  if (!found) loading = undefined;
  return found;
}

async function load(): Promise<BuiltApp> {
  const index = await readFile(join(DIST, 'index.html'), 'utf8');
  const names = new Set(await readdir(join(DIST, 'assets')));
  const read = new Map<string, Promise<Buffer<ArrayBuffer>>>();
  const readBytes = (name: string) => {
    const bytes = read.get(name) ?? readFile(join(DIST, 'assets', name));
    read.set(name, bytes);
    return bytes;
  };
  return {
    index,
    async file(request, name) {
      const type = TYPES[extname(name)];
      if (!type || !names.has(name)) return null;
      const [encoding, ending] = ENCODINGS.find(([each]) => acceptsCoding(request, each)) ?? [null, ''];
      return new Response(await readBytes(`${name}${ending}`), {
        headers: {
          'content-type': type,
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
          vary: 'accept-encoding',
          ...(encoding && { 'content-encoding': encoding }),
        },
      });
    },
  };
}
