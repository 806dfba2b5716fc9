import type { Model } from '../model/model.ts';
import { scopeSql, tableOf } from './columns.ts';
import { type OrderTerm, orderTerms } from './order.ts';
import { alias, param, type Statement } from './statement.ts';

/**
 * The rows `t` that come after the row `id` in the order. With it the thousandth page costs what the first does: where
 * all terms go one way and are always set, it is one comparison of rows, which an index of that order answers.
 */
export function afterSql(statement: Statement, model: Model, order: string, id: number): string {
  const here = orderTerms(statement, model, order, 't');
  const mark = alias(statement);
  const there = orderTerms(statement, model, order, mark);
  const key = param(statement, id);
  const value = (term: OrderTerm) =>
    `(select ${term.sql} from ${tableOf(model)} ${mark} where ${scopeSql(model, mark)} and ${mark}.id = ${key})`;
  const marks = there.map(value);
  const isPlain = here.every((term) => term.set && term.down === here[0]!.down);
  return isPlain ? rowsAfter(here, marks) : stepsAfter(here, marks);
}

const rowsAfter = (terms: OrderTerm[], marks: string[]): string =>
  `(${terms.map((term) => term.sql).join(', ')}) ${terms[0]!.down ? '<' : '>'} (${marks.join(', ')})`;

/** Equal up to a term, and beyond in that one. */
function stepsAfter(terms: OrderTerm[], marks: string[]): string {
  const steps = terms.map((term, index) => {
    const equal = terms.slice(0, index).map((each, i) => `${each.sql} is not distinct from ${marks[i]}`);
    return `(${[...equal, beyond(term, marks[index]!)].join(' and ')})`;
  });
  return `(${steps.join(' or ')})`;
}

/** Nulls come last going up and first going down, unless the order says otherwise. */
function beyond({ sql, down, nulls, set }: OrderTerm, mark: string): string {
  const compared = `${sql} ${down ? '<' : '>'} ${mark}`;
  if (set) return compared;
  const nullsFirst = nulls ? nulls === 'first' : down;
  return nullsFirst
    ? `(${compared} or (${mark} is null and ${sql} is not null))`
    : `(${compared} or (${sql} is null and ${mark} is not null))`;
}
