import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { defineModel } from '../../src/engine/model/registry.ts';
import { errors } from '../../src/errors.ts';
import { DESIGNER_GROUP } from './designer.ts';
import { invalidateSite } from './invalidate-site.ts';
import { parsePagePath } from './url.ts';

/** Operations create pages together with their views. Deleting a page deletes its view unless another page uses it. */
defineModel('website.page', {
  group: 'website',
  display: 'name',
  order: 'website_id, url, id',
  access: { 'base.group_user': 'r', [DESIGNER_GROUP]: 'rwu' },
  ceiling: 'rwu',
  rules: [
    {
      name: 'Pages that are published',
      group: 'base.group_user',
      operations: ['read'],
      domain: "[('is_published', '=', True)]",
    },
    { name: 'All pages', group: DESIGNER_GROUP, domain: "[(1, '=', 1)]" },
  ],
  graph: { type: 'WebsitePage', one: 'websitePage', many: 'websitePages', writes: false },
  related: {
    name: { path: 'view_id.name', label: 'View Name' },
    key: { path: 'view_id.key', label: 'Key' },
    arch: { path: 'view_id.arch', label: 'View Architecture' },
    view_write_uid: { path: 'view_id.write_uid', label: 'Last Content Update by' },
    view_write_date: { path: 'view_id.write_date', label: 'Last Content Update on' },
  },
  computed: {
    website_published: {
      type: 'boolean',
      label: 'Visible on current website',
      sql: (row) => sql`${row}.is_published`,
    },
    is_homepage: {
      type: 'boolean',
      label: 'Homepage',
      sql: (row, context) => sql`(${row}.url = coalesce((select nullif(w.homepage_url, '')
        from ${context.table('website')} w where w.workspace_id = ${context.workspace} and w.id = ${row}.website_id),
        '/'))`,
    },
    website_url: { type: 'char', label: 'Website URL', sql: (row) => sql`${row}.url` },
    is_visible: {
      type: 'boolean',
      label: 'Is Visible',
      help: 'True if it is published and its date has passed.',
      sql: (row) =>
        sql`(${row}.is_published and (${row}.date_publish is null or ${row}.date_publish <= now()))`,
    },
    is_in_menu: {
      type: 'boolean',
      label: 'Is In Menu',
      sql: (row, context) => sql`exists (select 1 from ${context.table('website.menu')} m
        where m.workspace_id = ${context.workspace} and m.page_id = ${row}.id)`,
    },
  },
  prepare: (_ctx, list) => {
    if (list.some((values) => 'arch' in values))
      throw errors.readonlyField('View Architecture', 'arch', 'website.page', ['websiteMarkupSet']);
  },
  beforeWrite: async (ctx, values, ids) => {
    if (values.url !== undefined) await movePage(ctx, values, ids);
  },
  afterWrite: invalidateSite,
  afterCreate: invalidateSite,
  beforeUnlink: deleteViewsAndMenus,
});

/** Normalizes the new URL and updates the menu entries that link to the page. @throws VALIDATION, NOT_UNIQUE */
async function movePage(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  if (ids.length !== 1)
    throw errors.validation(
      'The URLs of several pages cannot be changed together. Change one at a time (url).',
    );
  const url = parsePagePath(String(values.url), 'url');
  values.url = url;
  const workspace = sql.param(ctx.workspace.id);
  // Checks pages of the same website, and shared pages that it has not copied.
  const [existingPage] = await ctx.db.rows(
    sql`select 1 from website_page p
     join website_page o on o.workspace_id = ${workspace} and o.id <> p.id
     join ir_ui_view v on v.workspace_id = ${workspace} and v.id = o.view_id
     where p.workspace_id = ${workspace} and p.id = ${ids[0]} and o.url = ${url}
       and (o.website_id is not distinct from p.website_id or o.website_id is null and not exists (
         select 1 from website_page c join ir_ui_view w on w.workspace_id = ${workspace} and w.id = c.view_id
         where c.workspace_id = ${workspace} and c.website_id = p.website_id and w.key = v.key)) limit 1`,
  );
  if (existingPage)
    throw errors.notUnique(`Another page has the URL ${url}.`).withDetails({ argument: 'url' });
  await ctx.db.rows(
    sql`update website_menu set url = ${url} where workspace_id = ${workspace} and page_id = ${ids[0]}`,
  );
}

/** Deletes the pages' menu entries, and their views unless other pages use them. */
async function deleteViewsAndMenus(ctx: Ctx, ids: number[]): Promise<void> {
  invalidateSite(ctx);
  const workspace = sql.param(ctx.workspace.id);
  await ctx.db.rows(
    sql`delete from website_menu where workspace_id = ${workspace} and page_id = any(${ids})`,
  );
  await ctx.db.rows(
    sql`delete from ir_ui_view v where v.workspace_id = ${workspace}
       and v.id in (select p.view_id from website_page p where p.workspace_id = ${workspace} and p.id = any(${ids}))
       and not exists (select 1 from website_page o
         where o.workspace_id = ${workspace} and o.view_id = v.id and o.id <> all(${ids}))`,
  );
}
