import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { SOURCE_LANGUAGE } from '../../../src/engine/model/translations.ts';
import { formatInstant } from '../../../src/engine/value/instant.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import type { CompiledMarkup } from '../../../src/qweb/compile.ts';
import { buildArchSql, compileViewMarkup } from '../edit/markup.ts';
import { buildBelongsToWebsiteSql } from '../website.ts';

/** Maximum number of templates that a page may call, directly or indirectly. */
const MAX_CALLED_TEMPLATES = 100;
/** Maximum total size of the templates that a page may call. */
const MAX_CALLED_CHARS = 1024 * 1024;

export interface Site {
  id: number;
  name: string;
  domain: string | null;
  homepage_url: string | null;
  default_lang: string;
  allow_scripts: boolean;
  form_mailbox: string | null;
  description: string | null;
  /** True if the website has a visible page. */
  live: boolean;
  /** Publication time of the next scheduled page, as a Unix timestamp in milliseconds. Null if none is scheduled. */
  next_at: number | null;
}

/** Finds the website by id or, if `id` is null, by host. Falls back to the first website. */
export async function findSite(
  ctx: Ctx,
  id: number | null,
  host: string | null,
  now: Date,
): Promise<Site | null> {
  const workspace = sql.param(ctx.workspace.id);
  const [site] = await ctx.db.rows<Site>(
    sql`select w.id, w.name, w.domain, w.homepage_url, w.default_lang, w.allow_scripts, w.form_mailbox, w.description,
       exists (select 1 from website_page p where p.workspace_id = ${workspace} and ${buildIsPublishedSql(now)}
         and (p.website_id is null or p.website_id = w.id)) as live,
       (select (extract(epoch from min(p.date_publish)) * 1000)::float8 from website_page p
         where p.workspace_id = ${workspace} and p.is_published
           and p.date_publish > ${formatInstant(now.getTime())}::timestamp) as next_at
     from website w where w.workspace_id = ${workspace} and (${id}::int is null or w.id = ${id}::int)
     order by coalesce(w.domain = ${host}::text, false) desc, w.sequence, w.id limit 1`,
  );
  return site ?? null;
}

/** Matches the page `p` if it is published and its publication date has passed. */
export const buildIsPublishedSql = (now: Date) =>
  sql`(p.is_published and (p.date_publish is null or p.date_publish <= ${formatInstant(now.getTime())}::timestamp))`;

export interface SitePage {
  id: number;
  url: string;
  name: string;
  key: string | null;
  arch: string;
  /** True if the page is published and its publication date has passed. */
  shown: boolean;
  website_indexed: boolean;
  visibility: string | null;
  /** External id of the group that may see the page. */
  group: string | null;
  title: string | null;
  description: string | null;
  image: string | null;
}

/** Finds the page at a path, ignoring case. The website's own pages take precedence over shared ones. */
export async function findPageAt(
  ctx: Ctx,
  websiteId: number,
  path: string,
  lang: string,
  now: Date,
): Promise<SitePage | null> {
  const workspace = sql.param(ctx.workspace.id);
  const [page] = await ctx.db.rows<SitePage>(
    sql`select p.id, p.url, v.name, v.key, ${buildArchSql(lang)} as arch, p.website_indexed, v.visibility,
       ${buildIsPublishedSql(now)} as shown, g.external_id as "group",
         ${buildViewTextSql('website_meta_title', lang)} as title,
       ${buildViewTextSql('website_meta_description', lang)} as description, v.website_meta_og_img as image
     from website_page p
     join ir_ui_view v on v.workspace_id = ${workspace} and v.id = p.view_id and v.active
     left join res_groups g on g.workspace_id = ${workspace} and g.id = v.visibility_group_id
     where p.workspace_id = ${workspace} and lower(p.url) = lower(${path})
       and ${buildBelongsToWebsiteSql(workspace, websiteId)}
     order by p.url = ${path} desc, p.website_id nulls last, p.id limit 1`,
  );
  return page ?? null;
}

/** Builds SQL for a translatable value of the view `v` in a language, or else in the source language. */
export const buildViewTextSql = (name: string, lang: string) =>
  lang === SOURCE_LANGUAGE
    ? sql`v.${sql.id(name)}`
    : sql`coalesce(v.custom ->> ${`${name}@${lang}`}, v.${sql.id(name)})`;

/**
 * Loads the templates that a template calls, directly or indirectly, by key.
 * @throws VALIDATION if there are more than a page may call
 */
export async function loadCalledTemplates(
  ctx: Ctx,
  websiteId: number,
  first: CompiledMarkup,
  lang: string,
): Promise<Map<string, CompiledMarkup>> {
  const templates = new Map<string, CompiledMarkup>();
  let pendingKeys = first.calls;
  let budget: number = MAX_CALLED_CHARS;
  for (let round = 0; pendingKeys.length > 0 && round < limits.site.calls; round++) {
    if (templates.size + pendingKeys.length > MAX_CALLED_TEMPLATES)
      throw errors.validation(`A page can call at most ${MAX_CALLED_TEMPLATES} views.`);
    const loadedTemplates = await loadViewTemplates(ctx, websiteId, pendingKeys, lang, budget);
    for (const [key, template] of loadedTemplates) {
      templates.set(key, template);
      budget -= template.size;
    }
    const called = [...loadedTemplates.values()].flatMap(({ calls }) => calls);
    pendingKeys = [...new Set(called)].filter((key) => !templates.has(key));
  }
  return templates;
}

/**
 * Loads templates by key. Scripts are always allowed here, because stored markup was validated when it was saved. The
 * page's content security policy decides whether they run.
 * @throws VALIDATION if the markup exceeds `budget` characters
 */
export async function loadViewTemplates(
  ctx: Ctx,
  websiteId: number,
  keys: string[],
  lang: string,
  budget: number = MAX_CALLED_CHARS,
): Promise<Map<string, CompiledMarkup>> {
  const rows = await ctx.db.rows<{ key: string; arch: string | null }>(
    sql`select f.key, case when sum(length(f.arch)) over (order by f.key) <= ${budget}::int then f.arch end as arch
     from (select distinct on (v.key) v.key, v.active, ${buildArchSql(lang)} as arch from ir_ui_view v
       where v.workspace_id = ${ctx.workspace.id} and v.key = any(${keys})
         and (v.website_id is null or v.website_id = ${websiteId})
       order by v.key, v.website_id nulls last, v.id) f
     where f.active`,
  );
  return new Map(rows.map(({ key, arch }) => [key, compileViewMarkup(arch ?? rejectTooLarge(), true)]));
}

const rejectTooLarge = (): never => {
  throw errors.validation(
    `The views that a page calls may have at most ${MAX_CALLED_CHARS} characters in total.`,
  );
};

interface MenuRow {
  id: number;
  name: string;
  url: string;
  parent_id: number | null;
  new_window: boolean;
}

interface SiteMenu {
  [name: string]: string | boolean | SiteMenu[];
  name: string;
  url: string;
  new_window: boolean;
  is_active: boolean;
  children: SiteMenu[];
}

/** Omits entries for pages that are not visible. */
export async function loadMenu(
  ctx: Ctx,
  websiteId: number,
  lang: string,
  path: string,
  now: Date,
): Promise<SiteMenu[]> {
  const workspace = sql.param(ctx.workspace.id);
  const name = lang === SOURCE_LANGUAGE ? sql`m.name` : sql`coalesce(m.custom ->> ${`name@${lang}`}, m.name)`;
  const rows = await ctx.db.rows<MenuRow>(
    sql`select m.id, ${name} as name, m.url, m.parent_id, m.new_window from website_menu m
     left join website_page p on p.workspace_id = ${workspace} and p.id = m.page_id
     where m.workspace_id = ${workspace} and m.website_id = ${websiteId}
       and (p.id is null or ${buildIsPublishedSql(now)})
     order by m.sequence, m.id`,
  );
  const menusByParent = Map.groupBy(rows, (row) => row.parent_id);
  const toSiteMenu = (row: MenuRow): SiteMenu => ({
    name: row.name,
    url: row.url,
    new_window: row.new_window,
    is_active: row.url === path,
    children: row.parent_id === null ? (menusByParent.get(row.id) ?? []).map(toSiteMenu) : [],
  });
  return (menusByParent.get(null) ?? []).map(toSiteMenu);
}

/** Finds the redirect for a path without a page, ignoring case. */
export async function findRedirect(
  ctx: Ctx,
  websiteId: number,
  path: string,
): Promise<{ to: string; status: number } | null> {
  const [row] = await ctx.db.rows<{ to: string; type: string }>(
    sql`select url_to as to, redirect_type as type from website_rewrite
     where workspace_id = ${ctx.workspace.id} and active and lower(url_from) = lower(${path})
       and (website_id is null or website_id = ${websiteId})
     order by url_from = ${path} desc, website_id nulls last, sequence, id limit 1`,
  );
  return row ? { to: row.to, status: Number(row.type) } : null;
}
