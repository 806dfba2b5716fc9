import { defineModel } from '../../src/engine/model/registry.ts';

const access = {
  'helpdesk.group_helpdesk_user': 'r',
  'helpdesk.group_helpdesk_manager': 'crwu',
  'base.group_portal': 'r',
};

defineModel('helpdesk.stage', { group: 'data', order: 'sequence, name, id', access });

defineModel('helpdesk.ticket.type', { group: 'data', order: 'sequence, name, id', access });

defineModel('helpdesk.tag', {
  group: 'data',
  order: 'name, id',
  access: { 'helpdesk.group_helpdesk_user': 'cr', 'helpdesk.group_helpdesk_manager': 'crwu' },
});
