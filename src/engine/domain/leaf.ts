import { errors } from '../../errors.ts';
import { isObject, keptJson } from '../../json.ts';
import { limits } from '../../limits.ts';
import { isNumber, isText } from '../model/field.ts';
import { zoneName } from '../value/instant.ts';
import type { Condition, Parse } from './condition.ts';
import { type ColumnOperator, FALSE, type Node, oneOf, TRUE } from './node.ts';
import { comparand, isUnset, moment, number, scalars, textOf } from './operands.ts';

/** A condition on a column that is no relation. @throws BAD_VALUE when operator or value do not fit the field */
export function columnNode(condition: Condition, state: Parse): Node {
  const { field, operator, item } = condition;
  if (operator === 'in') return membership(condition, state);
  if (CONTENTS.has(field.type)) throw errors.invalidCondition('operator', operator, item);
  return operator.endsWith('like') ? pattern(condition) : comparison(condition, state);
}

const CONTENTS: ReadonlySet<string> = new Set(['json', 'binary', 'properties', 'properties_definition']);

/** Whether JSON content has all names of an object, with these values. @throws BAD_VALUE for other fields and values */
export function containment({ field, part, operator, value, item }: Condition): Node {
  if (field.type !== 'json' || part) throw errors.invalidCondition('operator', operator, item);
  const text = isObject(value) ? keptJson(value) : '';
  if (text === '' || text.length > limits.domain.json)
    throw errors.invalidCondition('value for', operator, item);
  return { kind: 'column', field, operator: 'contains', value: text };
}

/** The values of an `in` list; unset is an empty one. @throws BAD_VALUE */
export function listOf({ field, part, value, item }: Condition): unknown[] {
  const values = Array.isArray(value) ? value : isUnset(value) ? [] : [value];
  if (values.length > limits.domain.values) throw errors.malformedDomain('too many values');
  if (values.some((v) => v !== null && typeof v === 'object'))
    throw errors.invalidCondition('value for', part ? `${field.name}.${part}` : field.name, item);
  return values;
}

function membership(condition: Condition, state: Parse): Node {
  const { model, field, item } = condition;
  const values = listOf(condition);
  if (values.length === 0) return FALSE;
  if (!CONTENTS.has(field.type)) return oneOf(field, scalars(field, values, state.clock, item));
  // Of contents one can only ask whether there are any.
  if (!values.every(isUnset))
    throw errors
      .invalidCondition('value for', `${model.name}.${field.name}`, item)
      .about({ model: model.name, field: field.name });
  return oneOf(field, [null]);
}

/** Of a part of a date. Parts are whole numbers; `tz` is compared as an instant is written. */
export function partNode(condition: Condition, state: Parse): Node {
  const { field, operator, value, item } = condition;
  const part = condition.part!;
  const tz = field.type === 'datetime' && state.zone ? zoneName(state.zone) : null;
  const node = (its: ColumnOperator, compared: unknown): Node => ({
    kind: 'part',
    field,
    part,
    tz,
    operator: its,
    value: compared,
  });
  if (operator === 'in') {
    const values = listOf(condition).map((v) => (isUnset(v) ? null : partValue(condition, v, state)));
    return values.length ? node('in', values) : FALSE;
  }
  if (operator.endsWith('like')) {
    const text = likeText(operator, value, item);
    if (text === null) return operator.startsWith('=') ? node('in', [null]) : TRUE;
    return node(operator as ColumnOperator, text);
  }
  if (!ORDER_OPERATORS.has(operator)) throw errors.invalidOperator(item);
  return isUnset(value) ? FALSE : node(operator as ColumnOperator, partValue(condition, value, state));
}

export const ORDER_OPERATORS: ReadonlySet<string> = new Set(['<', '>', '<=', '>=']);

function partValue({ part, item }: Condition, value: unknown, state: Parse): unknown {
  if (part !== 'tz') {
    if (typeof value === 'boolean') throw errors.invalidCondition('number', String(value), item);
    return number(value, item);
  }
  const { day, instant } = moment(value, { ...state.clock, tz: 'UTC' }, item);
  return instant ?? `${day} 00:00:00`;
}

function pattern({ field, operator, value, item }: Condition): Node {
  if (field.type === 'boolean') throw errors.invalidCondition('value for', operator, item);
  const text = likeText(operator, value, item);
  if (text === null) return operator.startsWith('=') ? oneOf(field, [null]) : TRUE;
  return { kind: 'column', field, operator: operator as ColumnOperator, value: text };
}

/**
 * The whole pattern; null for an empty value. An escape at its end has nothing to escape but itself.
 * @throws BAD_VALUE
 */
export function likeText(operator: string, value: unknown, item: unknown): string | null {
  const isWhole = operator.startsWith('=');
  if ((value !== null && typeof value === 'object') || (isWhole && typeof value !== 'string'))
    throw errors.invalidCondition('value for', operator, item);
  const text = isUnset(value) ? '' : textOf(value, item);
  if (text === '') return null;
  if (text.length > limits.domain.pattern) throw errors.longPattern();
  if (!isWhole) return `%${text}%`;
  return /(?<!\\)(?:\\\\)*\\$/.test(text) ? `${text}\\` : text;
}

function comparison({ field, operator, value, item }: Condition, state: Parse): Node {
  if (field.type === 'boolean' || field.type === 'strings' || (typeof value === 'object' && value !== null))
    throw errors.invalidCondition('value for', operator, item);
  const its = operator as ColumnOperator;
  if (!isUnset(value)) return { kind: 'column', field, ...comparand(field, its, value, state.clock, item) };
  const zero = isNumber(field) ? 0 : isText(field) ? '' : null;
  return zero === null ? FALSE : { kind: 'column', field, operator: its, value: zero };
}
