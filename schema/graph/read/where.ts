import type { Field } from '../../../src/engine/model/field.ts';
import { isList } from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import { errors } from '../../../src/errors.ts';
import { conditionMap } from '../plan/field-map.ts';
import { textSearchOf } from '../plan/text-search.ts';
import { since } from './duration.ts';
import { MatchedIds } from './matches.ts';

// A typed `where` as a domain of the record API, which the engine parses and holds against the caller's rights.

type Domain = unknown[];
type Conditions = Record<string, unknown>;

/** The domain of the records that meet `where`; [] for all. */
export function whereDomain(registry: Registry, model: Model, where: unknown): Domain {
  if (where === null || where === undefined) return [];
  return allOf(Object.entries(where as Conditions).map((entry) => conditionOf(registry, model, entry)));
}

function conditionOf(registry: Registry, model: Model, [name, value]: [string, unknown]): Domain {
  if (value === undefined) return [];
  const inner = (each: unknown) => whereDomain(registry, model, each);
  if (value === null && COMBINING.has(name)) throw noCondition(name);
  if (name === 'and') return allOf((value as unknown[]).map(inner));
  if (name === 'or') return anyOf((value as unknown[]).map(inner));
  if (name === 'not') return notOf(inner(value));
  if (value instanceof MatchedIds) return [['id', 'in', value.ids]];
  if (name === 'matches' && textSearchOf(model.name))
    throw errors.badRequest('`matches` is a condition of lists and groups alone.');
  const { field, isRelation } = conditionMap(registry, model).get(name)!;
  if (value === null) return isSet(field, false);
  if (!isRelation) return scalarCondition(field, value as Conditions);
  const target = registry.get(field.relation!)!;
  const meets = (each: unknown) => whereDomain(registry, target, each);
  if (!isList(field)) return [[field.name, 'any', meets(value)]];
  const { some, none, every } = value as Conditions;
  return allOf([
    given(some, 'some', () => [[field.name, 'any', meets(some)]]),
    given(none, 'none', () => [[field.name, 'not any', meets(none)]]),
    given(every, 'every', () => [[field.name, 'not any', notOf(meets(every))]]),
  ]);
}

/** A null here would quietly widen what is meant. */
const COMBINING: ReadonlySet<string> = new Set(['and', 'or', 'not']);

const noCondition = (name: string): Error =>
  errors.badRequest(`Null is no condition for \`${name}\`; leave it out.`);

function given(value: unknown, name: string, domain: () => Domain): Domain {
  if (value === undefined) return [];
  if (value === null) throw noCondition(name);
  return domain();
}

const ALWAYS: Domain = [[1, '=', 1]];
const NEVER: Domain = [[0, '=', 1]];

/** Each domain as one operand. */
function allOf(domains: Domain[]): Domain {
  const parts = domains.filter((domain) => domain.length > 0);
  return [...Array(Math.max(0, parts.length - 1)).fill('&'), ...parts.flatMap(asOne)];
}

function anyOf(domains: Domain[]): Domain {
  if (domains.length === 0) return NEVER;
  return [...Array(domains.length - 1).fill('|'), ...domains.flatMap(asOne)];
}

const notOf = (domain: Domain): Domain => ['!', ...asOne(domain)];

/** Every domain made here is one operand, but for the empty one. */
const asOne = (domain: Domain): Domain => (domain.length === 0 ? ALWAYS : domain);

/** Operators of the record API, by condition. */
export const COMPARISONS: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '!=',
  in: 'in',
  notIn: 'not in',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

function scalarCondition(field: Field, { ignoreCase, ...conditions }: Conditions): Domain {
  return allOf(
    Object.entries(conditions).map(([name, value]) => comparison(field, name, value, ignoreCase === true)),
  );
}

function comparison(field: Field, name: string, value: unknown, ignoreCase: boolean): Domain {
  if (name === 'isNull') return value === null ? [] : isSet(field, value === false);
  if (value === null) {
    if (name === 'eq' || name === 'ne') return isSet(field, name === 'ne');
    throw errors.badRequest(`Null is no value for the condition ${name}; use isNull.`);
  }
  if (field.relation) {
    const number = (id: unknown) => numberOfId(field, name, id);
    return [[field.name, COMPARISONS[name]!, Array.isArray(value) ? value.map(number) : number(value)]];
  }
  switch (name) {
    case 'between':
      return betweenOf(field, value as unknown[]);
    case 'last':
      return [[field.name, '>=', since(field, value as string)]];
    case 'has':
      return [[field.name, 'in', [value]]];
    case 'hasSome':
      return [[field.name, 'in', value]];
    case 'contains':
      if (field.type === 'json') return [[field.name, 'contains', value]];
      return textual(field, name, value, ignoreCase);
    case 'isEmpty':
      return [[field.name, value ? '=' : '!=', false]];
    default:
      return textual(field, name, value, ignoreCase);
  }
}

/** An id of another record as a number: text is taken for its name, too. @throws BAD_VALUE */
const numberOfId = (field: Field, name: string, id: unknown): unknown => {
  const number = /^\d+$/.test(String(id)) ? Number(id) : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw errors.invalidCondition('id', String(id).slice(0, 40), [field.name, COMPARISONS[name], id]);
};

const isSet = (field: Field, wanted: boolean): Domain => [[field.name, wanted ? '!=' : '=', false]];

function betweenOf(field: Field, bounds: unknown[]): Domain {
  if (bounds.length !== 2) throw errors.badRequest('The condition between takes two values.');
  return ['&', [field.name, '>=', plain(field, bounds[0])], [field.name, '<=', plain(field, bounds[1])]];
}

const PATTERNS: Record<string, (text: string) => string> = {
  contains: (text) => `%${escaped(text)}%`,
  startsWith: (text) => `${escaped(text)}%`,
  endsWith: (text) => `%${escaped(text)}`,
  like: (text) => text,
};

/** The text as a pattern of LIKE that matches it alone. */
export const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

function textual(field: Field, name: string, value: unknown, ignoreCase: boolean): Domain {
  const pattern = PATTERNS[name];
  if (pattern) return [[field.name, ignoreCase ? '=ilike' : '=like', pattern(value as string)]];
  if (name === 'eq' && ignoreCase && value !== '') return [[field.name, '=ilike', escaped(value as string)]];
  const compared = Array.isArray(value) ? value.map((each) => plain(field, each)) : plain(field, value);
  return [[field.name, COMPARISONS[name]!, compared]];
}

/** Times as the record API writes them: UTC, without an offset, to the second. */
const plain = (field: Field, value: unknown): unknown =>
  field.type === 'datetime' && typeof value === 'string' ? value.replace('T', ' ').slice(0, 19) : value;
