import { hash } from 'node:crypto';
import { type Sql, sql } from '../../db/sql.ts';
import { buildOrderTerms, type OrderTerm } from './order.ts';
import type { ModelRows, Statement } from './statement.ts';

/**
 * Where a row stands in an order: the values that it is sorted by, as Postgres writes them. It stays where it is when
 * the row changes or is deleted, so a page that begins there repeats no row and leaves none out.
 */
export interface OrderPosition {
  /** As `orderKey`. */
  order: string;
  values: (string | null)[];
}

/** The place in JSON of `placeSql`. */
export const toOrderPosition = ([, order, ...values]: (string | null)[]): OrderPosition => ({
  order: order!,
  values,
});

/** Begins the JSON of a place. No text that Postgres writes has it: there is no NUL in one. */
export const POSITION_MARK = '"\\u0000@"';

/** The place of a row as JSON: `[mark, order, value, …]`. */
export function buildPositionSql(statement: Statement, source: ModelRows, specification: string): Sql {
  const terms = buildOrderTerms(statement, source, specification);
  const order = sql.literal(computeOrderKey(source, specification, terms));
  const values = sql.join(terms.map((term) => sql`(${term.sql})::text`));
  return sql`json_build_array(${sql.literal(POSITION_MARK)}::json, ${order}, ${values})`;
}

/** Distinguishes orders, including those whose fields have changed their type. */
export const computeOrderKey = ({ model }: ModelRows, specification: string, terms: OrderTerm[]): string =>
  hash('sha256', [model.name, specification, ...terms.map(({ type }) => type)].join(), 'base64url').slice(
    0,
    8,
  );

/**
 * The rows beyond the values of a place. With it the thousandth page costs what the first does: where all terms go one
 * way and are always set, it is one comparison of rows, which an index of that order answers.
 */
export function buildBeyondSql(terms: OrderTerm[], values: (string | null)[]): Sql {
  const isPlain = terms.every((term) => term.isNeverNull && term.descending === terms[0]!.descending);
  return isPlain ? buildRowsBeyondSql(terms, values) : buildStepsBeyondSql(terms, values);
}

function buildRowsBeyondSql(terms: OrderTerm[], values: (string | null)[]): Sql {
  const [here, there] = [terms.map((term) => term.sql), values.map((value) => sql`${value}`)];
  return sql`(${sql.join(here)}) ${getComparatorSql(terms[0]!)} (${sql.join(there)})`;
}

const getComparatorSql = ({ descending: down }: OrderTerm): Sql => (down ? sql`<` : sql`>`);

/** Beyond in the first term, or equal in it and beyond in those that follow. */
function buildStepsBeyondSql(
  [term, ...terms]: OrderTerm[],
  [value = null, ...values]: (string | null)[],
): Sql {
  const first = buildIsBeyondSql(term!, value);
  if (terms.length === 0) return first;
  const equal = value === null ? sql`${term!.sql} is null` : sql`${term!.sql} = ${value}`;
  return sql`(${first} or (${equal} and ${buildStepsBeyondSql(terms, values)}))`;
}

/** Nulls come last going up and first going down, unless the order says otherwise. */
function buildIsBeyondSql(term: OrderTerm, value: string | null): Sql {
  const nullsFirst = term.nulls ? term.nulls === 'first' : term.descending;
  if (value === null) return nullsFirst ? sql`${term.sql} is not null` : sql`false`;
  const compared = sql`${term.sql} ${getComparatorSql(term)} ${value}`;
  return term.isNeverNull || nullsFirst ? compared : sql`(${compared} or ${term.sql} is null)`;
}
