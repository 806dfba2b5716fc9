import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import type { PageOptions } from '../../../src/engine/read/query.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { getRelatedTerms } from '../plan/field-map.ts';
import { decodeRowCursor } from './cursor.ts';
import { toWhereDomain } from './where.ts';

export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  offset?: number | null;
}

export interface ListArguments extends PageArguments {
  where?: unknown;
  orderBy?: OrderTerm[] | null;
  domain?: unknown;
  withArchived?: boolean | null;
}

/** A term by a field, or by the name of a relation that has a term. */
interface OrderTerm {
  field?: string | null;
  direction?: 'asc' | 'desc' | null;
  nulls?: 'first' | 'last' | null;
  [relation: string]: unknown;
}

/** A validated list request. It reads an extra row to detect whether there are more. */
export interface PageRequest {
  domain: unknown[];
  page: PageOptions & { limit: number };
  size: number;
  /** True if the rows are read from the end and must be reversed. */
  backward: boolean;
  archived: boolean;
  /** True if records are known to exist before the page, or after it when reading backward. */
  hasBehind: boolean;
}

/** @throws BAD_REQUEST if arguments contradict each other or exceed a limit */
export function buildPageRequest(ctx: Ctx, model: Model, args: ListArguments): PageRequest {
  const { after, before, offset } = args;
  const { size, backward } = parsePageArguments(args);
  const cursor = (backward ? before : after) ?? null;
  return {
    domain: combineConditions(toWhereDomain(ctx.catalog.registry, model, args.where), args.domain),
    page: {
      order: buildOrder(ctx.catalog.registry, model, args.orderBy),
      reversed: backward,
      limit: size + 1,
      offset: offset ?? 0,
      after: cursor === null ? null : decodeRowCursor(ctx, cursor, backward ? 'before' : 'after'),
    },
    size,
    backward,
    archived: args.withArchived === true,
    hasBehind: cursor !== null || (offset ?? 0) > 0,
  };
}

/** @throws BAD_REQUEST if arguments contradict each other or exceed a limit */
export function parsePageArguments({
  first,
  last,
  after,
  before,
  offset,
}: PageArguments): Pick<PageRequest, 'size' | 'backward'> {
  const isGiven = (value: unknown) => value !== null && value !== undefined;
  const backward = isGiven(last) || isGiven(before);
  if (backward && (isGiven(first) || isGiven(after)))
    throw errors.badRequest('`first` and `after` cannot be combined with `last` and `before`.');
  if (isGiven(offset) && (backward || isGiven(after)))
    throw errors.badRequest('`offset` cannot be combined with a cursor or with `last`.');
  if ((offset ?? 0) < 0) throw errors.badRequest('`offset` may not be negative.');
  return { size: parseSize(backward ? 'last' : 'first', backward ? last : first), backward };
}

function parseSize(name: string, requested: number | null | undefined): number {
  const size = requested ?? limits.graphql.pageDefault;
  if (size < 0 || size > limits.graphql.page)
    throw errors.badRequest(`\`${name}\` must be from 0 to ${limits.graphql.page}.`);
  return size;
}

/** Returns null for the model's default order. @throws BAD_REQUEST for a term without a single field, or a long path */
export const buildOrder = (
  registry: Registry,
  model: Model,
  terms: OrderTerm[] | null | undefined,
): string | null =>
  terms?.length ? terms.map((term) => buildOrderTerm(registry, model, term)).join(', ') : null;

function buildOrderTerm(registry: Registry, model: Model, term: OrderTerm, steps = 1): string {
  if (steps > limits.record.pathSteps)
    throw errors.badRequest(
      `A term of \`orderBy\` can follow at most ${limits.record.pathSteps - 1} relations.`,
    );
  const { field, direction, nulls, ...relations } = term;
  const [related, ...others] = Object.entries(relations).filter(([, inner]) => inner);
  if (others.length > 0 || Boolean(field) === Boolean(related))
    throw errors.badRequest('Each term of `orderBy` needs exactly one field or relation.');
  if (field) return `${field} ${direction ?? 'asc'}${nulls ? ` nulls ${nulls}` : ''}`;
  if (direction || nulls)
    throw errors.badRequest(`Set \`direction\` and \`nulls\` inside \`${related![0]}\`.`);
  const relation = getRelatedTerms(registry, model).get(related![0])!.field!;
  const target = registry.get(relation.relation!)!;
  return `${relation.name}.${buildOrderTerm(registry, target, related![1] as OrderTerm, steps + 1)}`;
}

/** @throws BAD_VALUE if the domain is not a list */
export function combineConditions(where: unknown[], domain: unknown): unknown[] {
  if (domain === null || domain === undefined) return where;
  if (!Array.isArray(domain)) throw errors.malformedDomain('a domain must be a list of conditions');
  return [...where, ...domain];
}
