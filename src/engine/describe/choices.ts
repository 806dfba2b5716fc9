import type { Catalog } from '../ctx/catalog.ts';
import type { Field } from '../model/field.ts';

/** The options `[value, label]` of a selection that follows from the workspace. */
export function choicesOf(catalog: Catalog, choices: NonNullable<Field['choices']>): [string, string][] {
  return choices === 'languages' ? [...catalog.languages] : zones;
}

/** As ECMA-402 names them, which leaves UTC out. */
const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])]
  .sort()
  .map((zone): [string, string] => [zone, zone]);
