// Parsers for URL search parameters, which users can edit.

export type SearchParams = Record<string, unknown>;

type Parsers = Readonly<Record<string, (value: unknown) => unknown>>;

type ParsedView<P extends Parsers> = { [K in keyof P]?: Exclude<ReturnType<P[K]>, undefined> };

/** Creates a function that parses each parameter of a view. Invalid and missing parameters are undefined. */
export const createViewParser =
  <P extends Parsers>(parsers: P) =>
  (params: SearchParams): ParsedView<P> =>
    Object.fromEntries(
      Object.entries(parsers).map(([name, parse]) => [name, parse(params[name])]),
    ) as ParsedView<P>;

/** Parses text. The router parses a text of digits to a number. */
export function parseText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

export const parseChoice = <Name extends string>(names: readonly Name[], value: unknown): Name | undefined =>
  names.find((name) => name === value);

export const createChoiceParser =
  <Name extends string>(names: readonly Name[]) =>
  (value: unknown): Name | undefined =>
    parseChoice(names, value);

export const parseId = (value: unknown): string | undefined =>
  /^[1-9]\d{0,8}$/.test(String(value)) ? String(value) : undefined;

/** Parses a day such as `2026-11-23`. */
export function parseDay(value: unknown): string | undefined {
  const day = parseText(value);
  return day && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined;
}
