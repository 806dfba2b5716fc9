import { defineModel } from '../../src/engine/model.ts';
import { ADMIN_GROUP } from '../../src/engine/policy.ts';

defineModel('svc.suppression', {
  display: 'email',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'crwu' },
  graph: { type: 'Suppression', one: 'suppression', many: 'suppressions' },
  prepare: (_ctx, list) => {
    for (const values of list) if (typeof values.email === 'string') values.email = values.email.trim().toLowerCase();
  },
});
