import { sql } from '../../../src/db/sql.ts';
import { allocateId, allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { invalidateSite } from '../invalidate-site.ts';
import { getSitePage, getView, type PageRow, type ViewRow } from './rows.ts';

// Copy on write: changing a shared view for one website copies the view, under the same key, and its pages, and makes
// the website's menu entries refer to the copies. The shared rows stay unchanged.

/** Returns the website's own view, copying a shared one. @throws USER_ERROR if the view belongs to another website */
export async function ensureOwnView(ctx: Ctx, view: ViewRow, websiteId: number): Promise<ViewRow> {
  if (view.website_id === websiteId) return view;
  if (view.website_id !== null) throw errors.user('The view belongs to another website.');
  const [existingCopy] = await ctx.db.rows<{ id: number }>(
    sql`select id from ir_ui_view where workspace_id = ${ctx.workspace.id} and website_id = ${websiteId}
     and key = ${view.key} order by id limit 1 for update`,
  );
  return existingCopy ? getView(ctx, existingCopy.id) : copyView(ctx, view, websiteId);
}

/**
 * Returns the website's own page with its own view, copying a shared one.
 * @throws USER_ERROR if another page of the website already has the shared page's URL
 */
export async function ensureOwnPage(ctx: Ctx, page: PageRow, websiteId: number): Promise<PageRow> {
  if (page.website_id !== null) return page;
  await ensureOwnView(ctx, await getView(ctx, page.view_id), websiteId);
  const copy = await getSitePage(ctx, websiteId, { pageId: page.id });
  if (copy.website_id === null) throw errors.user(`The website already has a page at ${page.url}.`);
  return copy;
}

async function copyView(ctx: Ctx, view: ViewRow, websiteId: number): Promise<ViewRow> {
  const workspace = sql.param(ctx.workspace.id);
  const user = ctx.principal?.userId ?? null;
  const id = await allocateId(ctx, 'ir_ui_view');
  await ctx.db.rows(
    sql`insert into ir_ui_view (workspace_id, id, name, key, type, arch, website_id, active, priority, visibility,
       visibility_group_id, website_meta_title, website_meta_description, website_meta_og_img, custom, create_uid,
       write_uid)
     select v.workspace_id, ${id}, name, key, type, arch, ${websiteId}, active, priority, visibility,
       visibility_group_id, website_meta_title, website_meta_description, website_meta_og_img, custom, ${user}::int,
       ${user}::int
     from ir_ui_view v where v.workspace_id = ${workspace} and id = ${view.id}`,
  );
  await copyPages(ctx, view.id, id, websiteId);
  invalidateSite(ctx);
  return { ...view, id, website_id: websiteId };
}

/** Skips pages whose URL the website already uses. */
async function copyPages(ctx: Ctx, from: number, to: number, websiteId: number): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const user = ctx.principal?.userId ?? null;
  const pages = await ctx.db.rows<PageAddress>(
    sql`select p.id, p.url from website_page p where p.workspace_id = ${workspace} and p.view_id = ${from}
       and p.website_id is null and not exists (select 1 from website_page o
         where o.workspace_id = ${workspace} and o.website_id = ${websiteId} and o.url = p.url) order by p.id`,
  );
  const ids = await allocateIds(ctx, 'website_page', pages.length);
  for (const [index, { id, url }] of pages.entries()) {
    await ctx.db.rows(
      sql`insert into website_page (workspace_id, id, url, view_id, website_id, is_published, website_indexed,
         date_publish, row_version, custom, create_uid, write_uid)
       select p.workspace_id, ${ids[index]}, url, ${to}, ${websiteId}, is_published, website_indexed, date_publish,
         row_version, custom, ${user}::int, ${user}::int
       from website_page p where p.workspace_id = ${workspace} and id = ${id}`,
    );
    await moveMenus(ctx, websiteId, id, { id: ids[index]!, url });
  }
}

type PageAddress = Pick<PageRow, 'id' | 'url'>;

/** Makes the website's menu entries for one page refer to another. */
const moveMenus = (ctx: Ctx, websiteId: number, from: number, to: PageAddress): Promise<unknown> =>
  ctx.db.rows(
    sql`update website_menu set page_id = ${to.id}, url = ${to.url}
     where workspace_id = ${ctx.workspace.id} and website_id = ${websiteId} and page_id = ${from}`,
  );

/**
 * Deletes a website's copy of a shared page, so that the website shows the shared page again.
 * @throws USER_ERROR if the page is not a copy
 */
export async function restoreSharedPage(ctx: Ctx, page: PageRow, websiteId: number): Promise<PageRow> {
  const workspace = sql.param(ctx.workspace.id);
  const [sharedAddress] = await ctx.db.rows<PageAddress>(
    sql`select p.id, p.url from website_page p
     join ir_ui_view v on v.workspace_id = ${workspace} and v.id = p.view_id
     join ir_ui_view o on o.workspace_id = ${workspace} and o.id = ${page.view_id}
     where p.workspace_id = ${workspace} and p.website_id is null and v.website_id is null and v.key = o.key
     order by p.url = ${page.url} desc, p.id limit 1`,
  );
  if (page.website_id === null || !sharedAddress)
    throw errors.user('The page is not a copy of a shared page, so it cannot be reset.');
  await moveMenus(ctx, websiteId, page.id, sharedAddress);
  await ctx.db.rows(sql`delete from ir_ui_view where workspace_id = ${workspace} and id = ${page.view_id}`);
  invalidateSite(ctx);
  return getSitePage(ctx, websiteId, { pageId: sharedAddress.id });
}
