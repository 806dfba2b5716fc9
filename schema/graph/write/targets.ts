import type { GraphQLResolveInfo } from 'graphql';
import { createDomainReader } from '../../../src/engine/access/create-statement.ts';
import { assertRowsAllowed } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { parseDomain } from '../../../src/engine/domain/parse.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { search } from '../../../src/engine/read/records.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { toWhereDomain } from '../read/where.ts';
import { checkConditions, checkConditionVariables } from './choice-conditions.ts';
import { recordNumbers } from './ids.ts';

/** Which records a mutation is for: those with these ids, those that meet conditions, or all. */
export interface MutationTarget {
  ids?: string[] | null;
  where?: unknown;
  all?: boolean | null;
  expectCount?: number | null;
}

/** @throws BAD_REQUEST for more records than one mutation changes */
export function rejectTooManyRecords(count: number): void {
  if (count > limits.graphql.writes)
    throw errors.badRequest(`One mutation changes at most ${limits.graphql.writes} records.`);
}

/** What a mutation does to which records. */
export interface Choice {
  chosen: MutationTarget;
  operation: 'write' | 'unlink';
  info: GraphQLResolveInfo;
}

/**
 * Does something to the records chosen, all or none.
 * @returns their numbers
 * @throws BAD_REQUEST for a choice that is none or too wide, STALE for another number than expected
 */
export async function changeTargets(
  ctx: Ctx,
  model: Model,
  { chosen, operation, info }: Choice,
  change: (ctx: Ctx, ids: number[]) => Promise<unknown>,
): Promise<number[]> {
  const { ids } = chosen;
  checkOneChoice(chosen);
  if (ids) {
    rejectTooManyRecords(new Set(ids).size);
    const numbers = await recordNumbers(ctx, model.name, ids);
    checkCount(chosen, numbers.length);
    await change(ctx, numbers);
    return numbers;
  }
  checkConditionVariables(info);
  const domain = buildTargetDomain(ctx, model, chosen);
  return ctx.tx(async (tx) => {
    const found = await lockMatches(tx, model, domain, operation);
    checkCount(chosen, found.length);
    await change(tx, found);
    return found;
  });
}

/** @throws BAD_REQUEST unless exactly one of the ways to choose records is given */
function checkOneChoice({ ids, where, all }: MutationTarget): void {
  const given = [(ids ?? null) !== null, (where ?? null) !== null, all === true].filter(Boolean).length;
  if (given > 1) throw errors.badRequest('Only one of `ids`, `where` and `all` can be given.');
  if (given === 0)
    throw errors.badRequest('Say which records: `ids`, `where`, or `all: true` for all of them.');
}

/** @throws BAD_VALUE for a part of the conditions that every record meets */
function buildTargetDomain(ctx: Ctx, model: Model, { where, all }: MutationTarget): unknown[] {
  if (all) return [];
  const { registry } = ctx.catalog;
  const domain = toWhereDomain(registry, model, where);
  parseDomain(domain, model, registry, createDomainReader(ctx));
  checkConditions(ctx, model, where);
  return domain;
}

/** The records that match, locked; those that others have changed meanwhile are looked at once more. */
async function lockMatches(
  ctx: Ctx,
  model: Model,
  domain: unknown[],
  operation: 'write' | 'unlink',
): Promise<number[]> {
  const found = await search(ctx, model.name, domain, { order: 'id', limit: limits.graphql.writes + 1 });
  rejectTooManyRecords(found.length);
  if (found.length === 0) return [];
  const there = await assertRowsAllowed(
    ctx,
    model,
    found,
    operation,
    operation === 'write' ? 'no key update' : 'update',
  );
  return search(ctx, model.name, [...domain, ['id', 'in', there]], { order: 'id' });
}

function checkCount({ expectCount }: MutationTarget, count: number): void {
  if ((expectCount ?? null) === null || expectCount === count) return;
  throw errors.stale(
    'expectCount',
    `This concerns ${count} records, and ${expectCount} were expected. Nothing has been changed.`,
  );
}
