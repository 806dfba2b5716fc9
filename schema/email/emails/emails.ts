import { type Param, type Sql, sql } from '../../../src/db/sql.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { buildShapeColumnsSql } from '../../../src/engine/operation/shape.ts';
import { readJsonRow } from '../../../src/engine/sql/json-row.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { errors } from '../../../src/errors.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { isVisibleEmail } from '../kit/bound-domain.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { resolveRecord } from '../kit/resolve-records.ts';
import { buildEmailEvents, emailShape } from './email-shapes.ts';

defineModel('svc.email', {
  group: 'data',
  display: 'subject',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: { [ADMIN_GROUP]: 'r' },
  team: 'r',
  boundBy: 'domain_id',
  own: () => [['mailbox_id', '=', false]],
  graph: {
    type: 'Email',
    one: 'email',
    many: 'emails',
    key: 'public_id',
    names: { create_date: 'createdAt', write_date: 'updatedAt' },
    enums: { latest_status: 'EmailStatus' },
    policy: TEAM_READ_POLICY,
    writes: false,
  },
  computed: {
    key_id: {
      type: 'many2one',
      label: 'API key',
      relation: 'svc.api.key',
      help: 'API key it was sent with. Unset if it was sent without one.',
      sql: (row) => sql`${row}.api_key_id`,
    },
    template_id: {
      type: 'many2one',
      label: 'Template',
      relation: 'svc.template',
      help: 'Template the email was rendered from.',
      sql: (row, { workspace, alias }) => buildTemplateSql(row, workspace, alias()),
    },
  },
});

/** Emails refer to a template by its public id, so that they can outlive it. */
const buildTemplateSql = (row: Sql, workspace: Param, template: Sql): Sql => sql`(select ${template}.id
  from svc_template ${template} where ${template}.workspace_id = ${workspace}
    and ${template}.public_id = ${row}.template_id)`;

defineModel('svc.email.event', {
  group: 'data',
  display: 'status',
  order: 'id',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: { [ADMIN_GROUP]: 'r' },
  team: 'r',
  boundBy: 'email_id.domain_id',
  own: () => [['email_id.mailbox_id', '=', false]],
  graph: {
    type: 'EmailEvent',
    one: 'emailEvent',
    many: 'emailEvents',
    log: true,
    names: { create_date: 'createdAt' },
    enums: { status: 'EmailStatus' },
    policy: TEAM_READ_POLICY,
    writes: false,
  },
});

export const emailRead = defineOperation('emailRead', {
  effects: ['reads'],
  deprecated: 'For the email REST API. Use `email`.',
  policy: TEAM_READ_POLICY,
  description: 'Returns an email. Unlike `email`, it fails if no email has this id.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Email id.' }) }),
  type: getRecordRef('svc.email'),
  async run(ctx, { id }) {
    const row = await readJsonRow(
      ctx.db,
      sql`select row_to_json(e)::text as json from (
         select ${buildShapeColumnsSql(emailShape)} from svc_email m ${buildEmailEvents(ctx.workspace.id)}
         where ${isVisibleEmail(ctx, String(id))}
       ) e`,
    );
    if (!row) throw errors.notFound('Email');
    return new RawJson(row.json, 1);
  },
  answer: (ctx, _json, { id }, info) => resolveRecord(ctx, 'svc.email', String(id), info),
});
