import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { getCpuTime, measureSlowness } from '../harness/cpu.ts';
import { listFiles, readText } from '../harness/imports.ts';

// An expression that takes quadratic time blocks the process for minutes if its text has 1 MB.

/** Expressions for settings, migrations, responses of SES, and texts whose length another check limits. */
const SHORT_TEXTS = new Set([
  // The application's own page
  String.raw`facades/app/built.ts: <script>(.*?)<\/script>`,
  // At most 200 characters of a gradient
  String.raw`src/message/style/color.ts: \s+(?![^()]{0,99}\))`,
  ...['src/config.ts', 'src/settings/blob-settings.ts', 'src/settings/mailbox-settings.ts'],
  ...['src/db/migrations/opposite-sides.ts', 'src/db/migrations/statements.ts'],
  ...['schema/email/emails/page-checkpoints.ts', 'src/email/ses-rejection.ts'],
  ...['src/message/author-domains.ts: ^\\.+|\\.+$', 'schema/website/url.ts: ^-+|-+$'],
  'src/message/style/media.ts: \\s+and\\s+|\\band(?=\\()|(?<=\\))and\\b',
  'src/message/style/safe-style.ts: ([\\w-]*)\\(',
  'schema/email/provider/return-path.ts: \\+[^@]*@',
  `apps/crm/lead-contact.ts: [^\\s<>,;"'()]+@[^\\s<>,;"'()]+\\.[^\\s<>,;"'()]+`,
  'apps/calendar/ics/parse-ics.ts: ([A-Za-z_]+\\/[A-Za-z_+-]+(?:\\/[A-Za-z_]+)?)$',
]);

/** Length of a repetition of one character. Longer units are repeated such that quadratic time stays the same. */
const TEXT_LENGTH = 5_000;
/** Quadratic time is at least twice as long. Linear time is below 0.2 ms. */
const MAX_MS = 4;

interface Expression {
  file: string;
  source: string;
  flags: string;
}

function findExpressions(file: string): Expression[] {
  const expressions: Expression[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex) expressions.push({ file, source: regex.pattern, flags: regex.flags });
    else for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(readText(file), { lang: 'ts' }));
  return expressions;
}

const CHARACTERS = [...' \n.-+@<>"\'()[]{}/\\,:;=&_%*#!?|$aAT0'];
const ENDS = ['!', '\nx'];

/** Builds repetitions of single characters and of the literal parts of an expression. */
function* buildTexts(source: string): Generator<string> {
  const parts = [...source.matchAll(/(?:[\w<>"'=:;&@#! -]|\\[-/.+*?()[\]{}$^])+/g)].map(([part]) =>
    part.replace(/\\(.)/g, '$1'),
  );
  const units = new Set([...CHARACTERS, ...parts.flatMap((part) => [part, `${part} `, `${part}a`])]);
  for (const start of new Set(['', 'a', ...parts.slice(0, 2)]))
    for (const unit of units)
      for (const end of ENDS) yield start + unit.repeat(TEXT_LENGTH / Math.sqrt(unit.length)) + end;
}

function findSlowText({ source, flags }: Expression): string | undefined {
  const expression = new RegExp(source, `${flags.replace('g', '')}g`);
  for (const text of buildTexts(source)) if (isSlow(expression, text)) return text;
  return undefined;
}

function isSlow(expression: RegExp, text: string): boolean {
  const measure = (): number => {
    const start = getCpuTime();
    text.replaceAll(expression, '');
    return getCpuTime() - start;
  };
  if (measure() <= MAX_MS || measure() <= MAX_MS) return false;
  return measure() > MAX_MS * measureSlowness();
}

test('no regular expression for a text of any length takes quadratic time', () => {
  const expressions = ['src', 'schema', 'facades', 'apps'].flatMap(listFiles).flatMap(findExpressions);
  expect(expressions.length).toBeGreaterThan(500);
  const repeatingExpressions = expressions.filter(
    ({ file, source, flags }) =>
      /[*+]|\{\d+,\}/.test(source) &&
      !flags.includes('y') &&
      !SHORT_TEXTS.has(file) &&
      !SHORT_TEXTS.has(`${file}: ${source}`),
  );
  const slowExpressions = repeatingExpressions.flatMap((expression) => {
    const slowText = findSlowText(expression);
    const name = `${expression.file}: ${expression.source}`;
    return slowText === undefined ? [] : [`${name} with ${JSON.stringify(slowText.slice(0, 40))}`];
  });
  expect(slowExpressions).toEqual([]);
});
