import type { Db } from '../../../src/db/pool.ts';
import { RawJson } from '../../../src/engine/read/records.ts';
import { jsonRow } from '../../../src/engine/sql/json-row.ts';

/** The rows of `select` as a JSON list of objects. @throws USER_ERROR when it is over the limit of an answer */
export async function jsonList(db: Db, select: string, params: unknown[]): Promise<RawJson> {
  const row = await jsonRow<{ json: string; n: number }>(
    db,
    `select coalesce(json_agg(r), '[]')::text as json, count(*)::int as n from (${select}) r`,
    params,
    ['n'],
  );
  return new RawJson(row!.json, row!.n);
}
