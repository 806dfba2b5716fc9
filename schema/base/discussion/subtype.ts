import { defineModel } from '../../../src/engine/model/registry.ts';

const access = { 'base.group_user': 'r', 'base.group_portal': 'r', 'base.group_system': 'crwu' };

/** Followers choose the subtypes that they are notified about. */
defineModel('mail.message.subtype', { group: 'data', order: 'sequence, id', access });

defineModel('mail.tracking.value', {
  group: 'data',
  order: 'id',
  access: { 'base.group_system': 'r' },
  ceiling: 'r',
});
