import type { App } from '../kit/app.ts';
import { demo } from './demo.ts';
import { found } from './found.ts';
import { groups } from './groups.ts';
import './milestone.ts';
import './project.ts';
import './stages.ts';
import './tags.ts';
import './task.ts';

export const project: App = {
  name: 'project',
  label: 'Project',
  summary: 'Tasks, stages and milestones of what is being done',
  version: '1.0',
  depends: ['base', 'contacts'],
  groups,
  found,
  demo,
};
