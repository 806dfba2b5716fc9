import { expect, it } from 'vitest';
import {
  ALL_FORMATS,
  completeFormat,
  DEFAULT_FORMAT,
  intersectFormats,
  isUndecided,
  type PossibleFormats,
} from './format.ts';

const ambiguous: PossibleFormats = { decimalSeparators: ['POINT', 'COMMA'], dateOrders: ['DMY', 'MDY'] };
const comma: PossibleFormats = { decimalSeparators: ['COMMA'], dateOrders: null };

it('accepts the formats that are possible in all parts', () => {
  expect(intersectFormats(ALL_FORMATS, ambiguous)).toEqual(ambiguous);
  expect(intersectFormats(ambiguous, comma)).toEqual({ ...ambiguous, decimalSeparators: ['COMMA'] });
  expect(intersectFormats(comma, { ...ALL_FORMATS, decimalSeparators: ['POINT'] })).toEqual({
    ...{ decimalSeparators: [], dateOrders: null },
  });
});

it('uses the only possible format, unless the user has chosen another one', () => {
  expect(completeFormat(DEFAULT_FORMAT, comma)).toEqual({ decimalSeparator: 'COMMA', dateOrder: null });
  expect(completeFormat({ ...DEFAULT_FORMAT, decimalSeparator: 'POINT' }, comma).decimalSeparator).toBe(
    'POINT',
  );
  expect(completeFormat(DEFAULT_FORMAT, ambiguous)).toEqual(DEFAULT_FORMAT);
});

it('asks only about rows that differ between the formats', () => {
  expect(isUndecided(DEFAULT_FORMAT, ambiguous)).toBe(true);
  expect(isUndecided({ decimalSeparator: 'COMMA', dateOrder: null }, ambiguous)).toBe(true);
  expect(isUndecided({ decimalSeparator: 'COMMA', dateOrder: 'DMY' }, ambiguous)).toBe(false);
  expect(isUndecided(DEFAULT_FORMAT, ALL_FORMATS)).toBe(false);
  expect(isUndecided(DEFAULT_FORMAT, { decimalSeparators: [], dateOrders: [] })).toBe(false);
});
