import { defineModel } from '../../src/engine/model/registry.ts';

defineModel('project.tags', {
  order: 'name, id',
  access: { 'project.group_project_user': 'cr', 'project.group_project_manager': 'crwu' },
});
