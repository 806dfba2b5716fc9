import { expect, it } from 'vitest';
import { buildField } from '../field-fixture.ts';
import type { FieldDescription, ModelDescription } from '../model.ts';
import { getDefaultRows } from './dimension.ts';

const AUDIT = [
  buildField('create_uid', 'MANY2ONE'),
  buildField('create_date', 'DATETIME'),
  buildField('write_uid', 'MANY2ONE'),
];
const getDefaultRowKeys = (...fields: FieldDescription[]) =>
  getDefaultRows({ fields: [...AUDIT, ...fields] } as ModelDescription);

it.each([
  [
    'stage_id',
    [
      buildField('user_id', 'MANY2ONE'),
      buildField('priority', 'SELECTION'),
      buildField('stage_id', 'MANY2ONE'),
    ],
  ],
  ['move_type', [buildField('priority', 'SELECTION'), buildField('move_type', 'SELECTION')]],
  [
    'user_id',
    [
      buildField('date', 'DATE'),
      buildField('root_id', 'MANY2ONE', { readonly: true }),
      buildField('user_id', 'MANY2ONE'),
    ],
  ],
  ['active', [buildField('city', 'CHAR'), buildField('date', 'DATE'), buildField('active', 'BOOLEAN')]],
  ['date', [buildField('city', 'CHAR'), buildField('date', 'DATE')]],
  ['create_uid', []],
])('groups by %s by default', (name, fields) => {
  expect(getDefaultRowKeys(...fields)).toEqual([name]);
});
