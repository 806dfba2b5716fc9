import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CopiedTree, copyTree } from './harness/copied-tree.ts';

let tree: CopiedTree;
beforeAll(() => {
  tree = copyTree();
});
afterAll(() => tree.remove());

const setUp = (...flags: string[]) =>
  tree.node('scripts/setup.mjs', ['--no-install', '--no-build', ...flags]);
const listGenerated = () =>
  [
    'schema/schema.graphql',
    'boot/operations.ts',
    ...globSync('web/src/**/generated.ts', { cwd: tree.root }),
  ].sort();
const readTreeFile = (path: string) => readFileSync(join(tree.root, path), 'utf8');
const edit = (path: string, text: string) => writeFileSync(join(tree.root, path), text);
const GENERATING = 'setup: generating the GraphQL schema and types …\n';

test('generates missing files and does nothing on the second run', async () => {
  await setUp('--types');
  const before = Object.fromEntries(listGenerated().map((path) => [path, readTreeFile(path)]));
  for (const path of listGenerated()) rmSync(join(tree.root, path));
  expect(await setUp('--types')).toBe(GENERATING);
  expect(Object.fromEntries(listGenerated().map((path) => [path, readTreeFile(path)]))).toEqual(before);
  expect(before['boot/operations.ts']).toContain('crmLeadMarkWon: OperationOf<typeof crmLeadMarkWon>;');
  expect(await setUp('--types')).toBe('');
});

test('generates types of a new operation and deletes types of a folder without operations', async () => {
  const [operations] = globSync('web/src/profile/*.graphql', { cwd: tree.root });
  const text = readTreeFile(operations!);
  edit(operations!, `${text}\nquery ProfileAdded { viewer { login } }\n`);
  edit('web/src/ui/generated.ts', 'export const stray = 1;\n');
  expect(await setUp()).toBe('');
  expect(await setUp('--types')).toBe(GENERATING);
  expect(readTreeFile('web/src/profile/generated.ts')).toContain('export const ProfileAddedDocument');
  expect(listGenerated()).not.toContain('web/src/ui/generated.ts');
  edit(operations!, text);
});

test('fails and names an operation that does not match the schema', async () => {
  edit('web/src/ui/wrong.graphql', 'query Wrong { viewer { shoeSize } }\n');
  await expect(setUp('--types')).rejects.toThrow(
    /could not be generated:[\s\S]*Cannot query field "shoeSize"[\s\S]*web\/src\/ui\/wrong\.graphql:1:24/,
  );
  rmSync(join(tree.root, 'web/src/ui/wrong.graphql'));
});
