import type { Ctx } from './ctx.ts';
import type { Field } from './field.ts';
import type { Model, Values } from './model.ts';
import { modelOf } from './reader.ts';
import { type Page, RawJson, read, searchCount, searchRead } from './records.ts';
import { fillReferences, hasReferences } from './reference-read.ts';
import { parseSpecification, readOf, type Specification } from './specification.ts';

/**
 * The rows `ids` with what the specification says of each field, nested as deep as it goes, in one statement (one more
 * for each model that references lead to).
 * @throws BAD_VALUE for an unknown field or a wrong specification, ACCESS_ERROR
 */
export async function webRead(ctx: Ctx, name: string, ids: number[], given: unknown): Promise<RawJson> {
  const model = modelOf(ctx, name);
  const specification = parseSpecification(ctx, model, given);
  const rows = await read(ctx, name, ids, fieldsOf(ctx, model, specification), 'ids');
  return complete(ctx, model, specification, rows);
}

const fieldsOf = (ctx: Ctx, model: Model, specification: Specification) =>
  readOf(model, specification, ctx.catalog.registry);

async function complete(
  ctx: Ctx,
  model: Model,
  specification: Specification,
  rows: RawJson,
): Promise<RawJson> {
  if (!hasReferences(ctx, model, specification)) return rows;
  const records = rows.value<Values[]>();
  await fillReferences(ctx, model, specification, records);
  return new RawJson(JSON.stringify(records), rows.count);
}

/**
 * `{length, records}` of the rows that match: all that there are (counted up to `countLimit`), and those of the page as
 * webRead gives them.
 */
export async function webSearchRead(
  ctx: Ctx,
  name: string,
  domain: unknown,
  given: unknown,
  page: Page,
  countLimit: number | null,
): Promise<RawJson> {
  const model = modelOf(ctx, name);
  const specification = parseSpecification(ctx, model, given);
  const found = await searchRead(ctx, name, domain, fieldsOf(ctx, model, specification), page, 'ids');
  const rows = await complete(ctx, model, specification, found);
  const length = lengthOf(page, rows.count) ?? (await searchCount(ctx, name, domain, countLimit));
  return new RawJson(`{"length":${length},"records":${rows.text}}`, rows.count);
}

/** How many rows there are, as far as the last page tells it. */
function lengthOf({ offset, limit, after }: Page, count: number): number | null {
  const isLast = !limit || count < limit;
  return isLast && !after && (count > 0 || !offset) ? (offset ?? 0) + count : null;
}

/** Values of many2ones as a specification wants them, for records that are not stored: `{id, display_name…}`. */
export async function linkedValue(
  ctx: Ctx,
  field: Field,
  value: unknown,
  specification: Specification,
): Promise<unknown> {
  const wanted = specification[field.name]?.fields;
  if (field.type !== 'many2one' || typeof value !== 'number' || !wanted) return value;
  return (await webRead(ctx, field.relation!, [value], wanted)).value<Values[]>()[0] ?? false;
}
