import { createDomainReader } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { getLoaded } from '../../src/engine/ctx/loader.ts';
import { parseDomain } from '../../src/engine/domain/parse.ts';
import { type Field, getMaximum } from '../../src/engine/model/field.ts';
import type { Model, Registry } from '../../src/engine/model/model.ts';
import { search } from '../../src/engine/read/records.ts';
import { toIsoTime } from '../../src/engine/value/instant.ts';
import { escapeLikePattern } from '../../src/engine/value/like-pattern.ts';
import { INT_MAX } from '../../src/engine/value/number.ts';
import { errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { getConditionMap } from '../graph/plan/field-map.ts';
import { computeDurationStart } from '../graph/read/duration.ts';
import { toWhereDomain } from '../graph/read/where.ts';
import { runInSequence } from './request-sequence.ts';

// Converts a typed `where` of the record graph to a Prisma condition.

/** Maximum number of records that rules may permit for a model that Prisma reads, because queries contain their ids. */
export const MAX_PERMITTED_IDS = 10_000;

type Conditions = Record<string, unknown>;

export type PrismaWhere = Record<string, unknown>;

/** Prisma ignores empty conditions, so conditions that match all or no rows are simplified first. */
const MATCH_ALL: PrismaWhere = {};
export const MATCH_NONE: PrismaWhere = { id: { in: [] } };

export function combineAll(conditions: PrismaWhere[]): PrismaWhere {
  if (conditions.includes(MATCH_NONE)) return MATCH_NONE;
  const effective = conditions.filter((condition) => condition !== MATCH_ALL);
  return effective.length > 1 ? { AND: effective } : (effective[0] ?? MATCH_ALL);
}

export function combineAny(conditions: PrismaWhere[]): PrismaWhere {
  if (conditions.includes(MATCH_ALL)) return MATCH_ALL;
  const effective = conditions.filter((condition) => condition !== MATCH_NONE);
  return effective.length > 1 ? { OR: effective } : (effective[0] ?? MATCH_NONE);
}

function negate(condition: PrismaWhere): PrismaWhere {
  if (condition === MATCH_ALL) return MATCH_NONE;
  return condition === MATCH_NONE ? MATCH_ALL : { NOT: condition };
}

/**
 * Conditions on related records or computed values need the record engine. A `where` that contains one becomes a search
 * with the caller's access rights, and the ids found become the condition. The engine's checks and limits apply to
 * every `where`.
 * @throws BAD_REQUEST or BAD_VALUE, as the record engine does
 */
export async function buildPrismaWhere(ctx: Ctx, model: Model, where: unknown): Promise<PrismaWhere> {
  const { registry } = ctx.catalog;
  checkDepth(where);
  const domain = toWhereDomain(registry, model, where);
  if (domain.length === 0) return MATCH_ALL;
  const isUser = ctx.principal?.kind === 'user';
  parseDomain(domain, model, registry, isUser ? createDomainReader(ctx) : null);
  const state: WhereState = { registry, model, values: 0, engines: null };
  const condition = buildConditions(state, where);
  if (state.engines === null && state.values <= MAX_PERMITTED_IDS) return condition;
  if (isUser)
    return getLoaded(ctx, `found ${model.name} ${JSON.stringify(domain)}`, () =>
      findMatchingIds(ctx, model, domain),
    );
  throw errors.badRequest(
    state.engines === null
      ? `where: must contain at most ${MAX_PERMITTED_IDS} values.`
      : `where.${state.engines}: a condition of this kind requires a user's key.`,
  );
}

interface WhereState {
  registry: Registry;
  model: Model;
  values: number;
  /** Name of a condition that requires the record engine. */
  engines: string | null;
}

function checkDepth(where: unknown, depth = 0): void {
  if (where === null || typeof where !== 'object') return;
  if (depth > limits.domain.depth) throw errors.malformedDomain('nested too deep');
  for (const value of Object.values(where)) {
    if (!Array.isArray(value)) checkDepth(value, depth + 1);
    else for (const item of value) checkDepth(item, depth + 1);
  }
}

const buildConditions = (state: WhereState, where: unknown): PrismaWhere =>
  combineAll(
    Object.entries((where ?? {}) as Conditions)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => buildCondition(state, name, value)),
  );

function buildCondition(state: WhereState, name: string, value: unknown): PrismaWhere {
  const inner = (condition: unknown) => buildConditions(state, condition);
  if (name === 'and') return combineAll((value as unknown[]).map(inner));
  if (name === 'or') return combineAny((value as unknown[]).map(inner));
  if (name === 'not') return negate(inner(value));
  const { registry, model } = state;
  const { field, isRelation } = getConditionMap(registry, model).get(name)!;
  const conditions = (value ?? { isNull: true }) as Conditions;
  const comparedWhere =
    isRelation || !isComparableColumn(model, field) ? null : buildComparisons(field, conditions);
  if (!comparedWhere) state.engines ??= name;
  else for (const item of Object.values(conditions)) state.values += Array.isArray(item) ? item.length : 1;
  return comparedWhere ?? MATCH_NONE;
}

async function findMatchingIds(ctx: Ctx, model: Model, domain: unknown[]): Promise<PrismaWhere> {
  const ids = await runInSequence(ctx, () =>
    search(ctx, model.name, domain, { limit: MAX_PERMITTED_IDS + 1 }),
  );
  if (ids.length > MAX_PERMITTED_IDS)
    throw errors.badRequest(`where: more than ${MAX_PERMITTED_IDS} records match. Narrow the conditions.`);
  return { id: { in: ids } };
}

/** Returns true if the field is a column that Prisma can compare. */
export const isComparableColumn = (model: Model, field: Field): boolean =>
  !field.computed &&
  !field.related &&
  field.name !== 'display_name' &&
  COMPARABLE_TYPES.has(field.type) &&
  model.fields.get(field.name) === field;

const COMPARABLE_TYPES: ReadonlySet<Field['type']> = new Set([
  ...([
    'char',
    'text',
    'html',
    'integer',
    'boolean',
    'datetime',
    'selection',
    'strings',
    'many2one',
  ] as const),
]);

/** Returns null if the condition requires the record engine. */
function buildComparisons(
  field: Field,
  { ignoreCase, ignoreAccents, ...conditions }: Conditions,
): PrismaWhere | null {
  if (ignoreAccents === true) return null;
  const all: PrismaWhere[] = [];
  for (const [operator, value] of Object.entries(conditions)) {
    const comparison = buildComparison(field, operator, value, ignoreCase === true);
    if (!comparison) return null;
    all.push(comparison);
  }
  return combineAll(all);
}

function buildComparison(
  field: Field,
  operator: string,
  value: unknown,
  ignoreCase: boolean,
): PrismaWhere | null {
  if (operator === 'isNull') return value === null ? MATCH_ALL : isNull(field, value === true);
  if (value === null && (operator === 'eq' || operator === 'ne')) return isNull(field, operator === 'eq');
  const make = CONDITION_BUILDERS[operator];
  if (value === null || !make) return null;
  const condition =
    field.type === 'datetime'
      ? buildTimeBounds(field, operator, value)
      : {
          [field.name]: addCaseMode(
            make(toStorable(field, value) as never),
            ignoreCase && CASE_SENSITIVE_OPERATORS.has(operator),
          ),
        };
  if (operator !== 'ne' && operator !== 'notIn') return condition;
  return field.required ? { NOT: condition } : { OR: [{ NOT: condition }, { [field.name]: null }] };
}

/** Builds the condition for unset values. As in the record graph, an empty string counts as unset. */
function isNull(field: Field, mustBeNull: boolean): PrismaWhere | null {
  const { name, type, required } = field;
  if (type === 'strings') return null;
  const empty: PrismaWhere[] = [
    ...(required ? [] : [{ [name]: null }]),
    ...(TEXT_TYPES.has(type) ? [{ [name]: { equals: '' } }] : []),
  ];
  const none = combineAny(empty);
  return mustBeNull ? none : negate(none);
}

const TEXT_TYPES: ReadonlySet<Field['type']> = new Set(['char', 'text', 'html']);

/** Converts ids to numbers, as stored in the database. Any other string matches no record. */
function toStorable(field: Field, value: unknown): unknown {
  if (field.type !== 'many2one' && field.name !== 'id' && !field.ofIds) return value;
  if (typeof value === 'boolean') return value;
  const number = (id: unknown) => parseRowId(id, getMaximum(field));
  return Array.isArray(value) ? value.map(number) : number(value);
}

/** Parses a numeric id. Returns 0, the id of no record, for any other string. */
export function parseRowId(id: unknown, max = INT_MAX): number {
  const number = /^\d{1,16}$/.test(String(id)) ? Number(id) : 0;
  return number <= max ? number : 0;
}

const CASE_SENSITIVE_OPERATORS = new Set(['eq', 'contains', 'startsWith', 'endsWith']);

/** Prisma compiles a case-insensitive equality to ILIKE, so wildcards are escaped. */
function addCaseMode(condition: { equals?: string }, ignoreCase: boolean): object {
  if (!ignoreCase) return condition;
  const pattern = condition.equals === undefined ? {} : { equals: escapeLikePattern(condition.equals) };
  return { ...condition, ...pattern, mode: 'insensitive' };
}

/** Negative operators build the condition to negate. Prisma passes text to LIKE unescaped. */
const CONDITION_BUILDERS: Record<string, (value: never) => object> = {
  eq: (value) => ({ equals: value }),
  ne: (value) => ({ equals: value }),
  in: (value) => ({ in: value }),
  notIn: (value) => ({ in: value }),
  lt: (value) => ({ lt: value }),
  lte: (value) => ({ lte: value }),
  gt: (value) => ({ gt: value }),
  gte: (value) => ({ gte: value }),
  between: ([from, to]: never[]) => ({ gte: from, lte: to }),
  contains: (value) => ({ contains: escapeLikePattern(value) }),
  startsWith: (value) => ({ startsWith: escapeLikePattern(value) }),
  endsWith: (value) => ({ endsWith: escapeLikePattern(value) }),
  has: (value) => ({ has: value }),
  hasSome: (value) => ({ hasSome: value }),
  isEmpty: (value) => ({ isEmpty: value }),
  last: (value) => ({ gte: value }),
};

/**
 * Treats a time as a whole second, as the record graph does: `gt` starts when the second ends, and `lte` includes it.
 */
function buildTimeBounds(field: Field, operator: string, value: unknown): PrismaWhere {
  const buildWhere = (bounds: object): PrismaWhere => ({ [field.name]: bounds });
  const text = value as string;
  switch (operator) {
    case 'lt':
      return buildWhere({ lt: truncateToSecond(text) });
    case 'lte':
      return buildWhere({ lt: truncateToSecond(text, 1) });
    case 'gt':
      return buildWhere({ gte: truncateToSecond(text, 1) });
    case 'gte':
      return buildWhere({ gte: truncateToSecond(text) });
    case 'last':
      return buildWhere({ gte: truncateToSecond(toIsoTime(computeDurationStart(text))) });
    case 'between': {
      const [from, to] = value as [string, string];
      return buildWhere({ gte: truncateToSecond(from), lt: truncateToSecond(to, 1) });
    }
    default: {
      const times = Array.isArray(value) ? (value as string[]) : [text];
      return combineAny(
        times.map((time) => buildWhere({ gte: truncateToSecond(time), lt: truncateToSecond(time, 1) })),
      );
    }
  }
}

/** Returns the start of the time's second, plus `after` seconds. */
const truncateToSecond = (time: string, after = 0): Date =>
  new Date((Math.floor(Date.parse(time) / 1000) + after) * 1000);
