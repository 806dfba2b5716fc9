import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
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
export type ColumnOperator = 'in' | 'not in' | '<' | '>' | '<=' | '>=' | 'like' | 'ilike' | '=like' | '=ilike';

export const TRUE: Node = { kind: 'const', value: true };
export const FALSE: Node = { kind: 'const', value: false };

const OPERATORS = new Set([
  '=', '!=', '<>', '==', '=?', 'in', 'not in', '<', '>', '<=', '>=',
  'like', 'not like', 'ilike', 'not ilike', '=like', 'not =like', '=ilike', 'not =ilike',
  'any', 'not any',
]);
const ALIASES: Record<string, string> = { '<>': '!=', '==': '=' };

interface Parse {
  registry: Registry;
  conditions: number;
}

/**
 * Parses a domain for `model`.
 * @returns the tree, and whether the field `active` is mentioned (then the active filter is off)
 * @throws BAD_VALUE for unknown fields, unknown operators, wrong arity
 */
export function parseDomain(domain: unknown, model: Model, registry: Registry): { node: Node; active: boolean } {
  const items = domain === null || domain === undefined || domain === false ? [] : domain;
  if (!Array.isArray(items)) throw errors.malformedDomain('a domain is a list of conditions');
  const state: Parse = { registry, conditions: 0 };
  const node = parseList(items, model, state, 0);
  return { node, active: mentionsActive(items) };
}

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
  if (!Array.isArray(item) || item.length !== 3) throw errors.malformedDomain(`not a condition: ${JSON.stringify(item)}`);
  if (++state.conditions > limits.domainConditions) throw errors.malformedDomain('too many conditions');
  const [left, rawOperator, value] = item;
  if (typeof rawOperator !== 'string') throw errors.invalidOperator(item);
  const lower = rawOperator.toLowerCase();
  const operator = ALIASES[lower] ?? lower;
  if (!OPERATORS.has(operator)) throw errors.invalidOperator(item);
  if (left === 1 || left === 0) return constantLeaf(left, operator, value, item);
  if (typeof left !== 'string') throw errors.malformedDomain(`not a field: ${JSON.stringify(left)}`);
  const [name, ...path] = left.split('.') as [string, ...string[]];
  const field = fieldOf(model, name, item);
  if (operator === '=?') return value === false || value === null ? TRUE : parseLeaf([left, '=', value], model, state, depth);
  if (field.related) return parseLeaf([[...field.related, ...path].join('.'), operator, value], model, state, depth);
  if (path.length > 0) return parsePath(field, path, operator, value, state, depth, item);
  if (operator === 'any' || operator === 'not any') return parseAny(field, operator, value, model, state, depth, item);
  return leaf(field, operator, value, model, state, depth, item);
}

/** `[1, '=', 1]` and `[0, '=', 1]`. */
function constantLeaf(left: number, operator: string, value: unknown, item: unknown): Node {
  if (operator !== '=' || value !== 1) throw errors.malformedDomain(`not a condition: ${JSON.stringify(item)}`);
  return left === 1 ? TRUE : FALSE;
}

function fieldOf(model: Model, name: string, item: unknown): Field {
  const field = model.fields.get(name);
  if (!field || field.secret || field.type === 'json' || field.type === 'binary') {
    throw errors.invalidCondition('field', `${model.name}.${name}`, item);
  }
  return field;
}

/** A dotted path is `any` on its first step: an unset relation never matches. */
function parsePath(field: Field, path: string[], operator: string, value: unknown, state: Parse, depth: number, item: unknown): Node {
  if (!field.relation) throw errors.invalidCondition('path', path.join('.'), item);
  if (depth > limits.domainDepth) throw errors.malformedDomain('path too long');
  const target = state.registry.get(field.relation)!;
  const where = parseLeaf([path.join('.'), operator, value], target, state, depth + 1);
  return { kind: 'exists', field, model: target, where, ruled: true, active: field.type !== 'many2one' && path[0] !== 'active' };
}

function parseAny(field: Field, operator: string, value: unknown, model: Model, state: Parse, depth: number, item: unknown): Node {
  if (!Array.isArray(value)) throw errors.invalidCondition('value for', operator, item);
  if (field.name === 'id') {
    const inner = parseList(value, model, state, depth + 1);
    return operator === 'any' ? inner : not(inner);
  }
  if (!field.relation) throw errors.invalidCondition('field', `${model.name}.${field.name}`, item);
  const target = state.registry.get(field.relation)!;
  const where = parseList(value, target, state, depth + 1);
  const active = field.type !== 'many2one' && !mentionsActive(value);
  const node: Node = { kind: 'exists', field, model: target, where, ruled: true, active };
  return operator === 'any' ? node : not(node);
}

function leaf(field: Field, operator: string, value: unknown, model: Model, state: Parse, depth: number, item: unknown): Node {
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
  return comparison(field, operator as ColumnOperator, value, item);
}

function membership(field: Field, negative: boolean, value: unknown, model: Model, state: Parse, depth: number, item: unknown): Node {
  const values = Array.isArray(value) ? value : [value];
  if (values.length > limits.domainValues) throw errors.malformedDomain('too many values');
  if (values.length === 0) return negative ? TRUE : FALSE;
  if (values.some((v) => v !== null && typeof v === 'object')) throw errors.invalidCondition('value for', `${model.name}.${field.name}`, item);
  if (!field.relation) return columnIn(field, negative, values.map((v) => scalar(field, v, item)));
  const names = values.filter((v) => typeof v === 'string' && !/^\d+$/.test(v));
  const ids = values.filter((v) => !names.includes(v)).map((v) => (v === false || v === null ? null : integer(v, item)));
  const parts: Node[] = [];
  if (ids.length) parts.push(linkIn(field, ids, state));
  if (names.length) parts.push(relationByName(field, 'in', false, names, state, depth, item));
  return negative ? not(or(parts)) : or(parts);
}

/** By plain ids: the rules of the other model are not asked. */
function linkIn(field: Field, ids: (number | null)[], state: Parse): Node {
  if (field.type === 'many2one') return columnIn(field, false, ids);
  const target = state.registry.get(field.relation!)!;
  const link = (where: Node): Node => ({ kind: 'exists', field, model: target, where, ruled: false, active: false });
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
function relationByName(field: Field, operator: string, negative: boolean, value: unknown, state: Parse, depth: number, item: unknown): Node {
  const target = state.registry.get(field.relation!)!;
  if (operator !== 'in' && !operator.endsWith('like')) {
    if (typeof value === 'number') return comparison(field, operator as ColumnOperator, value, item);
    throw errors.invalidCondition('value for', operator, item);
  }
  const where =
    operator === 'ilike' && (value === '' || value === false)
      ? TRUE
      : parseLeaf(['display_name', operator, value], target, state, depth + 1);
  const node: Node = { kind: 'exists', field, model: target, where, ruled: true, active: field.type !== 'many2one' };
  return negative ? not(node) : node;
}

/** The display name is looked for in every search name of the model; a negative must hold for all of them. */
function byDisplayName(operator: string, value: unknown, model: Model, state: Parse, depth: number): Node {
  const negative = operator.startsWith('not ');
  const parts = model.searchNames.map((name) => parseLeaf([name, operator, value], model, state, depth + 1));
  return negative ? and(parts) : or(parts);
}

function pattern(field: Field, operator: ColumnOperator, negative: boolean, value: unknown, item: unknown): Node {
  if (value !== null && typeof value === 'object') throw errors.invalidCondition('value for', operator, item);
  const text = value === false || value === null ? '' : String(value);
  if (operator.startsWith('=') && typeof value !== 'string') throw errors.invalidCondition('value for', operator, item);
  if (text === '' && operator.startsWith('=')) return columnIn(field, negative, [null]);
  if (text === '') return negative ? FALSE : TRUE;
  const node: Node = { kind: 'column', field, operator, value: operator.startsWith('=') ? text : `%${text}%` };
  return negative ? not(node) : node;
}

function comparison(field: Field, operator: ColumnOperator, value: unknown, item: unknown): Node {
  const dated = field.type === 'date' || field.type === 'datetime';
  if (value === false || value === null) {
    if (dated || !isNumber(field)) return FALSE;
    return { kind: 'column', field, operator, value: 0 };
  }
  if (Array.isArray(value) || typeof value === 'object') throw errors.invalidCondition('value for', operator, item);
  const wanted = scalar(field, value, item);
  if (field.type === 'datetime' && String(wanted).length === 10) return wholeDay(field, operator, String(wanted));
  return { kind: 'column', field, operator, value: wanted };
}

/** A bare date against a datetime: "after" and "until" take the whole day in. */
function wholeDay(field: Field, operator: ColumnOperator, day: string): Node {
  if (operator !== '>' && operator !== '<=') return { kind: 'column', field, operator, value: day };
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return { kind: 'column', field, operator: operator === '>' ? '>=' : '<', value: next };
}

export const isNumber = (field: Field): boolean =>
  field.type === 'integer' || field.type === 'float' || field.type === 'monetary';

/** A value in the form its column takes; null stands for "not set". */
function scalar(field: Field, value: unknown, item: unknown): unknown {
  if (value === null || value === undefined) return field.type === 'boolean' ? false : null;
  if (field.type === 'boolean') return Boolean(value);
  if (value === false) return isNumber(field) ? 0 : null;
  if (field.name === 'id' || field.type === 'integer' || field.type === 'many2one') return integer(value, item);
  if (isNumber(field)) return number(value, item);
  if (field.type === 'date') return date(value, item).slice(0, 10);
  if (field.type === 'datetime') return date(value, item);
  return value === '' ? null : String(value);
}

function number(value: unknown, item: unknown): number {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number(value === true ? 1 : value);
  if (typeof value === 'object' || !Number.isFinite(parsed)) throw errors.invalidCondition('number', String(value), item);
  return parsed;
}

function integer(value: unknown, item: unknown): number {
  const parsed = number(value, item);
  // Postgres would refuse a parameter outside of its type; nothing can equal it, so the nearest edge is as good.
  return Math.max(-2147483648, Math.min(2147483647, Number.isInteger(parsed) ? parsed : Math.trunc(parsed)));
}

const DATE = /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/;

/** `YYYY-MM-DD` or `YYYY-MM-DD HH:MM[:SS]`, UTC and without an offset. */
function date(value: unknown, item: unknown): string {
  if (typeof value !== 'string' || !DATE.test(value) || Number.isNaN(Date.parse(`${value.slice(0, 10)}T00:00:00Z`))) {
    throw errors.invalidCondition('date', String(value), item);
  }
  return value.replace('T', ' ');
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
