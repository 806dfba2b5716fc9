import { type Sql, sql } from '../../db/sql.ts';

const LIKE = sql`like`;
const ILIKE = sql`ilike`;

/** The comparisons of numbers, times and texts, as they stand in a statement. */
export const COMPARATORS: Record<string, Sql> = {
  '=': sql`=`,
  '!=': sql`<>`,
  '<': sql`<`,
  '>': sql`>`,
  '<=': sql`<=`,
  '>=': sql`>=`,
};

/** Every operator of a condition that has one value. */
export const OPERATORS: Record<string, Sql> = {
  ...COMPARATORS,
  like: LIKE,
  ilike: ILIKE,
  '=like': LIKE,
  '=ilike': ILIKE,
};
