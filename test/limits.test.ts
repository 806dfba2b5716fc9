import { describe, expect, it } from 'vitest';
import { limits } from '../src/limits.ts';
import { FOLDERS, listFiles, readText } from './harness/imports.ts';

const names = Object.entries(limits).flatMap(([group, groupLimits]) =>
  Object.keys(groupLimits).map((key) => `${group}.${key}`),
);

/** Finds `limits.group.key`, and `const { key } = limits.group`. */
function findUses(text: string): Set<string> {
  const direct = [...text.matchAll(/\b(?:limits|all)\.(\w+\.\w+)/g)].map(([, name]) => name!);
  const destructured = [...text.matchAll(/\bconst \{([^}]*)\} = limits\.(\w+);/g)].flatMap(
    ([, keys, group]) => keys!.split(',').map((key) => `${group}.${key.split(':')[0]!.trim()}`),
  );
  return new Set([...direct, ...destructured]);
}

/** Returns true if a test replaces the limit with `vi.spyOn`, `Object.assign` or `vi.mock`. */
function isChanged(text: string, name: string): boolean {
  const [group, key] = name.split('.');
  const mocks = text.includes("vi.mock('../../src/limits.ts'") && text.includes(`...limits.${group}`);
  return (
    new RegExp(`limits\\.${group}, (?:'${key}'|\\{ ${key}\\b)`).test(text) ||
    (mocks && text.includes(`${key}: `))
  );
}

describe('limits', () => {
  it('are positive and commented', () => {
    const lines = readText('src/limits.ts').split('\n');
    const keys = lines.filter((line, i) => /^ {4}\w+: /.test(line) && /\*\/$/.test(lines[i - 1]!));
    expect(keys.length).toBe(names.length);
    expect(names.length).toBeGreaterThan(100);
    expect(names.length, 'Move limits to the files that use them.').toBeLessThanOrEqual(150);
    for (const groupLimits of Object.values(limits))
      for (const value of Object.values(groupLimits)) expect(value).toBeGreaterThan(0);
  });

  it('are used by several files or changed by a test', () => {
    const uses = FOLDERS.flatMap(listFiles).map((file) => findUses(readText(file)));
    const tests = listFiles('test').map(readText);
    const single = names.filter(
      (name) =>
        uses.filter((used) => used.has(name)).length < 2 && !tests.some((text) => isChanged(text, name)),
    );
    expect(single).toEqual([]);
  });
});
