import { companyRule, defineModel, type Sql, sql } from '../kit/surface.ts';

/**
 * Builds a query for the id and fold flag of a project's first task stage.
 * @param project the project's id, or an SQL expression for it
 */
export const buildFirstStageSql = (workspace: number, project: unknown): Sql =>
  sql`select t.id, t.fold from project_task_type_rel r
   join project_task_type t on t.workspace_id = ${workspace} and t.id = r.type_id and t.active
   where r.workspace_id = ${workspace} and r.project_id = ${project} order by t.fold, t.sequence, t.id limit 1`;

defineModel('project.task.type', {
  group: 'data',
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
  group: 'data',
  order: 'sequence, id',
  access: { 'project.group_project_user': 'r', 'project.group_project_manager': 'crwu' },
  rules: [companyRule()],
});
