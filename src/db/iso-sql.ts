import { type Sql, sql } from './sql.ts';

/** Builds SQL that formats a timestamp column as an ISO string with milliseconds and Z. */
export const toIsoSql = (column: Sql): Sql => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
