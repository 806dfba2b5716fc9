import { expect, it } from 'vitest';
import { parseCsvFile } from '../../ui/csv-file.ts';
import { buildField } from '../field-fixture.ts';
import type { ModelDescription } from '../model.ts';
import { splitParts } from './rows.ts';
import { findDuplicate, getTargets, guessTarget } from './targets.ts';

const model = {
  fields: [
    buildField('name', 'CHAR', { label: 'Name' }),
    buildField('partner_id', 'MANY2ONE', {
      label: 'Customer',
      graphqlName: 'partnerId',
      relationName: 'partner',
    }),
    buildField('lines', 'ONE2MANY', { label: 'Lines', relationName: 'lines', list: true }),
    buildField('total', 'FLOAT', { label: 'Total', readonly: true }),
  ],
} as unknown as ModelDescription;

it('maps columns to fields without regard to spaces, hyphens and case', () => {
  const fields = [
    buildField('email', 'CHAR', { label: 'Email' }),
    buildField('zip_code', 'CHAR', { label: 'Zip' }),
  ];
  const contact = { fields } as unknown as ModelDescription;
  const names = ['E-Mail', 'e mail', 'ZIP code', 'Zip', '-'];
  expect(names.map((name) => guessTarget(contact, getTargets(contact), name))).toEqual([
    'email',
    'email',
    'zip_code',
    'zip_code',
    '',
  ]);
});

it('offers ids, writable fields, and links by name or id as columns', () => {
  const targets = getTargets(model);
  expect(targets.map(([path]) => path)).toEqual([
    'id',
    '.id',
    'partner_id',
    'partner_id/id',
    'partner_id/.id',
    'name',
  ]);
  const names = ['External ID', 'NAME', 'Customer', 'partner', 'partner_id/id', 'Total', ''];
  expect(names.map((name) => guessTarget(model, targets, name))).toEqual([
    'id',
    'name',
    'partner_id',
    'partner_id',
    'partner_id/id',
    '',
    '',
  ]);
  expect(findDuplicate(targets, ['name', '', '', 'name'])).toBe('Name');
  expect(findDuplicate(targets, ['name', '', ''])).toBeNull();
});

it('splits rows into parts with line numbers, and removes skipped columns and formula escapes', () => {
  const file = parseCsvFile('Name;Left;Note\nA;x;"two\nlines"\n\nB;y;\'=1\nC\n')!;
  expect(splitParts(file, ['name', '', 'note'], 2)).toEqual([
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
