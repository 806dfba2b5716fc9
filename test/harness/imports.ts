import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Top-level folders of the product's code. Tests, benchmarks and scripts may import anything. */
export const FOLDERS = ['boot', 'src', 'schema', 'facades', 'apps'];

export const WEB = 'web/src';

export const GENERATED = /^(?:src\/db\/generated\/|boot\/operations\.ts$)/;

/** Generated types and documents of the browser application's operations. */
const DOCUMENTS = /^web\/src\/(?:[\w-]+\/)+generated\.ts$/;

export interface Import {
  from: string;
  to: string;
  isType: boolean;
}

export const readText = (file: string): string => readFileSync(join(root, file), 'utf8');

export function listFiles(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !GENERATED.test(file) && !DOCUMENTS.test(file));
}

const IMPORT =
  /^\s*(?:import|export)\b([^;'"]*?)\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

export const parseImports = (from: string): Import[] =>
  [...readText(from).matchAll(IMPORT)].map(([, names, namedImports, bare, dynamic]) => {
    const target = (namedImports ?? bare ?? dynamic)!;
    return {
      from,
      to: target.startsWith('.') ? normalize(join(dirname(from), target)) : target,
      isType: names?.trimStart().startsWith('type ') ?? false,
    };
  });

export const listImports = (folder: string): Import[] => listFiles(folder).flatMap(parseImports);
