import { defineModel } from '../../src/engine/model.ts';

/** The groups every workspace starts with: external id, name, and what membership implies. */
export const GROUPS: { id: string; name: string; implies: string[]; share?: boolean }[] = [
  { id: 'base.group_user', name: 'User', implies: [] },
  { id: 'base.group_partner_manager', name: 'Contact Creation', implies: ['base.group_user'] },
  { id: 'base.group_erp_manager', name: 'Access Rights', implies: ['base.group_user'] },
  {
    id: 'base.group_system',
    name: 'Administrator',
    implies: ['base.group_erp_manager', 'base.group_partner_manager'],
  },
  { id: 'base.group_portal', name: 'Portal', implies: [], share: true },
  { id: 'base.group_public', name: 'Public', implies: [], share: true },
];

defineModel('res.groups', {
  order: 'name',
  access: { 'base.group_user': 'r', 'base.group_erp_manager': 'crwu' },
  graph: { type: 'Group', one: 'group', many: 'groups' },
  audited: true,
});
