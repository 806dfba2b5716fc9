import { type Sql, sql } from '../../../src/db/sql.ts';
import { announceCatalogChange } from '../../../src/engine/ctx/announce-catalog-change.ts';
import type { SqlContext } from '../../../src/engine/model/field.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import {
  archiveMailboxes,
  createOwnMailboxes,
  syncMailboxesWithUsers,
} from '../../mailbox/accounts/own-mailbox.ts';
import { checkAdministration } from '../administration/check-administration.ts';
import { selectMemberships } from '../memberships.ts';
import { checkGuardedFields, rejectAdministrators } from './administrators.ts';
import { changeUsers, rejectOwnUser } from './user-change.ts';
import { checkUsers, completeNewUsers } from './user-new.ts';

const selectGroups = (row: Sql, context: SqlContext): Sql =>
  selectMemberships(context.workspace, sql`${row}.id`);

const isInGroup = (row: Sql, context: SqlContext, group: string): Sql =>
  sql`exists (select 1 from ${context.table('res.groups')} g where g.workspace_id = ${context.workspace}
     and g.external_id = ${sql.literal(group)} and g.id in (${selectGroups(row, context)}))`;

const selectLastSignIn = (row: Sql, context: SqlContext): Sql =>
  sql`(select max(l.create_date) from ${context.table('res.users.log')} l
    where l.workspace_id = ${context.workspace} and l.create_uid = ${row}.id)`;

defineModel('res.users', {
  group: 'data',
  display: 'name',
  searchNames: ['name', 'login'],
  order: 'name, login',
  access: { 'base.group_user': 'r', 'base.group_portal': 'r', 'base.group_erp_manager': 'crwu' },
  rules: [{ name: 'oneself', group: 'base.group_portal', domain: "[('id', '=', user.id)]" }],
  related: {
    name: { path: 'partner_id.name', label: 'Name' },
    email: { path: 'partner_id.email', label: 'Email' },
    phone: { path: 'partner_id.phone', label: 'Phone' },
  },
  inherits: 'partner_id',
  // These fields determine who can sign in.
  confirmedFields: ['login', 'email', 'active'],
  computed: {
    all_group_ids: {
      type: 'many2many',
      label: 'Groups and implied groups',
      relation: 'res.groups',
      sql: selectGroups,
    },
    share: {
      type: 'boolean',
      label: 'Share User',
      help: 'External user, such as a customer, without access to internal data.',
      sql: (row, context) => sql`not ${isInGroup(row, context, 'base.group_user')}`,
    },
    role: {
      type: 'selection',
      label: 'Role',
      selection: [
        ['group_user', 'User'],
        ['group_system', 'Administrator'],
      ],
      sql: (row, context) =>
        sql`case when ${isInGroup(row, context, 'base.group_system')} then 'group_system'
              when ${isInGroup(row, context, 'base.group_user')} then 'group_user' end`,
    },
    login_date: {
      type: 'datetime',
      label: 'Latest Login',
      sql: selectLastSignIn,
    },
    state: {
      type: 'selection',
      label: 'Status',
      selection: [
        ['new', 'Invited'],
        ['active', 'Confirmed'],
      ],
      sql: (row, context) =>
        sql`case when ${selectLastSignIn(row, context)} is null then 'new' else 'active' end`,
    },
    totp_enabled: { type: 'boolean', label: 'Two-factor authentication', sql: () => sql`false` },
    new_password: {
      type: 'char',
      label: 'Set Password',
      help: 'Can be written but not read.',
      groups: ['base.group_erp_manager'],
      sql: () => sql`null::text`,
    },
  },
  lists: { api_key_ids: { label: 'API Keys', relation: 'res.users.apikeys', inverse: 'user_id' } },
  completes: ['partner_id', 'company_id'],
  accepts: ['name', 'email', 'phone', 'role', 'new_password'],
  graph: { type: 'User', one: 'user', many: 'users' },
  audited: true,
  prepare: (_ctx, list) => list.forEach(renameGroupsField),
  beforeCreate: completeNewUsers,
  afterCreate: async (ctx, ids) => {
    await checkUsers(ctx, ids);
    await rejectAdministrators(ctx, ids);
    await checkAdministration(ctx);
    await createOwnMailboxes(ctx, ids);
  },
  beforeWrite: async (ctx, values, ids) => {
    await checkGuardedFields(ctx, values, ids);
    await changeUsers(ctx, values, ids);
  },
  afterWrite: async (ctx, ids, values) => {
    announceCatalogChange(ctx);
    if ('group_ids' in values) await rejectAdministrators(ctx, ids);
    if ('group_ids' in values || 'active' in values || 'is_svc_agent' in values)
      await checkAdministration(ctx);
    if ('group_ids' in values || 'company_id' in values || 'company_ids' in values)
      await checkUsers(ctx, ids);
    if ('group_ids' in values) await createOwnMailboxes(ctx, ids);
    if ('active' in values) await syncMailboxesWithUsers(ctx, ids);
  },
  beforeUnlink: async (ctx, ids) => {
    rejectOwnUser(ctx, ids, 'delete');
    await rejectAdministrators(ctx, ids);
    await checkAdministration(ctx, { users: ids });
    await archiveMailboxes(ctx, ids);
    announceCatalogChange(ctx);
  },
});

/** Supports `groups_id`, which clients older than Odoo 19 use for `group_ids`. */
function renameGroupsField(values: Values): void {
  if (!('groups_id' in values)) return;
  values.group_ids ??= values.groups_id;
  delete values.groups_id;
}

defineModel('res.users.log', {
  group: 'data',
  order: 'id desc',
  access: { 'base.group_system': 'r' },
  ceiling: 'r',
});
