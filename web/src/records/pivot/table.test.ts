import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import type { Described, DescribedField } from '../model.ts';
import { dimensionOf } from './dimension.ts';
import { figuresNamed } from './figures.ts';
import {
  csvLine,
  type PivotAnswer,
  pivotDocument,
  pivotTable,
  shownRows,
  sortedRows,
  TOTAL,
} from './table.ts';

const field = (name: string, type: DescribedField['type'], more: Partial<DescribedField> = {}) =>
  ({
    name,
    graphqlName: name,
    relationName: null,
    type,
    label: name,
    list: false,
    stored: true,
    searchable: true,
    groupable: true,
    aggregator: null,
    ...more,
  }) as DescribedField;

const LEADS = {
  name: 'crm.lead',
  typeName: 'CrmLead',
  groupField: 'crmLeadGroups',
  fields: [
    field('stage_id', 'MANY2ONE', { graphqlName: 'stageId', relationName: 'stage' }),
    field('create_date', 'DATETIME', { graphqlName: 'createdAt' }),
    field('date_deadline', 'DATE', { graphqlName: 'dateDeadline' }),
    field('expected_revenue', 'MONETARY', { graphqlName: 'expectedRevenue', aggregator: 'sum' }),
  ],
} as unknown as Described;

const SHAPE = {
  rows: [dimensionOf(LEADS, 'stage')!, dimensionOf(LEADS, 'createdAt')!],
  across: dimensionOf(LEADS, 'dateDeadline.QUARTER')!,
  figures: figuresNamed(LEADS, ['count', 'expectedRevenue.sum', 'expectedRevenue.avg', 'gone.sum']),
};

it('the document fits the schema of the server, at every depth', () => {
  const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'), { assumeValid: true });
  for (const depth of [0, 1, 2])
    expect(validate(schema, parse(pivotDocument(LEADS, SHAPE, depth)))).toEqual([]);
  expect(validate(schema, parse(pivotDocument(LEADS, { ...SHAPE, across: null }, 2)))).toEqual([]);
});

it('a date without a period is by month, and what is no field is nothing', () => {
  expect(dimensionOf(LEADS, 'createdAt')!.key).toBe('createdAt.MONTH');
  expect([dimensionOf(LEADS, 'expectedRevenue'), dimensionOf(LEADS, 'gone')]).toEqual([null, null]);
  expect(figuresNamed(LEADS, ['gone.sum']).map(({ key }) => key)).toEqual(['count']);
});

const group = (count: number, key?: Record<string, unknown>) => ({
  count,
  expectedRevenue: { sum: count * 10, avg: 10 },
  key,
});
const [won, lost] = [{ id: '1', displayName: 'Won' }, null];
const quarter = { from: '2026-10-01', to: '2027-01-01', label: 'Q4 2026' };
const may = { from: '2026-05-01T00:00:00Z', to: '2026-06-01T00:00:00Z', label: 'May 2026' };
const ANSWER: PivotAnswer = {
  r0: [group(3)],
  x0: [group(2, { k0: quarter }), group(1, { k0: null })],
  r1: [group(1, { k0: lost }), group(2, { k0: won })],
  x1: [group(2, { k0: won, k1: quarter }), group(1, { k0: lost, k1: null })],
  r2: [group(2, { k0: won, k1: may })],
  x2: [group(2, { k0: won, k1: may, k2: quarter })],
};

it('the table has rows within rows, columns and totals, each with the conditions of its records', () => {
  const table = pivotTable(LEADS, SHAPE, ANSWER);
  expect(table.columns.map(({ label }) => label)).toEqual(['Q4 2026', '']);
  expect(table.columns[0]!.facets).toEqual([
    ['dateDeadline', 'gte', '2026-10-01'],
    ['dateDeadline', 'lte', '2026-12-31'],
  ]);
  expect(table.totals.get(TOTAL)).toEqual([3, 30, 10]);
  expect(table.rows.map(({ value }) => value.label)).toEqual(['', 'Won']);
  const [none, first] = table.rows;
  expect(none!.facets).toEqual([['stage', 'empty', '']]);
  expect(first!.cells.get('2026-10-01')).toEqual([2, 20, 10]);
  expect(first!.rows[0]!.facets[0]).toEqual(['stage', 'eq', '1', 'Won']);
  expect(table.isWhole).toBe(true);
});

it('rows are shown where they are open, in the order of a figure', () => {
  const { rows } = pivotTable(LEADS, SHAPE, ANSWER);
  expect(shownRows(rows, new Set())).toHaveLength(2);
  expect(shownRows(rows, new Set([rows[1]!.path])).map(({ depth }) => depth)).toEqual([1, 1, 2]);
  expect(sortedRows(rows, TOTAL, 0, true)[0]!.value.label).toBe('Won');
  // Lost leads have no figure in that quarter, whichever way.
  for (const way of [true, false])
    expect(sortedRows(rows, '2026-10-01', 1, way).at(-1)!.value.label).toBe('');
});

it('a line of CSV keeps its cells apart and holds no formula', () => {
  expect(csvLine(['a,b', 'say "x"', -1.5, null, '=1+1'])).toBe('"a,b","say ""x""",-1.5,,\'=1+1');
});
