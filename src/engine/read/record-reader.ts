import { type Sql, sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';
import { canBatch, createBatcher, getSharedDb, shareByStatement } from '../ctx/batcher.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { buildMeasuredSql, readMeasuredRow } from '../sql/json-row.ts';

/**
 * Reads a record as JSON text. Null if it does not exist.
 * @throws the same errors as readMeasuredRow
 */
export type RecordReader = (ctx: Ctx, id: number) => Promise<string | null>;

interface ReadRequest {
  ctx: Ctx;
  id: number;
}

/** Marks a record that is too large to read in a batch. */
const TOO_LARGE = Symbol('large');

type TextsById = Map<number, string | typeof TOO_LARGE>;

/** @param select builds a select of `id` and `json` (the record as JSON text) from a condition on the id */
export function getRecordReader(ctx: Ctx, select: (condition: Sql) => Sql): RecordReader {
  const many = selectSmallSql(select(sql`= any(${sql.slot('ids')}::int8[])`));
  return shareByStatement(ctx, many, () =>
    createRecordReader(buildMeasuredSql(select(sql`= ${sql.slot('id')}`)), many),
  );
}

function createRecordReader(single: Sql, many: Sql): RecordReader {
  const singleStatement = sql.compile<{ id: number }>(single);
  const manyStatement = sql.compile<{ ids: number[] }>(many);
  const readOne = async ({ ctx, id }: ReadRequest): Promise<string | null> =>
    (await readMeasuredRow(ctx.db, singleStatement({ id })))?.json ?? null;
  const loadTexts = async (requests: readonly ReadRequest[]): Promise<TextsById> => {
    const ids = [...new Set(requests.map(({ id }) => id))];
    const rows = await getSharedDb(requests).rows<{ id: number; json: string | null }>(
      manyStatement({ ids }),
    );
    return new Map(rows.map(({ id, json }) => [id, json ?? TOO_LARGE]));
  };
  const reader = createBatcher<ReadRequest, string | null>(async (requests) => {
    // A failed read can always be repeated.
    const texts = requests.length > 1 ? await loadTexts(requests).catch(() => null) : null;
    return (request) => {
      const text = texts ? (texts.get(request.id) ?? null) : TOO_LARGE;
      return text === TOO_LARGE ? readOne(request) : text;
    };
  });
  return (ctx, id) => (canBatch(ctx) ? reader({ ctx, id }) : readOne({ ctx, id }));
}

/** Like `buildMeasuredSql`, but with null for each record that is too large for a batch. */
const selectSmallSql = (select: Sql): Sql => sql`select id,
  case when octet_length(json) < ${sql.literal(limits.http.largeResponse)} then json end as json
  from (select * from (${select}) b offset 0) a`;
