import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { formatValue } from '../../json.ts';
import { limits } from '../../limits.ts';
import { COMPARATORS } from '../sql/operators.ts';
import { type Aggregate, isNumberAggregate } from './group-spec.ts';

/**
 * Converts a domain on aggregates, such as `[['__count', '>', 3]]`, to an SQL condition on `g`. Null if there are no
 * conditions.
 * @throws BAD_VALUE
 */
export function buildHavingSql(having: unknown, aggregates: Aggregate[]): Sql | null {
  if (having === undefined || having === null || having === false) return null;
  if (!Array.isArray(having)) throw errors.malformedDomain('having must be a list of conditions');
  if (having.length > limits.domain.conditions) throw errors.malformedDomain('too many conditions');
  const stack: Sql[] = [];
  const pop = (): Sql => {
    const part = stack.pop();
    if (part === undefined) throw errors.malformedDomain('an operator is missing an operand');
    return part;
  };
  for (const item of having.toReversed()) {
    if (item === '!') stack.push(sql`not ${pop()}`);
    else if (item === '&') stack.push(sql`(${pop()} and ${pop()})`);
    else if (item === '|') stack.push(sql`(${pop()} or ${pop()})`);
    else stack.push(buildConditionSql(item, aggregates));
  }
  return stack.length > 0 ? sql.join(stack.reverse(), ' and ') : null;
}

function buildConditionSql(item: unknown, aggregates: Aggregate[]): Sql {
  if (!Array.isArray(item) || item.length !== 3) throw errors.notACondition(item);
  const [spec, operator, value] = item;
  const index = aggregates.findIndex((aggregate) => aggregate.spec === spec);
  if (index < 0 || !isNumberAggregate(aggregates[index]!))
    throw errors.invalidCondition('aggregate', formatValue(spec).slice(0, 80), item);
  const isList = operator === 'in' || operator === 'not in';
  const word = typeof operator === 'string' && Object.hasOwn(COMPARATORS, operator) && COMPARATORS[operator];
  if (!isList && !word) throw errors.invalidOperator(item, [...Object.keys(COMPARATORS), 'in', 'not in']);
  const values = Array.isArray(value) ? value : [value];
  if (values.some((value) => typeof value !== 'number'))
    throw errors.invalidCondition('value for', formatValue(spec), item);
  const column = sql`coalesce(${sql.id('g', `a${index}`)}, 0)::float8`;
  if (isList) {
    const equalsAnySql = sql`${column} = any(${values}::float8[])`;
    return operator === 'in' ? sql`(${equalsAnySql})` : sql`(not ${equalsAnySql})`;
  }
  if (Array.isArray(value)) throw errors.invalidCondition('value for', operator, item);
  return sql`${column} ${word} ${value}::float8`;
}
