import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const files = globSync('web/src/**/*.{ts,tsx,css,graphql}').filter((file) => !file.endsWith('.test.ts'));

/** Code that turns untrusted text into HTML or script, or refers to another server. */
const FORBIDDEN = new RegExp(
  String.raw`dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|` +
    String.raw`new Function|srcdoc|https?://(?!www\.w3\.org/|[,'])`,
  'i',
);

it('the browser application inserts no HTML, evaluates no text and contacts no other server', () => {
  expect(files.length).toBeGreaterThan(30);
  const wrong = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (FORBIDDEN.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
  );
  expect(wrong).toEqual([]);
});
