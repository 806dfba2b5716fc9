import type { Db } from '../db.ts';
import { sql } from '../sql.ts';
import { getPrismaModels, toTableName } from '../tripwire.ts';

/** Finds columns, such as `crm_lead.note`, that are in the Prisma schema but missing from the database. */
export async function findUnmigratedColumns(db: Db): Promise<string[]> {
  const columns = Object.entries(getPrismaModels()).flatMap(([model, { fields }]) =>
    fields.filter(({ kind }) => kind !== 'object').map(({ name }) => [toTableName(model), name] as const),
  );
  const rows = await db.rows<{ name: string }>(
    sql`select c.tab || '.' || c.col as name
     from unnest(${columns.map(([table]) => table)}::text[], ${columns.map(([, name]) => name)}::text[]) c(tab, col)
     where (c.tab, c.col) not in (
       select t.relname::text, a.attname::text from pg_class t join pg_attribute a on a.attrelid = t.oid
       where t.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped
     )`,
  );
  return rows.map((row) => row.name);
}
