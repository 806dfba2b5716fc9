// Parsers for URL search parameters, which users can edit.

export function parseText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

export const parseChoice = <Name extends string>(names: readonly Name[], value: unknown): Name | undefined =>
  names.find((name) => name === value);

/** Parses a day such as `2026-11-23`. */
export function parseDay(value: unknown): string | undefined {
  const day = parseText(value);
  return day && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined;
}
