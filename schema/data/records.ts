import { getModel } from '../../src/engine/access/create-statement.ts';
import { describeModel, listModels, renderFieldsText } from '../../src/engine/describe/describe.ts';
import { getLabelLanguage, getRequestedLanguage, labelsArgument } from '../../src/engine/describe/labels.ts';
import type { Values } from '../../src/engine/model/model.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { facadeResult } from '../../src/engine/operation/record-result.ts';
import { parsePage } from '../../src/engine/read/query.ts';
import {
  buildPageAfter,
  nameSearch,
  read,
  search,
  searchCount,
  searchRead,
  streamSearch,
} from '../../src/engine/read/records.ts';
import { getExpectedVersions } from '../../src/engine/write/versions.ts';
import { create, unlink, write } from '../../src/engine/write/write.ts';
import { errors } from '../../src/errors.ts';
import { isObject } from '../../src/json.ts';
import { limits } from '../../src/limits.ts';
import { buildFieldDetails, buildModelDetails } from './model-description.ts';
import { FieldDescription, ModelDescription, ModelName } from './model-types.ts';
import { NamedRecord } from './record-types.ts';

// Operations of every model. Argument names and positions follow classic RPC (ORM methods of Odoo 19).

const reads: Policy = { auth: ['USER'], scope: 'read' };
const writes: Policy = { auth: ['USER'], scope: 'write' };

/** Value of `load` that returns a many2one as `[id, name]`. Any other value returns only the id. */
const CLASSIC_READ = '_classic_read';
const parseLoadFormat = (load: string | null | undefined) => (load === CLASSIC_READ ? 'record' : 'ids');

/** @throws BAD_VALUE with the argument's name if an element is not an object */
function checkValues(argument: string, list: unknown[]): Values[] {
  if (!list.every(isObject))
    throw errors.wrongArgument(argument, 'values must be an object whose keys are field names');
  return list as Values[];
}

export const recordSearch = defineOperation('recordSearch', {
  effects: ['reads'],
  address: '*/search',
  policy: reads,
  description: 'Returns the ids of the records that match a domain.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    domain: arg({ type: 'JSON', required: true }),
    offset: arg.int({ defaultValue: 0 }),
    limit: arg.int(),
    order: arg.string(),
  }),
  aliases: { args: 'domain' },
  type: ['ID'],
  returns: facadeResult.ids,
  run: (ctx, { model, domain, offset, limit, order }) =>
    search(ctx, model, domain, parsePage(offset, limit, order)),
});

export const recordSearchRead = defineOperation('recordSearchRead', {
  effects: ['reads'],
  tool: 'search',
  address: '*/search_read',
  policy: reads,
  description: 'Returns the records that match a domain.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    domain: arg({ type: 'JSON' }),
    fields: arg.stringList(),
    offset: arg.int({ defaultValue: 0 }),
    limit: arg.int(),
    order: arg.string(),
    load: arg.string({ defaultValue: CLASSIC_READ }),
    after: arg.recordId({
      description:
        'Id of a record. Only records after its current position in the sort order are returned. To page ' +
        'through records that others edit, sort by fields that do not change, such as `id`.',
    }),
  }),
  run: async (ctx, { model, domain, fields, offset, limit, order, load, after }) =>
    (ctx.streaming ? streamSearch : searchRead)(ctx, {
      model,
      domain: domain || [],
      fields: fields ?? null,
      page: await buildPageAfter(ctx, model, parsePage(offset, limit, order), after),
      flavour: parseLoadFormat(load),
    }),
});

export const recordRead = defineOperation('recordRead', {
  effects: ['reads'],
  tool: 'get',
  address: '*/read',
  policy: reads,
  description: 'Returns the given records in the order of `ids`. Records that do not exist are omitted.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    fields: arg.stringList(),
    load: arg.string({ defaultValue: CLASSIC_READ }),
  }),
  aliases: { fields_names: 'fields' },
  run: (ctx, { model, ids, fields, load }) =>
    read(ctx, { model, ids, fields: fields ?? null, flavour: parseLoadFormat(load) }),
});

export const recordSearchCount = defineOperation('recordSearchCount', {
  effects: ['reads'],
  tool: 'count',
  address: '*/search_count',
  policy: reads,
  description: 'Counts the records that match a domain.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    domain: arg({ type: 'JSON', required: true }),
    limit: arg.int({ description: 'Stop counting at this number.' }),
  }),
  aliases: { args: 'domain' },
  type: 'Int',
  run: (ctx, { model, domain, limit }) => searchCount(ctx, model, domain, parsePage(0, limit, null).limit),
});

export const recordNameSearch = defineOperation('recordNameSearch', {
  effects: ['reads'],
  tool: 'find',
  address: '*/name_search',
  policy: reads,
  description: 'Returns the ids and display names of records whose name matches.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    name: arg.string({ defaultValue: '', description: 'Text to look for in the display name.' }),
    domain: arg({ type: 'JSON', description: 'Further conditions that the records must meet.' }),
    operator: arg.string({ defaultValue: 'ilike' }),
    limit: arg.int({ defaultValue: 100 }),
  }),
  aliases: { args: 'domain' },
  type: [NamedRecord],
  returns: facadeResult.json,
  run: (ctx, { model, name, domain, operator, limit }) =>
    nameSearch(ctx, {
      model,
      text: name ?? '',
      domain: domain || null,
      operator: operator ?? 'ilike',
      limit: parsePage(0, limit, null).limit ?? null,
    }),
});

export const recordFieldsGet = defineOperation('recordFieldsGet', {
  effects: ['reads'],
  address: '*/fields_get',
  policy: reads,
  description: 'Returns the field definitions of a model. Does not require access to the model.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    allfields: arg.stringList({ description: 'Names of the fields to return. Defaults to all.' }),
    attributes: arg.stringList({ description: 'Attributes to return for each field. Defaults to all.' }),
  }),
  aliases: { fields: 'allfields' },
  type: [FieldDescription.ref],
  returns: facadeResult.json,
  run: (ctx, { model, allfields, attributes }) =>
    renderFieldsText(ctx, model, allfields ?? null, attributes ?? null),
  answer: (ctx, _fields, { model, allfields }) =>
    buildFieldDetails(ctx, getModel(ctx, model), allfields ?? null, getLabelLanguage(ctx)),
});

export const recordCreate = defineOperation('recordCreate', {
  effects: ['writes'],
  tool: 'create',
  address: '*/create',
  policy: writes,
  description: 'Creates records and returns their ids. If one is invalid, none is created.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    valsList: arg({ type: 'JSON', required: true }),
  }),
  aliases: { vals: 'vals_list', values: 'vals_list', list_vals: 'vals_list' },
  type: ['ID'],
  returns: facadeResult.ids,
  run: (ctx, { model, valsList: values }) =>
    create(ctx, model, checkValues('vals_list', Array.isArray(values) ? values : [values])),
});

export const recordWrite = defineOperation('recordWrite', {
  effects: ['writes'],
  tool: 'update',
  address: '*/write',
  policy: writes,
  description: 'Updates all given records with the same values. If one cannot be updated, none is.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    vals: arg({ type: 'JSON', required: true }),
  }),
  aliases: { values: 'vals' },
  type: 'Boolean',
  run: (ctx, { model, ids, vals }) =>
    write(ctx, model, ids, checkValues('vals', [vals])[0]!, { versions: getExpectedVersions(ctx, ids) }),
});

export const recordUnlink = defineOperation('recordUnlink', {
  effects: ['writes', 'deletes'],
  tool: 'delete',
  address: '*/unlink',
  policy: writes,
  description: 'Deletes the given records. If one cannot be deleted, none is.',
  args: (arg) => ({ model: arg.string({ required: true }), ids: arg.recordIds({ required: true }) }),
  type: 'Boolean',
  run: (ctx, { model, ids }) => unlink(ctx, model, ids),
});

export const modelsOperation = defineOperation('models', {
  effects: ['reads'],
  policy: reads,
  description: 'Lists the models that the caller may read.',
  args: (arg) => ({
    filter: arg.string({ description: 'Part of the technical name or label.' }),
    limit: arg.int({ defaultValue: limits.mcp.models, description: 'Maximum number of models to return.' }),
    lang: arg.string(labelsArgument),
  }),
  type: [ModelName],
  run: (ctx, { filter, limit, lang }) =>
    listModels(ctx, filter ?? null, Math.max(0, limit ?? limits.mcp.models), getRequestedLanguage(ctx, lang)),
});

export const modelDescribe = defineOperation('modelDescribe', {
  effects: ['reads'],
  policy: reads,
  description: "Returns a model's fields and the operations that the caller may perform on it.",
  args: (arg) => ({ model: arg.string({ required: true }), lang: arg.string(labelsArgument) }),
  type: ModelDescription.ref,
  run: (ctx, { model, lang }) => describeModel(ctx, model, getRequestedLanguage(ctx, lang)),
  answer: (ctx, { model }, { lang }) => buildModelDetails(ctx, model, getRequestedLanguage(ctx, lang)),
});
