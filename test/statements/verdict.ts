import { CROSS_WORKSPACE, type Exception } from './exceptions.ts';
import { lint, type Schema } from './lint.ts';
import type { RecordedStatement } from './record.ts';

/**
 * Returns the errors in the statements of a run.
 * @param isWhole true if the complete suite ran, so that unused exceptions are errors
 */
export function findMistakes(
  recordedStatements: readonly RecordedStatement[],
  schema: Schema,
  isWhole: boolean,
  exceptions = CROSS_WORKSPACE,
): string[] {
  const used = new Set<Exception>();
  const mistakes = removeDuplicates(recordedStatements).flatMap(({ text, place }) => {
    const { refusals, writes } = lint(text, schema);
    if (refusals.length === 0) return [];
    const short = text.replace(/\s+/g, ' ').trim();
    const exception = exceptions.find((exception) => short.includes(exception.text));
    if (exception) used.add(exception);
    if (exception && !writes) return [];
    return `${place || 'from an unknown place'}: ${refusals.join('; ')}\n  ${short.slice(0, MAX_SHOWN_CHARS)}`;
  });
  if (!isWhole) return mistakes;
  const needless = exceptions.filter((exception) => !exception.rare && !used.has(exception));
  return [...mistakes, ...needless.map(({ text }) => `no statement needs the exception "${text}"`)];
}

/** Characters of a statement in an error message. */
const MAX_SHOWN_CHARS = 1_000;

/** Removes duplicate texts, preferring an entry with a source location. */
const removeDuplicates = (recordedStatements: readonly RecordedStatement[]): RecordedStatement[] =>
  [...Map.groupBy(recordedStatements, ({ text }) => text).values()].map(
    (sameStatements) => sameStatements.find(({ place }) => place) ?? sameStatements[0]!,
  );
