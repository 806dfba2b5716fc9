import type { GraphQLResolveInfo } from 'graphql';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

type LoadForeignRow = (ctx: Ctx, id: number, info: GraphQLResolveInfo) => Promise<unknown>;

/** Loaders for relations to models whose types are outside the record graph, by model. */
export const foreignRowLoaders = new Map<string, LoadForeignRow>();
