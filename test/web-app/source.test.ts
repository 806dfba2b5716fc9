import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const files = globSync('web/src/**/*.{ts,tsx,css,graphql}').filter((file) => !file.endsWith('.test.ts'));

/** Matches code that parses text as HTML or script, or refers to another server. */
const FORBIDDEN = new RegExp(
  String.raw`dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|` +
    String.raw`new Function|srcdoc|https?://(?!www\.w3\.org/|[,'])`,
  'i',
);

it('inserts no HTML, evaluates no strings and contacts no other server', () => {
  expect(files.length).toBeGreaterThan(30);
  const violations = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (FORBIDDEN.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
  expect(violations).toEqual([]);
});

/** Patterns that bypass the connection module, and the files that may use them. */
const LEAVING: [RegExp, RegExp][] = [
  [/\blocation\.(?:reload|assign|replace)\(|\blocation\.href = |window\.open\(/, /\/connection\/reload\.ts$/],
  [
    /import \{[^}]*\b(?:lazy|lazyRouteComponent)\b[^}]*\} from '(?:react|@tanstack)/,
    /\/connection\/lazy\.ts$/,
  ],
  [/\bfetch\(/, /\/connection\/(?:server\.ts|sign-in-dialog\.tsx)$|\/graphql\/send-request\.ts$/],
];

it('reloads, navigates and sends requests only in designated files', () => {
  const code = files.filter((file) => /\.tsx?$/.test(file));
  const violations = LEAVING.flatMap(([pattern, allowedExp]) =>
    code.filter((file) => !allowedExp.test(file) && pattern.test(readFileSync(file, 'utf8'))),
  );
  expect(violations).toEqual([]);
});

it('sets no maximum width for page content except for the shared one', () => {
  const styles = files.filter((file) => file.endsWith('.css'));
  const violations = styles.filter((file) =>
    /^\s+max-width: (?:[7-9]\d\d|\d{4,})px;/m.test(readFileSync(file, 'utf8')),
  );
  expect(violations).toEqual([]);
});

it('uses no technical model name as a page title', () => {
  const screens = files.filter((file) => /\/records\/.*\.tsx$/.test(file));
  const violations = screens.filter((file) => /title=\{name\}|\?\? name\}/.test(readFileSync(file, 'utf8')));
  expect(violations).toEqual([]);
});
