// What somebody may type into an address, and what it is read as.

/** Pure. */
export function givenText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Pure. */
export const givenName = <Name extends string>(names: readonly Name[], value: unknown): Name | undefined =>
  names.find((name) => name === value);

/** A day, as `2026-11-23`. Pure. */
export function givenDay(value: unknown): string | undefined {
  const day = givenText(value);
  return day && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined;
}
