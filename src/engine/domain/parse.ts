import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Field } from '../model/field.ts';
import { isDate } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';
import { fieldByGraphName } from '../model/naming.ts';
import { weekStartOf } from '../value/locale.ts';
import type { Condition, Parse, Reader } from './condition.ts';
import { conditionNode } from './leaf.ts';
import { acceptsUnset, and, DATE_PARTS, FALSE, type Node, not, oneOf, or, TRUE } from './node.ts';
import { propertyNode } from './property.ts';
import { related, targetOf } from './relation.ts';

const OPERATORS = new Set([
  '=',
  '!=',
  '=?',
  'in',
  'not in',
  '<',
  '>',
  '<=',
  '>=',
  'like',
  'not like',
  'ilike',
  'not ilike',
  '=like',
  'not =like',
  '=ilike',
  'not =ilike',
  'any',
  'not any',
  'child_of',
  'parent_of',
]);
const ALIASES: Record<string, string> = { '<>': '!=', '==': '=' };

/**
 * Parses a domain for `model`. Without a reader it is the platform's own (a record rule): it sees every record,
 * archived ones too, and its days are UTC.
 * @returns the tree, and whether the model's own `active` is mentioned (then the active filter is off)
 * @throws BAD_VALUE for unknown fields, unknown operators, wrong arity; ACCESS_ERROR for what the reader may not see
 */
export function parseDomain(
  domain: unknown,
  model: Model,
  registry: Registry,
  reader: Reader | null = null,
): { node: Node; active: boolean } {
  if (domain === false) return { node: FALSE, active: false };
  const items = domain === null || domain === undefined || domain === true ? [] : domain;
  if (!Array.isArray(items)) throw errors.malformedDomain('a domain is a list of conditions');
  const state: Parse = {
    registry,
    reader,
    clock: {
      now: reader?.now ?? Date.now(),
      tz: reader?.tz ?? 'UTC',
      weekStart: () => weekStartOf(reader?.lang ?? ''),
    },
    zone: reader?.contextTz ?? null,
    count: { conditions: 0 },
    leaf: parseLeaf,
  };
  return { node: parseList(items, model, state, 0), active: mentionsActive(items, model) };
}

function mentionsActive(items: unknown[], model: Model): boolean {
  return items.some((item) => Array.isArray(item) && item[0] === (model.active?.name ?? 'active'));
}

/** Prefix notation: operands are read from the end; what is left over is joined by AND. */
function parseList(items: unknown[], model: Model, state: Parse, depth: number): Node {
  const stack: Node[] = [];
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    if (item === '!') stack.push(not(pop(stack, '!')));
    else if (item === '&') stack.push(and([pop(stack, '&'), pop(stack, '&')]));
    else if (item === '|') stack.push(or([pop(stack, '|'), pop(stack, '|')]));
    else stack.push(parseLeaf(item, model, state, depth));
  }
  return and(stack.reverse());
}

function pop(stack: Node[], connector: string): Node {
  const node = stack.pop();
  if (!node) throw errors.malformedDomain(`'${connector}' lacks an operand`);
  return node;
}

function parseLeaf(item: unknown, model: Model, state: Parse, depth: number): Node {
  if (!Array.isArray(item) || item.length !== 3) throw errors.notACondition(item);
  if (++state.count.conditions > limits.domain.conditions)
    throw errors.malformedDomain('too many conditions');
  if (depth > limits.domain.depth) throw errors.malformedDomain('nested too deep');
  const [left, rawOperator, value] = item;
  if (typeof rawOperator !== 'string') throw errors.invalidOperator(item);
  const lower = rawOperator.toLowerCase();
  const operator = ALIASES[lower] ?? lower;
  if (!OPERATORS.has(operator)) throw errors.invalidOperator(item);
  if (left === 1 || left === 0) return constantLeaf(left, operator, value, item);
  if (typeof left !== 'string') throw errors.notACondition(item);
  const [name, ...path] = left.split('.', limits.domain.depth + 2) as [string, ...string[]];
  if (path.length > limits.domain.depth) throw errors.malformedDomain('path too long');
  const field = fieldOf(model, name, state, item);
  return parseStep({ model, field, operator, value, depth, item }, path, state);
}

/** `[1, '=', 1]` and `[0, '=', 1]`. */
function constantLeaf(left: number, operator: string, value: unknown, item: unknown): Node {
  if (operator !== '=' || value !== 1) throw errors.notACondition(item);
  return left === 1 ? TRUE : FALSE;
}

function fieldOf(model: Model, name: string, state: Parse, item: unknown): Field {
  const field = model.fields.get(name);
  if (!field || field.secret)
    throw errors.invalidCondition(
      'field',
      `${model.name}.${name.slice(0, 80)}`,
      item,
      fieldByGraphName(model, name),
    );
  state.reader?.checkField(model, field);
  return field;
}

function parseStep(condition: Condition, path: string[], state: Parse): Node {
  const { field, operator, value } = condition;
  if (field.definition && !field.related && path.length > 0)
    return propertyNode(condition, path.join('.'), state);
  if (path.length > 0 && !field.related && !isDate(field)) return parsePath(condition, path, state);
  if (operator === '=?') {
    const isEmpty = !value || (Array.isArray(value) && value.length === 0);
    return isEmpty ? TRUE : parseStep({ ...condition, operator: '=' }, path, state);
  }
  // The hierarchy of a relation is seen from this record, not from the one the field lives on.
  const isTree = field.type === 'many2one' && path.length === 0 && operator.endsWith('_of');
  if (field.related && !isTree) return parseRelated(condition, field.related, path, state);
  if (path.length > 0) return parsePart(condition, path, state);
  if (operator === 'any' || operator === 'not any') return parseAny(condition, state);
  return conditionNode(condition, state);
}

/**
 * A field of another record counts as this record's own: what it leads through is not asked, and where that is unset so
 * is the field. Where it is a relation and is followed further, or named, the way on is the reader's again.
 */
function parseRelated(
  condition: Condition,
  [link, target]: [string, string],
  path: string[],
  state: Parse,
): Node {
  const { model, operator, value, depth } = condition;
  if (operator === 'not any' && path.length === 0)
    return not(parseRelated({ ...condition, operator: 'any' }, [link, target], path, state));
  const via = model.fields.get(link)!;
  const far = state.registry.get(via.relation!)!;
  const isFollowed = operator === 'any' || (path.length > 0 && !isDate(condition.field));
  // A text is compared with names: those of the records the reader may read.
  const isNamed = condition.field.relation !== undefined && [value].flat().some((v) => typeof v === 'string');
  const inner = [[target, ...path].join('.'), operator, value];
  const where = parseLeaf(inner, far, isFollowed || isNamed ? state : { ...state, reader: null }, depth + 1);
  const node: Node = { kind: 'exists', field: via, model: far, where, ruled: false, active: false };
  return !isFollowed && acceptsUnset(where) ? or([node, oneOf(via, [null])]) : node;
}

/** A part of a date, such as `date.month_number`. */
function parsePart(condition: Condition, path: string[], state: Parse): Node {
  const part = path.join('.');
  if (!Object.hasOwn(DATE_PARTS, part)) {
    const known = `date part (there are ${Object.keys(DATE_PARTS).join(', ')})`;
    throw errors.invalidCondition(known, part.slice(0, 80), condition.item);
  }
  return conditionNode({ ...condition, part: part as keyof typeof DATE_PARTS }, state);
}

/** A dotted path is `any` on its first step: an unset relation never matches. */
function parsePath({ field, operator, value, depth, item }: Condition, path: string[], state: Parse): Node {
  const rest = path.join('.');
  if (!field.relation) throw errors.invalidCondition('path', rest.slice(0, 80), item);
  const target = targetOf(field, state, item);
  const where = parseLeaf([rest, operator, value], target, state, depth + 1);
  return related(field, target, where, state, path[0] === (target.active?.name ?? 'active'));
}

function parseAny({ model, field, operator, value, depth, item }: Condition, state: Parse): Node {
  if (!Array.isArray(value)) throw errors.invalidCondition('value for', operator, item);
  const isPositive = operator === 'any';
  if (field.name === 'id') {
    const inner = parseList(value, model, state, depth + 1);
    return isPositive ? inner : not(inner);
  }
  if (!field.relation) throw errors.invalidCondition('field', `${model.name}.${field.name}`, item);
  const target = targetOf(field, state, item);
  const where = parseList(value, target, state, depth + 1);
  const node = related(field, target, where, state, mentionsActive(value, target));
  return isPositive ? node : not(node);
}
