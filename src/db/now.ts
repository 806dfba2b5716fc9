import { sql } from './sql.ts';

/**
 * SQL of the time at the precision that columns keep. They round: without this, a row written as due now is due up to
 * half a millisecond later, and who looks at once finds nothing.
 */
export const NOW = sql`now()::timestamp(3)`;

/** The same as a row `n` of a `from`, for `case` and `coalesce` of a write, in which Citus takes no `now()`. */
export const NOW_ROW = sql`(select ${NOW} as now) n`;
