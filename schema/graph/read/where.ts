import type { Field } from '../../../src/engine/model/field.ts';
import { isListField, isTextField } from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import { escapeLikePattern } from '../../../src/engine/value/like-pattern.ts';
import { errors } from '../../../src/errors.ts';
import { getConditionMap } from '../plan/field-map.ts';
import { findTextSearch } from '../plan/text-search.ts';
import { toRelativeDate } from './duration.ts';
import { MatchedIds } from './text-searches.ts';

// Converts a typed `where` to a domain for the record API. The engine parses it and checks the caller's access.

type WhereDomain = unknown[];
type Conditions = Record<string, unknown>;

/** Returns an empty domain for all records. */
export function toWhereDomain(registry: Registry, model: Model, where: unknown): WhereDomain {
  if (where === null || where === undefined) return [];
  return combineAll(
    Object.entries(where as Conditions).map((entry) => buildCondition(registry, model, entry)),
  );
}

function buildCondition(registry: Registry, model: Model, [name, value]: [string, unknown]): WhereDomain {
  if (value === undefined) return [];
  const toInnerDomain = (item: unknown) => toWhereDomain(registry, model, item);
  if (value === null && COMBINING_OPERATORS.has(name)) throw createNullConditionError(name);
  if (name === 'and') return combineAll((value as unknown[]).map(toInnerDomain));
  if (name === 'or') return combineAny((value as unknown[]).map(toInnerDomain));
  if (name === 'not') return negate(toInnerDomain(value));
  if (value instanceof MatchedIds) return [['id', 'in', value.ids]];
  if (name === 'matches' && findTextSearch(model.name))
    throw errors.badRequest('`matches` can only be used in lists and groups.');
  const { field, isRelation } = getConditionMap(registry, model).get(name)!;
  if (value === null) return isSet(field, false);
  if (!isRelation) return buildScalarCondition(field, value as Conditions);
  const target = registry.get(field.relation!)!;
  const toTargetDomain = (item: unknown) => toWhereDomain(registry, target, item);
  if (!isListField(field)) return [[field.name, 'any', toTargetDomain(value)]];
  const { some, none, every } = value as Conditions;
  return combineAll([
    rejectNull(some, 'some', () => [[field.name, 'any', toTargetDomain(some)]]),
    rejectNull(none, 'none', () => [[field.name, 'not any', toTargetDomain(none)]]),
    rejectNull(every, 'every', () => [[field.name, 'not any', negate(toTargetDomain(every))]]),
  ]);
}

/** Conditions that reject null, because ignoring it would match more records. */
const COMBINING_OPERATORS: ReadonlySet<string> = new Set(['and', 'or', 'not']);

const createNullConditionError = (name: string): Error =>
  errors.badRequest(`\`${name}\` cannot be null. Omit it instead.`);

function rejectNull(value: unknown, name: string, domain: () => WhereDomain): WhereDomain {
  if (value === undefined) return [];
  if (value === null) throw createNullConditionError(name);
  return domain();
}

const MATCH_ALL_DOMAIN: WhereDomain = [[1, '=', 1]];
const MATCH_NONE_DOMAIN: WhereDomain = [[0, '=', 1]];

/** Joins domains with "and", each as one operand. */
function combineAll(domains: WhereDomain[]): WhereDomain {
  const parts = domains.filter((domain) => domain.length > 0);
  return [...Array(Math.max(0, parts.length - 1)).fill('&'), ...parts.flatMap(toOperand)];
}

function combineAny(domains: WhereDomain[]): WhereDomain {
  if (domains.length === 0) return MATCH_NONE_DOMAIN;
  return [...Array(domains.length - 1).fill('|'), ...domains.flatMap(toOperand)];
}

const negate = (domain: WhereDomain): WhereDomain => ['!', ...toOperand(domain)];

/** Every domain built in this file is a single operand, except the empty one. */
const toOperand = (domain: WhereDomain): WhereDomain => (domain.length === 0 ? MATCH_ALL_DOMAIN : domain);

export const COMPARISON_OPERATORS: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '!=',
  in: 'in',
  notIn: 'not in',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

interface TextOptions {
  ignoreCase?: unknown;
  ignoreAccents?: unknown;
}

function buildScalarCondition(
  field: Field,
  { ignoreCase, ignoreAccents, ...conditions }: Conditions,
): WhereDomain {
  const options = { ignoreCase, ignoreAccents };
  return combineAll(
    Object.entries(conditions).map(([name, value]) => buildComparison(field, name, value, options)),
  );
}

function buildComparison(field: Field, name: string, value: unknown, options: TextOptions): WhereDomain {
  if (name === 'isNull') return value === null ? [] : isSet(field, value === false);
  if (value === null) {
    if (name === 'eq' || name === 'ne') return isSet(field, name === 'ne');
    throw errors.badRequest(`The condition ${name} cannot be null. Use isNull instead.`);
  }
  if (field.relation) {
    const number = (id: unknown) => parseForeignId(field, name, id);
    return [
      [field.name, COMPARISON_OPERATORS[name]!, Array.isArray(value) ? value.map(number) : number(value)],
    ];
  }
  switch (name) {
    case 'between':
      return buildBetween(field, value as unknown[]);
    case 'last':
      return [
        '&',
        [field.name, '>=', toRelativeDate(value as string)],
        [field.name, '<=', field.type === 'date' ? 'today' : 'now'],
      ];
    case 'has':
      return [[field.name, 'in', [value]]];
    case 'hasSome':
      return [[field.name, 'in', value]];
    case 'contains':
      if (!isTextField(field)) return [[field.name, 'contains', value]];
      return buildTextCondition(field, name, value, options);
    case 'isEmpty':
      return [[field.name, value ? '=' : '!=', false]];
    default:
      return buildTextCondition(field, name, value, options);
  }
}

/** Converts a foreign id to a number, because the engine would match a string as a name. @throws BAD_VALUE */
const parseForeignId = (field: Field, name: string, id: unknown): unknown => {
  const number = /^\d+$/.test(String(id)) ? Number(id) : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw errors.invalidCondition('id', String(id).slice(0, 40), [field.name, COMPARISON_OPERATORS[name], id]);
};

const isSet = (field: Field, isSet: boolean): WhereDomain => [[field.name, isSet ? '!=' : '=', false]];

function buildBetween(field: Field, bounds: unknown[]): WhereDomain {
  if (bounds.length !== 2) throw errors.badRequest('The condition `between` requires two values.');
  return [
    '&',
    [field.name, '>=', toStoredTime(field, bounds[0])],
    [field.name, '<=', toStoredTime(field, bounds[1])],
  ];
}

const PATTERN_BUILDERS: Record<string, (text: string) => string> = {
  contains: (text) => `%${escapeLikePattern(text)}%`,
  startsWith: (text) => `${escapeLikePattern(text)}%`,
  endsWith: (text) => `%${escapeLikePattern(text)}`,
  like: (text) => text,
};

function buildTextCondition(field: Field, name: string, value: unknown, options: TextOptions): WhereDomain {
  const pattern = PATTERN_BUILDERS[name];
  if (pattern && name !== 'like' && value === '') return [];
  if (pattern) return [[field.name, getLikeOperator(options), pattern(value as string)]];
  if (EQUALITY_OPERATORS.has(name) && (options.ignoreCase === true || options.ignoreAccents === true))
    return buildInexactCondition(field, name, value as string | string[], options);
  const compared = Array.isArray(value)
    ? value.map((item) => toStoredTime(field, item))
    : toStoredTime(field, value);
  return [[field.name, COMPARISON_OPERATORS[name]!, compared]];
}

const EQUALITY_OPERATORS: ReadonlySet<string> = new Set(['eq', 'ne', 'in', 'notIn']);

/** Builds an equality condition that ignores case or accents. */
function buildInexactCondition(
  field: Field,
  name: string,
  value: string | string[],
  options: TextOptions,
): WhereDomain {
  const equalsAny = combineAny(
    [value]
      .flat()
      .map((text) =>
        text === '' ? isSet(field, false) : [[field.name, getLikeOperator(options), escapeLikePattern(text)]],
      ),
  );
  return name === 'ne' || name === 'notIn' ? negate(equalsAny) : equalsAny;
}

const getLikeOperator = ({ ignoreCase, ignoreAccents }: TextOptions): string =>
  `=${ignoreAccents === true ? 'unaccent ' : ''}${ignoreCase === true ? 'ilike' : 'like'}`;

/** Formats a time for the record API: in UTC, without an offset, to the second. */
const toStoredTime = (field: Field, value: unknown): unknown =>
  field.type === 'datetime' && typeof value === 'string' ? value.replace('T', ' ').slice(0, 19) : value;
