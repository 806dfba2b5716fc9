// What somebody may type into an address, and what it is read as.

/** Pure. */
export function parseText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Pure. */
export const parseChoice = <Name extends string>(names: readonly Name[], value: unknown): Name | undefined =>
  names.find((name) => name === value);

/** A day, as `2026-11-23`. Pure. */
export function parseDay(value: unknown): string | undefined {
  const day = parseText(value);
  return day && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined;
}
