import { type Sql, sql } from './sql.ts';

/** Formats a timestamp column as ISO 8601 with milliseconds and Z. */
export const toIsoSql = (column: Sql): Sql => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
