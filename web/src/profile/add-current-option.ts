import { profileStrings } from './strings.ts';

/** Adds the current value if it is not among the options. */
export const addCurrentOption = (
  offered: (readonly [string, string])[],
  currentValue: string | null,
): (readonly [string, string])[] =>
  offered.some(([value]) => value === currentValue)
    ? offered
    : [[currentValue ?? '', currentValue ?? profileStrings.dataLanguageOther], ...offered];
