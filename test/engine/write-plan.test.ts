import { describe, expect, test } from 'vitest';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { type DomainNode, oneOf } from '../../src/engine/domain/node.ts';
import { createField, type Field } from '../../src/engine/model/field.ts';
import type { Model, ModelOptions, Values } from '../../src/engine/model/model.ts';
import { planCreate, planInsert, planUpdate, planWrite } from '../../src/engine/write/plan.ts';
import type { WritableRow } from '../../src/engine/write/row.ts';
import { buildWritableRow } from '../../src/engine/write/values.ts';

const name = createField('name', 'char', 'Name');
const amount = createField('amount', 'monetary', 'Amount', { currency: 'currency_id' });
const looseField = createField('x_link', 'many2one', 'Link', { loose: true, relation: 'thing' });
const lines = createField('line_ids', 'one2many', 'Lines', { relation: 'line' });
const properties = createField('properties', 'properties', 'Properties', {
  definition: ['parent_id', 'definitions'],
});
const parent = createField('parent_id', 'many2one', 'Parent', { relation: 'thing' });
const computedField = createField('size', 'integer', 'Size', {
  computed: () => {
    throw new Error('not asked');
  },
});

const noop = () => undefined;

const buildModel = (options: Partial<ModelOptions> = {}): Model => ({
  name: 'thing',
  module: 'base',
  prisma: 'Thing',
  table: 'thing',
  label: 'Thing',
  pluralLabel: 'Things',
  help: '',
  fields: new Map(
    [name, amount, looseField, lines, properties, parent, computedField].map((f) => [f.name, f]),
  ),
  display: 'name',
  searchNames: ['name'],
  order: 'id',
  active: null,
  customId: null,
  extensible: true,
  options: { group: 'data', access: {}, ...options },
});

const buildRow = (columns: [Field, unknown][], overrides: Partial<WritableRow> = {}): WritableRow => ({
  columns: new Map(columns),
  custom: {},
  files: new Map(),
  lists: [],
  loose: new Map(),
  fractional: false,
  indexed: false,
  pending: [],
  ...overrides,
});

const toRow = (values: Values): WritableRow =>
  buildWritableRow(
    { sudo: true, principal: null, context: { lang: null } } as Ctx,
    buildModel(),
    values,
    'write',
  );

const plainRow = buildRow([[name, 'Ann']]);
const buildExists = (model: Model): DomainNode => ({
  kind: 'exists',
  field: parent,
  model,
  where: oneOf(name, ['Ann']),
  ruled: false,
  active: false,
});

describe('write plan', () => {
  const tree = { tree: { parent: 'parent_id', loop: 'no loops' } };
  test.each([
    ['no records', {}, {}, [], 'nothing', 'there are no records'],
    ['plain values', {}, { name: 'Ann' }, [1], 'rows', 'no preparation needed'],
    [
      'a hook that completes values',
      { beforeWrite: noop },
      { name: 'Ann' },
      [1],
      'transaction',
      'beforeWrite',
    ],
    ['a position in a tree', tree, { parent_id: 2 }, [1], 'transaction', 'a new tree parent'],
    ['a position at the root of a tree', tree, { parent_id: false }, [1], 'rows', 'no preparation needed'],
    ['properties', {}, { properties: {} }, [1], 'transaction', 'properties'],
    ['one prepared record', { prepare: noop }, {}, [1], 'rows', 'no preparation needed'],
    [
      'several prepared records',
      { prepare: noop },
      {},
      [1, 2],
      'transaction',
      'prepare with several records',
    ],
  ])('plans a write with %s', (_case, options, values, ids, mode, reason) => {
    expect(planWrite(buildModel(options), values, ids)).toEqual({ mode, reason });
  });
});

describe('create plan', () => {
  test.each([
    ['no records', {}, [], 'nothing', 'there are no records'],
    ['plain values', {}, [{ name: 'Ann' }], 'rows', 'no preparation needed'],
    ['a hook that completes values', { beforeCreate: noop }, [{}], 'transaction', 'beforeCreate'],
    ['properties of one of several records', {}, [{}, { properties: {} }], 'transaction', 'properties'],
    ['invalid values', {}, [null], 'rows', 'no preparation needed'],
  ])('plans a create with %s', (_case, options, list, mode, reason) => {
    expect(planCreate(buildModel(options), list)).toEqual({ mode, reason });
  });
});

describe('insert plan', () => {
  const other = { ...buildModel(), table: 'other' };
  test.each<[string, Partial<ModelOptions>, WritableRow[], DomainNode | null, string, string]>([
    ['rows with equal columns', {}, [plainRow, plainRow], null, 'statement', 'no further steps'],
    ['an after-write hook', { afterCreate: noop }, [plainRow], null, 'steps', 'afterCreate'],
    ['other columns', {}, [plainRow, buildRow([[amount, 1]])], null, 'steps', 'rows with different columns'],
    ['lists', {}, [buildRow([], { lists: [{ field: lines, value: [] }] })], null, 'steps', 'lists'],
    ['an indexed field', {}, [buildRow([], { indexed: true })], null, 'steps', 'indexed custom fields'],
    [
      'a file',
      {},
      [buildRow([], { files: new Map([[looseField, null]]) })],
      null,
      'steps',
      'files of custom fields',
    ],
    ['a loose link', {}, [toRow({ x_link: 3 })], null, 'steps', 'links without a foreign key'],
    ['a loose link that is unset', {}, [toRow({ x_link: false })], null, 'statement', 'no further steps'],
    ['a fractional amount', {}, [toRow({ amount: 1.234 })], null, 'steps', 'amounts that need rounding'],
    ['a whole amount', {}, [toRow({ amount: 2 })], null, 'statement', 'no further steps'],
    ['a rule on the row', {}, [plainRow], oneOf(name, ['Ann']), 'statement', 'no further steps'],
    ['a rule on another table', {}, [plainRow], buildExists(other), 'statement', 'no further steps'],
    [
      'a rule on the same table',
      {},
      [plainRow],
      buildExists(buildModel()),
      'steps',
      'a rule about other records',
    ],
    [
      'a rule on a computed field',
      {},
      [plainRow],
      oneOf(computedField, [1]),
      'steps',
      'a rule about other records',
    ],
  ])('plans an insert with %s', (_case, options, rows, rule, mode, reason) => {
    expect(planInsert(buildModel(options), rows, rule)).toEqual({ mode, reason });
  });
});

describe('update plan', () => {
  const follows = { model: 'res_model', id: 'res_id', also: () => [] };
  test.each<[string, Partial<ModelOptions>, number[], WritableRow, object, string, string]>([
    ['one record', {}, [1], plainRow, {}, 'statement', 'no further steps'],
    ['several records', {}, [1, 2], plainRow, {}, 'steps', 'several records'],
    ['an after-write hook', { afterWrite: noop }, [1], plainRow, {}, 'steps', 'afterWrite'],
    ['lists', {}, [1], buildRow([], { lists: [{ field: lines, value: [] }] }), {}, 'steps', 'lists'],
    ['a changed parent', { follows }, [1], plainRow, { res_id: 4 }, 'steps', 'a new followed record'],
    ['an unchanged parent', { follows }, [1], plainRow, { name: 'Ann' }, 'statement', 'no further steps'],
  ])('plans an update with %s', (_case, options, ids, rows, values, mode, reason) => {
    expect(planUpdate({ model: buildModel(options), ids, values: { ...values }, row: rows })).toEqual({
      mode,
      reason,
    });
  });
});
