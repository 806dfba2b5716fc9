import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import { buildField } from '../field-fixture.ts';
import type { ModelDescription } from '../model.ts';
import { parseDimension } from './dimension.ts';
import { findMeasures } from './measures.ts';
import {
  buildPivotQuery,
  buildPivotTable,
  getVisibleRows,
  type PivotResult,
  sortRows,
  TOTAL_COLUMN,
} from './table.ts';

const LEADS = {
  name: 'crm.lead',
  typeName: 'CrmLead',
  groupField: 'crmLeadGroups',
  fields: [
    buildField('stage_id', 'MANY2ONE', { graphqlName: 'stageId', relationName: 'stage' }),
    buildField('create_date', 'DATETIME', { graphqlName: 'createdAt' }),
    buildField('date_deadline', 'DATE', { graphqlName: 'dateDeadline' }),
    buildField('expected_revenue', 'MONETARY', { graphqlName: 'expectedRevenue', aggregator: 'sum' }),
  ],
} as unknown as ModelDescription;

const SHAPE = {
  rows: [parseDimension(LEADS, 'stage')!, parseDimension(LEADS, 'createdAt')!],
  across: parseDimension(LEADS, 'dateDeadline.QUARTER')!,
  figures: findMeasures(LEADS, ['count', 'expectedRevenue.sum', 'expectedRevenue.avg', 'gone.sum']),
};

it('builds a document that is valid against the server schema at every depth', () => {
  const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'), { assumeValid: true });
  for (const depth of [0, 1, 2])
    expect(validate(schema, parse(buildPivotQuery(LEADS, SHAPE, depth)))).toEqual([]);
  expect(validate(schema, parse(buildPivotQuery(LEADS, { ...SHAPE, across: null }, 2)))).toEqual([]);
});

it('groups a date by month by default, and ignores unknown fields', () => {
  expect(parseDimension(LEADS, 'createdAt')!.key).toBe('createdAt.MONTH');
  expect([parseDimension(LEADS, 'expectedRevenue'), parseDimension(LEADS, 'gone')]).toEqual([null, null]);
  expect(findMeasures(LEADS, ['gone.sum']).map(({ key }) => key)).toEqual(['count']);
});

const buildGroup = (count: number, key?: Record<string, unknown>) => ({
  count,
  expectedRevenue: { sum: count * 10, avg: 10 },
  key,
});
const [won, lost] = [{ id: '1', displayName: 'Won' }, null];
const quarter = { from: '2026-10-01', to: '2027-01-01', label: 'Q4 2026' };
const may = { from: '2026-05-01T00:00:00Z', to: '2026-06-01T00:00:00Z', label: 'May 2026' };
const RESULT: PivotResult = {
  r0: [buildGroup(3)],
  x0: [buildGroup(2, { k0: quarter }), buildGroup(1, { k0: null })],
  r1: [buildGroup(1, { k0: lost }), buildGroup(2, { k0: won })],
  x1: [buildGroup(2, { k0: won, k1: quarter }), buildGroup(1, { k0: lost, k1: null })],
  r2: [buildGroup(2, { k0: won, k1: may })],
  x2: [buildGroup(2, { k0: won, k1: may, k2: quarter })],
};

it('builds nested rows, columns and totals, and the filters for their records', () => {
  const table = buildPivotTable(LEADS, SHAPE, RESULT);
  expect(table.columns.map(({ label }) => label)).toEqual(['Q4 2026', '']);
  expect(table.columns[0]!.facets).toEqual([
    ['dateDeadline', 'gte', '2026-10-01'],
    ['dateDeadline', 'lte', '2026-12-31'],
  ]);
  expect(table.totals.get(TOTAL_COLUMN)).toEqual([3, 30, 10]);
  expect(table.rows.map(({ value }) => value.label)).toEqual(['', 'Won']);
  const [none, first] = table.rows;
  expect(none!.facets).toEqual([['stage', 'empty', '']]);
  expect(first!.cells.get('2026-10-01')).toEqual([2, 20, 10]);
  expect(first!.rows[0]!.facets[0]).toEqual(['stage', 'eq', '1', 'Won']);
  expect(table.isWhole).toBe(true);
});

it('lists the rows of open groups, and sorts rows by a measure', () => {
  const { rows } = buildPivotTable(LEADS, SHAPE, RESULT);
  expect(getVisibleRows(rows, new Set())).toHaveLength(2);
  expect(getVisibleRows(rows, new Set([rows[1]!.path])).map(({ depth }) => depth)).toEqual([1, 1, 2]);
  expect(sortRows(rows, TOTAL_COLUMN, 0, true)[0]!.value.label).toBe('Won');
  // Rows without a value in the quarter come last in both directions.
  for (const isAscending of [true, false])
    expect(sortRows(rows, '2026-10-01', 1, isAscending).at(-1)!.value.label).toBe('');
});
