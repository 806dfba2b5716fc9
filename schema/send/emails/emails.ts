import { iso } from '../../../src/db/iso.ts';
import { sql } from '../../../src/db/sql.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { RawJson } from '../../../src/engine/read/records.ts';
import { jsonRow } from '../../../src/engine/sql/json-row.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { ownEmail } from '../kit/bound-domain.ts';
import { teamReads } from '../kit/policies.ts';

defineModel('svc.email', {
  display: 'subject',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  graph: { type: 'Email', one: 'email', many: 'emails' },
});

defineModel('svc.email.event', {
  display: 'status',
  order: 'id',
  access: { [ADMIN_GROUP]: 'r' },
  graph: { type: 'EmailEvent', one: 'emailEvent', many: 'emailEvents' },
});

/** Columns of `svc_email m` as the email REST API shows an email in a list. */
export const ITEM = sql`m.public_id as id, m."to", m.reply_to as "replyTo", m.cc, m.bcc, m."from",
  m.subject, m.html, m.text, ${iso(sql`m.create_date`)} as "createdAt", ${iso(sql`m.write_date`)} as "updatedAt",
  m.latest_status as "latestStatus", ${iso(sql`m.scheduled_at`)} as "scheduledAt", m.domain_id as "domainId"`;

verb('sentEmail', {
  kind: 'query',
  policy: teamReads,
  description: 'Returns an email with its events. Same shape as in the email REST API.',
  args: (arg) => ({ id: arg.string({ required: true, description: 'Email id.' }) }),
  async run(ctx, { id }) {
    const row = await jsonRow(
      ctx.db,
      sql`select row_to_json(e)::text as json from (
         select ${ITEM}, m.workspace_id as "teamId", m.state, m.reason, m.suppressed, m.template_id as "templateId",
           m.tags, m.metadata, ${EVENTS} as "emailEvents"
         from svc_email m where ${ownEmail(ctx, id)}
       ) e`,
    );
    if (!row) throw errors.notFound('Email');
    return new RawJson(row.json, 1);
  },
});

const EVENTS = sql`(select coalesce(json_agg(json_build_object('emailId', m.public_id, 'status', v.status,
    'createdAt', ${iso(sql`v.create_date`)}, 'data', v.data) order by v.id), '[]')
  from svc_email_event v where v.workspace_id = m.workspace_id and v.email_id = m.id)`;
