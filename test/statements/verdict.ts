import { ACROSS, type Exception } from './exceptions.ts';
import { lint, type Schema } from './lint.ts';
import type { Recorded } from './record.ts';

/**
 * What is wrong with the statements of a run.
 * @param whole whether the run was of the whole suite, so that each exception must have been of use
 */
export function mistakesIn(
  recorded: readonly Recorded[],
  schema: Schema,
  whole: boolean,
  exceptions = ACROSS,
): string[] {
  const used = new Set<Exception>();
  const mistakes = distinct(recorded).flatMap(({ text, place }) => {
    const { refusals, writes } = lint(text, schema);
    if (refusals.length === 0) return [];
    const short = text.replace(/\s+/g, ' ').trim();
    const exception = exceptions.find((each) => short.includes(each.text));
    if (exception) used.add(exception);
    if (exception && !writes) return [];
    return `${place || 'from an unknown place'}: ${refusals.join('; ')}\n  ${short.slice(0, SHOWN)}`;
  });
  if (!whole) return mistakes;
  const needless = exceptions.filter((each) => !each.rare && !used.has(each));
  return [...mistakes, ...needless.map(({ text }) => `no statement needs the exception "${text}"`)];
}

/** Characters of a statement that are shown. */
const SHOWN = 1_000;

/** Each text once, with a place if any process knew one. */
const distinct = (recorded: readonly Recorded[]): Recorded[] =>
  [...Map.groupBy(recorded, ({ text }) => text).values()].map(
    (same) => same.find(({ place }) => place) ?? same[0]!,
  );
