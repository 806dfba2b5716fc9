import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Top folders of the product's own code; tests, benches and scripts may import what they like. */
export const FOLDERS = ['boot', 'src', 'schema', 'facades', 'apps'];

/** The browser application, which is a program of its own. */
export const WEB = 'web/src';

export const GENERATED = /^(?:src\/db\/generated\/|boot\/verbs\.ts$)/;

/** Types and documents of the browser application's operations. */
const DOCUMENTS = /^web\/src\/(?:[\w-]+\/)+generated\.ts$/;

export interface Import {
  from: string;
  /** Path from the root of the project for a file of ours, the package's name otherwise. */
  to: string;
  /** Types alone: the file is not loaded for it. */
  isType: boolean;
}

export const readText = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Source files of ours below a folder, as paths from the root of the project. */
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
  [...readText(from).matchAll(IMPORT)].map(([, names, named, bare, dynamic]) => {
    const target = (named ?? bare ?? dynamic)!;
    return {
      from,
      to: target.startsWith('.') ? normalize(join(dirname(from), target)) : target,
      isType: names?.trimStart().startsWith('type ') ?? false,
    };
  });

export const listImports = (folder: string): Import[] => listFiles(folder).flatMap(parseImports);
