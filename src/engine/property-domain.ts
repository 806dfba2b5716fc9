import { errors } from '../errors.ts';
import { wordsOf } from './columns.ts';
import type { Condition, Parse } from './domain-condition.ts';
import { COMPARISONS, likeText, listOf } from './domain-leaf.ts';
import { type ColumnOperator, FALSE, type Node, not, TRUE } from './domain-node.ts';
import { isUnset, textOf } from './domain-values.ts';
import type { Model } from './model.ts';
import { isPropertyName, propertySql } from './property-sql.ts';
import { alias, param, type Statement } from './statement.ts';

/**
 * A condition on one property, such as `lead_properties.colour`. Parents may define a name differently, so it is the
 * value of the condition that says what is compared: a number with numbers, a text with texts (and days). A property
 * that is unknown is unset.
 * @throws BAD_VALUE for an operator or a value that fits no property
 */
export function propertyNode(condition: Condition, name: string, state: Parse): Node {
  const { operator, value, item } = condition;
  if (!isPropertyName(name)) throw errors.invalidCondition('property', name.slice(0, 80), item);
  if (operator === '=?') {
    const isEmpty = !value || (Array.isArray(value) && value.length === 0);
    return isEmpty ? TRUE : propertyNode({ ...condition, operator: '=' }, name, state);
  }
  if (operator.startsWith('not '))
    return not(propertyNode({ ...condition, operator: operator.slice(4) }, name, state));
  if (operator === '!=') return not(propertyNode({ ...condition, operator: '=' }, name, state));
  if (operator === '=' || operator === 'in') return among(condition, name);
  if (operator.endsWith('like')) return pattern(condition, name);
  if (!COMPARISONS.has(operator)) throw errors.invalidCondition('operator', operator, item);
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

/** Stored forms that count as unset. */
const UNSET = `array['null', 'false', '""', '[]', '0']::jsonb[]`;

/** The condition on the row. */
export function propertyWhere(
  statement: Statement,
  { field, name, operator, value }: Node & { kind: 'property' },
  row: string,
  model: Model,
): string {
  const held = propertySql(wordsOf(statement, model, row), model, field, name, row);
  if (operator === 'in') return amongSql(statement, held, value as unknown[]);
  const each = alias(statement);
  const text = `${each}.v #>> '{}'`;
  const from = `from (select ${held} as v) ${each}`;
  if (operator.endsWith('like')) {
    const like = operator.includes('ilike') ? 'ilike' : 'like';
    return `(select ${text} ${like} ${param(statement, value)} ${from})`;
  }
  const isNumber = typeof value === 'number';
  const compared = `case when jsonb_typeof(${each}.v) = '${isNumber ? 'number' : 'string'}' then (${text})${isNumber ? '::numeric' : ''} end`;
  return `coalesce((select ${compared} ${operator} ${param(statement, value)}${isNumber ? '::numeric' : ''} ${from}), false)`;
}

/** A list of tags or records holds each of its items: `@>` is equality for what is no list. */
function amongSql(statement: Statement, held: string, values: unknown[]): string {
  const each = alias(statement);
  const set = values.filter((v) => v !== null).map((v) => JSON.stringify(v));
  const parts: string[] = [];
  if (set.length) parts.push(`${each}.v @> any(${param(statement, set)}::jsonb[])`);
  if (values.some((v) => v === null || v === 0 || v === ''))
    parts.push(`${each}.v is null or ${each}.v = any(${UNSET})`);
  return `coalesce((select ${parts.join(' or ')} from (select ${held} as v) ${each}), false)`;
}
