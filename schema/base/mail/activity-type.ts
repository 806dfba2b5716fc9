import { defineModel } from '../../../src/engine/model/registry.ts';

/** Kinds of activities, with what a new one of them starts with. */
defineModel('mail.activity.type', {
  group: 'data',
  order: 'sequence, id',
  access: { 'base.group_user': 'r', 'base.group_system': 'crwu' },
});
