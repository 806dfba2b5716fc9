import { defineModel } from '../../../src/engine/model/registry.ts';

defineModel('svc.mail.feature', {
  group: 'mail',
  display: 'key',
  order: 'key',
  access: { 'base.group_user': 'r' },
  ceiling: 'r',
  graph: { type: 'MailFeature', one: 'mailFeature', many: 'mailFeatures', writes: false },
});
