import { globSync, readFileSync } from 'node:fs';
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

it('an exported name has one meaning in the whole tree', () => {
  const places = new Map<string, Set<string>>();
  for (const file of files)
    for (const name of findExports(readFileSync(file, 'utf8')))
      places.set(name, (places.get(name) ?? new Set()).add(file));
  expect(places.size).toBeGreaterThan(1_000);
  const ambiguous = [...places].filter(([, where]) => where.size > 1);
  const unexplained = ambiguous.filter(([name]) => !EXCEPTIONS[name]);
  expect(unexplained.map(([name, where]) => `${name}: ${[...where].sort().join(', ')}`)).toEqual([]);
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
