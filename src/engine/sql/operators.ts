import { type Sql, sql } from '../../db/sql.ts';

/** The comparisons of conditions, as they stand in a statement. */
export const OPERATORS: Record<string, Sql> = {
  '=': sql`=`,
  '!=': sql`<>`,
  '<': sql`<`,
  '>': sql`>`,
  '<=': sql`<=`,
  '>=': sql`>=`,
};

const LIKE = sql`like`;
const ILIKE = sql`ilike`;

export const likeWord = (operator: string): Sql => (operator.includes('ilike') ? ILIKE : LIKE);
