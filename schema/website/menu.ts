import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { defineModel } from '../../src/engine/model/registry.ts';
import { errors } from '../../src/errors.ts';
import { DESIGNER_GROUP } from './designer.ts';
import { siteInvalidationHooks } from './invalidate-site.ts';
import { parseLabel, parseLink } from './url.ts';

const MAX_MENU_ITEMS = 500;

/** Menu entries on at most two levels. */
defineModel('website.menu', {
  group: 'website',
  order: 'sequence, id',
  access: { 'base.group_user': 'r', [DESIGNER_GROUP]: 'crwu' },
  graph: { type: 'WebsiteMenu', one: 'websiteMenu', many: 'websiteMenus' },
  tree: { parent: 'parent_id', loop: 'A menu cannot be below itself.' },
  prepare: (_ctx, list) => {
    for (const values of list) prepareMenu(values);
  },
  ...siteInvalidationHooks,
  afterCreate: checkMenus,
  afterWrite: checkMenus,
});

function prepareMenu(values: Values): void {
  if (values.name) values.name = parseLabel(String(values.name));
  if (values.url) values.url = parseLink(String(values.url), 'url');
}

/** @throws VALIDATION if the parent is in another website or on the second level, or there are too many entries */
async function checkMenus(ctx: Ctx, ids: number[]): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const [violation] = await ctx.db.rows<{ apart: boolean | null; deep: boolean; many: boolean }>(
    sql`select p.website_id <> m.website_id as apart,
       p.parent_id is not null or p.id is not null and exists (select 1 from website_menu c
         where c.workspace_id = ${workspace} and c.parent_id = m.id) as deep,
       (select count(*) from website_menu o
         where o.workspace_id = ${workspace} and o.website_id = m.website_id) > ${MAX_MENU_ITEMS} as many
     from website_menu m left join website_menu p on p.workspace_id = ${workspace} and p.id = m.parent_id
     where m.workspace_id = ${workspace} and m.id = any(${ids})
     order by 1 desc nulls last, 2 desc, 3 desc limit 1`,
  );
  if (violation?.apart) throw errors.validation('The parent entry belongs to another website (parent_id).');
  if (violation?.deep) throw errors.validation('A menu can have at most two levels (parent_id).');
  if (violation?.many) throw errors.validation(`A website may have at most ${MAX_MENU_ITEMS} menu entries.`);
  siteInvalidationHooks.afterWrite(ctx);
}
