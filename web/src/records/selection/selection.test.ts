import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLInputType } from 'graphql';
import { coerceInputValue } from 'graphql/utilities/coerceInputValue.js';
import { expect, it } from 'vitest';
import type { ModelDescription } from '../model.ts';
import {
  addAll,
  buildWhere,
  MAX_SELECTED,
  splitBatches,
  splitByVersion,
  toggleSelected,
} from './selection.ts';

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'), { assumeValid: true });

const model = {
  fields: [{ name: 'active', graphqlName: 'active', searchable: true }],
  versionField: 'version',
} as unknown as ModelDescription;
const OLD = 1;
const NEW = 2;

it('toggles a row, and limits the selection to the number of changes that can be undone together', () => {
  const one = toggleSelected(new Map(), '1', OLD);
  expect([...one]).toEqual([['1', OLD]]);
  expect([...toggleSelected(one, '1', NEW)]).toEqual([]);
  const selected = new Map(Array.from({ length: MAX_SELECTED }, (_, index) => [String(index), null]));
  expect(addAll(one, new Map([...selected].slice(1)))?.size).toBe(MAX_SELECTED - 1);
  expect(addAll(new Map([['x', OLD]]), selected)).toBeNull();
  expect(splitBatches(selected).map(({ size }) => size)).toEqual(Array(10).fill(500));
});

it('builds a filter for records that have not changed, including archived ones', () => {
  const where = buildWhere(
    model,
    new Map([
      ['1', OLD],
      ['2', NEW],
      ['3', OLD],
    ]),
  );
  expect(where).toEqual({
    and: [
      {
        or: [
          { id: { in: ['1', '3'] }, version: { eq: OLD } },
          { id: { in: ['2'] }, version: { eq: NEW } },
        ],
      },
      { or: [{ active: { eq: true } }, { id: { in: ['1', '2', '3'] } }] },
    ],
  });
  expect(() => coerceInputValue(where, schema.getType('PartnerWhere') as GraphQLInputType)).not.toThrow();
});

it('separates changed and deleted records from unchanged ones', () => {
  const selection = new Map([
    ['1', OLD],
    ['2', OLD],
    ['3', OLD],
  ]);
  expect(
    splitByVersion(
      selection,
      new Map([
        ['1', OLD],
        ['2', NEW],
      ]),
    ),
  ).toEqual({
    unchanged: new Map([['1', OLD]]),
    changed: new Map([['2', NEW]]),
    deletedIds: new Set(['3']),
  });
});
