import type { GraphQLResolveInfo } from 'graphql';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

type LoadForeignRow = (ctx: Ctx, id: number, info: GraphQLResolveInfo) => Promise<unknown>;

/** By model: how a relation of the record graph loads the record it leads to, where its type is made elsewhere. */
export const foreignRowLoaders = new Map<string, LoadForeignRow>();
