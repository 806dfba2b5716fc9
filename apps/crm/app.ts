import { defineApp } from '../kit/app.ts';
import { demo } from './demo.ts';
import { found } from './found.ts';
import { groups } from './groups.ts';
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
  summary: 'Leads and opportunities on their way to an order',
  version: '1.0',
  models: ['crm', 'utm'],
  depends: ['base', 'contacts'],
  groups,
  found,
  demo,
});
