import { describe, expect, it } from 'vitest';
import { limits } from '../src/limits.ts';
import { FOLDERS, listFiles, readText } from './harness/imports.ts';

const names = Object.entries(limits).flatMap(([group, of]) =>
  Object.keys(of).map((key) => `${group}.${key}`),
);

describe('limits', () => {
  it('are positive numbers, each with a comment', () => {
    const lines = readText('src/limits.ts').split('\n');
    const keys = lines.filter((line, i) => /^ {4}\w+: /.test(line) && /\*\/$/.test(lines[i - 1]!));
    expect(keys.length).toBe(names.length);
    expect(names.length).toBeGreaterThan(100);
    for (const of of Object.values(limits))
      for (const value of Object.values(of)) expect(value).toBeGreaterThan(0);
  });

  it('are all used', () => {
    const text = FOLDERS.flatMap(listFiles).map(readText).join('\n');
    const used = new Set([...text.matchAll(/\b(?:limits|all)\.(\w+\.\w+)/g)].map(([, name]) => name));
    expect(names.filter((name) => !used.has(name))).toEqual([]);
  });
});
