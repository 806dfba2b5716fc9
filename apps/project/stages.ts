import { defineModel } from '../../src/engine/model.ts';
import { companyRule } from '../company-rule.ts';

// The columns that tasks and projects move through.

defineModel('project.task.type', {
  order: 'sequence, id',
  access: { 'project.group_project_user': 'r', 'project.group_project_manager': 'crwu' },
  rules: [
    {
      name: 'of projects, or personal ones of oneself',
      domain: "['|', ('user_id', '=', False), ('user_id', '=', user.id)]",
    },
  ],
});

defineModel('project.project.stage', {
  order: 'sequence, id',
  access: { 'project.group_project_user': 'r', 'project.group_project_manager': 'crwu' },
  rules: [companyRule()],
});
