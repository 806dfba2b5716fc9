import { type GraphQLResolveInfo, GraphQLString } from 'graphql';
import { sql } from '../../../src/db/sql.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { errors } from '../../../src/errors.ts';
import { type GraphRow, readRecords } from '../../graph/read/rows.ts';

/**
 * Loads records by id, in the given order, with the fields that the client selected.
 * @throws FORBIDDEN if the caller cannot read all of them
 */
export async function resolveRecordsById(
  ctx: Ctx,
  model: string,
  ids: readonly number[],
  info: GraphQLResolveInfo,
): Promise<GraphRow[]> {
  const rows = await readRecords(ctx, model, ids, info);
  if (rows.length < ids.length)
    throw errors.notAllowed(
      'The operation succeeded, but a record rule prevents you from reading the result.',
    );
  return rows;
}

/** Like `resolveRecordsById`, by public id. */
export const resolveRecords = async (
  ctx: Ctx,
  model: string,
  ids: readonly string[],
  info: GraphQLResolveInfo,
): Promise<GraphRow[]> => resolveRecordsById(ctx, model, await findIdsByPublicId(ctx, model, ids), info);

/** Finds record ids by public id, in the given order. Omits deleted records. */
export async function findIdsByPublicId(ctx: Ctx, model: string, ids: readonly string[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.db.rows<{ id: number; public_id: string }>(
    sql`select id, public_id from ${sql.id(getModel(ctx, model).table)}
     where workspace_id = ${ctx.workspace.id} and public_id = any(${ids})`,
  );
  const byPublicId = new Map(rows.map((row) => [row.public_id, row.id]));
  return ids.flatMap((id) => byPublicId.get(id) ?? []);
}

/** Loads the record with this public id. @throws NOT_FOUND if it has been deleted */
export async function resolveRecord(
  ctx: Ctx,
  model: string,
  id: string,
  info: GraphQLResolveInfo,
): Promise<GraphRow> {
  const [row] = await resolveRecords(ctx, model, [id], info);
  if (!row) throw errors.notFound(getModel(ctx, model).label);
  return row;
}

/** Result of an operation that returns a public id: GraphQL resolves it to the record, other facades return the id. */
const returnRecord = (model: string) => ({
  type: getRecordRef(model),
  returns: GraphQLString,
  answer: (ctx: Ctx, id: unknown, _args: unknown, info: GraphQLResolveInfo) =>
    resolveRecord(ctx, model, String(id), info),
});

export const returnEmail = returnRecord('svc.email');
export const returnContact = returnRecord('svc.contact');
