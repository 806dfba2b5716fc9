import { getToday } from '../../src/engine/ctx/call-context.ts';
import { companyRule, defineModel, setHookValues, sql } from '../kit/surface.ts';
import { buildClosedSql, buildCountTasksSql } from './task-count.ts';

const VISIBLE_DOMAIN = `['|', ('project_id.privacy_visibility', 'in', ['employees', 'portal']),
  ('project_id.user_id', '=', user.id)]`;

defineModel('project.milestone', {
  group: 'data',
  order: 'sequence, deadline, is_reached desc, name, id',
  access: { 'project.group_project_user': 'crwu', 'project.group_project_manager': 'crwu' },
  rules: [
    companyRule('project_id.company_id'),
    { name: 'of projects one sees', group: 'project.group_project_user', domain: VISIBLE_DOMAIN },
    { name: 'of every project', group: 'project.group_project_manager', domain: "[(1, '=', 1)]" },
  ],
  mixins: ['mail.thread'],
  computed: {
    task_count: {
      type: 'integer',
      label: '# of Tasks',
      sql: (row, context) => buildCountTasksSql(row, context, 'milestone_id'),
    },
    done_task_count: {
      type: 'integer',
      label: '# of Done Tasks',
      sql: (row, context) => buildCountTasksSql(row, context, 'milestone_id', buildClosedSql),
    },
    is_deadline_exceeded: {
      type: 'boolean',
      label: 'Is Deadline Exceeded',
      sql: (row, { today }) => sql`coalesce(not ${row}.is_reached and ${row}.deadline < ${today()}, false)`,
    },
    can_be_marked_as_done: {
      type: 'boolean',
      label: 'Can Be Marked As Done',
      sql: (row, context) => {
        const openCount = buildCountTasksSql(
          row,
          context,
          'milestone_id',
          (task) => sql`not ${buildClosedSql(task)}`,
        );
        return sql`(not ${row}.is_reached and ${buildCountTasksSql(row, context, 'milestone_id')} > 0
          and ${openCount} = 0)`;
      },
    },
  },
  prepare: (ctx, list) => {
    for (const values of list)
      if (values.is_reached !== undefined)
        setHookValues(values, { reached_date: values.is_reached ? getToday(ctx) : false });
  },
});
