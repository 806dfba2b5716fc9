import type { Db } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';

/** Row whose `json` column contains a response, or null if the response exceeds the limit. */
interface JsonRow {
  json: string | null;
}

const MAX_JSON_BYTES = sql.literal(limits.http.answerBytes);

/**
 * Wraps `select`, whose columns are `json` (text) and `others`. `json` becomes null if it exceeds the response limit.
 * PostgreSQL measures it, because reading a string of more than 512 MB would crash the process.
 */
export function buildMeasuredSql(select: Sql, others: readonly string[] = []): Sql {
  const columns = sql.join(
    others.map((name) => sql`, a.${sql.id(name)}`),
    '',
  );
  // Without `offset 0`, PostgreSQL would inline the expression in both places and evaluate it twice.
  return sql`select case when octet_length(a.json) <= ${MAX_JSON_BYTES} then a.json end as json${columns}
    from (select * from (${select}) b offset 0) a`;
}

/**
 * Returns the first row of `select`, whose columns are `json` (text) and `others`. Undefined if there is no row.
 * @throws USER_ERROR if the text exceeds the response limit, BUSY as in `trackResponse`
 */
export const readJsonRow = <R extends { json: string }>(
  db: Db,
  select: Sql,
  others: (keyof R & string)[] = [],
): Promise<R | undefined> => readMeasuredRow<R>(db, buildMeasuredSql(select, others));

/** Like `readJsonRow`, for a statement that is already wrapped by `buildMeasuredSql`. */
export async function readMeasuredRow<R extends { json: string }>(
  db: Db,
  statement: Sql,
): Promise<R | undefined> {
  const [row] = await readRows(db, statement);
  if (row?.json === null) throw errors.answerTooLarge();
  if (row && row.json!.length >= limits.http.largeResponse) db.trackResponse(row.json!.length);
  return row as R | undefined;
}

/**
 * PostgreSQL rejects strings of more than 1 GB with `program_limit_exceeded`. The response is then too large as well.
 */
async function readRows(db: Db, statement: Sql): Promise<JsonRow[]> {
  try {
    return await db.rows<JsonRow & Record<string, unknown>>(statement);
  } catch (error) {
    throw (error as { code?: string }).code === '54000' ? errors.answerTooLarge() : error;
  }
}
