import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { create, write } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { parseLabel, toSlug } from '../url.ts';
import type { WebsiteRow } from '../website.ts';
import { checkMarkup } from './markup.ts';
import { getSitePage, type PageRow } from './rows.ts';

interface NewPage {
  name: string;
  /** Null to derive the URL from the name. */
  url: string | null;
  template: string;
  addMenu: boolean;
  published: boolean;
}

/** Creates a page that belongs only to this website. Uses a free URL derived from the name if none is given. */
export async function createPage(
  ctx: Ctx,
  website: WebsiteRow,
  input: NewPage,
): Promise<{ page: PageRow; menuId: number | null }> {
  const name = parseLabel(input.name);
  const system = ctx.system();
  const arch = await getTemplateArch(ctx, website.id, input.template);
  await checkMarkup(ctx, arch, website);
  const { slug, key } = await findFreeNames(ctx, website.id, toSlug(name));
  const url = `/${slug}`;
  const [view] = await create(system, 'ir.ui.view', [{ name, key, arch, website_id: website.id }]);
  const [id] = await create(system, 'website.page', [
    { url, view_id: view, website_id: website.id, is_published: input.published },
  ]);
  const menu = { name, url, page_id: id, website_id: website.id, sequence: 50 };
  const [menuId = null] = input.addMenu ? await create(system, 'website.menu', [menu]) : [];
  if (input.url !== null) await write(system, 'website.page', [id!], { url: input.url });
  return { page: await getSitePage(ctx, website.id, { pageId: id }), menuId };
}

async function getTemplateArch(ctx: Ctx, websiteId: number, template: string): Promise<string> {
  const [row] = await ctx.db.rows<{ arch: string }>(
    sql`select arch from ir_ui_view where workspace_id = ${ctx.workspace.id} and key = ${template}
     and (website_id is null or website_id = ${websiteId}) and active order by website_id nulls last limit 1`,
  );
  if (!row) throw errors.user(`Unknown template ${template.slice(0, 100)}.`);
  return row.arch;
}

/**
 * Returns a slug and a view key that are not taken, by appending a number if necessary.
 * @throws USER_ERROR if the website has too many pages
 */
async function findFreeNames(
  ctx: Ctx,
  websiteId: number,
  slug: string,
): Promise<{ slug: string; key: string }> {
  const workspace = sql.param(ctx.workspace.id);
  const rows = await ctx.db.rows<{ url: string | null; key: string | null; pages: number }>(
    sql`select p.url, v.key, count(*) over ()::int as pages from website_page p
     join ir_ui_view v on v.workspace_id = ${workspace} and v.id = p.view_id
     where p.workspace_id = ${workspace} and (p.website_id is null or p.website_id = ${websiteId})`,
  );
  if ((rows[0]?.pages ?? 0) >= limits.site.pages)
    throw errors.user(`A website may have at most ${limits.site.pages} pages.`);
  const urls = new Set(rows.map(({ url }) => url?.toLowerCase()));
  const keys = new Set(rows.map(({ key }) => key));
  for (let count = 0; ; count++) {
    const name = count === 0 ? slug : `${slug}-${count}`;
    if (!urls.has(`/${name}`) && !keys.has(`website.${name}`)) return { slug: name, key: `website.${name}` };
  }
}
