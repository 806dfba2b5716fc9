import { errors } from '../../errors.ts';
import { isPropertyName } from '../model/naming.ts';
import type { DomainCondition } from './condition.ts';
import { getConditionValues, ORDER_OPERATORS, parseLikeText } from './leaf.ts';
import { type ColumnOperator, type DomainNode, FALSE, not, TRUE } from './node.ts';
import { isUnset, parseText } from './operands.ts';

/**
 * Builds a condition on a property, such as `lead_properties.color`. Parent records may define the same name with
 * different types, so the type of the value determines the comparison: numbers with numbers, and text (including dates)
 * with text. An unknown property counts as unset.
 * @throws BAD_VALUE for an operator or value that fits no property
 */
export function buildPropertyNode(condition: DomainCondition, name: string): DomainNode {
  const { operator, value, item } = condition;
  if (!isPropertyName(name)) throw errors.invalidCondition('property', name.slice(0, 80), item);
  if (operator === '=?') {
    const isEmpty = !value || (Array.isArray(value) && value.length === 0);
    return isEmpty ? TRUE : buildPropertyNode({ ...condition, operator: '=' }, name);
  }
  if (operator.startsWith('not '))
    return not(buildPropertyNode({ ...condition, operator: operator.slice(4) }, name));
  if (operator === '!=') return not(buildPropertyNode({ ...condition, operator: '=' }, name));
  if (operator === '=' || operator === 'in') return buildMembership(condition, name);
  if (operator.endsWith('like')) return buildPattern(condition, name);
  if (!ORDER_OPERATORS.has(operator)) throw errors.invalidCondition('operator', operator, item);
  if (typeof value !== 'number' && typeof value !== 'string')
    throw errors.invalidCondition('value for', operator, item);
  return createNode(condition, name, operator, typeof value === 'string' ? parseText(value, item) : value);
}

const createNode = (
  { field }: DomainCondition,
  name: string,
  operator: string,
  value: unknown,
): DomainNode => ({
  kind: 'property',
  field,
  name,
  operator: operator as ColumnOperator,
  value,
});

function buildMembership(condition: DomainCondition, name: string): DomainNode {
  const { operator, item } = condition;
  const listed = getConditionValues(condition);
  const values = operator === '=' && listed.length === 0 ? [false] : listed;
  const storedValues = values.map((v) =>
    isUnset(v) ? null : typeof v === 'string' ? parseText(v, item) : v,
  );
  return storedValues.length ? createNode(condition, name, 'in', storedValues) : FALSE;
}

function buildPattern(condition: DomainCondition, name: string): DomainNode {
  const { operator, value, item } = condition;
  const text = parseLikeText(operator, value, item);
  if (text !== null) return createNode(condition, name, operator, text);
  return operator.startsWith('=') ? createNode(condition, name, 'in', [null]) : TRUE;
}
