import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { sql } from '../../../src/db/sql.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsAllowed, filterReadableIds } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { checkDesigner, DESIGNER_READ_POLICY } from '../designer.ts';
import { buildBelongsToWebsiteSql, getWebsite } from '../website.ts';

const OutlinePageShape = defineTypedShape('WebsiteOutlinePage', 'A page, as shown on a website.', {
  id: { type: 'ID', description: 'Page id.' },
  url: { type: 'String', description: 'URL of the page.' },
  name: { type: 'String', description: 'Name of the page.' },
  viewId: { type: 'ID', description: 'Id of the view that holds the markup.' },
  published: { type: 'Boolean', description: 'True if visitors can see the page.' },
  indexed: { type: 'Boolean', description: 'True if search engines may list the page.' },
  inMenu: { type: 'Boolean', description: 'True if the menu links to the page.' },
  websiteSpecific: {
    type: 'Boolean',
    description: 'True if the page belongs to this website only; false if all websites share it.',
  },
  publishAt: { type: 'DateTime', nullable: true, description: 'When a published page becomes visible.' },
  visibility: {
    type: 'String',
    nullable: true,
    description:
      "Visibility: null for everyone, `connected` for signed-in users, or `restricted_group` for a group's " +
      'members.',
  },
  changedAt: { type: 'DateTime', description: 'When the page or its markup was last changed.' },
});

type OutlinePage = ValueOf<typeof OutlinePageShape, number>;

const OutlineMenuShape = defineTypedShape('WebsiteOutlineMenu', "An entry in a website's menu.", {
  id: { type: 'ID', description: 'Menu id.' },
  name: { type: 'String', description: 'Text of the entry.' },
  url: { type: 'String', description: 'Target URL.' },
  parentId: { type: 'ID', nullable: true, description: 'Parent entry.' },
  pageId: { type: 'ID', nullable: true, description: 'Page that the entry links to.' },
  sequence: { type: 'Int', description: 'Position among sibling entries.' },
  newWindow: { type: 'Boolean', description: 'True if the link opens in a new window.' },
  version: {
    type: 'Int',
    description: 'Increases with each update. Pass it as `expectedVersion` to `websiteMenuUpdate`.',
  },
});

type OutlineMenu = ValueOf<typeof OutlineMenuShape, number>;

const OutlineShape = defineTypedShape(
  'WebsiteOutline',
  "A website's menu and pages, including shared ones.",
  {
    id: { type: 'ID', description: 'Website id.' },
    name: { type: 'String', description: 'Name of the website.' },
    domain: { type: 'String', nullable: true, description: 'Host name of the website.' },
    pages: { type: [OutlinePageShape], description: 'Pages, sorted by URL.' },
    menus: { type: [OutlineMenuShape], description: 'Menu entries, in display order.' },
  },
);

export const websiteOutline = defineOperation('websiteOutline', {
  effects: ['reads'],
  policy: DESIGNER_READ_POLICY,
  description:
    "Returns a website's pages and menu. If the website has a copy of a shared page, only the copy " +
    'is listed.',
  args: (arg) => ({
    websiteId: arg.recordId({ description: 'Website id. Defaults to the first website of the workspace.' }),
  }),
  type: OutlineShape.ref,
  run: async (ctx, { websiteId }): Promise<ValueOf<typeof OutlineShape, number>> => {
    checkDesigner(ctx);
    const { id, name, domain } = await getWebsite(ctx, websiteId);
    await assertRowsAllowed(ctx, getModel(ctx, 'website'), [id], 'read');
    return { id, name, domain, pages: await loadPages(ctx, id), menus: await loadMenus(ctx, id) };
  },
});

async function loadPages(ctx: Ctx, websiteId: number): Promise<OutlinePage[]> {
  const workspace = sql.param(ctx.workspace.id);
  const pages = await ctx.db.rows<OutlinePage>(
    sql`select p.id, p.url, v.name, p.view_id as "viewId", p.is_published as published,
       p.website_indexed as indexed, p.website_id is not null as "websiteSpecific",
       ${toIsoSql(sql`p.date_publish`)} as "publishAt", v.visibility,
       ${toIsoSql(sql`greatest(p.write_date, v.write_date)`)} as "changedAt",
       exists (select 1 from website_menu m where m.workspace_id = ${workspace} and m.page_id = p.id
         and m.website_id = ${websiteId}) as "inMenu"
     from website_page p join ir_ui_view v on v.workspace_id = ${workspace} and v.id = p.view_id
     where p.workspace_id = ${workspace} and ${buildBelongsToWebsiteSql(workspace, websiteId)}
     order by p.url, p.id limit ${2 * limits.site.pages}`,
  );
  return filterReadable(ctx, 'website.page', pages);
}

async function filterReadable<R extends { id: number }>(ctx: Ctx, model: string, rows: R[]): Promise<R[]> {
  const ids = rows.map(({ id }) => id);
  const inReach = new Set(await filterReadableIds(ctx, model, ids));
  return rows.filter(({ id }) => inReach.has(id));
}

async function loadMenus(ctx: Ctx, websiteId: number): Promise<OutlineMenu[]> {
  const menus = await ctx.db.rows<OutlineMenu>(
    sql`select id, name, url, parent_id as "parentId", page_id as "pageId", sequence, new_window as "newWindow",
       row_version as version
     from website_menu where workspace_id = ${ctx.workspace.id} and website_id = ${websiteId} order by sequence, id`,
  );
  return filterReadable(ctx, 'website.menu', menus);
}
