import { defineApp } from '../kit/app.ts';
import { addProjectDemoData } from './demo.ts';
import { projectGroups } from './groups.ts';
import { addProjectInitialData } from './initial-data.ts';
import './milestone.ts';
import './project.ts';
import './stages.ts';
import './task.ts';

export const project = defineApp({
  name: 'project',
  label: 'Project',
  summary: 'Tasks, stages and milestones of projects',
  category: 'Services',
  version: '1.0',
  author: 'Atrium',
  models: ['project'],
  depends: ['base', 'contacts'],
  groups: projectGroups,
  settings: [],
  migrations: [],
  initialData: addProjectInitialData,
  demo: addProjectDemoData,
});
