import { hash } from 'node:crypto';
import { type Sql, sql } from '../../db/sql.ts';
import { buildOrderTerms, type OrderTerm } from './order.ts';
import type { ModelRows, Statement } from './statement.ts';

/**
 * The position of a row in a sort order: its sort values as PostgreSQL text. The position remains valid if the row
 * changes or is deleted, so a page that starts there repeats and skips no row.
 */
export interface OrderPosition {
  /** The result of `computeOrderKey`. */
  order: string;
  values: (string | null)[];
}

/** Parses the JSON of `buildPositionSql`. */
export const toOrderPosition = ([, order, ...values]: (string | null)[]): OrderPosition => ({
  order: order!,
  values,
});

/**
 * The first element of a position's JSON. It contains a NUL, which no PostgreSQL text can contain, so values cannot
 * collide.
 */
export const POSITION_MARK = '"\\u0000@"';

/** Builds the position of a row as JSON: `[mark, order, value, …]`. */
export function buildPositionSql(statement: Statement, source: ModelRows, specification: string): Sql {
  const terms = buildOrderTerms(statement, source, specification);
  const order = sql.literal(computeOrderKey(source, specification, terms));
  const values = sql.join(terms.map((term) => sql`(${term.sql})::text`));
  return sql`json_build_array(${sql.literal(POSITION_MARK)}::json, ${order}, ${values})`;
}

/** Identifies a sort order. The key changes if a sort field changes its type. */
export const computeOrderKey = ({ model }: ModelRows, specification: string, terms: OrderTerm[]): string =>
  hash('sha256', [model.name, specification, ...terms.map(({ type }) => type)].join(), 'base64url').slice(
    0,
    8,
  );

/**
 * Builds the condition for rows after a position. The thousandth page costs as much as the first: if all terms have the
 * same direction and are never null, the condition is one row comparison that an index in that order can serve.
 */
export function buildBeyondSql(terms: OrderTerm[], values: (string | null)[]): Sql {
  const isPlain = terms.every((term) => term.isNeverNull && term.descending === terms[0]!.descending);
  return isPlain ? buildRowsBeyondSql(terms, values) : buildStepsBeyondSql(terms, values);
}

function buildRowsBeyondSql(terms: OrderTerm[], values: (string | null)[]): Sql {
  const [termsSql, valuesSql] = [terms.map((term) => term.sql), values.map((value) => sql`${value}`)];
  return sql`(${sql.join(termsSql)}) ${getComparatorSql(terms[0]!)} (${sql.join(valuesSql)})`;
}

const getComparatorSql = ({ descending: down }: OrderTerm): Sql => (down ? sql`<` : sql`>`);

/**
 * Builds the condition for rows after the position in the first term, or equal in it and after in the following terms.
 */
function buildStepsBeyondSql(
  [term, ...terms]: OrderTerm[],
  [value = null, ...values]: (string | null)[],
): Sql {
  const first = buildIsBeyondSql(term!, value);
  if (terms.length === 0) return first;
  const equal = value === null ? sql`${term!.sql} is null` : sql`${term!.sql} = ${value}`;
  return sql`(${first} or (${equal} and ${buildStepsBeyondSql(terms, values)}))`;
}

/** Nulls come last in ascending and first in descending order, unless the term specifies otherwise. */
function buildIsBeyondSql(term: OrderTerm, value: string | null): Sql {
  const nullsFirst = term.nulls ? term.nulls === 'first' : term.descending;
  if (value === null) return nullsFirst ? sql`${term.sql} is not null` : sql`false`;
  const comparedSql = sql`${term.sql} ${getComparatorSql(term)} ${value}`;
  return term.isNeverNull || nullsFirst ? comparedSql : sql`(${comparedSql} or ${term.sql} is null)`;
}
