import { expect, it } from 'vitest';
import { createDraft, parseOptions, toFieldInputs, toTechnicalName } from './field-draft.ts';

it('derives a unique technical name from the label', () => {
  expect(toTechnicalName('Number plate')).toBe('x_number_plate');
  expect(toTechnicalName('  Größe (cm) ')).toBe('x_grosse_cm');
  expect(toTechnicalName('車')).toBe('x_own');
  expect(toTechnicalName('Plate', new Set(['x_plate']))).toBe('x_plate_2');
  expect(toTechnicalName('Plate', new Set(['x_plate', 'x_plate_2']))).toBe('x_plate_3');
});

it('parses the options of a selection from lines, without duplicates', () => {
  expect(parseOptions(' New\n\nUsed\r\nNew ')).toEqual(['New', 'Used']);
});

it('omits fields without a label, and adds the target of a link and the options of a selection', () => {
  const drafts = [
    { ...createDraft(0), label: 'Driver', kind: 'MANY2ONE' as const, relation: 'res.partner' },
    createDraft(1),
    {
      ...createDraft(2),
      label: 'Status',
      kind: 'SELECTION' as const,
      options: 'On the road\nSold',
      relation: 'a',
    },
  ];
  expect(toFieldInputs(drafts, ['x_driver'])).toMatchObject([
    { name: 'x_driver_2', type: 'MANY2ONE', relation: 'res.partner' },
    {
      name: 'x_status',
      relation: undefined,
      selections: {
        create: [
          { value: 'on_the_road', name: 'On the road', sequence: 0 },
          { value: 'sold', name: 'Sold', sequence: 1 },
        ],
      },
    },
  ]);
});
