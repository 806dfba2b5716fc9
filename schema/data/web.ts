import { getModel } from '../../src/engine/access/create-statement.ts';
import { assertRowsAllowed } from '../../src/engine/access/row-access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { parsePage } from '../../src/engine/read/query.ts';
import { buildPageAfter, nameSearch } from '../../src/engine/read/records.ts';
import { webRead, webSearchRead } from '../../src/engine/read/web-read.ts';
import type { RawJson } from '../../src/engine/value/raw-json.ts';
import { parseValues } from '../../src/engine/write/values.ts';
import { getExpectedVersions } from '../../src/engine/write/versions.ts';
import { create, write } from '../../src/engine/write/write.ts';
import { errors } from '../../src/errors.ts';

// Reads records and their related records according to a specification such as `{"name": {}, "country_id": {"fields":
// {"code": {}}}}`. Argument names and positions follow classic RPC (Odoo 19).

const reads: Policy = { auth: ['USER'], scope: 'read' };
const writes: Policy = { auth: ['USER'], scope: 'write' };

export const recordWebRead = defineOperation('recordWebRead', {
  effects: ['reads'],
  address: '*/web_read',
  policy: reads,
  description:
    'Returns the given records with the fields of a specification. A relation with `fields` is returned as ' +
    'nested records.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    specification: arg({ type: 'JSON', required: true }),
  }),
  run: (ctx, { model, ids, specification }) => webRead(ctx, model, ids, specification),
});

export const recordWebSearchRead = defineOperation('recordWebSearchRead', {
  effects: ['reads'],
  address: '*/web_search_read',
  policy: reads,
  description: 'Returns a page of matching records in the format of `web_read`, and their total number.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    domain: arg({ type: 'JSON', required: true }),
    specification: arg({ type: 'JSON', required: true }),
    offset: arg.int({ defaultValue: 0 }),
    limit: arg.int(),
    order: arg.string(),
    countLimit: arg.int({ description: 'Stop counting at this number.' }),
    after: arg.recordId({
      description:
        'Id of a record. Only records after its current position in the sort order are returned. To page ' +
        'through records that others edit, sort by fields that do not change, such as `id`.',
    }),
  }),
  run: async (ctx, { model, domain, specification, offset, limit, order, countLimit, after }) =>
    webSearchRead(ctx, {
      model,
      domain,
      specification,
      page: await buildPageAfter(ctx, model, parsePage(offset, limit, order), after),
      countLimit: parsePage(0, countLimit, null).limit || null,
    }),
});

export const recordWebSave = defineOperation('recordWebSave', {
  effects: ['writes'],
  tool: 'update',
  address: '*/web_save',
  policy: writes,
  description:
    'Updates the given records, or creates one if `ids` is empty. Returns the records in the format of `web_read`.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    vals: arg({ type: 'JSON', required: true }),
    specification: arg({ type: 'JSON', required: true }),
    nextId: arg.recordId({ description: 'Record to return instead of the saved ones.' }),
  }),
  run: (ctx, { model, ids, vals, specification, nextId: next }) =>
    ctx.tx(async (tx) => {
      const savedIds = await saveRecords(tx, model, ids, vals);
      return webRead(tx, model, next ? [next] : savedIds, specification);
    }),
});

export const recordWebNameSearch = defineOperation('recordWebNameSearch', {
  effects: ['reads'],
  address: '*/web_name_search',
  policy: reads,
  description: 'Returns the records whose name matches, with the fields of a specification.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    name: arg.string({ required: true, description: 'Text to look for in the display name.' }),
    specification: arg({ type: 'JSON', required: true }),
    domain: arg({ type: 'JSON', description: 'Further conditions that the records must meet.' }),
    operator: arg.string({ defaultValue: 'ilike' }),
    limit: arg.int({ defaultValue: 100 }),
  }),
  async run(ctx, { model, name, specification, domain, operator, limit }) {
    const page = parsePage(0, limit, null);
    const records = await nameSearch(ctx, {
      model,
      text: name,
      domain: domain || null,
      operator: operator ?? 'ilike',
      limit: page.limit ?? null,
    });
    return webRead(
      ctx,
      model,
      records.map(([id]) => id),
      specification,
    );
  },
});

export const recordWebResequence = defineOperation('recordWebResequence', {
  effects: ['writes'],
  address: '*/web_resequence',
  policy: writes,
  description: 'Numbers the records in the order of `ids` and returns them in the format of `web_read`.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    specification: arg({ type: 'JSON', required: true }),
    fieldName: arg.string({ defaultValue: 'sequence', description: 'Field that holds the number.' }),
    offset: arg.int({ defaultValue: 0, description: 'Number of the first record.' }),
  }),
  run: (ctx, { model, ids, specification, fieldName: field, offset }) =>
    resequence(ctx, model, ids, field ?? 'sequence', offset ?? 0, specification),
});

async function saveRecords(ctx: Ctx, model: string, ids: number[], vals: unknown): Promise<number[]> {
  if (ids.length === 0) return create(ctx, model, [parseValues(vals)]);
  await write(ctx, model, ids, parseValues(vals), { versions: getExpectedVersions(ctx, ids) });
  return ids;
}

async function resequence(
  ctx: Ctx,
  name: string,
  ids: number[],
  field: string,
  offset: number,
  specification: unknown,
): Promise<RawJson> {
  const model = getModel(ctx, name);
  if (model.fields.get(field)?.type !== 'integer') throw errors.unknownField(field, name, 'on');
  return ctx.tx(async (tx) => {
    await assertRowsAllowed(tx, model, ids, 'write');
    for (const [index, id] of ids.entries()) await write(tx, name, [id], { [field]: offset + index });
    return webRead(tx, name, ids, specification);
  });
}
