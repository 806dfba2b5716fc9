import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { insertResults, renderResults } from '../../bench/render.ts';

const PAGES = [
  ...globSync('*.md'),
  ...globSync('docs/{,adr/,guides/}*.md'),
  ...globSync('examples/**/*.md'),
  'bench/README.md',
];
const readText = (path: string): string => readFileSync(path, 'utf8');

/** Lines outside of code blocks, with their numbers. */
function findProse(text: string): { line: string; number: number }[] {
  let isFenced = false;
  return text.split('\n').flatMap((line, index) => {
    const isFence = line.trimStart().startsWith('```');
    if (isFence) isFenced = !isFenced;
    return isFenced || isFence ? [] : [{ line, number: index + 1 }];
  });
}

const WIDEST = 100;

test('no line of prose exceeds 100 characters', () => {
  const longLines = PAGES.flatMap((page) =>
    findProse(readText(page))
      .filter(({ line }) => line.length > WIDEST && !canBeWide(line))
      .map(({ number }) => `${page}:${number}`),
  );
  expect(longLines).toEqual([]);
});

/** Returns true for tables, HTML, and text that cannot be wrapped, such as a link. */
const canBeWide = (line: string): boolean => /^\s*[|<]/.test(line) || !/\S\s+\S/.test(line.slice(20));

const TOP = /^(?:\.ci|apps|bench|boot|docs|examples|facades|prisma|schema|scripts|src|test)\//;

/** Paths that exist only after the reader has followed the page, or after the first release. */
const GENERATED = new Set(['apps/crm/competitor.ts', 'schema/release.graphql']);

test('every path named in a page exists', () => {
  const missing = PAGES.flatMap((page) =>
    findProse(readText(page)).flatMap(({ line, number }) =>
      [...line.matchAll(/`([^`\s]+)`/g)]
        .map(([, path]) => path!)
        .filter((path) => TOP.test(path) && !/[<*…]/.test(path) && !GENERATED.has(path))
        .filter((path) => !existsSync(path))
        .map((path) => `${page}:${number} ${path}`),
    ),
  );
  expect(missing).toEqual([]);
});

test('every decision record has a status, a date and a number, and stays within the length limit', () => {
  for (const path of globSync('docs/adr/*.md')) {
    const text = readText(path);
    const number = Number(/(\d{4})-/.exec(path)![1]);
    expect(text, path).toMatch(
      new RegExp(
        `^# ${number}\\. .+\n\nStatus: (?:proposed|accepted|superseded).*\nDate: \\d{4}-\\d\\d-\\d\\d\n`,
      ),
    );
    expect(text.split('\n').length, path).toBeLessThanOrEqual(45);
  }
});

test('every term of docs/glossary.md is explained once', () => {
  const terms = findProse(readText('docs/glossary.md'))
    .map(({ line }) => /^\| ([^|]+?) \| /.exec(line)?.[1])
    .filter((term) => term !== undefined && term !== 'term' && term !== 'word');
  expect(terms.length).toBeGreaterThan(24);
  expect(new Set(terms).size).toBe(terms.length);
});

test('bench/README.md shows the recorded results in at most 60 lines of prose', () => {
  const page = readText('bench/README.md');
  const text = renderResults(JSON.parse(readText('bench/results.json')));
  expect(insertResults(page, text), 'run node bench/render.ts').toBe(page);
  expect(page.split('\n').filter((line) => line && !line.startsWith('|')).length).toBeLessThanOrEqual(60);
});
