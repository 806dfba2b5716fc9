import type { SqlWords } from '../../src/engine/field.ts';
import { defineModel } from '../../src/engine/model.ts';
import { setOwn } from '../../src/engine/values.ts';
import { dayText } from '../clock.ts';
import { companyRule } from '../company-rule.ts';
import { CLOSED } from './task-state.ts';

const closed = CLOSED.map((state) => `'${state}'`).join(', ');

function tasks(row: string, sql: SqlWords, where = ''): string {
  const task = sql.alias();
  return `(select count(*)::int from ${sql.table('project.task')} ${task} where ${task}.workspace_id = ${row}.workspace_id and ${task}.milestone_id = ${row}.id and ${task}.active${where && ` and ${task}.${where}`})`;
}

const VISIBLE = `['|', ('project_id.privacy_visibility', 'in', ['employees', 'portal']), ('project_id.user_id', '=', user.id)]`;

defineModel('project.milestone', {
  order: 'sequence, deadline, is_reached desc, name, id',
  access: { 'project.group_project_user': 'crwu', 'project.group_project_manager': 'crwu' },
  rules: [
    companyRule('project_id.company_id'),
    { name: 'of projects one sees', group: 'project.group_project_user', domain: VISIBLE },
    { name: 'of every project', group: 'project.group_project_manager', domain: "[(1, '=', 1)]" },
  ],
  mixins: ['mail.thread'],
  computed: {
    task_count: { type: 'integer', label: '# of Tasks', sql: (row, sql) => tasks(row, sql) },
    done_task_count: {
      type: 'integer',
      label: '# of Done Tasks',
      sql: (row, sql) => tasks(row, sql, `state in (${closed})`),
    },
    is_deadline_exceeded: {
      type: 'boolean',
      label: 'Is Deadline Exceeded',
      sql: (row) => `coalesce(not ${row}.is_reached and ${row}.deadline < current_date, false)`,
    },
    can_be_marked_as_done: {
      type: 'boolean',
      label: 'Can Be Marked As Done',
      sql: (row, sql) =>
        `(not ${row}.is_reached and ${tasks(row, sql)} > 0 and ${tasks(row, sql, `state not in (${closed})`)} = 0)`,
    },
  },
  prepare: (_ctx, list) => {
    for (const values of list)
      if (values.is_reached !== undefined)
        setOwn(values, { reached_date: values.is_reached ? dayText() : false });
  },
});
