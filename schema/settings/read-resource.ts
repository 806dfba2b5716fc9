import { queryFromInfo } from '@pothos/plugin-prisma';
import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { getLoaded } from '../../src/engine/ctx/loader.ts';
import { getMaximumId } from '../../src/engine/model/model.ts';
import { deferUntilCommit } from '../../src/engine/operation/policy.ts';
import { errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import type { SettingsResource } from './resources.ts';
import { buildVisibleWhere, getDelegate, restrictToVisible, type SettingsRow } from './visible-where.ts';
import { type PrismaWhere, parseRowId } from './where.ts';

type ResourceKey = Pick<SettingsResource, 'model' | 'prisma' | 'key' | 'bound'>;

/** Builds a condition that matches the row with the given id if the caller may see it. */
export async function buildRowCondition(
  ctx: Ctx,
  resource: ResourceKey,
  id: string | number,
): Promise<PrismaWhere> {
  if (typeof id === 'string' && id.includes('\0'))
    throw errors.badValue('text may not contain a NUL character');
  return {
    ...(await buildVisibleWhere(ctx, resource)),
    [resource.key]: resource.key === 'id' ? parseRowNumber(ctx, resource, id) : id,
  };
}

const parseRowNumber = (ctx: Ctx, { model }: ResourceKey, id: string | number): number =>
  parseRowId(id, getMaximumId(getModel(ctx, model)));

/** Reads the row with the given id. Returns null if the caller cannot read it. */
export async function readResourceById(
  ctx: Ctx,
  resource: ResourceKey,
  id: string | number,
  info: GraphQLResolveInfo,
): Promise<SettingsRow | null> {
  const query = await queryFromInfo({ context: ctx, info, awaitSelections: true });
  return getDelegate(ctx, resource).findFirst({
    ...query,
    where: await buildRowCondition(ctx, resource, id),
  });
}

interface ResourceListOptions {
  where?: PrismaWhere;
  take?: number;
  skip?: number;
}

/** Reads a resource's rows that the caller may see, newest first, with the selected fields. */
export async function readResourceList(
  ctx: Ctx,
  resource: ResourceKey,
  info: GraphQLResolveInfo,
  { where = {}, take = limits.graphql.page, skip = 0 }: ResourceListOptions = {},
): Promise<SettingsRow[]> {
  const query = await queryFromInfo({ context: ctx, info, awaitSelections: true });
  const conditions = await restrictToVisible(ctx, resource, where);
  return getDelegate(ctx, resource).findMany({
    ...query,
    where: conditions,
    orderBy: { id: 'desc' },
    take,
    skip,
  });
}

/** Counts the matching rows that the caller may see. */
export const countResources = async (ctx: Ctx, resource: ResourceKey, where: PrismaWhere): Promise<number> =>
  getDelegate(ctx, resource).count({ where: await restrictToVisible(ctx, resource, where) });

/** Returns the row that an operation changed. Reads it after the commit, because Prisma uses another connection. */
export const returnResource = (
  ctx: Ctx,
  resource: ResourceKey,
  id: string | number,
  info: GraphQLResolveInfo,
): unknown =>
  deferUntilCommit(ctx, (outer) => {
    outer.loaded.clear();
    return readResourceById(outer, resource, id, info);
  });

/**
 * Returns a loader for relations to a resource. It reads rows by numeric id, in one query for all records of a list.
 * Returns null for a row that the caller cannot read.
 */
export function getSettingsLoader(
  ctx: Ctx,
  resource: ResourceKey,
  info: GraphQLResolveInfo,
): DataLoader<number, SettingsRow | null> {
  const key = `prisma ${resource.model} ${info.parentType.name}${buildFieldPath(info.path)}`;
  return getLoaded(ctx, key, () => {
    const query = queryFromInfo({ context: ctx, info, awaitSelections: true });
    return new DataLoader(async (ids) => loadRows(ctx, resource, await query, ids), {
      maxBatchSize: limits.graphql.page,
    });
  });
}

/** Returns a field's path in the document, without list indexes. */
export function buildFieldPath({ prev, key }: GraphQLResolveInfo['path']): string {
  const before = prev ? buildFieldPath(prev) : '';
  return typeof key === 'number' ? before : `${before}.${key}`;
}

async function loadRows(
  ctx: Ctx,
  resource: ResourceKey,
  query: object,
  ids: readonly number[],
): Promise<(SettingsRow | null)[]> {
  const where = await restrictToVisible(ctx, resource, { id: { in: [...ids] } });
  const rows = await getDelegate(ctx, resource).findMany({ ...query, where });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}
