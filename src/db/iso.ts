import { type Sql, sql } from './sql.ts';

/** SQL of a timestamp column as an ISO string with milliseconds and Z. */
export function iso(column: Sql): Sql;
export function iso(column: string): string;
export function iso(column: Sql | string): Sql | string {
  return typeof column === 'string'
    ? `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
