// Writes boot/verbs.ts: the types of every verb by name, from the declarations. Run it after a verb is added, renamed
// or moved; test/verbs.test.ts says when.

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const TARGET = 'boot/verbs.ts';
const DECLARED = /^(?:export const (\w+) = )?verb\(\s*'(\w+)'/gm;

const files = globSync('{schema,apps}/**/*.ts', { cwd: root }).sort();
const declared = files.flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(DECLARED)].map(([, handle, name]) => ({
    file,
    handle,
    name,
  })),
);

const imports = [...Map.groupBy(declared, (each) => each.file)]
  .map(([file, all]) => ({ file, handles: all.flatMap(({ handle }) => handle ?? []) }))
  .filter(({ handles }) => handles.length > 0)
  .map(({ file, handles }) => `import type { ${handles.sort().join(', ')} } from '../${file}';`);
const isAnyUntyped = declared.some(({ handle }) => !handle);
const entries = declared
  .sort((a, b) => (a.name < b.name ? -1 : 1))
  .map(({ name, handle }) => `    ${name}: ${handle ? `VerbOf<typeof ${handle}>` : 'UntypedVerb'};`);

writeFileSync(
  join(root, TARGET),
  [
    '// Written by scripts/verbs.mjs.',
    '',
    ...imports,
    `import type { ${isAnyUntyped ? 'UntypedVerb, ' : ''}VerbOf } from '../src/engine/verb/verb.ts';`,
    '',
    "declare module '../src/engine/verb/verb.ts' {",
    '  interface Verbs {',
    ...entries,
    '  }',
    '}',
    '',
  ].join('\n'),
);
execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', TARGET], {
  cwd: root,
  stdio: 'inherit',
});
