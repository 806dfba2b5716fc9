import { type Sql, sql } from '../../db/sql.ts';
import { sourceSql } from './columns.ts';
import { type OrderTerm, orderTerms } from './order.ts';
import type { PathJoins } from './path-joins.ts';
import { otherRows, type Source, type Statement } from './statement.ts';
import { ruleSql } from './where.ts';

/**
 * The rows that come after the row `id` in the order; none when the reader may not read that row, for where it stands
 * would show its values. With it the thousandth page costs what the first does: where all
 * terms go one way and are always set, it is one comparison of rows, which an index of that order answers.
 */
export function afterSql(
  statement: Statement,
  source: Source,
  { order, id, joins }: { order: string; id: number; joins: PathJoins | null },
): Sql {
  const here = orderTerms(statement, source, order, joins);
  const last = otherRows(statement, source.model);
  const there = orderTerms(statement, last, order);
  const key = sql.param(id);
  const from = sql`${sourceSql(statement, last)} and ${last.row}.id = ${key}${ruleSql(statement, last)}`;
  const values = there.map((term) => sql`(select ${term.sql} from ${from})`);
  const isPlain = here.every((term) => term.set && term.down === here[0]!.down);
  if (isPlain) return rowsAfter(here, values);
  // Unset values come after others or before them, and those of no row are not unset.
  return sql`(exists (select 1 from ${from}) and ${stepsAfter(here, values)})`;
}

const rowsAfter = (terms: OrderTerm[], values: Sql[]): Sql =>
  sql`(${sql.join(terms.map((term) => term.sql))}) ${beyondWord(terms[0]!.down)} (${sql.join(values)})`;

const beyondWord = (down: boolean): Sql => (down ? sql`<` : sql`>`);

/** Equal up to a term, and beyond in that one. */
function stepsAfter(terms: OrderTerm[], values: Sql[]): Sql {
  const steps = terms.map((term, index) => {
    const equal = terms.slice(0, index).map((each, i) => sql`${each.sql} is not distinct from ${values[i]}`);
    return sql`(${sql.join([...equal, beyond(term, values[index]!)], ' and ')})`;
  });
  return sql`(${sql.join(steps, ' or ')})`;
}

/** Nulls come last going up and first going down, unless the order says otherwise. */
function beyond({ sql: column, down, nulls, set }: OrderTerm, value: Sql): Sql {
  const compared = sql`${column} ${beyondWord(down)} ${value}`;
  if (set) return compared;
  const nullsFirst = nulls ? nulls === 'first' : down;
  return nullsFirst
    ? sql`(${compared} or (${value} is null and ${column} is not null))`
    : sql`(${compared} or (${column} is null and ${value} is not null))`;
}
