import { sql } from '../../db/sql.ts';
import { createStatement } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { buildDisplayNameSql, buildSourceSql } from '../sql/columns.ts';
import { getMainSource, type Statement } from '../sql/statement.ts';
import { buildWhereSql } from '../sql/where.ts';

interface PropertyValue {
  type: string;
  comodel?: string;
  value?: unknown;
}

/**
 * Adds the names of linked records to the properties in JSON rows. Each row is a record or a list of records. A
 * many2one becomes `[id, name]`, and a many2many a list of these pairs. A missing record counts as unset.
 */
export async function addLinkNames(ctx: Ctx, statement: Statement, rows: string[]): Promise<string[]> {
  if (!rows.some((row) => row.includes('"comodel"'))) return rows;
  const parsed: unknown[] = rows.map((row) => JSON.parse(row));
  const links: PropertyValue[] = [];
  collectLinks(parsed, statement.properties, links);
  for (const comodel of new Set(links.map((link) => link.comodel!)))
    await loadLinkNames(
      ctx,
      comodel,
      links.filter((link) => link.comodel === comodel),
    );
  return parsed.map((row) => JSON.stringify(row));
}

function collectLinks(value: unknown, keys: ReadonlySet<string>, links: PropertyValue[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collectLinks(item, keys, links);
    return;
  }
  for (const [key, inner] of Object.entries(value ?? {})) {
    if (inner === null || typeof inner !== 'object') continue;
    if (keys.has(key) && Array.isArray(inner))
      links.push(...(inner as PropertyValue[]).filter((item) => item.comodel && item.value));
    else collectLinks(inner, keys, links);
  }
}

async function loadLinkNames(ctx: Ctx, comodel: string, links: PropertyValue[]): Promise<void> {
  const names = await loadReadableNames(
    ctx,
    comodel,
    links.flatMap((link) => link.value as number | number[]),
  );
  const buildNamePair = (id: number) => (names.has(id) ? [[id, names.get(id)]] : []);
  for (const link of links)
    link.value = Array.isArray(link.value)
      ? link.value.flatMap(buildNamePair)
      : (buildNamePair(link.value as number)[0] ?? false);
}

/** Loads the names of records of any model. The names of records that the caller may not read are empty. */
export async function loadReadableNames(
  ctx: Ctx,
  name: string,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const model = ctx.catalog.registry.get(name);
  if (!model) return new Map();
  const statement = createStatement(ctx);
  const source = getMainSource(model);
  const rule = statement.rule(model);
  const displayName = buildDisplayNameSql(statement, source);
  const nameSql = rule
    ? sql`case when ${buildWhereSql(statement, source, rule)} then ${displayName} end`
    : displayName;
  const rows = await ctx.db.rows<{ id: number; name: string | null }>(
    sql`select t.id, ${nameSql} as name from ${buildSourceSql(statement, source)} and t.id = any(${[...new Set(ids)]})`,
  );
  return new Map(rows.map((row) => [row.id, row.name ?? '']));
}
