import { errors } from '../../errors.ts';
import { isObject, toStorableJson } from '../../json.ts';
import { limits } from '../../limits.ts';
import { isNumberField, isTextField } from '../model/field.ts';
import { removeAccents, UNACCENT } from '../value/accents.ts';
import { resolveZoneName } from '../value/instant.ts';
import type { DomainCondition, DomainParseState } from './condition.ts';
import {
  type ColumnOperator,
  DATE_PARTS,
  type DatePart,
  type DomainNode,
  FALSE,
  oneOf,
  TRUE,
} from './node.ts';
import { isUnset, parseComparand, parseMoment, parseNumber, parseScalars, parseText } from './operands.ts';

const MAX_CONTAINED_JSON_CHARS = 2_000;

/**
 * Builds a condition on a field that is not a relation.
 * @throws BAD_VALUE if the operator or the value does not fit the field
 */
export function buildColumnNode(condition: DomainCondition, state: DomainParseState): DomainNode {
  const { field, operator, item } = condition;
  if (operator === 'in') return buildMembership(condition, state);
  if (CONTENT_TYPES.has(field.type)) throw errors.invalidCondition('operator', operator, item);
  return operator.endsWith('like') ? buildPattern(condition) : buildComparison(condition, state);
}

const CONTENT_TYPES: ReadonlySet<string> = new Set(['json', 'binary', 'properties', 'properties_definition']);

/**
 * Builds a condition that compares a relation's id using `<`, `>`, `<=` or `>=`.
 * @throws BAD_VALUE
 */
export function buildRelationComparison(condition: DomainCondition, state: DomainParseState): DomainNode {
  const { field, operator, value, item } = condition;
  if (field.type !== 'many2one' || typeof value !== 'number')
    throw errors.invalidCondition('value for', operator, item);
  return {
    kind: 'column',
    field,
    ...parseComparand(field, operator as ColumnOperator, value, state.clock, item),
  };
}

/**
 * Builds a condition that matches JSON with all keys and values of an object.
 * @throws BAD_VALUE for other fields and values
 */
export function buildContainment({ field, part, operator, value, item }: DomainCondition): DomainNode {
  if (field.type !== 'json' || part) throw errors.invalidCondition('operator', operator, item);
  const text = isObject(value) ? toStorableJson(value) : '';
  if (text === '' || text.length > MAX_CONTAINED_JSON_CHARS)
    throw errors.invalidCondition('value for', operator, item);
  return { kind: 'column', field, operator: 'contains', value: text };
}

/**
 * Returns the values of an `in` condition. An unset value counts as an empty list.
 * @throws BAD_VALUE
 */
export function getConditionValues({ field, part, value, item }: DomainCondition): unknown[] {
  const values = Array.isArray(value) ? value : isUnset(value) ? [] : [value];
  if (values.length > limits.domain.values) throw errors.malformedDomain('too many values');
  if (values.some((v) => v !== null && typeof v === 'object'))
    throw errors.invalidCondition('value for', part ? `${field.name}.${part}` : field.name, item);
  return values;
}

function buildMembership(condition: DomainCondition, state: DomainParseState): DomainNode {
  const { model, field, item } = condition;
  const values = getConditionValues(condition);
  if (values.length === 0) return FALSE;
  if (!CONTENT_TYPES.has(field.type)) return oneOf(field, parseScalars(field, values, state.clock, item));
  // File content can only be tested for being unset.
  if (!values.every(isUnset))
    throw errors
      .invalidCondition('value for', `${model.name}.${field.name}`, item)
      .withDetails({ model: model.name, field: field.name });
  return oneOf(field, [null]);
}

/**
 * Resolves a date part, such as `month_number` in `date.month_number`.
 * @throws BAD_VALUE
 */
export function resolveDatePart({ item }: DomainCondition, path: string[]): DatePart {
  const part = path.join('.');
  if (!Object.hasOwn(DATE_PARTS, part)) {
    const expected = `date part (there are ${Object.keys(DATE_PARTS).join(', ')})`;
    throw errors.invalidCondition(expected, part.slice(0, 80), item);
  }
  return part as DatePart;
}

/** Builds a condition on a date part. Parts are integers, except `tz`, which is compared as a timestamp. */
export function buildPartNode(condition: DomainCondition, state: DomainParseState): DomainNode {
  const { field, operator, value, item } = condition;
  const part = condition.part!;
  const tz = field.type === 'datetime' && state.zone ? resolveZoneName(state.zone) : null;
  const node = (columnOperator: ColumnOperator, compared: unknown): DomainNode => ({
    kind: 'part',
    field,
    part,
    tz,
    operator: columnOperator,
    value: compared,
  });
  if (operator === 'in') {
    const values = getConditionValues(condition).map((v) =>
      isUnset(v) ? null : parsePartValue(condition, v, state),
    );
    return values.length ? node('in', values) : FALSE;
  }
  if (operator.endsWith('like')) {
    const text = parseLikeText(operator, value, item);
    if (text === null) return operator.startsWith('=') ? node('in', [null]) : TRUE;
    return node(operator as ColumnOperator, text);
  }
  if (!ORDER_OPERATORS.has(operator)) throw errors.invalidOperator(item, ORDER_OPERATORS);
  return isUnset(value) ? FALSE : node(operator as ColumnOperator, parsePartValue(condition, value, state));
}

export const ORDER_OPERATORS: ReadonlySet<string> = new Set(['<', '>', '<=', '>=']);

function parsePartValue({ part, item }: DomainCondition, value: unknown, state: DomainParseState): unknown {
  if (part !== 'tz') {
    if (typeof value === 'boolean') throw errors.invalidCondition('number', String(value), item);
    return parseNumber(value, item);
  }
  const { day, instant } = parseMoment(value, { ...state.clock, tz: 'UTC' }, item);
  return instant ?? `${day} 00:00:00`;
}

function buildPattern({ field, operator, value, item }: DomainCondition): DomainNode {
  if (field.type === 'boolean') throw errors.invalidCondition('value for', operator, item);
  const text = parseLikeText(operator, value, item);
  if (text === null) return operator.startsWith('=') ? oneOf(field, [null]) : TRUE;
  return { kind: 'column', field, operator: operator as ColumnOperator, value: text };
}

/**
 * Builds a LIKE pattern, with a trailing backslash escaped. Null if the value is empty.
 * @throws BAD_VALUE
 */
export function parseLikeText(operator: string, value: unknown, item: unknown): string | null {
  const isWhole = operator.startsWith('=');
  if ((value !== null && typeof value === 'object') || (isWhole && typeof value !== 'string'))
    throw errors.invalidCondition('value for', operator, item);
  const likeText = isUnset(value) ? '' : parseText(value, item);
  const text = operator.startsWith(UNACCENT) ? removeAccents(likeText) : likeText;
  if (text === '') return null;
  if (likeText.length > limits.domain.pattern) throw errors.longPattern();
  if (!isWhole) return `%${text}%`;
  return /(?<!\\)(?:\\\\)*\\$/.test(text) ? `${text}\\` : text;
}

function buildComparison(
  { field, operator, value, item }: DomainCondition,
  state: DomainParseState,
): DomainNode {
  if (field.type === 'boolean' || field.type === 'strings' || (typeof value === 'object' && value !== null))
    throw errors.invalidCondition('value for', operator, item);
  const columnOperator = operator as ColumnOperator;
  if (!isUnset(value))
    return { kind: 'column', field, ...parseComparand(field, columnOperator, value, state.clock, item) };
  const zero = isNumberField(field) ? 0 : isTextField(field) ? '' : null;
  return zero === null ? FALSE : { kind: 'column', field, operator: columnOperator, value: zero };
}
