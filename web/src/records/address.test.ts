import { expect, it } from 'vitest';
import { parseRecordsView, toRecordsVariables } from './address.ts';
import { buildField } from './field-fixture.ts';
import type { ModelDescription } from './model.ts';

const model = {
  fields: [
    buildField('name', 'CHAR'),
    buildField('stage_id', 'MANY2ONE', { graphqlName: 'stageId', relationName: 'stage' }),
    buildField('tag_ids', 'MANY2MANY', { graphqlName: null, relationName: 'tags', list: true }),
    buildField('amount', 'FLOAT'),
    buildField('active', 'BOOLEAN'),
    buildField('day', 'DATE'),
    buildField('hidden', 'CHAR', { searchable: false, sortable: false }),
  ],
} as unknown as ModelDescription;

it('drops invalid URL parameters', () => {
  expect(
    parseRecordsView({
      q: '',
      where: [['name', 'contains', 'a'], ['name', 'like', 'a'], 'name', [1, 'eq', 2, 3], [null, 'eq']],
      order: '-amount',
      cols: ['name', null],
      archived: 'yes',
    }),
  ).toEqual({
    q: undefined,
    where: [
      ['name', 'contains', 'a'],
      ['1', 'eq', '2', '3'],
    ],
    order: '-amount',
    group: undefined,
    cols: ['name'],
    archived: undefined,
  });
});

it('converts filters of every kind to query variables, and ignores unknown fields', () => {
  const variables = toRecordsVariables(model, {
    q: 'deal',
    where: [
      ['stage', 'eq', '3', 'Won'],
      ['tags', 'eq', '7'],
      ['tags', 'empty', ''],
      ['amount', 'gte', '10'],
      ['active', 'eq', 'false'],
      ['day', 'lte', '2026-11-23'],
      ['stage', 'empty', ''],
      ['tags', 'filled', ''],
      ['stage', 'filled', ''],
      ['gone', 'eq', '1'],
      ['hidden', 'contains', 'x'],
    ],
    order: '-stage',
    archived: true,
  });
  expect(variables).toEqual({
    where: {
      and: [
        { displayName: { contains: 'deal', ignoreCase: true, ignoreAccents: true } },
        { stageId: { eq: '3' } },
        { tags: { some: { id: { eq: '7' } } } },
        { tags: { none: {} } },
        { amount: { gte: 10 } },
        { active: { eq: false } },
        { day: { lte: '2026-11-23' } },
        { stageId: { isNull: true } },
        { tags: { some: {} } },
        { stageId: { isNull: false } },
      ],
    },
    orderBy: [{ field: 'STAGE', direction: 'DESC' }],
    withArchived: true,
  });
  expect(toRecordsVariables(model, { order: 'hidden' })).toEqual({
    where: undefined,
    orderBy: undefined,
    withArchived: false,
  });
});
