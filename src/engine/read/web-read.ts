import { sql } from '../../db/sql.ts';
import { mapYielding } from '../../loop/yield.ts';
import { assertModelAccess } from '../access/access.ts';
import { getModel } from '../access/create-statement.ts';
import { assertRowsAllowed } from '../access/row-access.ts';
import { applyCallContext } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { buildSourceSql, buildTableSql } from '../sql/columns.ts';
import { getMainSource } from '../sql/statement.ts';
import { buildRuleSql } from '../sql/where.ts';
import { RawJson } from '../value/raw-json.ts';
import { assertNestedRowCount } from './nested-rows.ts';
import { buildConditionsSql, buildPageSql, type PageOptions } from './query.ts';
import { read, searchCount, searchRead } from './records.ts';
import { isReferenceField, parseSpecification, type Specification, toSelectList } from './specification.ts';

/**
 * Reads the rows `ids` with the specified fields, nested to any depth. Runs one statement, plus one for each model that
 * references lead to.
 * @throws BAD_VALUE for an unknown field or an invalid specification, ACCESS_ERROR
 */
export async function webRead(ctx: Ctx, name: string, ids: number[], input: unknown): Promise<RawJson> {
  const model = getModel(ctx, name);
  const specification = parseSpecification(ctx, model, input);
  const fields = toSelectList(ctx, model, specification);
  await assertNestedRowCount(ctx, model, fields, (statement) => {
    const source = getMainSource(model);
    const rows = sql`${buildSourceSql(statement, source)}
      and t.id = any(${ids}::int[])${buildRuleSql(statement, source)}`;
    return sql`(select t.* from ${rows}) t`;
  });
  const rows = await read(ctx, { model: name, ids, fields, flavour: 'ids' });
  return completeReferences(ctx, model, specification, rows);
}

async function completeReferences(
  ctx: Ctx,
  model: Model,
  specification: Specification,
  rows: RawJson,
): Promise<RawJson> {
  if (!hasReferences(ctx, model, specification)) return rows;
  const records = await rows.valueYielding<Values[]>();
  await fillReferences(ctx, model, specification, records);
  const texts = await mapYielding(records, (record) => JSON.stringify(record));
  return new RawJson(`[${texts.join(',\n')}]`, rows.count);
}

interface WebQuery {
  model: string;
  domain: unknown;
  specification: unknown;
  page: PageOptions;
  /** Maximum count. Null means no limit. */
  countLimit: number | null;
}

/**
 * Returns `{length, records}`: the number of matching rows, counted up to `countLimit`, and the page in the format of
 * webRead.
 */
export async function webSearchRead(ctx: Ctx, query: WebQuery): Promise<RawJson> {
  const { model: name, domain, page, countLimit } = query;
  const model = getModel(ctx, name);
  const specification = parseSpecification(ctx, model, query.specification);
  const fields = toSelectList(ctx, model, specification);
  await assertNestedRowCount(ctx, model, fields, (statement) => {
    const where = buildConditionsSql(ctx, statement, model, domain);
    const { joins, rest } = buildPageSql(statement, getMainSource(model), page);
    return sql`(select t.* from ${buildTableSql(statement, model)} t${joins} where ${where}${rest}) t`;
  });
  // As in web_read, and unlike in search_read, lists contain archived records if the context requests them (Odoo 19).
  const archived = !ctx.context.activeTest;
  const records = await searchRead(ctx, { model: name, domain, fields, page, archived, flavour: 'ids' });
  const rows = await completeReferences(ctx, model, specification, records);
  const length = computeLength(page, rows.count) ?? (await searchCount(ctx, name, domain, countLimit));
  return new RawJson([`{"length":${length},"records":`, ...rows.pieces, '}'], rows.count);
}

/** Returns the total number of rows if the page reveals it, otherwise null. */
function computeLength({ offset, limit, after }: PageOptions, count: number): number | null {
  const isLast = !limit || count < limit;
  return isLast && !after && (count > 0 || !offset) ? (offset ?? 0) + count : null;
}

/** Reads the many2one value of an unsaved record in the specified shape, such as `{id, display_name…}`. */
export async function readLinkedValue(
  ctx: Ctx,
  field: Field,
  value: unknown,
  specification: Specification,
): Promise<unknown> {
  const { fields: nestedFields, context } = specification[field.name] ?? {};
  if (field.type !== 'many2one' || typeof value !== 'number' || !nestedFields) return value;
  return (
    (await webRead(applyCallContext(ctx, context), field.relation!, [value], nestedFields)).value<
      Values[]
    >()[0] ?? false
  );
}

function hasReferences(ctx: Ctx, model: Model, specification: Specification): boolean {
  return Object.entries(specification).some(([name, { fields }]) => {
    const field = model.fields.get(name)!;
    if (!fields) return false;
    return isReferenceField(field) || hasReferences(ctx, getModel(ctx, field.relation!), fields);
  });
}

/** Replaces references with their target records. A reference without a target becomes false. */
async function fillReferences(
  ctx: Ctx,
  model: Model,
  specification: Specification,
  records: Values[],
): Promise<void> {
  for (const [name, { fields }] of Object.entries(specification)) {
    const field = model.fields.get(name)!;
    if (!fields) continue;
    if (isReferenceField(field)) await fillField(ctx, field, specification, records);
    else
      await fillReferences(ctx, getModel(ctx, field.relation!), fields, collectInnerRecords(records, name));
  }
}

const isRecord = (value: unknown): value is Values => value !== null && typeof value === 'object';

function collectInnerRecords(records: Values[], name: string): Values[] {
  return records.flatMap((record) => record[name]).filter(isRecord);
}

async function fillField(
  ctx: Ctx,
  field: Field,
  specification: Specification,
  records: Values[],
): Promise<void> {
  const targets = new Map<Values, { model: string; id: number }>();
  for (const record of records) {
    const target = getReferenceTarget(ctx, field, record);
    if (target) targets.set(record, target);
  }
  const targetValues = await readTargets(ctx, specification[field.name]!.fields!, [...targets.values()]);
  for (const record of records) {
    if (!(field.name in record)) continue;
    const target = targets.get(record);
    const row = target && targetValues.get(`${target.model},${target.id}`);
    record[field.name] = row ? { ...row, ...(field.type === 'reference' && { id: target }) } : false;
  }
  if (field.modelField && !(field.modelField in specification))
    for (const record of records) delete record[field.modelField];
}

function getReferenceTarget(ctx: Ctx, field: Field, record: Values): { model: string; id: number } | null {
  const value = record[field.name];
  const [model, id] = field.modelField ? [record[field.modelField], value] : String(value).split(',');
  return typeof model === 'string' && ctx.catalog.registry.has(model) && Number(id) > 0
    ? { model, id: Number(id) }
    : null;
}

async function readTargets(
  ctx: Ctx,
  fields: Specification,
  targets: { model: string; id: number }[],
): Promise<Map<string, Values>> {
  const targetValues = new Map<string, Values>();
  for (const name of new Set(targets.map((target) => target.model))) {
    const ids = [...new Set(targets.filter(({ model }) => model === name).map(({ id }) => id))];
    assertModelAccess(ctx, getModel(ctx, name), 'read');
    const existingIds = await assertRowsAllowed(ctx, getModel(ctx, name), ids, 'read');
    const rows = (await webRead(ctx, name, existingIds, fields)).value<Values[]>();
    for (const row of rows) targetValues.set(`${name},${row.id}`, row);
  }
  return targetValues;
}
