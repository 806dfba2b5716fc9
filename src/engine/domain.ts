import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import { comparand, integer, isNumber, isText, scalar } from './domain-values.ts';
import type { Field, Model, Registry } from './model.ts';

/** A domain as callers write it: prefix connectors `& | !` and triples `[field, operator, value]`. */
export type Domain = unknown[];

/** A parsed domain. `column` compares a column of the record itself; `exists` looks at related records. */
export type Node =
  | { kind: 'const'; value: boolean }
  | { kind: 'and' | 'or'; items: Node[] }
  | { kind: 'not'; item: Node }
  | { kind: 'column'; field: Field; operator: ColumnOperator; value: unknown }
  | { kind: 'exists'; field: Field; model: Model; where: Node; ruled: boolean; active: boolean };

/** Operators that are left after parsing; negative ones keep "unset counts as different". */
export type ColumnOperator =
  | 'in'
  | 'not in'
  | '<'
  | '>'
  | '<='
  | '>='
  | 'like'
  | 'ilike'
  | '=like'
  | '=ilike';

const TRUE: Node = { kind: 'const', value: true };
export const FALSE: Node = { kind: 'const', value: false };

const OPERATORS = new Set([
  '=',
  '!=',
  '<>',
  '==',
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
]);
const ALIASES: Record<string, string> = { '<>': '!=', '==': '=' };

/** For whom a domain is read. A condition would tell what it compares, so the reader must be allowed to see it. */
export interface Reader {
  /** @throws ACCESS_ERROR */
  checkModel(model: Model): void;
  /** @throws ACCESS_ERROR */
  checkField(model: Model, field: Field): void;
  /** Where the reader's days begin. */
  tz: string;
}

interface Parse {
  registry: Registry;
  conditions: number;
  reader: Reader | null;
}

/**
 * Parses a domain for `model`. Without a reader it is the platform's own (a record rule): it sees every record,
 * archived ones too, and its days are UTC.
 * @returns the tree, and whether the field `active` is mentioned (then the active filter is off)
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
  const state: Parse = { registry, conditions: 0, reader };
  const node = parseList(items, model, state, 0);
  return { node, active: mentionsActive(items) };
}

/** The platform's own days are those of UTC. */
const tzOf = (state: Parse): string => state.reader?.tz ?? 'UTC';

function mentionsActive(items: unknown[]): boolean {
  return items.some((item) => Array.isArray(item) && item[0] === 'active');
}

/** Prefix notation: operands are read from the end; what is left over is joined by AND. */
function parseList(items: unknown[], model: Model, state: Parse, depth: number): Node {
  if (depth > limits.domainDepth) throw errors.malformedDomain('nested too deep');
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
  if (++state.conditions > limits.domainConditions) throw errors.malformedDomain('too many conditions');
  const [left, rawOperator, value] = item;
  if (typeof rawOperator !== 'string') throw errors.invalidOperator(item);
  const lower = rawOperator.toLowerCase();
  const operator = ALIASES[lower] ?? lower;
  if (!OPERATORS.has(operator)) throw errors.invalidOperator(item);
  if (left === 1 || left === 0) return constantLeaf(left, operator, value, item);
  if (typeof left !== 'string') throw errors.notACondition(item);
  const [name, ...path] = left.split('.') as [string, ...string[]];
  const field = fieldOf(model, name, state, item);
  if (field.related)
    return parseLeaf([[...field.related, ...path].join('.'), operator, value], model, state, depth);
  if (path.length > 0) return parsePath(field, path, operator, value, state, depth, item);
  if (operator === '=?') return value ? parseLeaf([left, '=', value], model, state, depth) : TRUE;
  if (operator === 'any' || operator === 'not any')
    return parseAny(field, operator, value, model, state, depth, item);
  return leaf(field, operator, value, model, state, depth, item);
}

/** `[1, '=', 1]` and `[0, '=', 1]`. */
function constantLeaf(left: number, operator: string, value: unknown, item: unknown): Node {
  if (operator !== '=' || value !== 1) throw errors.notACondition(item);
  return left === 1 ? TRUE : FALSE;
}

function fieldOf(model: Model, name: string, state: Parse, item: unknown): Field {
  const field = model.fields.get(name);
  if (!field || field.secret || field.type === 'json' || field.type === 'binary') {
    throw errors.invalidCondition('field', `${model.name}.${name.slice(0, 80)}`, item);
  }
  state.reader?.checkField(model, field);
  return field;
}

/** The model on the other side of `field`, which the reader must be allowed to read. */
function targetOf(field: Field, state: Parse): Model {
  const target = state.registry.get(field.relation!)!;
  state.reader?.checkModel(target);
  return target;
}

/** A condition on related records: under the reader's rules, archived lines left out unless they are asked for. */
function related(field: Field, model: Model, where: Node, state: Parse, asksActive: boolean): Node {
  const active = state.reader !== null && field.type !== 'many2one' && !asksActive;
  return { kind: 'exists', field, model, where, ruled: state.reader !== null, active };
}

/** A dotted path is `any` on its first step: an unset relation never matches. */
function parsePath(
  field: Field,
  path: string[],
  operator: string,
  value: unknown,
  state: Parse,
  depth: number,
  item: unknown,
): Node {
  if (!field.relation) throw errors.invalidCondition('path', path.join('.'), item);
  if (depth > limits.domainDepth) throw errors.malformedDomain('path too long');
  const target = targetOf(field, state);
  const where = parseLeaf([path.join('.'), operator, value], target, state, depth + 1);
  return related(field, target, where, state, path[0] === 'active');
}

function parseAny(
  field: Field,
  operator: string,
  value: unknown,
  model: Model,
  state: Parse,
  depth: number,
  item: unknown,
): Node {
  if (!Array.isArray(value)) throw errors.invalidCondition('value for', operator, item);
  if (field.name === 'id') {
    const inner = parseList(value, model, state, depth + 1);
    return operator === 'any' ? inner : not(inner);
  }
  if (!field.relation) throw errors.invalidCondition('field', `${model.name}.${field.name}`, item);
  const target = targetOf(field, state);
  const node = related(
    field,
    target,
    parseList(value, target, state, depth + 1),
    state,
    mentionsActive(value),
  );
  return operator === 'any' ? node : not(node);
}

function leaf(
  field: Field,
  operator: string,
  value: unknown,
  model: Model,
  state: Parse,
  depth: number,
  item: unknown,
): Node {
  if (operator === '=' || operator === '!=') {
    const values = Array.isArray(value) ? (value.length ? value : [false]) : [value];
    return leaf(field, operator === '=' ? 'in' : 'not in', values, model, state, depth, item);
  }
  if (field.name === 'display_name') return byDisplayName(operator, value, model, state, depth);
  const negative = operator.startsWith('not ');
  const positive = negative ? operator.slice(4) : operator;
  if (positive === 'in') return membership(field, negative, value, model, state, depth, item);
  if (field.relation) return relationByName(field, positive, negative, value, state, depth, item);
  if (positive.endsWith('like')) return pattern(field, positive as ColumnOperator, negative, value, item);
  return comparison(field, operator as ColumnOperator, value, state, item);
}

function membership(
  field: Field,
  negative: boolean,
  value: unknown,
  model: Model,
  state: Parse,
  depth: number,
  item: unknown,
): Node {
  const values = Array.isArray(value) ? value : value === false || value === null ? [] : [value];
  if (values.length > limits.domainValues) throw errors.malformedDomain('too many values');
  if (values.length === 0) return negative ? TRUE : FALSE;
  const isReference = field.relation !== undefined || field.name === 'id';
  if (values.some((v) => (v !== null && typeof v === 'object') || (v === true && isReference))) {
    throw errors.invalidCondition('value for', `${model.name}.${field.name}`, item);
  }
  if (!field.relation)
    return columnIn(
      field,
      negative,
      values.map((v) => scalar(field, v, tzOf(state), item)),
    );
  const names = values.filter((v) => typeof v === 'string' && !/^\d+$/.test(v));
  const ids = values
    .filter((v) => !names.includes(v))
    .map((v) => (v === false || v === null ? null : integer(v, item)));
  const parts: Node[] = [];
  if (ids.length) parts.push(linkIn(field, ids, state));
  if (names.length) parts.push(relationByName(field, 'in', false, names, state, depth, item));
  return negative ? not(or(parts)) : or(parts);
}

/** By plain ids: the rules of the other model are not asked. */
function linkIn(field: Field, ids: (number | null)[], state: Parse): Node {
  if (field.type === 'many2one') return columnIn(field, false, ids);
  const target = state.registry.get(field.relation!)!;
  const link = (where: Node): Node => ({
    kind: 'exists',
    field,
    model: target,
    where,
    ruled: false,
    active: false,
  });
  const wanted = ids.filter((id) => id !== null);
  const parts: Node[] = [];
  if (wanted.length) parts.push(link(columnIn(target.fields.get('id')!, false, wanted)));
  if (wanted.length < ids.length) parts.push(not(link(TRUE)));
  return or(parts);
}

const columnIn = (field: Field, negative: boolean, values: unknown[]): Node => ({
  kind: 'column',
  field,
  operator: negative ? 'not in' : 'in',
  value: values,
});

/** A relation compared with text means the name of the record on the other side. */
function relationByName(
  field: Field,
  operator: string,
  negative: boolean,
  value: unknown,
  state: Parse,
  depth: number,
  item: unknown,
): Node {
  if (operator !== 'in' && !operator.endsWith('like')) {
    if (typeof value === 'number') return comparison(field, operator as ColumnOperator, value, state, item);
    throw errors.invalidCondition('value for', operator, item);
  }
  const target = targetOf(field, state);
  const any = operator === 'ilike' && (value === '' || value === false);
  const where = any ? TRUE : parseLeaf(['display_name', operator, value], target, state, depth + 1);
  const node = related(field, target, where, state, false);
  return negative ? not(node) : node;
}

/** The display name is looked for in every search name of the model; a negative must hold for all of them. */
function byDisplayName(operator: string, value: unknown, model: Model, state: Parse, depth: number): Node {
  const negative = operator.startsWith('not ');
  const parts = model.searchNames.map((name) => parseLeaf([name, operator, value], model, state, depth + 1));
  return negative ? and(parts) : or(parts);
}

function pattern(
  field: Field,
  operator: ColumnOperator,
  negative: boolean,
  value: unknown,
  item: unknown,
): Node {
  if (field.type === 'boolean' || (value !== null && typeof value === 'object')) {
    throw errors.invalidCondition('value for', operator, item);
  }
  const text = value === false || value === null ? '' : String(value);
  if (operator.startsWith('=') && typeof value !== 'string')
    throw errors.invalidCondition('value for', operator, item);
  if (text === '' && operator.startsWith('=')) return columnIn(field, negative, [null]);
  if (text === '') return negative ? FALSE : TRUE;
  const node: Node = {
    kind: 'column',
    field,
    operator,
    value: operator.startsWith('=') ? text : `%${text}%`,
  };
  return negative ? not(node) : node;
}

function comparison(
  field: Field,
  operator: ColumnOperator,
  value: unknown,
  state: Parse,
  item: unknown,
): Node {
  if (field.type === 'boolean' || field.type === 'strings' || (typeof value === 'object' && value !== null)) {
    throw errors.invalidCondition('value for', operator, item);
  }
  if (value === false || value === null) {
    const zero = isNumber(field) ? 0 : isText(field) ? '' : null;
    return zero === null ? FALSE : { kind: 'column', field, operator, value: zero };
  }
  return { kind: 'column', field, ...comparand(field, operator, value, tzOf(state), item) };
}

export function and(items: Node[]): Node {
  const rest = items.filter((n) => !(n.kind === 'const' && n.value));
  if (rest.some((n) => n.kind === 'const')) return FALSE;
  return rest.length === 0 ? TRUE : rest.length === 1 ? rest[0]! : { kind: 'and', items: rest };
}

export function or(items: Node[]): Node {
  const rest = items.filter((n) => !(n.kind === 'const' && !n.value));
  if (rest.some((n) => n.kind === 'const')) return TRUE;
  return rest.length === 0 ? FALSE : rest.length === 1 ? rest[0]! : { kind: 'or', items: rest };
}

export function not(item: Node): Node {
  if (item.kind === 'const') return item.value ? FALSE : TRUE;
  if (item.kind === 'not') return item.item;
  if (item.kind === 'column' && item.operator === 'in') return { ...item, operator: 'not in' };
  if (item.kind === 'column' && item.operator === 'not in') return { ...item, operator: 'in' };
  return { kind: 'not', item };
}
