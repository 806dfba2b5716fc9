import { extendModel } from '../../src/engine/model/registry.ts';
import { companyRule, defineModel, isSet, type Values } from '../kit/surface.ts';
import { prepareTaskChange, reopenTasks } from './task-change.ts';
import { taskComputed } from './task-computed.ts';
import { releaseFollowers, updateBlockedStates } from './task-dependencies.ts';
import { prepareNewTasks, updateAssignDates } from './task-new.ts';

/** Tasks visible to a user: tasks of visible projects, assigned tasks, and private tasks the user created. */
const VISIBLE_DOMAIN = `['|', '|', '|', ('user_ids', 'in', [user.id]), ('project_id.user_id', '=', user.id),
  ('project_id.privacy_visibility', 'in', ['employees', 'portal']),
  '&', ('project_id', '=', False), ('create_uid', '=', user.id)]`;

defineModel('project.task', {
  group: 'data',
  preview: {
    follows: { project_id: ['stage_id', 'partner_id', 'company_id', 'milestone_id'] },
    ignores: ['access_url', 'date_assign', 'date_end', 'date_last_stage_update'],
  },
  order: 'priority desc, sequence, date_deadline, id desc',
  // Stages of the caller's current project.
  expands: {
    stage_id: ({ context: { defaults } }) =>
      isSet(defaults.project_id) ? [['project_ids', 'in', [defaults.project_id]]] : [[0, '=', 1]],
  },
  access: { 'project.group_project_user': 'crwu', 'project.group_project_manager': 'crwu' },
  rules: [
    companyRule(),
    {
      name: 'of projects one sees, and own ones',
      group: 'project.group_project_user',
      domain: VISIBLE_DOMAIN,
    },
    {
      name: 'of every project',
      group: 'project.group_project_manager',
      domain:
        "['|', '|', ('project_id', '!=', False), ('user_ids', 'in', [user.id]), ('create_uid', '=', user.id)]",
    },
  ],
  mixins: ['mail.thread', 'mail.activity'],
  related: {
    project_privacy_visibility: { path: 'project_id.privacy_visibility', label: 'Project Visibility' },
  },
  tree: {
    parent: 'parent_id',
    loop: 'A task cannot be a part of itself, directly or through others (parent_id).',
  },
  computed: taskComputed,
  completes: ['user_ids'],
  prepare: (ctx, list, ids) => (ids === null ? prepareNewTasks(ctx, list) : prepareTaskChange(ctx, list[0]!)),
  afterCreate: async (ctx, ids, list) => {
    if (list.some((values) => values.user_ids !== undefined)) await updateAssignDates(ctx, ids);
    if (list.some((values) => isSet(values.depend_on_ids) || isSet(values.dependent_ids)))
      await updateBlockedStates(ctx, ids);
  },
  afterWrite: async (ctx, ids, values) => {
    if ('user_ids' in values) await updateAssignDates(ctx, ids);
    if ('stage_id' in values && !('state' in values)) await reopenTasks(ctx, ids);
    if (touchesStates(values)) await updateBlockedStates(ctx, ids);
  },
  beforeUnlink: releaseFollowers,
});

extendModel('res.partner', {
  lists: {
    task_ids: { label: 'Tasks', relation: 'project.task', inverse: 'partner_id', readonly: true },
  },
});

const touchesStates = (values: Values): boolean =>
  ['state', 'depend_on_ids', 'dependent_ids', 'project_id'].some((name) => name in values);
