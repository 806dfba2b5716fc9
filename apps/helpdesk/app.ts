import { defineApp } from '../kit/app.ts';
import { addHelpdeskDemoData } from './demo.ts';
import { helpdeskGroups } from './groups.ts';
import { addHelpdeskInitialData } from './initial-data.ts';
import { helpdeskSettings } from './settings.ts';
import './mail/reply.ts';
import './mail/receive-mail.ts';
import './page/revoke.ts';
import './page/visit.ts';
import './sla/overdue.ts';
import './sla/policy.ts';
import './stage.ts';
import './team.ts';
import './ticket.ts';

export const helpdesk = defineApp({
  name: 'helpdesk',
  label: 'Helpdesk',
  summary: 'Customer tickets, from the first message to the rating',
  category: 'Services',
  version: '1.0',
  author: 'Atrium',
  models: ['helpdesk'],
  depends: ['base', 'contacts'],
  groups: helpdeskGroups,
  settings: helpdeskSettings,
  migrations: [],
  initialData: addHelpdeskInitialData,
  demo: addHelpdeskDemoData,
});
