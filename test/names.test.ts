import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** Names exported by two files on purpose, with the reason. */
const EXCEPTIONS: Record<string, string> = {};

const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
/** Re-exports (`export … from`) refer to the same declaration, so they do not count. */
const EXPORT_LIST = /^export (?:type )?\{([^}]*)\}(?! from)/gm;

function findExports(source: string): string[] {
  const listed = [...source.matchAll(EXPORT_LIST)].flatMap(([, names]) => names!.split(','));
  return [
    ...[...source.matchAll(DECLARED)].map(([, name]) => name!),
    ...listed
      .map(
        (name) =>
          name
            .trim()
            .split(/\s+as\s+/)
            .at(-1)!,
      )
      .filter(Boolean),
  ];
}

const files = globSync('{boot,src,schema,facades,apps}/**/*.ts').filter(
  (file) => !file.includes('/generated/') && !file.endsWith('.d.ts'),
);

it('an exported name is defined in only one file, unless it is a listed exception', () => {
  const places = new Map<string, Set<string>>();
  for (const file of files)
    for (const name of findExports(readFileSync(file, 'utf8')))
      places.set(name, (places.get(name) ?? new Set()).add(file));
  expect(places.size).toBeGreaterThan(1_000);
  const ambiguous = [...places].filter(([, where]) => where.size > 1);
  const unexplainedAmbiguous = ambiguous.filter(([name]) => !EXCEPTIONS[name]);
  expect(unexplainedAmbiguous.map(([name, where]) => `${name}: ${[...where].sort().join(', ')}`)).toEqual([]);
});

/** The interface for apps outside the project. */
const PUBLIC = 'apps/kit/surface.ts';

/** Names that no file imports at present, with the reason. */
const UNUSED: Record<string, string> = {
  UntypedOperation: 'The generated list of operations imports it if an operation has no exported handle.',
};

const FOLDERS = 'boot,src,schema,facades,apps,web,test,bench,scripts,examples,prisma,docs/.vitepress';

it('an exported name is used by another file', () => {
  const paths = globSync(`{${FOLDERS}}/**/*.{ts,tsx,mjs}`, {
    exclude: [
      '**/node_modules/**',
      '{dist,web/dist}/**',
      'docs/.vitepress/{cache,dist}/**',
      'src/db/generated/**',
    ],
  });
  const used = new Set(
    paths.flatMap((path) =>
      findImports(readFileSync(path, 'utf8')).map(({ from, name }) => `${join(dirname(path), from)} ${name}`),
    ),
  );
  const isUsed = (path: string, name: string) => used.has(`${path} ${name}`) || used.has(`${path} *`);
  const product = paths.filter((path) => /^(?:boot|src|schema|facades|apps|web\/src)\//.test(path));
  expect(product.length).toBeGreaterThan(1_500);
  const unused = product
    .filter((path) => path !== PUBLIC && !/\.mjs$|\/generated\.ts$|^boot\/operations\.ts$/.test(path))
    .flatMap((path) =>
      findExports(readFileSync(path, 'utf8'))
        .filter((name) => !UNUSED[name] && !isUsed(path, name))
        .map((name) => `${path}: ${name}`),
    );
  expect(unused).toEqual([]);
});

it('JavaScript, which has no type check, imports only existing names', () => {
  const scripts = globSync('{boot,scripts,bench}/**/*.mjs', { exclude: ['**/node_modules/**'] });
  const missing = scripts.flatMap((script) =>
    findImports(readFileSync(script, 'utf8'))
      .map(({ from, name }) => ({ path: join(dirname(script), from), name }))
      .filter(({ path, name }) => name !== '*' && !findExports(readFileSync(path, 'utf8')).includes(name))
      .map(({ path, name }) => `${script}: ${name} of ${path}`),
  );
  expect(scripts.length).toBeGreaterThan(5);
  expect(missing).toEqual([]);
});

/** Finds the names that a file imports. A worker thread or a whole module counts as `*`. */
function findImports(source: string): { from: string; name: string }[] {
  const named = [
    ...source.matchAll(/^\s*(?:import|export)\b[^;'"{]*\{([^}]*)\}\s*from\s*['"](\.[^'"]+)['"]/gm),
  ];
  const dynamic = [
    ...source.matchAll(/\{([^{}]*)\}\s*=\s*await import\(\s*['"](\.[^'"]+)['"]/g),
    ...source.matchAll(/\(await import\(()\s*['"](\.[^'"]+)['"]\s*\)\)\.(\w+)/g),
  ];
  const listed = [...named, ...dynamic].flatMap(([, names, from, property]) =>
    [...names!.split(','), property ?? ''].flatMap((specifier) => {
      const name = /^\s*(?:type\s+)?(\w+)/.exec(specifier)?.[1];
      return name ? [{ from: from!, name }] : [];
    }),
  );
  const known = new Set(dynamic.map((match) => match[2]));
  const namespaces = [
    ...source.matchAll(/\bimport\(\s*['"](\.[^'"]+)['"]/g),
    ...source.matchAll(/\bnew URL\(\s*['"](\.[^'"]+)['"]/g),
    ...source.matchAll(/^import \* as \w+ from ['"](\.[^'"]+)['"]/gm),
  ].flatMap(([, from]) => (known.has(from) ? [] : [{ from: from!, name: '*' }]));
  return [...listed, ...namespaces];
}

it('finds imports of every form', () => {
  const source = [
    "import { a, type B, c as d } from './1.ts';",
    "import type { E } from './2.ts';",
    "export { F } from './3.ts';",
    "const { g } = await load('./4.ts');",
    "const h = (await load('./5.ts')).h;",
    "const i = () => load('./6.ts');",
    "new Worker(new URL('./7.ts', import.meta.url));",
  ]
    .join('\n')
    .replaceAll('load(', 'import(');
  expect(findImports(source).map(({ from, name }) => `${from} ${name}`)).toEqual([
    './1.ts a',
    './1.ts B',
    './1.ts c',
    './2.ts E',
    './3.ts F',
    './4.ts g',
    './5.ts h',
    './6.ts *',
    './7.ts *',
  ]);
});

it('finds exports of every form', () => {
  const source = [
    'export const a = 1;',
    'export async function b() {}',
    'export abstract class C {}',
    'export { D, E as F };',
    'export { H } from "./x.ts";',
    'const g = 1;',
  ].join('\n');
  expect(findExports(source)).toEqual(['a', 'b', 'C', 'D', 'F']);
});
