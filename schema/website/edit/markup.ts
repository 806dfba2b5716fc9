import { createCache } from '../../../src/cache.ts';
import { sql } from '../../../src/db/sql.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { SOURCE_LANGUAGE } from '../../../src/engine/model/translations.ts';
import { assertVersion } from '../../../src/engine/write/versions.ts';
import { write } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { type CompiledMarkup, compileMarkup } from '../../../src/qweb/compile.ts';
import { MarkupError } from '../../../src/qweb/markup-error.ts';

/** Maximum size of all markup whose compiled form a process caches. */
const MAX_COMPILED_CHARS = 16 * 1024 * 1024;
const MAX_VIEW_VERSIONS = 100;

const markupCache = createCache<string, CompiledMarkup>({
  entries: limits.site.entries,
  weight: { max: MAX_COMPILED_CHARS, measure: ({ size }) => size },
});

/** @throws VALIDATION with line and column */
export function compileViewMarkup(arch: string, scripts: boolean): CompiledMarkup {
  try {
    return markupCache.getOrCreate(`${scripts} ${arch}`, () => compileMarkup(arch, { scripts }));
  } catch (error) {
    if (error instanceof MarkupError)
      throw errors.validation(`arch: ${error.message}`).withDetails({ model: 'ir.ui.view', field: 'arch' });
    throw error;
  }
}

/** @throws VALIDATION if the markup is not well-formed, not allowed, or calls a view that does not exist */
export async function checkMarkup(
  ctx: Ctx,
  arch: string,
  { id, allow_scripts }: { id: number; allow_scripts: boolean },
): Promise<CompiledMarkup> {
  const template = compileViewMarkup(arch, allow_scripts);
  if (template.calls.length === 0) return template;
  const rows = await ctx.db.rows<{ key: string }>(
    sql`select distinct key from ir_ui_view where workspace_id = ${ctx.workspace.id} and key = any(${template.calls})
     and (website_id is null or website_id = ${id})`,
  );
  const missingKeys = template.calls.filter((key) => !rows.some((row) => row.key === key));
  if (missingKeys.length > 0) throw errors.validation(`arch: unknown view ${missingKeys[0]} (t-call).`);
  return template;
}

/**
 * Writes a view's markup in a language and stores the previous markup as a version. The column contains the markup in
 * the website's language; the row's JSON contains the other languages.
 */
export async function saveMarkup(
  ctx: Ctx,
  viewId: number,
  arch: string,
  lang: string,
  ownLang: string,
): Promise<void> {
  await storeVersion(ctx, viewId, lang);
  const isOwn = lang === ownLang;
  if (isOwn || lang !== SOURCE_LANGUAGE)
    await write(withLanguage(ctx, isOwn ? SOURCE_LANGUAGE : lang), 'ir.ui.view', [viewId], { arch });
  if (isOwn || lang === SOURCE_LANGUAGE) await setTranslation(ctx, viewId, lang, isOwn ? null : arch);
  await storeVersion(ctx, viewId, lang);
}

/** Returns 0 before the first change. */
export function getLastVersion(ctx: Ctx, viewId: number): Promise<number> {
  return ctx.db.value<number>(
    sql`select coalesce(max(number), 0) from website_version
     where workspace_id = ${ctx.workspace.id} and view_id = ${viewId}`,
  );
}

/** @throws STALE if the view has changed since the expected version */
export async function checkVersion(
  ctx: Ctx,
  noun: string,
  viewId: number,
  expected: number | null | undefined,
): Promise<void> {
  if (expected != null) assertVersion(noun, await getLastVersion(ctx, viewId), expected);
}

/** Returns a system context whose writes to translatable fields use the language. */
export const withLanguage = (ctx: Ctx, lang: string): Ctx =>
  ctx.system().with({ context: { ...ctx.context, lang } });

/** Sets the markup in a language in the row's JSON. Null removes it. */
async function setTranslation(ctx: Ctx, viewId: number, lang: string, arch: string | null): Promise<void> {
  const key = `arch@${lang}`;
  const extra = JSON.stringify(arch === null ? {} : { [key]: arch });
  await ctx.db.rows(
    sql`update ir_ui_view set custom = (coalesce(custom, '{}'::jsonb) - ${key}::text) || ${extra}::jsonb
     where workspace_id = ${ctx.workspace.id} and id = ${viewId}`,
  );
}

/** Stores the view's markup in a language as a version, unless it equals the last version. */
async function storeVersion(ctx: Ctx, viewId: number, lang: string): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const user = ctx.principal?.userId ?? null;
  const [id] = await allocateIds(ctx, 'website_version', 1);
  const arch = buildArchSql(lang);
  await ctx.db.rows(
    sql`insert into website_version (workspace_id, id, view_id, number, lang, arch, create_uid, write_uid)
     select v.workspace_id, ${id}, v.id, coalesce(l.number, 0) + 1, ${lang}, ${arch}, ${user}::int, ${user}::int
     from ir_ui_view v
     left join lateral (select max(w.number) as number from website_version w
       where w.workspace_id = ${workspace} and w.view_id = v.id) l on true
     left join website_version o on o.workspace_id = ${workspace} and o.view_id = v.id and o.number = l.number
     where v.workspace_id = ${workspace} and v.id = ${viewId}
       and (o.arch is distinct from ${arch} or o.lang is distinct from ${lang})`,
  );
  await ctx.db.rows(
    sql`delete from website_version where workspace_id = ${workspace} and view_id = ${viewId}
     and number <= (select max(w.number) from website_version w
       where w.workspace_id = ${workspace} and w.view_id = ${viewId}) - ${MAX_VIEW_VERSIONS}::int`,
  );
}

/** Builds SQL for the markup of the view `v` in a language, or else in the website's language. */
export const buildArchSql = (lang: string) => sql`coalesce(v.custom ->> ${`arch@${lang}`}, v.arch)`;
