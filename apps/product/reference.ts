import { type Sql, sql } from '../../src/db/sql.ts';

/** An SQL expression: a product as it is called, `[DESK-160] Desk`, of the expressions of its code and its name. */
export const referenceSql = (code: Sql, name: Sql): Sql =>
  sql`(coalesce('[' || nullif(${code}, '') || '] ', '') || ${name})`;
