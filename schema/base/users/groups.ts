import { apps } from '../../../apps/index.ts';
import type { App, AppGroup } from '../../../apps/kit/app.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import { announceCatalogChange } from '../../../src/engine/ctx/announce-catalog-change.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { SqlContext } from '../../../src/engine/model/field.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { lockTree } from '../../../src/engine/write/tree.ts';
import { errors } from '../../../src/errors.ts';
import { checkAdministration } from '../administration/check-administration.ts';
import { rejectAdministratorGroups } from './administrators.ts';

export const UNCATEGORIZED = 'Uncategorized';

const BASE_GROUPS: AppGroup[] = [
  { id: 'base.group_user', name: 'User', privilege: 'Role', implies: [] },
  {
    id: 'base.group_partner_manager',
    name: 'Creation',
    privilege: 'Contact',
    category: 'Sales',
    implies: ['base.group_user'],
  },
  { id: 'base.group_allow_export', name: 'Export', privilege: 'Access', implies: [] },
  { id: 'base.group_multi_company', name: 'Several companies', implies: [] },
  { id: 'base.group_no_one', name: 'Technical features', implies: [] },
  { id: 'base.group_erp_manager', name: 'Access Rights', privilege: 'Role', implies: ['base.group_user'] },
  {
    id: 'base.group_system',
    name: 'Administrator',
    privilege: 'Role',
    implies: [
      'base.group_erp_manager',
      'base.group_partner_manager',
      'base.group_allow_export',
      'website.group_website_designer',
    ],
  },
  {
    id: 'website.group_website_designer',
    name: 'Editor and Designer',
    privilege: 'Website',
    category: 'Website',
    implies: ['base.group_user'],
  },
  { id: 'base.group_portal', name: 'Portal', implies: [] },
  { id: 'base.group_public', name: 'Public', implies: [] },
];

const SHARE_GROUPS = new Set(['base.group_portal', 'base.group_public']);

/** The administrators' group implies all app groups. */
export const listGroups = (installedApps: readonly App[] = apps): AppGroup[] => {
  const appGroups = installedApps.flatMap(({ groups, category = UNCATEGORIZED }) =>
    groups.map((group) => ({ category, ...group })),
  );
  const appGroupIds = appGroups.map((group) => group.id);
  return [
    ...BASE_GROUPS.map((group) => ({
      category: 'Administration',
      ...group,
      implies: group.id === 'base.group_system' ? [...group.implies, ...appGroupIds] : group.implies,
    })),
    ...appGroups,
  ];
};

defineModel('res.groups.privilege', {
  group: 'data',
  order: 'sequence, name, id',
  access: { 'base.group_user': 'r', 'base.group_erp_manager': 'crwu' },
  afterWrite: announceCatalogChange,
});

function buildReachableGroupsSql(row: Sql, context: SqlContext, direction: 'up' | 'down'): Sql {
  const [from, to] = direction === 'down' ? [sql`gid`, sql`hid`] : [sql`hid`, sql`gid`];
  return sql`with recursive reach(id) as (
      select ${row}.id
      union
      select i.${to} from res_groups_implied_rel i join reach on i.${from} = reach.id
        where i.workspace_id = ${context.workspace}
    ) select id from reach`;
}

defineModel('res.groups', {
  group: 'data',
  display: 'full_name',
  searchNames: ['full_name'],
  order: 'privilege_id, sequence, name, id',
  access: { 'base.group_user': 'r', 'base.group_erp_manager': 'crwu' },
  graph: { type: 'Group', one: 'group', many: 'groups' },
  related: { category_id: { path: 'privilege_id.category_id', label: 'Category' } },
  computed: {
    full_name: {
      type: 'char',
      label: 'Group Name',
      sql: (row, context) =>
        sql`coalesce((select p.name || ' / ' from ${context.table('res.groups.privilege')} p
          where p.workspace_id = ${context.workspace} and p.id = ${row}.privilege_id), '') || ${row}.name`,
    },
    all_implied_ids: {
      type: 'many2many',
      relation: 'res.groups',
      label: 'All implied groups',
      help: 'The group and the groups that it implies, directly or through others.',
      sql: (row, context) => buildReachableGroupsSql(row, context, 'down'),
    },
    all_user_ids: {
      type: 'many2many',
      relation: 'res.users',
      label: 'Users and implied users',
      sql: (row, context) =>
        sql`select m.uid from res_groups_users_rel m where m.workspace_id = ${context.workspace}
          and m.gid in (${buildReachableGroupsSql(row, context, 'up')})`,
    },
  },
  audited: true,
  afterCreate: async (ctx, ids, list) => {
    await checkGroupChange(ctx, ids);
    await rejectCircularGroups(ctx, ids, list);
  },
  beforeWrite: (ctx, _values, ids) => rejectAdministratorGroups(ctx, ids),
  afterWrite: async (ctx, ids, values) => {
    await checkGroupChange(ctx, ids);
    await rejectCircularGroups(ctx, ids, [values]);
  },
  beforeUnlink: async (ctx, ids) => {
    await rejectAdministratorGroups(ctx, ids);
    await checkAdministration(ctx, { groups: ids });
    announceCatalogChange(ctx);
  },
});

/** @throws VALIDATION if one of `ids` implies itself */
async function rejectCircularGroups(ctx: Ctx, ids: number[], list: readonly Values[]): Promise<void> {
  if (!list.some((values) => 'implied_ids' in values || 'implied_by_ids' in values)) return;
  // Two concurrent changes could create a cycle that neither of them detects.
  await lockTree(ctx, getModel(ctx, 'res.groups'));
  const [cycle] = await ctx.db.rows(
    sql`with recursive reach(start, id) as (
       select gid, hid from res_groups_implied_rel where workspace_id = ${ctx.workspace.id} and gid = any(${ids})
       union
       select reach.start, i.hid from res_groups_implied_rel i join reach on i.gid = reach.id
         where i.workspace_id = ${ctx.workspace.id}
     ) select 1 from reach where id = start limit 1`,
  );
  if (cycle)
    throw errors.validation('A group cannot imply itself, directly or through others (implied_ids).');
}

async function checkGroupChange(ctx: Ctx, ids: number[]): Promise<void> {
  await rejectAdministratorGroups(ctx, ids);
  await checkAdministration(ctx);
  announceCatalogChange(ctx);
}

export async function addGroups(ctx: Ctx, groups: AppGroup[]): Promise<void> {
  const rows = JSON.stringify(
    groups.map((group) => ({ ...group, share: SHARE_GROUPS.has(group.id), module: group.id.split('.')[0] })),
  );
  const workspace = sql.param(ctx.workspace.id);
  const list = sql`jsonb_to_recordset(${rows}::jsonb)
       as g(id text, name text, privilege text, share boolean, module text, implies jsonb)`;
  const categories = new Map(
    groups.flatMap(({ privilege, category }) => (privilege ? [[privilege, category ?? null] as const] : [])),
  );
  const privileges = [...categories.keys()];
  await ctx.db.rows(
    sql`insert into res_groups_privilege (workspace_id, id, name, category_id)
     select ${workspace}::int, g.id, g.privilege,
       (select c.id from ir_module_category c where c.workspace_id = ${workspace} and c.name = g.category)
     from unnest(${await allocateIds(ctx, 'res_groups_privilege', privileges.length)}::int[], ${privileges}::text[],
       ${[...categories.values()]}::text[]) g(id, privilege, category)
     where not exists (
       select 1 from res_groups_privilege p where p.workspace_id = ${workspace} and p.name = g.privilege)`,
  );
  const addedRows = await ctx.db.rows<{ id: number }>(
    sql`insert into res_groups (workspace_id, id, name, external_id, share, privilege_id)
     select ${workspace},
      (${await allocateIds(ctx, 'res_groups', groups.length)}::int[])[row_number() over ()],
       g.name, g.id, g.share,
       (select min(p.id) from res_groups_privilege p where p.workspace_id = ${workspace} and p.name = g.privilege)
     from ${list} on conflict (workspace_id, external_id) do nothing returning id, workspace_id`,
  );
  const ids = addedRows.map((row) => row.id);
  await ctx.db.rows(
    sql`insert into res_groups_implied_rel (workspace_id, gid, hid)
     select ${workspace}, r.id, h.id from ${list}
     join res_groups r on r.workspace_id = ${workspace} and r.external_id = g.id
     cross join jsonb_array_elements_text(g.implies) i
     join res_groups h on h.workspace_id = ${workspace} and h.external_id = i
     where r.id = any(${ids}) or h.id = any(${ids}) on conflict do nothing`,
  );
  await ctx.db.rows(
    sql`insert into ir_model_data (workspace_id, id, module, name, model, res_id, noupdate)
     select ${workspace},
       (${await allocateIds(ctx, 'ir_model_data', ids.length)}::int[])[row_number() over (order by id)],
       split_part(external_id, '.', 1), split_part(external_id, '.', 2), 'res.groups', id, true
     from res_groups where workspace_id = ${workspace} and id = any(${ids})
     on conflict (workspace_id, module, name) do nothing`,
  );
}
