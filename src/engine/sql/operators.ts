import { type Sql, sql } from '../../db/sql.ts';
import { buildPlainSql, UNACCENT } from '../value/accents.ts';

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
  '=unaccent like': LIKE,
  '=unaccent ilike': ILIKE,
};

/** Builds a `like` condition. For operators that ignore accents, the parser has removed them from the pattern. */
export const buildLikeSql = (text: Sql, operator: string, pattern: unknown): Sql =>
  sql`${operator.startsWith(UNACCENT) ? buildPlainSql(text) : text} ${OPERATORS[operator]!} ${pattern}`;
