import { type Sql, sql } from '../../../src/db/sql.ts';
import { createField, type Field, type SqlContext } from '../../../src/engine/model/field.ts';
import { defineMixin } from '../../../src/engine/model/mixins.ts';

// Fields that list related records by model name and id, and fields computed from these lists.

const DOCUMENT = { model: 'res_model', id: 'res_id' };

/** Restricts fields that would reveal internal messages to internal users. */
const INTERNAL_ONLY = { groups: ['base.group_user'] };

const defineThreadList = (name: string, label: string, relation: string, thread: Field['thread']): Field =>
  createField(name, 'one2many', label, { readonly: false, relation, thread });

const buildModelRows = (table: string, row: Sql, context: SqlContext, model: string): Sql =>
  sql`from ${sql.id(table)} m where m.workspace_id = ${context.workspace}
    and m.res_model = ${sql.literal(model)} and m.res_id = ${row}.id`;

defineMixin('mail.thread', {
  flag: 'is_mail_thread',
  fields: (model) => [
    defineThreadList('message_ids', 'Messages', 'mail.message', { model: 'model', id: 'res_id' }),
    defineThreadList('message_follower_ids', 'Followers', 'mail.followers', DOCUMENT),
    createField('message_partner_ids', 'many2many', 'Followers (Partners)', {
      ...INTERNAL_ONLY,
      relation: 'res.partner',
      computed: (row, context) =>
        sql`select m.partner_id ${buildModelRows('mail_followers', row, context, model)}`,
      links: { table: 'mail_followers', self: 'res_id', other: 'partner_id', fixed: { res_model: model } },
    }),
    createField('message_needaction', 'boolean', 'Action Needed', {
      ...INTERNAL_ONLY,
      help: 'True if the record has unread notifications. Always false.',
      computed: () => sql`false`,
    }),
    createField('message_attachment_count', 'integer', 'Attachment Count', {
      ...INTERNAL_ONLY,
      computed: (row, context) =>
        sql`(select count(*)::int ${buildModelRows('ir_attachment', row, context, model)} and m.res_field is null)`,
    }),
  ],
});

export const buildDueState = (day: Sql, today: Sql): Sql =>
  sql`case when ${day} < ${today} then 'overdue' when ${day} = ${today} then 'today' else 'planned' end`;

defineMixin('mail.activity', {
  flag: 'is_mail_activity',
  fields: (model) => {
    /** Selects a value from the open activity with the earliest due date. */
    const selectFromNextActivity = (row: Sql, context: SqlContext, value: Sql): Sql =>
      sql`(select ${value} ${buildModelRows('mail_activity', row, context, model)} and m.active
        order by m.date_deadline, m.id limit 1)`;
    return [
      defineThreadList('activity_ids', 'Activities', 'mail.activity', DOCUMENT),
      createField('activity_state', 'selection', 'Activity State', {
        ...INTERNAL_ONLY,
        selection: [
          ['overdue', 'Overdue'],
          ['today', 'Today'],
          ['planned', 'Planned'],
        ],
        computed: (row, context) =>
          selectFromNextActivity(row, context, buildDueState(sql`m.date_deadline`, context.today())),
      }),
      createField('activity_user_id', 'many2one', 'Responsible User', {
        ...INTERNAL_ONLY,
        relation: 'res.users',
        loose: true,
        computed: (row, context) => selectFromNextActivity(row, context, sql`m.user_id`),
      }),
      createField('activity_type_id', 'many2one', 'Next Activity Type', {
        ...INTERNAL_ONLY,
        relation: 'mail.activity.type',
        loose: true,
        computed: (row, context) => selectFromNextActivity(row, context, sql`m.activity_type_id`),
      }),
      createField('activity_date_deadline', 'date', 'Next Activity Deadline', {
        ...INTERNAL_ONLY,
        computed: (row, context) => selectFromNextActivity(row, context, sql`m.date_deadline`),
      }),
      createField('activity_summary', 'char', 'Next Activity Summary', {
        ...INTERNAL_ONLY,
        computed: (row, context) => selectFromNextActivity(row, context, sql`m.summary`),
      }),
    ];
  },
});
