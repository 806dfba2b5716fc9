import type { Db } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';

/** A row whose column `json` holds an answer, or null when it is over the limit. */
interface JsonRow {
  json: string | null;
}

const MAX_JSON_BYTES = sql.literal(limits.http.answerBytes);

/**
 * `select`, whose columns are `json` (text) and the `others`, with null in place of a text that is over the limit of an
 * answer. Postgres measures it, for one of over 512 MB would end the process while it is read. Pure.
 */
export function buildMeasuredSql(select: Sql, others: readonly string[] = []): Sql {
  const columns = sql.join(
    others.map((name) => sql`, a.${sql.id(name)}`),
    '',
  );
  // Without the offset Postgres would put the expression of the text in both places, and make it twice.
  return sql`select case when octet_length(a.json) <= ${MAX_JSON_BYTES} then a.json end as json${columns}
    from (select * from (${select}) b offset 0) a`;
}

/**
 * The first row of `select`, whose columns are `json` (text) and the `others`; undefined when there is none.
 * @throws USER_ERROR when the text is over the limit of an answer; BUSY as `keep` of the database
 */
export const readJsonRow = <R extends { json: string }>(
  db: Db,
  select: Sql,
  others: (keyof R & string)[] = [],
): Promise<R | undefined> => readMeasuredRow<R>(db, buildMeasuredSql(select, others));

/** As `jsonRow`, of a statement that is `measured` already. */
export async function readMeasuredRow<R extends { json: string }>(
  db: Db,
  statement: Sql,
): Promise<R | undefined> {
  const [row] = await readRows(db, statement);
  if (row?.json === null) throw errors.answerTooLarge();
  if (row && row.json!.length >= limits.http.largeAnswer) db.trackResponse(row.json!.length);
  return row as R | undefined;
}

/** What Postgres itself cannot write is too large as well (1 GB, `program_limit_exceeded`). */
async function readRows(db: Db, statement: Sql): Promise<JsonRow[]> {
  try {
    return await db.rows<JsonRow & Record<string, unknown>>(statement);
  } catch (error) {
    throw (error as { code?: string }).code === '54000' ? errors.answerTooLarge() : error;
  }
}
