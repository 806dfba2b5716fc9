import { errors } from '../../errors.ts';

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
  '=unaccent like',
  '=unaccent ilike',
  'any',
  'not any',
  'child_of',
  'parent_of',
  'contains',
]);
const OPERATOR_ALIASES: Record<string, string> = { '<>': '!=', '==': '=' };

/** A condition as sent by the caller. `left` is a field path, or 1 or 0 in a constant condition. */
interface Triple {
  left: string | 1 | 0;
  operator: string;
  value: unknown;
}

/** @throws BAD_VALUE if the item is not `[field, operator, value]` */
export function parseTriple(item: unknown): Triple {
  if (!Array.isArray(item) || item.length !== 3) throw errors.notACondition(item);
  const [left, operatorText, value] = item;
  if (typeof operatorText !== 'string') throw errors.invalidOperator(item, OPERATORS);
  const lower = operatorText.toLowerCase();
  const operator = OPERATOR_ALIASES[lower] ?? lower;
  if (!OPERATORS.has(operator)) throw errors.invalidOperator(item, OPERATORS);
  // `[1, '=', 1]` is always true and `[0, '=', 1]` always false. Booleans are accepted, because True equals 1 in
  // Python.
  if (left === 1 || left === 0 || typeof left === 'boolean') {
    if (operator !== '=' || Number(value) !== 1 || typeof value === 'string')
      throw errors.notACondition(item);
    return { left: left ? 1 : 0, operator, value };
  }
  if (typeof left !== 'string') throw errors.notACondition(item);
  return { left, operator, value };
}
