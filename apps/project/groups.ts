import type { AppGroup } from '../kit/app.ts';

export const projectGroups: AppGroup[] = [
  { id: 'project.group_project_user', name: 'User', privilege: 'Project', implies: ['base.group_user'] },
  {
    id: 'project.group_project_manager',
    name: 'Administrator',
    privilege: 'Project',
    implies: ['project.group_project_user'],
  },
];
