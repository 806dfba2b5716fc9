import { hash } from 'node:crypto';
import { type Sql, sql } from '../../db/sql.ts';
import { type OrderTerm, orderTerms } from './order.ts';
import type { Source, Statement } from './statement.ts';

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
export const PLACE_MARK = '"\\u0000@"';

/** The place of a row as JSON: `[mark, order, value, …]`. */
export function placeSql(statement: Statement, source: Source, specification: string): Sql {
  const terms = orderTerms(statement, source, specification);
  const order = sql.literal(orderKey(source, specification, terms));
  const values = sql.join(terms.map((term) => sql`(${term.sql})::text`));
  return sql`json_build_array(${sql.literal(PLACE_MARK)}::json, ${order}, ${values})`;
}

/** Distinguishes orders, including those whose fields have changed their type. */
export const orderKey = ({ model }: Source, specification: string, terms: OrderTerm[]): string =>
  hash('sha256', [model.name, specification, ...terms.map(({ type }) => type)].join(), 'base64url').slice(
    0,
    8,
  );

/**
 * The rows beyond the values of a place. With it the thousandth page costs what the first does: where all terms go one
 * way and are always set, it is one comparison of rows, which an index of that order answers.
 */
export function beyondSql(terms: OrderTerm[], values: (string | null)[]): Sql {
  const isPlain = terms.every((term) => term.set && term.down === terms[0]!.down);
  return isPlain ? rowsBeyond(terms, values) : stepsBeyond(terms, values);
}

function rowsBeyond(terms: OrderTerm[], values: (string | null)[]): Sql {
  const [here, there] = [terms.map((term) => term.sql), values.map((value) => sql`${value}`)];
  return sql`(${sql.join(here)}) ${beyondWord(terms[0]!)} (${sql.join(there)})`;
}

const beyondWord = ({ down }: OrderTerm): Sql => (down ? sql`<` : sql`>`);

/** Beyond in the first term, or equal in it and beyond in those that follow. */
function stepsBeyond([term, ...terms]: OrderTerm[], [value = null, ...values]: (string | null)[]): Sql {
  const first = isBeyond(term!, value);
  if (terms.length === 0) return first;
  const equal = value === null ? sql`${term!.sql} is null` : sql`${term!.sql} = ${value}`;
  return sql`(${first} or (${equal} and ${stepsBeyond(terms, values)}))`;
}

/** Nulls come last going up and first going down, unless the order says otherwise. */
function isBeyond(term: OrderTerm, value: string | null): Sql {
  const nullsFirst = term.nulls ? term.nulls === 'first' : term.down;
  if (value === null) return nullsFirst ? sql`${term.sql} is not null` : sql`false`;
  const compared = sql`${term.sql} ${beyondWord(term)} ${value}`;
  return term.set || nullsFirst ? compared : sql`(${compared} or ${term.sql} is null)`;
}
