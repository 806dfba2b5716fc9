import { sql } from './sql.ts';

/**
 * SQL of the current time at the precision of the columns. Columns round, so without this a row written as due now
 * could be due up to half a millisecond later, and an immediate query would miss it.
 */
export const NOW = sql`now()::timestamp(3)`;

/** The current time as a row `n` for a `from` clause. Citus rejects `now()` inside `case` and `coalesce` of a write. */
export const NOW_ROW = sql`(select ${NOW} as now) n`;
