import { errors } from '../../errors.ts';
import { isPropertyName } from '../model/naming.ts';
import type { Condition } from './condition.ts';
import { likeText, listOf, ORDER_OPERATORS } from './leaf.ts';
import { type ColumnOperator, FALSE, type Node, not, TRUE } from './node.ts';
import { isUnset, textOf } from './operands.ts';

/**
 * A condition on one property, such as `lead_properties.colour`. Parents may define a name differently, so it is the
 * value of the condition that says what is compared: a number with numbers, a text with texts (and days). A property
 * that is unknown is unset.
 * @throws BAD_VALUE for an operator or a value that fits no property
 */
export function propertyNode(condition: Condition, name: string): Node {
  const { operator, value, item } = condition;
  if (!isPropertyName(name)) throw errors.invalidCondition('property', name.slice(0, 80), item);
  if (operator === '=?') {
    const isEmpty = !value || (Array.isArray(value) && value.length === 0);
    return isEmpty ? TRUE : propertyNode({ ...condition, operator: '=' }, name);
  }
  if (operator.startsWith('not '))
    return not(propertyNode({ ...condition, operator: operator.slice(4) }, name));
  if (operator === '!=') return not(propertyNode({ ...condition, operator: '=' }, name));
  if (operator === '=' || operator === 'in') return among(condition, name);
  if (operator.endsWith('like')) return pattern(condition, name);
  if (!ORDER_OPERATORS.has(operator)) throw errors.invalidCondition('operator', operator, item);
  if (typeof value !== 'number' && typeof value !== 'string')
    throw errors.invalidCondition('value for', operator, item);
  return node(condition, name, operator, typeof value === 'string' ? textOf(value, item) : value);
}

const node = ({ field }: Condition, name: string, operator: string, value: unknown): Node => ({
  kind: 'property',
  field,
  name,
  operator: operator as ColumnOperator,
  value,
});

function among(condition: Condition, name: string): Node {
  const { operator, item } = condition;
  const listed = listOf(condition);
  const values = operator === '=' && listed.length === 0 ? [false] : listed;
  const held = values.map((v) => (isUnset(v) ? null : typeof v === 'string' ? textOf(v, item) : v));
  return held.length ? node(condition, name, 'in', held) : FALSE;
}

function pattern(condition: Condition, name: string): Node {
  const { operator, value, item } = condition;
  const text = likeText(operator, value, item);
  if (text !== null) return node(condition, name, operator, text);
  return operator.startsWith('=') ? node(condition, name, 'in', [null]) : TRUE;
}
