// biome-ignore-all lint/suspicious/noExplicitAny: answers of any method, whose shape is what is looked at
import { type Ids, parseReference } from './ids.ts';
import { Double } from './xml.ts';

export interface Difference {
  at: string;
  expected: unknown;
  got: unknown;
}

/** Context of a comparison. It collects ids during the comparison. */
export interface Comparison {
  ids: Ids;
  /** Keys that are ignored on both sides. The reasons are in the exceptions. */
  excused: ReadonlySet<string>;
}

export function findDifferences(
  shape: unknown,
  got: unknown,
  comparison: Comparison,
  at = '$',
): Difference[] {
  if (typeof shape === 'string') return compareText(shape, got, comparison, at);
  if (Array.isArray(shape)) return compareList(shape, got, comparison, at);
  if (shape !== null && typeof shape === 'object') return compareObject(shape as Shape, got, comparison, at);
  return Object.is(shape, got) || shape === got ? [] : [{ at, expected: shape, got }];
}

type Shape = Record<string, unknown>;

const isText = (got: unknown): boolean => typeof got === 'string' || got === false;
const isNumber = (got: unknown): got is number => typeof got === 'number';
const isPlain = (got: unknown): got is Shape =>
  got !== null && typeof got === 'object' && !Array.isArray(got) && !(got instanceof Double);

const TYPES: Record<string, (got: unknown) => boolean> = {
  $any: () => true,
  $text: isText,
  $bool: (got) => typeof got === 'boolean',
  $number: isNumber,
  $many2one: (got) =>
    got === false || (Array.isArray(got) && got.length === 2 && isNumber(got[0]) && isText(got[1])),
  $ids: (got) => Array.isArray(got) && got.every(isNumber),
  $list: (got) => Array.isArray(got),
  $date: (got) => got === false || (typeof got === 'string' && /^\d{4}-\d\d-\d\d$/.test(got)),
  $datetime: (got) =>
    got === false || (typeof got === 'string' && /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/.test(got)),
  $domain: (got) => Array.isArray(got) && got.length > 0,
};

function compareText(shape: string, got: unknown, comparison: Comparison, at: string): Difference[] {
  const type = TYPES[shape];
  if (type) return type(got) ? [] : [{ at, expected: shape, got }];
  const reference = parseReference(shape);
  if (!reference) return shape === got ? [] : [{ at, expected: shape, got }];
  const ours = comparison.ids.get(reference.model, reference.id);
  if (reference.text) {
    const expected = `${reference.model},${ours}`;
    return got === expected ? [] : [{ at, expected, got }];
  }
  const isNew = isNumber(got) && !comparison.ids.isTaken(reference.model, got);
  if (isNumber(got) && (reference.made || (ours === undefined && isNew))) {
    comparison.ids.bind(reference.model, reference.id, got);
    return [];
  }
  return got === ours && ours !== undefined
    ? []
    : [{ at, expected: `${shape} (here ${ours ?? 'unknown'})`, got }];
}

function compareList(shape: unknown[], got: unknown, comparison: Comparison, at: string): Difference[] {
  if (!Array.isArray(got)) return [{ at, expected: 'a list', got }];
  if (got.length !== shape.length)
    return [{ at, expected: `${shape.length} items: ${JSON.stringify(shape).slice(0, 200)}`, got }];
  return shape.flatMap((item, i) => findDifferences(item, got[i], comparison, `${at}[${i}]`));
}

const DIRECTIVES: Record<string, (inner: any, got: any, comparison: Comparison, at: string) => Difference[]> =
  {
    $double: (inner, got, comparison, at) =>
      got instanceof Double
        ? findDifferences(inner, got.value, comparison, at)
        : [{ at, expected: `double ${inner}`, got }],
    $list: (inner, got, comparison, at) =>
      Array.isArray(got)
        ? got.flatMap((item, i) => findDifferences(inner, item, comparison, `${at}[${i}]`)).slice(0, 5)
        : [{ at, expected: 'a list', got }],
    $rows: (inner, got, comparison, at) =>
      Array.isArray(got) && got.length > 0
        ? DIRECTIVES.$list!(inner, got, comparison, at)
        : [{ at, expected: 'rows', got }],
    $set: (inner, got, comparison, at) =>
      compareList(sortById(inner, comparison), Array.isArray(got) ? sortById(got) : got, comparison, at),
    $open: (inner, got, comparison, at) => compareOpen(inner, got, comparison, at),
    $fields: (inner, got, comparison, at) =>
      isPlain(got) && !('id' in inner && !('id' in got)) && Object.keys(inner).some((key) => key in got)
        ? Object.keys(inner)
            .filter((key) => key in got && !comparison.excused.has(key))
            .flatMap((key) => compareUnordered(inner[key], got[key], comparison, `${at}.${key}`))
        : [{ at, expected: 'fields', got }],
    $unordered: (inner, got, comparison, at) => compareUnordered(inner, got, comparison, at),
    $methods: (inner, got, comparison, at) => compareOpen(inner, got, comparison, at, true),
    $keys: (inner, got, _how, at) =>
      isPlain(got) && JSON.stringify(Object.keys(got)) === JSON.stringify(inner)
        ? []
        : [{ at, expected: inner, got: isPlain(got) ? Object.keys(got) : got }],
  };

function compareObject(shape: Shape, got: unknown, comparison: Comparison, at: string): Difference[] {
  const [only, ...more] = Object.keys(shape);
  const directive = more.length === 0 && only?.startsWith('$') ? DIRECTIVES[only] : undefined;
  if (directive) return directive(shape[only!], got, comparison, at);
  if (!isPlain(got)) return [{ at, expected: shape, got }];
  const expectedKeys = Object.keys(shape).filter((key) => !comparison.excused.has(key));
  const keys = Object.keys(got).filter((key) => !comparison.excused.has(key));
  if (expectedKeys.join() !== keys.join())
    return [{ at, expected: `keys ${expectedKeys}`, got: `keys ${keys}` }];
  return expectedKeys.flatMap((key) => findDifferences(shape[key], got[key], comparison, `${at}.${key}`));
}

/** Compares only keys present on both sides, because the set of keys depends on the installed apps. */
function compareOpen(
  shape: Shape,
  got: unknown,
  comparison: Comparison,
  at: string,
  nested = false,
): Difference[] {
  if (!isPlain(got)) return [{ at, expected: shape, got }];
  const common = Object.keys(shape).filter((key) => key in got && !comparison.excused.has(key));
  if (common.length * 3 < Object.keys(shape).length)
    return [{ at, expected: `most of ${Object.keys(shape)}`, got: `keys ${Object.keys(got)}` }];
  const compare = nested ? compareOpen : findDifferences;
  return common.flatMap((key) => compare(shape[key] as Shape, got[key], comparison, `${at}.${key}`));
}

function compareUnordered(shape: Shape, got: unknown, comparison: Comparison, at: string): Difference[] {
  if (!isPlain(got) || !isPlain(shape)) return findDifferences(shape, got, comparison, at);
  const keys = (of: Shape) =>
    Object.keys(of)
      .filter((key) => !comparison.excused.has(key) && key !== 'help' && key !== 'groups')
      .sort();
  if (keys(shape).join() !== keys(got).join())
    return [{ at, expected: `keys ${keys(shape)}`, got: `keys ${keys(got)}` }];
  return keys(shape).flatMap((key) =>
    isPlain(shape[key]) && !Object.keys(shape[key]).some((inner) => inner.startsWith('$'))
      ? compareUnordered(shape[key], got[key], comparison, `${at}.${key}`)
      : findDifferences(shape[key], got[key], comparison, `${at}.${key}`),
  );
}

/** Sorts by our ids, so that references and our ids are in the same order. */
function sortById(items: unknown[], comparison?: Comparison): unknown[] {
  const key = (item: unknown): string => {
    if (Array.isArray(item)) return key(item[0]);
    const reference = comparison && parseReference(item);
    const value = reference ? comparison.ids.get(reference.model, reference.id) : item;
    return isNumber(value) ? String(value).padStart(12, '0') : JSON.stringify(value ?? null);
  };
  return [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
