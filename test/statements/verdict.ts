import { ACROSS, type Exception, NOT_YET } from './exceptions.ts';
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
  lists = { across: ACROSS, notYet: NOT_YET },
): string[] {
  const used = new Set<Exception>();
  const mistakes = distinct(recorded).flatMap(({ text, place }) => {
    const { refusals, writes } = lint(text, schema);
    if (refusals.length === 0) return [];
    const short = text.replace(/\s+/g, ' ').trim();
    const exception = [...lists.across, ...lists.notYet].find((each) => short.includes(each.text));
    if (exception) used.add(exception);
    if (exception && !(writes && lists.across.includes(exception))) return [];
    return `${place || 'from an unknown place'}: ${refusals.join('; ')}\n  ${short.slice(0, SHOWN)}`;
  });
  if (!whole) return mistakes;
  const needless = [...lists.across, ...lists.notYet].filter((each) => !used.has(each));
  return [...mistakes, ...needless.map(({ text }) => `no statement needs the exception "${text}"`)];
}

/** Characters of a statement that are shown. */
const SHOWN = 1_000;

/** Each text once, with a place if any process knew one. */
const distinct = (recorded: readonly Recorded[]): Recorded[] =>
  [...Map.groupBy(recorded, ({ text }) => text).values()].map(
    (same) => same.find(({ place }) => place) ?? same[0]!,
  );
