import { expect, it } from 'vitest';
import { csvFile } from '../../ui/csv-file.ts';
import type { Described } from '../model.ts';
import { partsOf } from './rows.ts';
import { takenFor, targetsOf, twice } from './targets.ts';

const field = (name: string, type: string, label: string, more = {}) => ({
  name,
  type,
  label,
  graphqlName: name,
  relationName: null,
  list: false,
  readonly: false,
  ...more,
});
const model = {
  fields: [
    field('name', 'CHAR', 'Name'),
    field('partner_id', 'MANY2ONE', 'Customer', { graphqlName: 'partnerId', relationName: 'partner' }),
    field('lines', 'ONE2MANY', 'Lines', { relationName: 'lines', list: true }),
    field('total', 'FLOAT', 'Total', { readonly: true }),
  ],
} as unknown as Described;

it('columns are the ids, fields that can be set, and linked records by name and ids', () => {
  const targets = targetsOf(model);
  expect(targets.map(([path]) => path)).toEqual([
    'id',
    '.id',
    'partner_id',
    'partner_id/id',
    'partner_id/.id',
    'name',
  ]);
  const names = ['External ID', 'NAME', 'Customer', 'partner', 'partner_id/id', 'Total', ''];
  expect(names.map((name) => takenFor(model, targets, name))).toEqual([
    'id',
    'name',
    'partner_id',
    'partner_id',
    'partner_id/id',
    '',
    '',
  ]);
  expect(twice(targets, ['name', '', '', 'name'])).toBe('Name');
  expect(twice(targets, ['name', '', ''])).toBeNull();
});

it('rows come in parts, with their lines, without what is left out and the guards of formulas', () => {
  const file = csvFile('Name;Left;Note\nA;x;"two\nlines"\n\nB;y;\'=1\nC\n')!;
  expect(partsOf(file, ['name', '', 'note'], 2)).toEqual([
    {
      rows: [
        ['A', 'two\nlines'],
        ['B', '=1'],
      ],
      lines: [2, 5],
    },
    { rows: [['C', '']], lines: [6] },
  ]);
});
