import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ISOLATED, SLOW, SOAK } from './projects.ts';

const root = join(import.meta.dirname, '..');
const readText = (file: string) => readFileSync(join(root, file), 'utf8');
const files = globSync('test/**/*.ts', { cwd: root });
const listMatches = (patterns: string[]) =>
  new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: root })));

const LEFT_OUT = /\b(?:test|it|describe|suite|bench)(?:\.\w+)*\.(?:skip|only|todo|skipIf|runIf|fails)\b/;

test('skips no test unless a peer is missing', () => {
  const exempt = ['test/harness/peer.ts', 'test/ledger.test.ts', 'test/suite.test.ts'];
  const skippingFiles = files.filter((file) => !exempt.includes(file) && LEFT_OUT.test(readText(file)));
  const skippedFiles = files.filter(
    (file) => !exempt.includes(file) && /(?<!@)\bskip\(|\{ skip \}/.test(readText(file)),
  );
  expect([...skippingFiles, ...skippedFiles]).toEqual([]);
});

test('isolates test files that change process-wide state', () => {
  const apart = new Set([...listMatches(ISOLATED), ...listMatches(SOAK)]);
  const changes =
    /^\s*(?:define(?:Model|Job|Mixin|App)|verb|vi\.mock)\(|^import .*\/(?:lab-schema|lab-tree)\.ts'/m;
  const changingFiles = files.filter((file) => file.endsWith('.test.ts') && changes.test(readText(file)));
  expect(changingFiles.filter((file) => !apart.has(file))).toEqual([]);
});

test('every project pattern matches files, and every file matches at most one project', () => {
  const patterns = [...ISOLATED, ...SLOW, ...SOAK];
  for (const pattern of patterns) expect([pattern, listMatches([pattern]).size > 0]).toEqual([pattern, true]);
  const isolatedFiles = [ISOLATED, SLOW, SOAK].flatMap((item) => [...listMatches(item)]);
  expect(isolatedFiles.filter((file, index) => isolatedFiles.indexOf(file) !== index)).toEqual([]);
});
