import { getPrisma } from '../../src/db/prisma.ts';
import { getRuleTree, isInScope } from '../../src/engine/access/access.ts';
import { getReadableModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { search } from '../../src/engine/read/records.ts';
import { errors } from '../../src/errors.ts';
import { runInSequence } from './request-sequence.ts';
import type { ResourceSource } from './resources.ts';
import type { PrismaWhere } from './where.ts';
import { MAX_PERMITTED_IDS } from './where.ts';

/** The parts of Prisma's delegates used here. Rows are typed where their GraphQL type is declared. */
interface PrismaDelegate {
  findMany(query: object): Promise<SettingsRow[]>;
  findFirst(query: object): Promise<SettingsRow | null>;
  count(query: object): Promise<number>;
}

export type SettingsRow = Record<string, unknown> & { id: number };

/** Returns Prisma's delegate for the model. Loads the client on first use. */
export function getDelegate(ctx: Ctx, { prisma }: ResourceSource): PrismaDelegate {
  // The client's delegate types depend on the model, which is known only at runtime here.
  const client = getPrisma(ctx) as unknown as Record<string, PrismaDelegate>;
  return client[prisma[0]!.toLowerCase() + prisma.slice(1)]!;
}

/**
 * Builds the condition for the workspace's rows that the caller may see. A user is limited by access rights and record
 * rules. A workspace key sees all rows that its policy allows, or only the rows of its domain if it is bound to one.
 * @throws ACCESS_ERROR if the user may not read the model, FORBIDDEN for a key without the scope `read`
 */
export async function buildVisibleWhere(ctx: Ctx, source: ResourceSource): Promise<PrismaWhere> {
  const workspace_id = ctx.workspace.id;
  const { principal } = ctx;
  if (!ctx.sudo && principal && !isInScope(principal, 'read'))
    throw errors.notAllowed('This requires a key with the scope read.');
  if (ctx.sudo || principal?.kind !== 'user') {
    const domainId = principal?.domainId ?? null;
    const boundCondition = domainId === null ? undefined : await source.bound?.(ctx, domainId);
    return boundCondition ? { workspace_id, AND: [boundCondition] } : { workspace_id };
  }
  const model = getReadableModel(ctx, source.model);
  if (!getRuleTree(ctx, model, 'read')) return { workspace_id };
  return { workspace_id, AND: [{ id: { in: await findVisibleIds(ctx, source.model) } }] };
}

export async function restrictToVisible(
  ctx: Ctx,
  source: ResourceSource,
  where: PrismaWhere,
): Promise<PrismaWhere> {
  const { AND = [], ...own } = await buildVisibleWhere(ctx, source);
  return { ...own, AND: [...(AND as PrismaWhere[]), where] };
}

/** Searches for the permitted ids, because only the record engine can evaluate a rule's domain. */
async function findVisibleIds(ctx: Ctx, model: string): Promise<number[]> {
  const ids = await runInSequence(ctx, () => search(ctx, model, [], { limit: MAX_PERMITTED_IDS + 1 }));
  if (ids.length > MAX_PERMITTED_IDS)
    throw errors.badRequest(
      `The record rules on ${model} give you access to more than ${MAX_PERMITTED_IDS} records, the maximum for ` +
        'this list. Ask an administrator for a narrower rule.',
    );
  return ids;
}
