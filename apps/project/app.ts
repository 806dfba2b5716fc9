import { defineApp } from '../kit/app.ts';
import { demo } from './demo.ts';
import { found } from './found.ts';
import { groups } from './groups.ts';
import './milestone.ts';
import './project.ts';
import './stages.ts';
import './tags.ts';
import './task.ts';

export const project = defineApp({
  name: 'project',
  label: 'Project',
  summary: 'Tasks, stages and milestones of what is being done',
  version: '1.0',
  models: ['project'],
  depends: ['base', 'contacts'],
  groups,
  found,
  demo,
});
