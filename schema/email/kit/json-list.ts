import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { readJsonRow } from '../../../src/engine/sql/json-row.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';

/** Runs `select` and returns its rows as a JSON array. @throws USER_ERROR if it exceeds the response limit */
export async function loadJsonList(db: Db, select: Sql): Promise<RawJson> {
  const list = sql`select coalesce(json_agg(r), '[]')::text as json, count(*)::int as n from (${select}) r`;
  const row = await readJsonRow<{ json: string; n: number }>(db, list, ['n']);
  return new RawJson(row!.json, row!.n);
}

/** Validates a page number. Defaults to 1. @throws BAD_REQUEST */
export function parsePageNumber(requestedPage: number | null | undefined): number {
  const page = requestedPage ?? 1;
  if (page < 1) throw errors.badRequest('page must be at least 1');
  if (page > limits.rest.pages) throw errors.badRequest(`page must be at most ${limits.rest.pages}`);
  return page;
}
