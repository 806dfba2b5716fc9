import type { Field } from './field.ts';
import type { Model, Registry } from './model.ts';

/** Abilities a model may have: messages and followers, activities. */
export type Mixin = 'mail.thread' | 'mail.activity';

const BY_DOCUMENT = { model: 'res_model', id: 'res_id' };

const field = (name: string, label: string, more: Partial<Field> & Pick<Field, 'type'>): Field => ({
  name,
  label,
  help: '',
  required: false,
  readonly: true,
  hasDefault: false,
  secret: false,
  groups: [],
  copied: false,
  ...more,
});

const list = (name: string, label: string, relation: string, thread: Field['thread']): Field =>
  field(name, label, { type: 'one2many', readonly: false, relation, ...(thread && { thread }) });

/** Adds the fields of the model's mixins: lists of records that point back by name of model and id, and what they tell. */
export function addMixins(model: Model, registry: Registry): void {
  const { mixins = [] } = model.options;
  const fields = [
    ...(mixins.includes('mail.thread') && registry.has('mail.message') ? threadFields(model.name) : []),
    ...(mixins.includes('mail.activity') && registry.has('mail.activity') ? activityFields(model.name) : []),
  ];
  for (const each of fields) model.fields.set(each.name, each);
}

/** Rows of a mail table that belong to the record. Names of models hold nothing that SQL would mistake. */
const rowsOf = (table: string, row: string, model: string, [name, id]: [string, string]): string =>
  `from ${table} m where m.workspace_id = ${row}.workspace_id and m.${name} = '${model}' and m.${id} = ${row}.id`;

const threadFields = (model: string): Field[] => [
  list('message_ids', 'Messages', 'mail.message', { model: 'model', id: 'res_id' }),
  list('message_follower_ids', 'Followers', 'mail.followers', BY_DOCUMENT),
  field('message_partner_ids', 'Followers (Partners)', {
    type: 'many2many',
    relation: 'res.partner',
    computed: (row) => `select m.partner_id ${rowsOf('mail_followers', row, model, ['res_model', 'res_id'])}`,
  }),
  field('message_attachment_count', 'Attachment Count', {
    type: 'integer',
    computed: (row) =>
      `(select count(*)::int ${rowsOf('ir_attachment', row, model, ['res_model', 'res_id'])} and m.res_field is null)`,
  }),
];

/** Of the open activity that is due first. */
const first = (row: string, model: string, value: string): string =>
  `(select ${value} ${rowsOf('mail_activity', row, model, ['res_model', 'res_id'])} and m.active order by m.date_deadline, m.id limit 1)`;

/** When an activity due on `day` is: overdue, today or planned. */
export const dueSql = (day: string, today: string): string =>
  `case when ${day} < ${today} then 'overdue' when ${day} = ${today} then 'today' else 'planned' end`;

const activityFields = (model: string): Field[] => [
  list('activity_ids', 'Activities', 'mail.activity', BY_DOCUMENT),
  field('activity_state', 'Activity State', {
    type: 'selection',
    selection: [
      ['overdue', 'Overdue'],
      ['today', 'Today'],
      ['planned', 'Planned'],
    ],
    computed: (row, sql) => first(row, model, dueSql('m.date_deadline', sql.today())),
  }),
  field('activity_user_id', 'Responsible User', {
    type: 'many2one',
    relation: 'res.users',
    loose: true,
    computed: (row) => first(row, model, 'm.user_id'),
  }),
  field('activity_type_id', 'Next Activity Type', {
    type: 'many2one',
    relation: 'mail.activity.type',
    loose: true,
    computed: (row) => first(row, model, 'm.activity_type_id'),
  }),
  field('activity_date_deadline', 'Next Activity Deadline', {
    type: 'date',
    computed: (row) => first(row, model, 'm.date_deadline'),
  }),
  field('activity_summary', 'Next Activity Summary', {
    type: 'char',
    computed: (row) => first(row, model, 'm.summary'),
  }),
];
