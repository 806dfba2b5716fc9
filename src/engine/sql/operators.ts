import { type Sql, sql } from '../../db/sql.ts';

const LIKE = sql`like`;
const ILIKE = sql`ilike`;

export const COMPARATORS: Record<string, Sql> = {
  '=': sql`=`,
  '!=': sql`<>`,
  '<': sql`<`,
  '>': sql`>`,
  '<=': sql`<=`,
  '>=': sql`>=`,
};

export const OPERATORS: Record<string, Sql> = {
  ...COMPARATORS,
  like: LIKE,
  ilike: ILIKE,
  '=like': LIKE,
  '=ilike': ILIKE,
};
