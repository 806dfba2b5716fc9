import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { addRecords } from '../../src/engine/write/first-records.ts';
import { STARTER_VIEWS } from './starter-views.ts';

/** Creates a website with two unpublished pages and a menu in a workspace without websites. */
export async function addFirstWebsite(ctx: Ctx): Promise<void> {
  const [existingWebsite] = await ctx.db.rows(
    sql`select 1 from website where workspace_id = ${ctx.workspace.id} limit 1`,
  );
  if (existingWebsite) return;
  const { name } = ctx.workspace;
  const { default_website: website } = await addRecords(ctx, 'website', 'website', {
    default_website: { name },
  });
  const views = await addRecords(
    ctx,
    'website',
    'ir.ui.view',
    Object.fromEntries(
      Object.entries(STARTER_VIEWS).map(([key, view]) => [key, { ...view, key: `website.${key}` }]),
    ),
  );
  const pages = await addRecords(ctx, 'website', 'website.page', {
    homepage_page: { url: '/', view_id: views.homepage },
    contactus_page: { url: '/contactus', view_id: views.contactus },
  });
  await addRecords(ctx, 'website', 'website.menu', {
    menu_home: { name: 'Home', url: '/', page_id: pages.homepage_page, website_id: website, sequence: 10 },
    menu_contactus: {
      name: 'Contact us',
      url: '/contactus',
      page_id: pages.contactus_page,
      website_id: website,
      sequence: 60,
    },
  });
}
