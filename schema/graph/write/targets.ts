import type { GraphQLResolveInfo } from 'graphql';
import { createDomainReader } from '../../../src/engine/access/create-statement.ts';
import { assertRowsAllowed } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { parseDomain } from '../../../src/engine/domain/parse.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { search } from '../../../src/engine/read/records.ts';
import type { RecordVersions } from '../../../src/engine/write/row.ts';
import { pairVersions } from '../../../src/engine/write/versions.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { toWhereDomain } from '../read/where.ts';
import { checkConditions, checkConditionVariables, isWhereVariable } from './choice-conditions.ts';
import { findNumericIds } from './ids.ts';

export interface MutationTarget {
  ids?: string[] | null;
  where?: unknown;
  all?: boolean | null;
  expectCount?: number | null;
  /** Expected versions in the order of `ids`. */
  expectedVersion?: number[] | null;
}

/** @throws BAD_REQUEST if there are more records than a mutation may change */
export function rejectTooManyRecords(count: number): void {
  if (count > limits.graphql.writes)
    throw errors.badRequest(`One mutation can change at most ${limits.graphql.writes} records.`);
}

interface TargetChoice {
  target: MutationTarget;
  operation: 'write' | 'unlink';
  info: GraphQLResolveInfo;
}

/**
 * Applies a change to the selected records atomically.
 * @returns their numeric ids
 * @throws BAD_REQUEST if the selection is invalid or too large, STALE if it does not have the expected number of
 * records
 */
export async function changeTargets(
  ctx: Ctx,
  model: Model,
  { target, operation, info }: TargetChoice,
  change: (ctx: Ctx, ids: number[], versions?: RecordVersions) => Promise<unknown>,
): Promise<number[]> {
  const { ids, expectedVersion } = target;
  checkSingleTarget(target, info);
  if (ids) {
    rejectTooManyRecords(new Set(ids).size);
    const numbers = await findNumericIds(ctx, model.name, ids);
    checkCount(target, numbers.length);
    await change(ctx, numbers, expectedVersion ? pairVersions(numbers, expectedVersion) : undefined);
    return numbers;
  }
  if (expectedVersion) throw errors.wrongArgument('expectedVersion', 'select the records with `ids`');
  checkConditionVariables(info);
  const domain = buildTargetDomain(ctx, model, target);
  return ctx.tx(async (tx) => {
    const matchedIds = await lockMatches(tx, model, domain, operation);
    checkCount(target, matchedIds.length);
    await change(tx, matchedIds);
    return matchedIds;
  });
}

function checkSingleTarget({ ids, where, all }: MutationTarget, info: GraphQLResolveInfo): void {
  const choiceCount = [(ids ?? null) !== null, (where ?? null) !== null, all === true].filter(Boolean).length;
  if (choiceCount > 1) throw errors.badRequest('`ids`, `where` and `all` cannot be combined.');
  if (choiceCount > 0) return;
  if (isWhereVariable(info)) throw errors.openCondition('where', 'its variable has no value');
  throw errors.badRequest('Select records with `ids` or `where`, or select all records with `all: true`.');
}

function buildTargetDomain(ctx: Ctx, model: Model, { where, all }: MutationTarget): unknown[] {
  if (all) return [];
  const { registry } = ctx.catalog;
  const domain = toWhereDomain(registry, model, where);
  parseDomain(domain, model, registry, createDomainReader(ctx));
  checkConditions(ctx, model, where);
  return domain;
}

/** Locks the matching records. Matches them again, because they may have changed concurrently. */
async function lockMatches(
  ctx: Ctx,
  model: Model,
  domain: unknown[],
  operation: 'write' | 'unlink',
): Promise<number[]> {
  const matchedIds = await search(ctx, model.name, domain, { order: 'id', limit: limits.graphql.writes + 1 });
  rejectTooManyRecords(matchedIds.length);
  if (matchedIds.length === 0) return [];
  const existingIds = await assertRowsAllowed(
    ctx,
    model,
    matchedIds,
    operation,
    operation === 'write' ? 'no key update' : 'update',
  );
  return search(ctx, model.name, [...domain, ['id', 'in', existingIds]], { order: 'id' });
}

function checkCount({ expectCount }: MutationTarget, count: number): void {
  if ((expectCount ?? null) === null || expectCount === count) return;
  throw errors.staleCount(count, expectCount!, 'records');
}
