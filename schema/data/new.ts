import { getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { findNameField } from '../../src/engine/model/naming.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { facadeResult } from '../../src/engine/operation/record-result.ts';
import { copy, copyData } from '../../src/engine/write/copy.ts';
import { computeDefaults } from '../../src/engine/write/defaults.ts';
import { onchange } from '../../src/engine/write/form/onchange.ts';
import { parseValues } from '../../src/engine/write/values.ts';
import { createWithName } from './create-with-name.ts';
import { NamedRecord } from './record-types.ts';

// Operations that clients call before and while creating a record. Argument names and positions follow classic RPC
// (Odoo 19).

export const recordDefaultGet = defineOperation('recordDefaultGet', {
  effects: ['reads'],
  address: '*/default_get',
  policy: { auth: ['USER'], scope: 'read' },
  description: 'Returns the default values of a new record. Fields without a default are omitted.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    fields: arg.stringList({ required: true }),
  }),
  aliases: { fields_list: 'fields' },
  run: (ctx, { model, fields }) => computeDefaults(ctx, model, fields),
});

export const recordNameCreate = defineOperation('recordNameCreate', {
  effects: ['writes'],
  standsFor: ['create'],
  address: '*/name_create',
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Creates a record from its name. Returns its id and display name, or false if the model has no name field.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    name: arg.string({ required: true, description: 'Name of the new record.' }),
  }),
  type: NamedRecord,
  nullable: true,
  returns: facadeResult.json,
  run: (ctx, { model, name }) => createByName(ctx, model, name),
  answer: (_ctx, pair) => pair || null,
});

async function createByName(ctx: Ctx, name: string, text: string): Promise<[number, string] | false> {
  const model = getModel(ctx, name);
  // A product variant stores its name in its template.
  const field = findNameField(model)?.name ?? model.options.accepts?.find((item) => item === 'name');
  return field === undefined ? false : createWithName(ctx, name, { [field]: text });
}

export const recordCopy = defineOperation('recordCopy', {
  effects: ['writes'],
  standsFor: ['create'],
  address: '*/copy',
  policy: { auth: ['USER'], scope: 'write' },
  description: 'Duplicates the given records and returns the ids of the copies.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    default: arg({ type: 'JSON' }),
  }),
  aliases: { defaults: 'default' },
  type: ['ID'],
  returns: facadeResult.ids,
  run: (ctx, { model, ids, default: defaults }) => copy(ctx, model, ids, defaults),
});

export const recordCopyData = defineOperation('recordCopyData', {
  effects: ['reads'],
  address: '*/copy_data',
  policy: { auth: ['USER'], scope: 'read' },
  description: 'Returns the values that `copy` would create, one object per record.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    default: arg({ type: 'JSON' }),
  }),
  run: (ctx, { model, ids, default: defaults }) => copyData(ctx, model, ids, defaults),
});

export const recordOnchange = defineOperation('recordOnchange', {
  effects: ['reads'],
  address: '*/onchange',
  policy: { auth: ['USER'], scope: 'read' },
  description:
    'Returns the form values that change because of an edit. Without `field_names`, returns the initial ' +
    'values of a new record.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    values: arg({ type: 'JSON', required: true, description: 'Current values of the form.' }),
    fieldNames: arg.stringList({ required: true, description: 'Fields that the user has changed.' }),
    fieldsSpec: arg({
      type: 'JSON',
      required: true,
      description: "Specification of the form's fields.",
    }),
  }),
  run: (ctx, { model, ids, values, fieldNames: changedNames, fieldsSpec: specification }) =>
    onchange(ctx, model, ids, parseValues(values), changedNames, specification),
});
