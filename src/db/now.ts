import { sql } from './sql.ts';

/**
 * The current time, rounded to the precision of the columns. Otherwise, a row written as due now could be due up to
 * half a millisecond later, and an immediate query would miss it.
 */
export const NOW = sql`now()::timestamp(3)`;

/**
 * The current time as a row `n` for a `from` clause, because Citus rejects `now()` inside `case` and `coalesce` in a
 * write.
 */
export const NOW_ROW = sql`(select ${NOW} as now) n`;
