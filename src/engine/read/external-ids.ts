import { memoizePerObject } from '../../cache.ts';
import { sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { allocateIds } from '../ctx/allocate-ids.ts';
import { type Ctx, requestReferenceRows } from '../ctx/ctx.ts';
import type { FirstUse } from '../ctx/model-hooks.ts';
import type { Model, Registry } from '../model/model.ts';

/** Name that identifies a record in code and imports: `module.name`. */
export interface ExternalId {
  xmlid: string;
  noupdate: boolean;
}

const FULL_NAME = sql`case when t.module = '' then t.name else t.module || '.' || t.name end`;

/** Finds the external ids of records, oldest first. A caller who may read a record may also read its external ids. */
export async function findExternalIds(
  ctx: Ctx,
  model: Model,
  ids: number[],
): Promise<Map<number, ExternalId[]>> {
  const idsByRecord = new Map<number, ExternalId[]>();
  if (ids.length === 0) return idsByRecord;
  const rows = await ctx.db.rows<{ res_id: number; xmlid: string; noupdate: boolean | null }>(
    sql`select t.res_id, ${FULL_NAME} as xmlid, t.noupdate from ir_model_data t
     where t.workspace_id = ${ctx.workspace.id} and t.model = ${model.name} and t.res_id = any(${ids}) order by t.id`,
  );
  for (const { res_id: id, xmlid, noupdate } of rows) {
    const names = idsByRecord.get(id);
    const name = { xmlid, noupdate: noupdate ?? false };
    if (names) names.push(name);
    else idsByRecord.set(id, [name]);
  }
  const unnamedIds = ids.filter((id) => !idsByRecord.has(id));
  for (const [id, name] of (await model.options.firstUse?.findNames(ctx, unnamedIds)) ?? [])
    idsByRecord.set(id, [{ xmlid: `${BASE_MODULE}.${name}`, noupdate: true }]);
  return idsByRecord;
}

const BASE_MODULE = 'base';

interface ReferenceModel {
  model: Model;
  firstUse: FirstUse;
}

/**
 * Finds reference records by external ids that are not stored (see first-use.ts). Searches all models if `model` is
 * null.
 */
export async function findReferenceRecords(
  ctx: Ctx,
  model: Model | null,
  names: string[],
): Promise<Map<string, { model: string; id: number }>> {
  const references = new Map<string, { model: string; id: number }>();
  for (const { model: item, firstUse } of getReferenceModels(ctx.catalog.registry)) {
    const namesInUse = names.filter((name) => firstUse.names.test(name));
    if (namesInUse.length === 0 || (model && model !== item)) continue;
    requestReferenceRows(ctx, item);
    for (const [name, id] of await firstUse.find(ctx, namesInUse))
      references.set(name, { model: item.name, id });
  }
  return references;
}

const getReferenceModels = memoizePerObject((registry: Registry): ReferenceModel[] =>
  [...registry.values()].flatMap((model) => {
    const { firstUse } = model.options;
    return firstUse ? [{ model, firstUse }] : [];
  }),
);

/** Finds records by external id. Searches all models if `model` is null. Omits unknown ids. */
export async function findRecordsByExternalId(
  ctx: Ctx,
  model: Model | null,
  xmlids: string[],
): Promise<Map<string, number>> {
  if (xmlids.length === 0) return new Map();
  const parts = xmlids.map(splitExternalId);
  const rows = await ctx.db.rows<{ xmlid: string; res_id: number }>(
    sql`select t.module || '.' || t.name as xmlid, t.res_id from ir_model_data t
     join unnest(${parts.map(({ module }) => module)}::text[], ${parts.map(({ name }) => name)}::text[]) w(module, name)
       on w.module = t.module and w.name = t.name
     where t.workspace_id = ${ctx.workspace.id}${model ? sql` and t.model = ${model.name}` : sql.empty}`,
  );
  const byName = new Map(rows.map((row) => [row.xmlid, row.res_id]));
  const otherParts = parts.filter(
    ({ module, name }) => module === BASE_MODULE && !byName.has(`${BASE_MODULE}.${name}`),
  );
  const stock = await findReferenceRecords(
    ctx,
    model,
    otherParts.map(({ name }) => name),
  );
  for (const [name, { id }] of stock) byName.set(`${BASE_MODULE}.${name}`, id);
  return new Map(
    xmlids.flatMap((xmlid, index) => {
      const { module, name } = parts[index]!;
      const id = byName.get(`${module}.${name}`);
      return id === undefined ? [] : [[xmlid, id] as const];
    }),
  );
}

/** Splits an external id. Ids imported without a module belong to `__import__`. */
function splitExternalId(xmlid: string): { module: string; name: string } {
  const dot = xmlid.indexOf('.');
  return dot < 0
    ? { module: '__import__', name: xmlid }
    : { module: xmlid.slice(0, dot), name: xmlid.slice(dot + 1) };
}

/**
 * Assigns external ids to records.
 * @param noupdate prevents imports from overwriting the records
 * @throws VALIDATION if one of the ids belongs to another record
 */
export async function assignExternalIds(
  ctx: Ctx,
  model: Model,
  externalIds: { xmlid: string; id: number }[],
  noupdate = false,
): Promise<void> {
  if (externalIds.length === 0) return;
  const maxBatch = limits.sql.batchRows;
  if (externalIds.length <= maxBatch) return assignBatch(ctx, model, externalIds, noupdate);
  await ctx.tx(async (tx) => {
    for (let start = 0; start < externalIds.length; start += maxBatch)
      await assignBatch(tx, model, externalIds.slice(start, start + maxBatch), noupdate);
  });
}

async function assignBatch(
  ctx: Ctx,
  model: Model,
  externalIds: { xmlid: string; id: number }[],
  noupdate: boolean,
): Promise<void> {
  const parts = externalIds.map(({ xmlid }) => splitExternalId(xmlid));
  const ids = await allocateIds(ctx, 'ir_model_data', externalIds.length);
  const newRows = await ctx.db.rows<{ module: string; name: string }>(
    sql`insert into ir_model_data (workspace_id, id, module, name, model, res_id, noupdate)
     select ${ctx.workspace.id}, w.own, w.module, w.name, ${model.name}, w.id, ${noupdate}
       from unnest(${ids}::int8[], ${parts.map(({ module }) => module)}::text[],
         ${parts.map(({ name }) => name)}::text[],
         ${externalIds.map(({ id }) => id)}::int8[]) w(own, module, name, id)
     on conflict (workspace_id, module, name) do nothing returning module, name`,
  );
  const names = new Set(newRows.map(({ module, name }) => `${module}.${name}`));
  const missingPart = parts.find(({ module, name }) => !names.has(`${module}.${name}`));
  if (missingPart)
    throw errors.validation(
      `The external id '${missingPart.module}.${missingPart.name}' is already used by another record (id)`,
    );
}
