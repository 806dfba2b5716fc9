import { createSeededRandom } from './seeded.ts';

/** Generates mostly values that no client would send. */
export interface RandomSource {
  /** Returns an integer from 0 to `limit - 1`. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  value(depth: number): unknown;
  body(value: unknown): Buffer;
}

const TEXTS = [
  '',
  'x',
  'name',
  'id',
  '0',
  '-1',
  'false',
  '\u0000',
  '\ud800',
  '\ufeff',
  '漢',
  '%s',
  "'; drop table res_partner; --",
  '__proto__',
  'constructor',
  'toString',
  'res.partner',
  'name asc, id desc',
  '_classic_read',
  'x'.repeat(3_000),
];
const NUMBERS = [0, -0, 1, -1, 1.5, 2147483647, 2147483648, -2147483649, 2 ** 53, 1e308, 5e-324];
const NAMES = [
  ...['ids', 'domain', 'fields', 'limit', 'offset', 'order', 'context', 'vals', 'vals_list', 'load', 'name'],
  ...['args', 'kwargs', 'model', 'method', 'service', 'db', 'login', 'password', '__proto__', 'active_test'],
  ...['', 'operation', 'attributes', 'allfields', 'groupby', 'specification', 'lang', 'tz'],
];
const OPERATORS = ['=', '!=', 'ilike', 'in', 'not in', 'child_of', '=like', '<', 'any', '&', '|', '!', '=?'];
const FIELDS = [
  'name',
  'id',
  'parent_id',
  'child_ids',
  'create_date',
  'active',
  'color',
  'parent_id.name',
  'nope',
];
const STRANGE_TOKENS = [
  '\u0000',
  '{',
  '[',
  '}',
  ',',
  '"',
  '\\',
  '\\u12',
  'NaN',
  '1e999',
  '//',
  '\n',
  '[[[[[[[[',
];

export const METHODS = [
  ...['search', 'search_read', 'search_count', 'name_search', 'read', 'create', 'write', 'unlink'],
  ...['fields_get', 'default_get', 'name_create', 'has_access', 'check_access_rights'],
  ...['_search', 'nope', '%00', '__proto__'],
];

export function createRandomSource(seed: number): RandomSource {
  const random = createSeededRandom(seed);
  const randomBelow = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(items: readonly T[]): T => items[randomBelow(items.length)]!;
  const buildValue = (depth: number): unknown => {
    switch (randomBelow(depth > 0 ? 9 : 4)) {
      case 0:
        return pick(TEXTS);
      case 1:
        return pick(NUMBERS);
      case 2:
        return pick([true, false, null]);
      case 3:
        return randomBelow(2) ? randomBelow(5) : pick(FIELDS);
      case 4:
        return [pick(FIELDS), pick(OPERATORS), buildValue(depth - 1)];
      case 5:
        return [[pick(FIELDS), pick(OPERATORS), buildValue(depth - 1)]];
      case 6:
        return Array.from({ length: randomBelow(4) }, () => buildValue(depth - 1));
      default:
        return Object.fromEntries(
          Array.from({ length: randomBelow(4) }, () => [
            randomBelow(4) ? pick(NAMES) : pick(FIELDS),
            buildValue(depth - 1),
          ]),
        );
    }
  };
  const buildBody = (value: unknown): Buffer => {
    const text = JSON.stringify(value) ?? 'null';
    const at = randomBelow(text.length + 1);
    const changed = [
      () => text,
      () => text.slice(0, at),
      () => text.slice(0, at) + pick(STRANGE_TOKENS) + text.slice(at),
      () => text.repeat(2),
      () => `${'['.repeat(randomBelow(5_000))}${text}`,
    ];
    const bytes = Buffer.from(pick(changed)());
    if (bytes.length > 0 && randomBelow(6) === 0) bytes[randomBelow(bytes.length)] = randomBelow(256);
    return bytes;
  };
  return { below: randomBelow, pick, value: buildValue, body: buildBody };
}
