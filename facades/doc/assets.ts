import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'assets');

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

interface Assets {
  /** A hash of all files: part of their addresses, so that browsers may keep them for ever. */
  version: string;
  files: Map<string, string>;
}

let loading: Promise<Assets> | undefined;

/** The files of the page, read when a browser first asks. */
export function assets(): Promise<Assets> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Assets> {
  const names = (await readdir(FOLDER)).filter((name) => extname(name) in TYPES).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(FOLDER, name), 'utf8')));
  const hash = createHash('sha256').update(texts.join('\0'));
  const files = new Map(names.map((name, i) => [name, texts[i]!]));
  return { version: hash.digest('hex').slice(0, 16), files };
}

/** One file of the page. A page of another version gets today's file, but may not keep it. */
export async function asset(version: string, name: string): Promise<Response> {
  const known = await assets();
  const text = known.files.get(name);
  if (text === undefined) return new Response('Not found', { status: 404 });
  return new Response(text, {
    headers: {
      'content-type': TYPES[extname(name)]!,
      'cache-control': version === known.version ? 'public, max-age=31536000, immutable' : 'no-cache',
      'x-content-type-options': 'nosniff',
    },
  });
}
