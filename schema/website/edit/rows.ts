import { sql } from '../../../src/db/sql.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsAllowed } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { checkDesigner } from '../designer.ts';
import { parsePagePath } from '../url.ts';
import { getWebsite, type WebsiteRow } from '../website.ts';

export interface PageRow {
  id: number;
  url: string;
  view_id: number;
  website_id: number | null;
  is_published: boolean;
  website_indexed: boolean;
  row_version: number;
}

export interface ViewRow {
  id: number;
  key: string | null;
  name: string;
  website_id: number | null;
}

export interface PageReference {
  url?: string | null;
  pageId?: number | null;
}

/** Returns the website if the caller may change its pages. @throws ACCESS_ERROR, MISSING */
export async function getEditableWebsite(ctx: Ctx, id: number | null | undefined): Promise<WebsiteRow> {
  checkDesigner(ctx);
  const website = await getWebsite(ctx, id);
  await assertRowsAllowed(ctx, getModel(ctx, 'website'), [website.id], 'write');
  return website;
}

/** @throws ACCESS_ERROR if a record rule hides a page from the caller */
export const checkCanEditPages = (ctx: Ctx, ids: number[]): Promise<unknown> =>
  assertRowsAllowed(ctx, getModel(ctx, 'website.page'), ids, 'write');

/**
 * Loads a website's own page, or else the shared page. Prefers the website's copy of a shared page. Locks the page
 * until the transaction ends.
 * @throws BAD_REQUEST without a URL or an id, MISSING or USER_ERROR if the website does not have the page
 */
export async function getSitePage(
  ctx: Ctx,
  websiteId: number,
  { url, pageId }: PageReference,
): Promise<PageRow> {
  const workspace = sql.param(ctx.workspace.id);
  if (!url && !pageId) throw errors.badRequest('Specify the page by url or page_id.');
  const path = url ? parsePagePath(url, 'url') : null;
  const condition = pageId
    ? sql`(p.id = ${pageId} or p.website_id = ${websiteId} and exists (
        select 1 from website_page s
        join ir_ui_view sv on sv.workspace_id = ${workspace} and sv.id = s.view_id
        join ir_ui_view pv on pv.workspace_id = ${workspace} and pv.id = p.view_id
        where s.workspace_id = ${workspace} and s.id = ${pageId} and s.website_id is null and sv.key = pv.key))`
    : sql`p.url = ${path}`;
  const [page] = await ctx.db.rows<PageRow>(
    sql`select p.id, p.url, p.view_id, p.website_id, p.is_published, p.website_indexed, p.row_version
     from website_page p
     where p.workspace_id = ${workspace} and ${condition} and (p.website_id is null or p.website_id = ${websiteId})
     order by p.website_id nulls last limit 1 for update`,
  );
  if (page) return page;
  throw pageId
    ? errors.missing('website.page', [pageId])
    : errors.user(`This website has no page at ${path}.`);
}

/** Locks the view until the transaction ends. @throws MISSING */
export async function getView(ctx: Ctx, id: number): Promise<ViewRow> {
  const [view] = await ctx.db.rows<ViewRow>(
    sql`select id, key, name, website_id from ir_ui_view
     where workspace_id = ${ctx.workspace.id} and id = ${id} for update`,
  );
  if (!view) throw errors.missing('ir.ui.view', [id]);
  return view;
}
