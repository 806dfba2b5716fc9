import type { AppGroup } from '../kit/app.ts';

export const helpdeskGroups: AppGroup[] = [
  { id: 'helpdesk.group_helpdesk_user', name: 'User', privilege: 'Helpdesk', implies: ['base.group_user'] },
  {
    id: 'helpdesk.group_helpdesk_manager',
    name: 'Administrator',
    privilege: 'Helpdesk',
    implies: ['helpdesk.group_helpdesk_user'],
  },
];
