import fc from 'fast-check';
import type { Registry } from '../../src/engine/model/model.ts';

const OPERATORS =
  '=|!=|<>|==|=?|in|not in|IN|<|>|<=|>=|like|not like|ilike|not ilike|=like|not =like|=ilike|not =ilike|any|not any|any!|child_of|parent_of|not child_of'.split(
    '|',
  );
const PARTS = ['month_number', 'day_of_week', 'second_number', 'tz', 'foo', ''];
const TEXTS = [
  '',
  'a',
  '%',
  '\\',
  '_\\',
  '5',
  '1e400',
  '-0',
  '0x1',
  'true',
  "'",
  '\u0000',
  '\ud800',
  '2026-02-30',
  '2026-01-31',
  '2026-01-31 10:00:00Z',
  'today -1d',
  '=monday',
  'now +99999999y',
  '9999-12-31 23:59:59',
  '0001-01-01',
  'res.partner,1',
];
const NUMBERS = [0, 1, -1, 1.5, 2147483648, -2147483649, 2 ** 53, 1e300, -1e300, 5e-324];

const scalarArbitrary = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS, ...NUMBERS, true, false, null),
  fc.string({ maxLength: 8 }),
  fc.integer(),
);

/** Builds conditions that usually name existing fields, with values that usually don't fit them. */
export function buildDomainArbitrary(registry: Registry, model: string): fc.Arbitrary<unknown[]> {
  const fields = [...registry.get(model)!.fields.keys()];
  const next = [...new Set([...registry.values()].flatMap((m) => [...m.fields.keys()]))];
  const field = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...fields) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...fields), fc.constantFrom(...next, ...PARTS))
        .map((p) => p.join('.')),
    },
    { weight: 1, arbitrary: fc.oneof(fc.string({ maxLength: 6 }), scalarArbitrary) },
  );
  const { domain } = fc.letrec<{ domain: unknown[]; leaf: unknown; value: unknown }>((tie) => ({
    domain: fc.array(
      fc.oneof(
        { weight: 5, arbitrary: tie('leaf') },
        { weight: 2, arbitrary: fc.constantFrom<unknown>('&', '|', '!') },
      ),
      { maxLength: 5 },
    ),
    leaf: fc.oneof(
      { weight: 12, arbitrary: fc.tuple(field, fc.constantFrom(...OPERATORS), tie('value')) },
      {
        weight: 1,
        arbitrary: fc.oneof(
          scalarArbitrary,
          fc.array(scalarArbitrary, { maxLength: 4 }),
          fc.jsonValue({ maxDepth: 2 }),
        ),
      },
    ),
    value: fc.oneof(
      { depthSize: 'small' },
      scalarArbitrary,
      fc.array(scalarArbitrary, { maxLength: 3 }),
      tie('domain'),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  }));
  return domain;
}
