import { defineRoles } from '../../src/engine/model/roles.ts';

export const ADMIN_GROUP = 'base.group_system';

defineRoles({
  user: 'res.users',
  company: 'res.company',
  currency: 'res.currency',
  attachment: 'ir.attachment',
  administrators: ADMIN_GROUP,
});
