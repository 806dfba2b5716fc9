import { defineApp } from '../kit/app.ts';
import { addCrmDemoData } from './demo.ts';
import { crmGroups } from './groups.ts';
import { addCrmInitialData } from './initial-data.ts';
import './lead.ts';
import './lead-close.ts';
import './lead-convert.ts';
import './lead-merge.ts';
import './lost-reason.ts';
import './recurring-plan.ts';
import './stage.ts';
import './tag.ts';
import './team.ts';
import './utm.ts';

export const crm = defineApp({
  name: 'crm',
  label: 'CRM',
  summary: 'Leads, opportunities and the sales pipeline',
  category: 'Sales',
  version: '1.0',
  author: 'Atrium',
  models: ['crm', 'utm'],
  depends: ['base', 'contacts'],
  groups: crmGroups,
  settings: [],
  migrations: [],
  initialData: addCrmInitialData,
  demo: addCrmDemoData,
});
