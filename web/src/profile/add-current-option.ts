import { profileStrings } from './strings.ts';

/** Returns the options of a select, with the current value even if it is not offered. */
export const addCurrentOption = (
  offered: (readonly [string, string])[],
  currentValue: string | null,
): (readonly [string, string])[] =>
  offered.some(([value]) => value === currentValue)
    ? offered
    : [[currentValue ?? '', currentValue ?? profileStrings.dataLanguageOther], ...offered];
