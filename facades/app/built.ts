import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { acceptsCoding } from '../../src/http/accept.ts';

/** Written by `npm run setup`. */
const BUILD_FOLDER = join(import.meta.dirname, '../../web/dist');

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Precompressed variants that the build writes next to each file, smallest first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** The built application. File names contain a content hash, so a file never changes. */
export interface BuiltApp {
  index: string;
  /** CSP source expressions that allow the page's inline scripts. */
  inlineScripts: string[];
  /** Returns a file in an encoding that the browser accepts, or null if it does not exist. */
  file(request: Request, name: string): Promise<Response | null>;
}

let pendingApp: Promise<BuiltApp | null> | undefined;

/** Loads the build once. Returns null if there is no build; the next call then checks again. */
export async function loadBuiltApp(): Promise<BuiltApp | null> {
  pendingApp ??= load().catch(() => null);
  const builtApp = await pendingApp;
  if (!builtApp) pendingApp = undefined;
  return builtApp;
}

async function load(): Promise<BuiltApp> {
  const index = await readFile(join(BUILD_FOLDER, 'index.html'), 'utf8');
  const names = new Set(await readdir(join(BUILD_FOLDER, 'assets')));
  const files = new Map<string, Promise<Buffer<ArrayBuffer> | null>>();
  /** Returns null for a file that a newer build has deleted. */
  const readBytes = (name: string) => {
    const bytes = files.get(name) ?? readFile(join(BUILD_FOLDER, 'assets', name)).catch(() => null);
    files.set(name, bytes);
    return bytes;
  };
  return {
    index,
    inlineScripts: [...index.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code]) => hashScript(code!)),
    async file(request, name) {
      const type = CONTENT_TYPES[extname(name)];
      if (!type || !names.has(name)) return null;
      const [encoding, ending] = ENCODINGS.find(([value]) => acceptsCoding(request, value)) ?? [null, ''];
      const bytes = await readBytes(`${name}${ending}`);
      if (!bytes) return null;
      return new Response(bytes, {
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

const hashScript = (code: string): string => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
