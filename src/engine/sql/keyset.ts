import { hash } from 'node:crypto';
import { type Sql, sql } from '../../db/sql.ts';
import { buildOrderTerms, type OrderTerm } from './order.ts';
import type { ModelRows, Statement } from './statement.ts';

/**
 * A row's position in a sort order: its sort values as PostgreSQL text. It stays valid if the row changes or is
 * deleted, so a page that starts there neither repeats nor skips rows.
 */
export interface OrderPosition {
  order: string;
  values: (string | null)[];
}

/** Converts the parsed JSON of `buildPositionJsonSql` to a position. */
export const toOrderPosition = ([, order, ...values]: (string | null)[]): OrderPosition => ({
  order: order!,
  values,
});

/**
 * First element of a position's JSON. It contains NUL, which PostgreSQL text cannot contain, so no value can equal it.
 */
export const POSITION_MARK = '"\\u0000@"';

export interface PositionSql {
  order: Sql;
  values: Sql[];
}

export function buildPositionSql(
  statement: Statement,
  source: ModelRows,
  specification: string,
): PositionSql {
  const terms = buildOrderTerms(statement, source, specification);
  return {
    order: sql.literal(computeOrderKey(source, specification, terms)),
    values: terms.map((term) => sql`(${term.sql})::text`),
  };
}

/** Builds a position's JSON: `[mark, order, value, …]`. */
export const buildPositionJsonSql = ({ order, values }: PositionSql): Sql =>
  sql`json_build_array(${sql.literal(POSITION_MARK)}::json, ${order}, ${sql.join(values)})`;

/** Computes a key for a sort order. It changes when the type of a sort field changes. */
export const computeOrderKey = ({ model }: ModelRows, specification: string, terms: OrderTerm[]): string =>
  hash('sha256', [model.name, specification, ...terms.map(({ type }) => type)].join(), 'base64url').slice(
    0,
    8,
  );

/**
 * Builds the condition for rows after a position. If all terms have the same direction and are never null, the
 * condition is a single row comparison that an index can serve, so the thousandth page is as fast as the first.
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
 * Builds the condition for rows that come after the position in the first term, or that equal it there and come after
 * it in the following terms.
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

/** Nulls come last in ascending order and first in descending order, unless the term specifies otherwise. */
function buildIsBeyondSql(term: OrderTerm, value: string | null): Sql {
  const nullsFirst = term.nulls ? term.nulls === 'first' : term.descending;
  if (value === null) return nullsFirst ? sql`${term.sql} is not null` : sql`false`;
  const comparedSql = sql`${term.sql} ${getComparatorSql(term)} ${value}`;
  return term.isNeverNull || nullsFirst ? comparedSql : sql`(${comparedSql} or ${term.sql} is null)`;
}
