import { profileStrings } from './strings.ts';

/** Returns a select's options, and adds the current value if it is not one of them. */
export const addCurrentOption = (
  offered: (readonly [string, string])[],
  currentValue: string | null,
): (readonly [string, string])[] =>
  offered.some(([value]) => value === currentValue)
    ? offered
    : [[currentValue ?? '', currentValue ?? profileStrings.dataLanguageOther], ...offered];
