import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPageFiles, type PageFiles } from '../../src/http/page-files.ts';

const FOLDER = join(import.meta.dirname, 'assets');

let pendingFiles: Promise<PageFiles> | undefined;

export function loadAssets(): Promise<PageFiles> {
  pendingFiles ??= load();
  return pendingFiles;
}

async function load(): Promise<PageFiles> {
  const names = (await readdir(FOLDER)).sort();
  const readAsset = async (name: string) => [name, await readFile(join(FOLDER, name), 'utf8')] as const;
  return createPageFiles(new Map(await Promise.all(names.map(readAsset))));
}
