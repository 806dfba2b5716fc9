import { expect, it } from 'vitest';
import type { Described, DescribedField } from '../model.ts';
import { usualRows } from './dimension.ts';

const field = (name: string, type: string, more: object = {}) =>
  ({
    name,
    type,
    graphqlName: name,
    groupable: true,
    searchable: true,
    stored: true,
    ...more,
  }) as DescribedField;
const AUDIT = [
  field('create_uid', 'MANY2ONE'),
  field('create_date', 'DATETIME'),
  field('write_uid', 'MANY2ONE'),
];
const rowsOf = (...fields: DescribedField[]) => usualRows({ fields: [...AUDIT, ...fields] } as Described);

it.each([
  ['stage_id', [field('user_id', 'MANY2ONE'), field('priority', 'SELECTION'), field('stage_id', 'MANY2ONE')]],
  ['move_type', [field('priority', 'SELECTION'), field('move_type', 'SELECTION')]],
  [
    'user_id',
    [field('date', 'DATE'), field('root_id', 'MANY2ONE', { readonly: true }), field('user_id', 'MANY2ONE')],
  ],
  ['active', [field('city', 'CHAR'), field('date', 'DATE'), field('active', 'BOOLEAN')]],
  ['date', [field('city', 'CHAR'), field('date', 'DATE')]],
  ['create_uid', []],
])('a pivot begins with %s, and with who wrote records only where there is nothing else', (name, fields) => {
  expect(rowsOf(...fields)).toEqual([name]);
});
