import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/**
 * Maximum compressed size of a screen's files, in kilobytes. The first pattern that matches the screen's module
 * applies.
 */
const BUDGETS: [module: RegExp, kilobytes: number][] = [
  [/\/src\/(?:mailbox\/(?:composer\/|settings\/signature\.)|i18n\/\w+\/composer\.ts)/, 265],
  [/\/src\/mailbox\//, 218],
  [/\/src\/email\/(?:templates|blocks)\//, 340],
  [/\/src\/(?:website\/page|ui\/code-editor)/, 340],
  [/./, 230],
];

/** Maximum compressed size of the page and its entry script, in kilobytes. Every screen loads both. */
const FIRST_LOAD = 175;

/** The files of a screen, including those that were loaded before it. */
export interface ScreenLoad {
  module: string;
  files: Set<string>;
}

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } };

export const budget = (): Plugin => ({
  name: 'budget',
  writeBundle(_options, bundle) {
    const over = screensOf(bundle).flatMap(({ module, files }) => {
      const size = sizeOf(bundle, files);
      const budget = module === '' ? FIRST_LOAD : BUDGETS.find(([pattern]) => pattern.test(module))![1];
      if (process.env.WEB_SIZES)
        console.log(`${size.toFixed(1).padStart(7)} of ${budget} kB  ${module || 'first load'}`);
      return size > budget ? [`${module || 'the first load'}: ${size.toFixed(1)} kB of ${budget}`] : [];
    });
    if (over.length > 0)
      this.error(`a screen loads more than its budget (web/budget.ts):\n${over.join('\n')}`);
  },
});

/** Returns the initial load (with an empty name), and each module that is loaded on demand. */
export function screensOf(bundle: Bundle): ScreenLoad[] {
  const chunks = new Map(
    Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file as Chunk]] : [])),
  );
  const entry = [...chunks.values()].find((chunk) => chunk.isEntry)!;
  const first = collectFiles(chunks, [entry.fileName], new Set(['index.html']));
  const screens: ScreenLoad[] = [{ module: '', files: first }];
  const visitedModules = new Set<string>();
  const open = (from: ReadonlySet<string>) => {
    const next = [...from].flatMap((file) => chunks.get(file)?.dynamicImports ?? []);
    const opened = [...new Set(next)].filter((file) => !visitedModules.has(file));
    for (const file of opened) visitedModules.add(file);
    const loads = opened.map((file) => ({
      module: chunks.get(file)!.facadeModuleId ?? file,
      files: collectFiles(chunks, [file], from),
    }));
    screens.push(...loads);
    for (const { files } of loads) open(files);
  };
  open(first);
  return screens;
}

/** Returns the files of the chunks and their imports, including style sheets. */
function collectFiles(
  chunks: ReadonlyMap<string, Chunk>,
  names: string[],
  before: ReadonlySet<string>,
): Set<string> {
  const files = new Set(before);
  const add = (name: string) => {
    if (files.has(name)) return;
    files.add(name);
    const chunk = chunks.get(name)!;
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css);
    for (const imported of chunk.imports) add(imported);
  };
  for (const name of names) add(name);
  return files;
}

const sizeOf = (bundle: Bundle, files: Set<string>): number =>
  [...files].reduce((sum, name) => {
    const file = bundle[name]!;
    return sum + gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 }).length / 1000;
  }, 0);
