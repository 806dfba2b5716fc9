import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import type { PrismaWhere } from './where.ts';

/** A model that Prisma reads for GraphQL. */
export interface ResourceSource {
  /** Its name in the registry, by which rights and rules are asked. */
  model: string;
  /** Its name in Prisma's schema. */
  prisma: string;
  /** Which rows a key that is bound to a domain knows; all when absent. */
  bound?(ctx: Ctx, domainId: number): PrismaWhere | Promise<PrismaWhere>;
}

/** A noun of the settings: a model that Prisma reads for GraphQL. */
export interface Noun extends ResourceSource {
  /** Its name in GraphQL. */
  type: string;
  /** What callers know a row by. */
  key: 'id' | 'public_id';
  policy: Policy;
}

/** Nouns of the settings by their model. */
export const nouns = new Map<string, Noun>();
