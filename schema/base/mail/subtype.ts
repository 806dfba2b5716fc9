import { defineModel } from '../../../src/engine/model/registry.ts';

const access = { 'base.group_user': 'r', 'base.group_portal': 'r', 'base.group_system': 'crwu' };

/** Kinds of messages; followers choose which they hear of. */
defineModel('mail.message.subtype', { group: 'data', order: 'sequence, id', access });

/** Fields whose changes are logged in a message. */
defineModel('mail.tracking.value', {
  group: 'data',
  order: 'id',
  access: { 'base.group_system': 'r' },
  ceiling: 'r',
});
