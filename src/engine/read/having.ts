import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { param, type Statement } from '../sql/statement.ts';
import type { Aggregate } from './group-spec.ts';

const OPERATORS = new Set(['=', '!=', '<', '>', '<=', '>=', 'in', 'not in']);

/**
 * A domain over the values of groups, such as `[['__count', '>', 3]]`, as a condition on `g`; '' for none.
 * @throws BAD_VALUE
 */
export function havingSql(statement: Statement, having: unknown, aggregates: Aggregate[]): string {
  if (having === undefined || having === null || having === false) return '';
  if (!Array.isArray(having)) throw errors.malformedDomain('having is a list of conditions');
  if (having.length > limits.domainConditions) throw errors.malformedDomain('too many conditions');
  const stack: string[] = [];
  const pop = (): string => {
    const part = stack.pop();
    if (part === undefined) throw errors.malformedDomain('an operand lacks');
    return part;
  };
  for (const item of having.toReversed()) {
    if (item === '!') stack.push(`not ${pop()}`);
    else if (item === '&' || item === '|') stack.push(`(${pop()} ${item === '&' ? 'and' : 'or'} ${pop()})`);
    else stack.push(leafSql(statement, item, aggregates));
  }
  return stack.reverse().join(' and ');
}

function leafSql(statement: Statement, item: unknown, aggregates: Aggregate[]): string {
  if (!Array.isArray(item) || item.length !== 3) throw errors.notACondition(item);
  const [spec, operator, value] = item;
  const index = aggregates.findIndex((each) => each.spec === spec);
  if (index < 0) throw errors.invalidCondition('aggregate', String(spec).slice(0, 80), item);
  if (!OPERATORS.has(operator)) throw errors.invalidOperator(item);
  const values = Array.isArray(value) ? value : [value];
  if (values.some((each) => typeof each !== 'number'))
    throw errors.invalidCondition('value for', String(spec), item);
  const list = operator.endsWith('in');
  if (!list && Array.isArray(value)) throw errors.invalidCondition('value for', operator, item);
  const column = `coalesce(g.a${index}, 0)::float8`;
  if (!list) return `${column} ${operator === '!=' ? '<>' : operator} ${param(statement, value)}::float8`;
  const any = `${column} = any(${param(statement, values)}::float8[])`;
  return operator === 'in' ? `(${any})` : `(not ${any})`;
}
