import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import type { RawJson } from '../../../src/engine/value/raw-json.ts';
import { isObject } from '../../../src/json.ts';
import { type ToolResult, toToolResult } from '../tool.ts';

type Row = Record<string, unknown>;

/** Builds a result without empty values, which would make up most of the text. */
export function toRecordsResult(ctx: Ctx, name: string, rows: RawJson, extra: object = {}): ToolResult {
  const model = ctx.catalog.registry.get(name);
  const records = rows.value<Row[]>().map((row) => omitEmptyValues(model, row));
  return toToolResult({ records, ...extra }, rows.count);
}

/**
 * Counts the ids up to the last returned record, including ids of missing records. Null if a row has none of the
 * remaining ids.
 */
export function countReturnedIds(ids: readonly number[], rows: readonly unknown[]): number | null {
  let count = 0;
  for (const row of rows) {
    const index = isObject(row) ? ids.indexOf(row.id as number, count) : -1;
    if (index < 0) return null;
    count = index + 1;
  }
  return count;
}

/** Counting all rows of a large table would take much longer than reading a page. */
const COUNTED_ROWS = 1_000;

/**
 * Returns paging information if there are rows after the page.
 * @param end offset of the first row after the page
 * @param countRows counts up to `limit` rows
 */
export async function describeRest(
  end: number,
  countRows: (limit: number) => Promise<number>,
): Promise<object> {
  const limit = COUNTED_ROWS * (Math.floor(end / COUNTED_ROWS) + 1);
  const total = await countRows(limit);
  if (total <= end) return {};
  return { total, ...(total === limit && { total_is_at_least: true }), has_more: true, next_offset: end };
}

/** Removes unset values, which the record API returns as false. Only a boolean field can have the value false. */
function omitEmptyValues(model: Model | undefined, row: Row): Row {
  const isEmpty = (name: string, value: unknown) =>
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (value === false && model?.fields.get(name)?.type !== 'boolean');
  return Object.fromEntries(Object.entries(row).filter(([name, value]) => !isEmpty(name, value)));
}
