import { type Sql, sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { mayShare, sharedDb, together } from '../ctx/together.ts';
import { measured, measuredRow } from '../sql/json-row.ts';

/** Reads the record `id` for a call; null when there is none. @throws as `measuredRow` */
export type OneReader = (ctx: Ctx, id: number) => Promise<string | null>;

interface Ask {
  ctx: Ctx;
  id: number;
}

/** In place of a text that has not been read. */
const LARGE = Symbol('large');

type Texts = Map<number, string | typeof LARGE>;

/** @param select a select of `id` and `json` (text), the record's JSON, by the condition on its id */
export function createOneReader(select: (condition: Sql) => Sql): OneReader {
  const one = sql.compile<{ id: number }>(measured(select(sql`= ${sql.slot('id')}`)));
  const many = sql.compile<{ ids: number[] }>(small(select(sql`= any(${sql.slot('ids')}::int8[])`)));
  const alone = async ({ ctx, id }: Ask): Promise<string | null> =>
    (await measuredRow(ctx.db, one({ id })))?.json ?? null;
  const textsOf = async (asks: readonly Ask[]): Promise<Texts> => {
    const ids = [...new Set(asks.map(({ id }) => id))];
    const rows = await sharedDb(asks[0]!.ctx).rows<{ id: number; json: string | null }>(many({ ids }));
    return new Map(rows.map(({ id, json }) => [id, json ?? LARGE]));
  };
  const read = together<Ask, string | null>(async (asks) => {
    // A read may be made again whatever went wrong.
    const texts = asks.length > 1 ? await textsOf(asks).catch(() => null) : null;
    return (ask) => {
      const text = texts ? (texts.get(ask.id) ?? null) : LARGE;
      return text === LARGE ? alone(ask) : text;
    };
  });
  return (ctx, id) => (mayShare(ctx) ? read({ ctx, id }) : alone({ ctx, id }));
}

/** As `measured`, with null for every record that is large by itself. */
const small = (select: Sql): Sql => sql`select id,
  case when octet_length(json) < ${sql.literal(limits.http.largeAnswer)} then json end as json
  from (select * from (${select}) b offset 0) a`;
