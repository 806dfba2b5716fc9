import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import { buildDiscussionQuery } from './discussion/document.ts';
import {
  buildApiSpec,
  buildCreateMutation,
  buildDeleteMutation,
  buildGroupsQuery,
  buildInput,
  buildLinesQuery,
  buildListQuery,
  buildRecordQuery,
  buildUpdateMutation,
  fromApiValues,
  toApiValues,
  toEnumName,
} from './document.ts';
import { buildField, lineModel } from './field-fixture.ts';
import { createLineEdits, type LineTransition, reduceLines } from './form/line-edits.ts';
import { getColumnFields, type ModelDescription } from './model.ts';

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'), { assumeValid: true });

const name = buildField('name', 'CHAR', { required: true });
const type = buildField('type', 'SELECTION', {
  selection: [{ value: 'lead', label: 'Lead', graphqlName: 'LEAD' }],
});
const revenue = buildField('expected_revenue', 'MONETARY', {
  graphqlName: 'expectedRevenue',
  currencyField: 'company_currency',
});
const currency = buildField('company_currency', 'MANY2ONE', {
  graphqlName: 'companyCurrencyId',
  relationName: 'companyCurrency',
  relation: 'res.currency',
  relationType: 'Currency',
});
const stage = buildField('stage_id', 'MANY2ONE', {
  graphqlName: 'stageId',
  relationName: 'stage',
  relation: 'crm.stage',
  relationType: 'CrmStage',
});
const tags = buildField('tag_ids', 'MANY2MANY', {
  graphqlName: null,
  relationName: 'tags',
  relation: 'crm.tag',
  relationType: 'CrmTag',
  list: true,
});
const orders = buildField('order_ids', 'ONE2MANY', {
  graphqlName: null,
  relationName: 'orders',
  relation: 'sale.order',
  relationType: 'SaleOrder',
  relationField: 'opportunity_id',
  list: true,
});
const open = buildField('date_open', 'DATETIME', { graphqlName: 'dateOpen' });
const messages = buildField('message_ids', 'ONE2MANY', {
  graphqlName: null,
  relationName: 'messages',
  relation: 'mail.message',
  relationType: 'Message',
  list: true,
});
const activities = {
  ...messages,
  name: 'activity_ids',
  relationName: 'activities',
  relation: 'mail.activity',
};
const hidden = buildField('x_secret', 'BINARY', { graphqlName: null });
const fields = [name, type, revenue, currency, stage, tags, orders, open, hidden];

const lead: ModelDescription = {
  name: 'crm.lead',
  label: 'Lead',
  pluralLabel: 'Leads',
  mainFields: [],
  typeName: 'CrmLead',
  queryField: 'crmLead',
  listField: 'crmLeads',
  groupField: 'crmLeadGroups',
  displayField: 'name',
  versionField: 'version',
  access: { read: true, create: true, update: true, delete: true },
  fields,
  operations: [],
};

const orderLines = buildField('order_line', 'ONE2MANY', {
  graphqlName: null,
  relationName: 'orderLines',
  relation: 'sale.order.line',
  relationType: 'SaleOrderLine',
  relationField: 'order_id',
  list: true,
});
const order: ModelDescription = {
  ...lead,
  name: 'sale.order',
  typeName: 'SaleOrder',
  queryField: 'saleOrder',
  listField: 'saleOrders',
  fields: [orderLines],
};
const edits = createLineEdits(lineModel, lineModel.fields.slice(0, 1));

it('all generated documents are valid against the server schema', () => {
  const documents = [
    buildListQuery(lead, fields),
    buildListQuery(lead, []),
    buildGroupsQuery(lead, stage),
    buildGroupsQuery(lead, type),
    buildRecordQuery(lead, fields),
    buildCreateMutation(lead, fields),
    buildCreateMutation(order, [], { orderLines: edits }),
    buildUpdateMutation(lead, fields),
    buildUpdateMutation(order, [], { orderLines: edits }),
    buildLinesQuery(order, orderLines, edits),
    buildUpdateMutation({ ...lead, versionField: null }, fields),
    buildDeleteMutation(lead),
    buildDiscussionQuery({ ...lead, fields: [messages, activities] }),
    buildDiscussionQuery({ ...lead, fields: [activities] }),
  ];
  for (const text of documents) expect(validate(schema, parse(text!)), text!).toEqual([]);
});

it('selects the newest lines after a save that adds lines, however long the list is', () => {
  const added = reduceLines(createLineEdits(lineModel, []), { type: 'add', key: 'new 0' });
  const newest =
    'newest_orderLines: orderLines(first: 1, orderBy: [{ field: ID, direction: DESC }]) { nodes { id } }';
  expect(buildUpdateMutation(order, [], { orderLines: added })).toContain(newest);
  expect(buildUpdateMutation(order, [], { orderLines: edits })).not.toContain('newest');
});

it('selects the currency of an amount and the name of a link, and omits unavailable fields', () => {
  const text = buildListQuery(lead, [revenue, stage, hidden])!;
  expect(text).toContain('companyCurrency { id displayName }');
  expect(text).toContain('stageId stage { id displayName }');
  expect(text).not.toContain('x_secret');
});

it('returns null if a model lacks the field that a query requires', () => {
  expect(buildListQuery({ ...lead, listField: null }, fields)).toBeNull();
  expect(buildGroupsQuery({ ...lead, groupField: null }, stage)).toBeNull();
  expect(buildGroupsQuery(lead, hidden)).toBeNull();
  expect(buildDiscussionQuery(lead)).toBeNull();
});

it('converts field names to enum values for sorting and grouping', () => {
  expect(fields.slice(0, 6).map(toEnumName)).toEqual([
    'NAME',
    'TYPE',
    'EXPECTED_REVENUE',
    'COMPANY_CURRENCY',
    'STAGE',
    'TAGS',
  ]);
});

const changedLines = [
  { type: 'add', key: 'new 0' },
  { type: 'changeAdded', key: 'new 0', values: { name: 'x', quantity: '' } },
  { type: 'add', key: 'new 1' },
  { type: 'change', id: '1', values: { quantity: '' } },
  { type: 'remove', id: '2' },
].reduce((lines, transition) => reduceLines(lines, transition as LineTransition), edits);

it('converts entered values to input values', () => {
  const entered = {
    name: 'Big deal',
    expectedRevenue: '12.50',
    stageId: '3',
    stage: { id: '3', displayName: 'Won' },
    tags: [{ id: '7', displayName: 'New' }],
    dateOpen: '',
    orders: changedLines,
  };
  expect(buildInput(fields, entered, false)).toEqual({
    name: 'Big deal',
    expectedRevenue: 12.5,
    stageId: '3',
    tags: { set: ['7'] },
    dateOpen: null,
    orders: {
      create: [{ name: 'x' }, {}],
      update: [{ id: '1', input: { quantity: null } }],
      delete: ['2'],
    },
  });
  expect(buildInput(fields, entered, true)).toEqual({
    name: 'Big deal',
    expectedRevenue: 12.5,
    stageId: '3',
    tags: { connect: ['7'] },
    orders: { create: [{ name: 'x' }, {}] },
  });
});

it('converts changed lines to commands, and requests the columns that the form shows', () => {
  expect(toApiValues([orders], { orders: changedLines })).toEqual({
    order_ids: [
      [2, 2],
      [1, 1, { quantity: false }],
      [0, 'new 0', { name: 'x', quantity: false }],
    ],
  });
  expect(buildApiSpec([orders], { orders: changedLines })).toEqual({ order_ids: { fields: { name: {} } } });
});

it("converts values to the record API's format and back", () => {
  const values = {
    name: 'Big deal',
    type: 'LEAD',
    expectedRevenue: 12.5,
    stageId: '3',
    tags: { nodes: [{ id: '7', displayName: 'New' }] },
    dateOpen: '2026-11-23T10:00:00.000Z',
  };
  const sent = toApiValues(fields, values);
  expect(sent).toEqual({
    name: 'Big deal',
    type: 'lead',
    expected_revenue: 12.5,
    stage_id: 3,
    tag_ids: [[6, 0, [7]]],
    date_open: '2026-11-23 10:00:00',
  });
  const result = {
    ...sent,
    stage_id: { id: 3, display_name: 'Won' },
    tag_ids: [[4, 7, { id: 7, display_name: 'New' }]],
  };
  expect(fromApiValues(fields, result)).toEqual({
    name: 'Big deal',
    type: 'LEAD',
    expectedRevenue: 12.5,
    stageId: '3',
    stage: { id: '3', displayName: 'Won' },
    tags: [{ id: '7', displayName: 'New' }],
    dateOpen: '2026-11-23T10:00:00Z',
  });
  expect(fromApiValues(fields, { name: false, stage_id: false, tag_ids: [] })).toEqual({
    name: null,
    stageId: null,
    stage: null,
    tags: [],
  });
});

it('omits a relation whose name belongs to another field from columns', () => {
  // As on `ir.model.fields`, where `model` is the name of a model.
  const text = buildField('model', 'CHAR');
  const link = buildField('model_id', 'MANY2ONE', { graphqlName: 'modelId', relation: 'ir.model' });
  const named = buildField('stage_id', 'MANY2ONE', {
    ...{ graphqlName: 'stageId', relationName: 'stage', relation: 'crm.stage' },
  });
  const description = { fields: [text, link, named] } as ModelDescription;
  expect(getColumnFields(description)).toEqual([text, named]);
});
