// biome-ignore-all lint/suspicious/noExplicitAny: responses of any method; the comparison inspects their shape
import { type Ids, parseReference } from './ids.ts';
import { Double } from './xml.ts';

export interface Difference {
  at: string;
  expected: unknown;
  actual: unknown;
}

export interface Comparison {
  ids: Ids;
  /** Keys that are ignored on both sides. The reasons are in the exceptions. */
  excused: ReadonlySet<string>;
}

export function findDifferences(
  shape: unknown,
  actual: unknown,
  comparison: Comparison,
  at = '$',
): Difference[] {
  if (typeof shape === 'string') return compareText(shape, actual, comparison, at);
  if (Array.isArray(shape)) return compareList(shape, actual, comparison, at);
  if (shape !== null && typeof shape === 'object')
    return compareObject(shape as Shape, actual, comparison, at);
  return Object.is(shape, actual) || shape === actual ? [] : [{ at, expected: shape, actual }];
}

type Shape = Record<string, unknown>;

const isText = (actual: unknown): boolean => typeof actual === 'string' || actual === false;
const isNumber = (actual: unknown): actual is number => typeof actual === 'number';
const isPlain = (actual: unknown): actual is Shape =>
  actual !== null && typeof actual === 'object' && !Array.isArray(actual) && !(actual instanceof Double);

const TYPES: Record<string, (actual: unknown) => boolean> = {
  $any: () => true,
  $text: isText,
  $bool: (actual) => typeof actual === 'boolean',
  $number: isNumber,
  $many2one: (actual) =>
    actual === false ||
    (Array.isArray(actual) && actual.length === 2 && isNumber(actual[0]) && isText(actual[1])),
  $ids: (actual) => Array.isArray(actual) && actual.every(isNumber),
  $list: (actual) => Array.isArray(actual),
  $date: (actual) => actual === false || (typeof actual === 'string' && /^\d{4}-\d\d-\d\d$/.test(actual)),
  $datetime: (actual) =>
    actual === false || (typeof actual === 'string' && /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/.test(actual)),
  $domain: (actual) => Array.isArray(actual) && actual.length > 0,
};

function compareText(shape: string, actual: unknown, comparison: Comparison, at: string): Difference[] {
  const type = TYPES[shape];
  if (type) return type(actual) ? [] : [{ at, expected: shape, actual }];
  const reference = parseReference(shape);
  if (!reference) return shape === actual ? [] : [{ at, expected: shape, actual }];
  const ownId = comparison.ids.get(reference.model, reference.id);
  if (reference.text) {
    const expected = `${reference.model},${ownId}`;
    return actual === expected ? [] : [{ at, expected, actual }];
  }
  const isNew = isNumber(actual) && !comparison.ids.isTaken(reference.model, actual);
  if (isNumber(actual) && (reference.isCreated || (ownId === undefined && isNew))) {
    comparison.ids.bind(reference.model, reference.id, actual);
    return [];
  }
  return actual === ownId && ownId !== undefined
    ? []
    : [{ at, expected: `${shape} (here ${ownId ?? 'unknown'})`, actual }];
}

function compareList(shape: unknown[], actual: unknown, comparison: Comparison, at: string): Difference[] {
  if (!Array.isArray(actual)) return [{ at, expected: 'a list', actual }];
  if (actual.length !== shape.length)
    return [{ at, expected: `${shape.length} items: ${JSON.stringify(shape).slice(0, 200)}`, actual }];
  return shape.flatMap((item, i) => findDifferences(item, actual[i], comparison, `${at}[${i}]`));
}

const DIRECTIVES: Record<
  string,
  (inner: any, actual: any, comparison: Comparison, at: string) => Difference[]
> = {
  $double: (inner, actual, comparison, at) =>
    actual instanceof Double
      ? findDifferences(inner, actual.value, comparison, at)
      : [{ at, expected: `double ${inner}`, actual }],
  $list: (inner, actual, comparison, at) =>
    Array.isArray(actual)
      ? actual.flatMap((item, i) => findDifferences(inner, item, comparison, `${at}[${i}]`)).slice(0, 5)
      : [{ at, expected: 'a list', actual }],
  $rows: (inner, actual, comparison, at) =>
    Array.isArray(actual) && actual.length > 0
      ? DIRECTIVES.$list!(inner, actual, comparison, at)
      : [{ at, expected: 'rows', actual }],
  $set: (inner, actual, comparison, at) =>
    compareList(
      sortById(inner, comparison),
      Array.isArray(actual) ? sortById(actual) : actual,
      comparison,
      at,
    ),
  $open: (inner, actual, comparison, at) => compareOpen(inner, actual, comparison, at),
  $fields: (inner, actual, comparison, at) =>
    isPlain(actual) &&
    !('id' in inner && !('id' in actual)) &&
    Object.keys(inner).some((key) => key in actual)
      ? Object.keys(inner)
          .filter((key) => key in actual && !comparison.excused.has(key))
          .flatMap((key) => compareUnordered(inner[key], actual[key], comparison, `${at}.${key}`))
      : [{ at, expected: 'fields', actual }],
  $unordered: (inner, actual, comparison, at) => compareUnordered(inner, actual, comparison, at),
  $methods: (inner, actual, comparison, at) => compareOpen(inner, actual, comparison, at, true),
  $keys: (inner, actual, _how, at) =>
    isPlain(actual) && JSON.stringify(Object.keys(actual)) === JSON.stringify(inner)
      ? []
      : [{ at, expected: inner, actual: isPlain(actual) ? Object.keys(actual) : actual }],
};

function compareObject(shape: Shape, actual: unknown, comparison: Comparison, at: string): Difference[] {
  const [only, ...rest] = Object.keys(shape);
  const directive = rest.length === 0 && only?.startsWith('$') ? DIRECTIVES[only] : undefined;
  if (directive) return directive(shape[only!], actual, comparison, at);
  if (!isPlain(actual)) return [{ at, expected: shape, actual }];
  const expectedKeys = Object.keys(shape).filter((key) => !comparison.excused.has(key));
  const keys = Object.keys(actual).filter((key) => !comparison.excused.has(key));
  if (expectedKeys.join() !== keys.join())
    return [{ at, expected: `keys ${expectedKeys}`, actual: `keys ${keys}` }];
  return expectedKeys.flatMap((key) => findDifferences(shape[key], actual[key], comparison, `${at}.${key}`));
}

/** Compares only keys present on both sides, because the set of keys depends on the installed apps. */
function compareOpen(
  shape: Shape,
  actual: unknown,
  comparison: Comparison,
  at: string,
  nested = false,
): Difference[] {
  if (!isPlain(actual)) return [{ at, expected: shape, actual }];
  const common = Object.keys(shape).filter((key) => key in actual && !comparison.excused.has(key));
  if (common.length * 3 < Object.keys(shape).length)
    return [{ at, expected: `most of ${Object.keys(shape)}`, actual: `keys ${Object.keys(actual)}` }];
  const compare = nested ? compareOpen : findDifferences;
  return common.flatMap((key) => compare(shape[key] as Shape, actual[key], comparison, `${at}.${key}`));
}

function compareUnordered(shape: Shape, actual: unknown, comparison: Comparison, at: string): Difference[] {
  if (!isPlain(actual) || !isPlain(shape)) return findDifferences(shape, actual, comparison, at);
  const getKeys = (value: Shape) =>
    Object.keys(value)
      .filter((key) => !comparison.excused.has(key) && key !== 'help' && key !== 'groups')
      .sort();
  if (getKeys(shape).join() !== getKeys(actual).join())
    return [{ at, expected: `keys ${getKeys(shape)}`, actual: `keys ${getKeys(actual)}` }];
  return getKeys(shape).flatMap((key) =>
    isPlain(shape[key]) && !Object.keys(shape[key]).some((inner) => inner.startsWith('$'))
      ? compareUnordered(shape[key], actual[key], comparison, `${at}.${key}`)
      : findDifferences(shape[key], actual[key], comparison, `${at}.${key}`),
  );
}

/** Sorts by our ids, so that references and our ids are in the same order. */
function sortById(items: unknown[], comparison?: Comparison): unknown[] {
  const buildKey = (item: unknown): string => {
    if (Array.isArray(item)) return buildKey(item[0]);
    const reference = comparison && parseReference(item);
    const value = reference ? comparison.ids.get(reference.model, reference.id) : item;
    return isNumber(value) ? String(value).padStart(12, '0') : JSON.stringify(value ?? null);
  };
  return [...items].sort((a, b) => (buildKey(a) < buildKey(b) ? -1 : 1));
}
