import { CROSS_WORKSPACE, type Exception } from './exceptions.ts';
import { lint, type Schema } from './lint.ts';
import type { RecordedStatement } from './record.ts';

/**
 * What is wrong with the statements of a run.
 * @param whole whether the run was of the whole suite, so that each exception must have been of use
 */
export function findMistakes(
  recorded: readonly RecordedStatement[],
  schema: Schema,
  whole: boolean,
  exceptions = CROSS_WORKSPACE,
): string[] {
  const used = new Set<Exception>();
  const mistakes = removeDuplicates(recorded).flatMap(({ text, place }) => {
    const { refusals, writes } = lint(text, schema);
    if (refusals.length === 0) return [];
    const short = text.replace(/\s+/g, ' ').trim();
    const exception = exceptions.find((each) => short.includes(each.text));
    if (exception) used.add(exception);
    if (exception && !writes) return [];
    return `${place || 'from an unknown place'}: ${refusals.join('; ')}\n  ${short.slice(0, MAX_SHOWN_CHARS)}`;
  });
  if (!whole) return mistakes;
  const needless = exceptions.filter((each) => !each.rare && !used.has(each));
  return [...mistakes, ...needless.map(({ text }) => `no statement needs the exception "${text}"`)];
}

/** Characters of a statement that are shown. */
const MAX_SHOWN_CHARS = 1_000;

/** Each text once, with a place if any process knew one. */
const removeDuplicates = (recorded: readonly RecordedStatement[]): RecordedStatement[] =>
  [...Map.groupBy(recorded, ({ text }) => text).values()].map(
    (same) => same.find(({ place }) => place) ?? same[0]!,
  );
