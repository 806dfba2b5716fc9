import {
  type GraphQLEnumType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isNonNullType,
} from 'graphql';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { type Field, isStoredField } from '../../../src/engine/model/field.ts';
import { buildFieldSql } from '../../../src/engine/sql/projection.ts';
import type { ModelRows, Statement } from '../../../src/engine/sql/statement.ts';
import { ResolversRequiredError } from './tree.ts';

const REJECTED_MARKER = '"\\u0000"';
/**
 * Placeholder for a value that GraphQL rejects. No text value can contain it, because PostgreSQL text cannot contain
 * NUL.
 */
const rejectedJson = sql`${sql.literal(REJECTED_MARKER)}::json`;

/** Returns true if the response contains a value that GraphQL rejects. The resolvers then report it. */
export const hasRejectedValue = (json: string): boolean => json.includes(REJECTED_MARKER);

/** Builds a field's expression for the GraphQL type `type`. @throws ResolversRequiredError */
export function buildValueSql(
  statement: Statement,
  source: ModelRows,
  field: Field,
  type: GraphQLOutputType,
): Sql {
  // Properties are resolved after reading.
  if (field.definition) throw new ResolversRequiredError('properties');
  const value = buildFieldSql(statement, source, field);
  const namedType = getNamedType(type);
  const unsetHandling = isNeverNull(field) ? 'never' : isNonNullType(type) ? 'refused' : 'null';
  if (isEnumType(namedType)) return buildEnumSql(value, namedType, unsetHandling);
  const typedValue = buildScalarSql(value, field, namedType.name);
  if (!typedValue.check && unsetHandling !== 'refused') return typedValue.value;
  return isStoredField(field)
    ? buildCheckedSql(typedValue, typedValue.value, unsetHandling)
    : buildCheckedOnce(typedValue, unsetHandling);
}

/** `never`: null cannot occur. `null`: null is returned. `refused`: null is rejected. */
type NullHandling = 'never' | 'null' | 'refused';

/** Returns true if the column is never null, or its expression replaces null. */
function isNeverNull(field: Field): boolean {
  if (field.name === 'id' || field.name === 'display_name') return true;
  if (field.required && !field.custom) return isStoredField(field);
  return COALESCED_TYPES.has(field.type);
}

const COALESCED_TYPES: ReadonlySet<string> = new Set(['integer', 'float', 'monetary', 'boolean', 'strings']);

interface TypedValue {
  value: Sql;
  /** Condition that the GraphQL type imposes on the value. */
  check?: (value: Sql) => Sql;
}

function buildScalarSql(value: Sql, field: Field, type: string): TypedValue {
  switch (type) {
    case 'ID':
      return { value: sql`(${value})::text` };
    case 'String':
      if (field.type === 'strings') return { value: sql`(${value})::text[]`, check: hasNoNullElements };
      return { value: isStoredField(field) ? value : sql`(${value})::text` };
    case 'Float':
      // GraphQL has no negative zero.
      return { value: field.type === 'float' ? sql`(${value}) + 0` : value, check: isFiniteNumber };
    case 'Int':
      return { value, ...(!isStoredField(field) && { check: isInt }) };
    case 'Boolean':
    case 'JSON':
    case 'DateTime':
    case 'Date':
      return { value };
    default:
      throw new ResolversRequiredError(`the type ${type}`);
  }
}

/** Matches finite numbers. PostgreSQL sorts NaN above all numbers. */
const isFiniteNumber = (value: Sql): Sql => sql`abs(${value}) <= 1.7976931348623157e308`;

/** Matches lists without null elements. */
const hasNoNullElements = (value: Sql): Sql => sql`array_position(${value}, null) is null`;

const isInt = (value: Sql): Sql =>
  sql`${value} between -2147483648 and 2147483647 and ${value} = trunc(${value})`;

function buildCheckedSql({ value: json, check }: TypedValue, value: Sql, unsetHandling: NullHandling): Sql {
  const branches = [
    ...(unsetHandling === 'null' ? [sql`when ${value} is null then null`] : []),
    ...(unsetHandling === 'refused' ? [sql`when ${value} is null then ${rejectedJson}`] : []),
    ...(check ? [sql`when not (${check(value)}) then ${rejectedJson}`] : []),
  ];
  return sql`case ${sql.join(branches, ' ')} else to_json(${json}) end`;
}

/** Evaluates an expensive expression only once. */
const buildCheckedOnce = ({ value, check }: TypedValue, unsetHandling: NullHandling): Sql => {
  const valueSql = sql`v.value`;
  return sql`(select ${buildCheckedSql({ value: valueSql, check }, valueSql, unsetHandling)}
    from (select ${value} as value) v)`;
};

/** Values outside the enum are rejected. */
function buildEnumSql(value: Sql, type: GraphQLEnumType, unsetHandling: NullHandling): Sql {
  const branches = type
    .getValues()
    .map(
      (value) => sql`when ${sql.literal(String(value.value))} then ${sql.literal(`"${value.name}"`)}::json`,
    );
  const other =
    unsetHandling === 'null' ? sql`case when (${value}) is not null then ${rejectedJson} end` : rejectedJson;
  return sql`case ${value} ${sql.join(branches, ' ')} else ${other} end`;
}
