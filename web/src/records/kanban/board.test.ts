import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import {
  findSequenceField,
  findStageField,
  getBoardFields,
  getCardFields,
  getPriorityLevel,
} from '../board-fields.ts';
import { buildFieldSelection } from '../document.ts';
import { buildField } from '../field-fixture.ts';
import type { FieldDescription, ModelDescription } from '../model.ts';
import type { Measure } from '../pivot/measures.ts';
import { getViewKinds } from '../views.ts';
import {
  addCards,
  type BoardGroup,
  buildBoard,
  buildBoardQuery,
  type Column,
  computeFirstNumber,
  findAdjacentCard,
  findCard,
  findCurrencyField,
  getSharedCurrency,
  moveCard,
} from './board.ts';

const priority = buildField('priority', 'SELECTION', {
  selection: [{ value: '1', graphqlName: 'HIGH', label: 'High' }],
});
const owner = buildField('user_id', 'MANY2ONE', { graphqlName: 'userId', relationName: 'user' });
const stage = buildField('stage_id', 'MANY2ONE', { graphqlName: 'stageId', relationName: 'stage' });
const revenue = buildField('expected_revenue', 'MONETARY', {
  graphqlName: 'expectedRevenue',
  currencyField: 'company_currency',
});
const currency = buildField('company_currency', 'MANY2ONE', {
  graphqlName: 'companyCurrencyId',
  relationName: 'companyCurrency',
});
const tags = buildField('tag_ids', 'MANY2MANY', { relationName: 'tags', graphqlName: null });
const sequence = buildField('sequence', 'INTEGER');
const model = {
  name: 'crm.lead',
  typeName: 'CrmLead',
  groupField: 'crmLeadGroups',
  listField: 'crmLeads',
  fields: [
    owner,
    priority,
    revenue,
    sequence,
    stage,
    tags,
    buildField('kept', 'SELECTION', { stored: false }),
  ],
} as unknown as ModelDescription;
const sum: Measure = { key: 'expectedRevenue.sum', field: revenue, how: 'sum' };

const buildCard = (id: string) => ({ id, displayName: id });
const columns: Column[] = [
  { id: '1', label: 'New', count: 30, sum: 100, cards: ['a', 'b'].map(buildCard) },
  { id: '2', label: 'Won', count: 1, sum: null, cards: [buildCard('c')] },
];
const getCardIds = (board: Column[]) =>
  board.map(({ count, sum: total, cards }) => `${count} ${total} ${cards.map(({ id }) => id).join('')}`);

it('prefers the stage for columns, and never uses a computed field', () => {
  expect(getBoardFields(model)).toEqual([stage, priority, owner]);
  expect([findStageField(model), findSequenceField(model)]).toEqual([stage, sequence]);
  expect(getBoardFields({ ...model, groupField: null } as ModelDescription)).toEqual([]);
});

it('queries all columns with totals and cards in one valid document', () => {
  const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'), { assumeValid: true });
  const text = buildBoardQuery(
    model,
    stage,
    'count expectedRevenue { sum }',
    buildFieldSelection(model, [stage, revenue]),
    findCurrencyField({ ...model, fields: [...model.fields, currency] }, sum),
  );
  expect(text).toContain('groupBy: [{ field: COMPANY_CURRENCY }]');
  expect(validate(schema, parse(text))).toEqual([]);
});

it('adds empty stages, and places records without a stage first and unknown stages last', () => {
  const group = (value: object | null, count: number, total: number | null) =>
    ({
      key: { stage: value },
      count,
      expectedRevenue: { sum: total },
      records: { nodes: [] },
    }) as unknown as BoardGroup;
  const buildStage = (id: string) => ({ id, displayName: `S${id}` });
  const groups = [group(buildStage('9'), 1, 5), group(buildStage('2'), 3, 70), group(null, 2, null)];
  const board = buildBoard(model, stage, sum, groups, [buildStage('1'), buildStage('2')]);
  expect(board.map(({ id, label, count, sum: total }) => `${id} ${label} ${count} ${total}`)).toEqual([
    '  2 null',
    '1 S1 0 null',
    '2 S2 3 70',
    '9 S9 1 5',
  ]);
});

it('updates the count and sum of both columns when a card moves', () => {
  const movedColumns = moveCard(columns, 'b', { column: '2', at: 0 }, 40);
  expect(getCardIds(movedColumns)).toEqual(['29 60 a', '2 40 bc']);
  expect(findCard(movedColumns, 'b')).toEqual({ column: '2', at: 0 });
  expect(getCardIds(moveCard(movedColumns, 'b', { column: '1', at: 1 }, 40))).toEqual(['30 100 ab', '1 0 c']);
  expect(getCardIds(moveCard(columns, 'a', { column: '1', at: 1 }, 0))).toEqual(['30 100 ba', '1 null c']);
  expect(moveCard(columns, 'x', { column: '2', at: 0 }, 0)).toEqual(columns);
});

it('adds loaded cards that the column does not already contain', () => {
  const [column] = columns;
  expect(getCardIds([addCards(column!, ['b', 'd'].map(buildCard))])).toEqual(['30 100 abd']);
});

it.each([
  ['ArrowDown', 'a', false, 'b'],
  ['ArrowUp', 'a', false, undefined],
  ['ArrowRight', 'b', false, 'd'],
  ['ArrowLeft', 'd', false, 'a'],
  ['ArrowLeft', 'b', true, 'd'],
  ['ArrowRight', 'd', false, undefined],
  ['Enter', 'a', false, undefined],
  ['ArrowDown', 'x', false, undefined],
])('%s from card %s (right to left: %s) focuses %s, past empty columns', (key, from, isMirrored, to) => {
  const board = [
    { ...columns[0]!, id: '1', cards: ['a', 'b'].map(buildCard) },
    { ...columns[0]!, id: '2', cards: [] },
    { ...columns[0]!, id: '3', cards: ['d'].map(buildCard) },
  ];
  expect(findAdjacentCard(board, from, key, isMirrored)).toBe(to);
});

it('computes a first sequence number that keeps the loaded cards before the others', () => {
  expect(computeFirstNumber([10, 10, 10], true)).toBe(1);
  expect(computeFirstNumber([10, 4], false)).toBe(8);
  expect(computeFirstNumber([], false)).toBe(1);
});

it('returns a currency for a sum only if all records share it', () => {
  const group = (name: string | null) => ({
    key: { companyCurrency: name && { id: name, displayName: name } },
  });
  expect(getSharedCurrency(currency, [group('EUR')])).toBe('EUR');
  expect(getSharedCurrency(currency, [group('EUR'), group('USD')])).toBeUndefined();
  expect(getSharedCurrency(currency, [group('EUR'), group(null)])).toBeUndefined();
  expect(getSharedCurrency(currency, [])).toBeUndefined();
  expect(getSharedCurrency(null)).toBeUndefined();
  expect(findCurrencyField(model, sum)).toBeNull();
});

it('shows the first columns, the priority, the tags and the assignee on a card', () => {
  const columns = ['displayName', 'stage', 'expectedRevenue', 'user'];
  expect(getCardFields(model, columns, stage)).toEqual([revenue, priority, tags, owner]);
  const [low, high] = ['LOW', 'HIGH'].map((graphqlName) => ({
    value: graphqlName,
    graphqlName,
    label: graphqlName,
  }));
  const levels = { ...priority, selection: [low, high] } as FieldDescription;
  expect(['LOW', 'HIGH', null].map((value) => getPriorityLevel(levels, value))).toEqual([0, 1, 0]);
});

it('offers a board only for models with a stage, and a calendar only for editable dates', () => {
  const listViewKinds = (...fields: FieldDescription[]) =>
    getViewKinds({ ...model, fields } as ModelDescription);
  const created = buildField('create_date', 'DATETIME');
  const closed = buildField('date_closed', 'DATETIME', { readonly: true });
  const deadline = buildField('date_deadline', 'DATE');
  expect(listViewKinds(stage, deadline)).toEqual(['kanban', 'calendar', 'pivot']);
  expect(listViewKinds(owner, priority, created, closed)).toEqual(['pivot']);
});
