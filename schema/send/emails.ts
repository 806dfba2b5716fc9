import { jsonRow } from '../../src/engine/json-row.ts';
import { defineModel } from '../../src/engine/model.ts';
import { ADMIN_GROUP, type Policy } from '../../src/engine/policy.ts';
import { RawJson } from '../../src/engine/records.ts';
import { verb } from '../../src/engine/verb.ts';
import { errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { iso } from './domains.ts';

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

const reads: Policy = { auth: ['TEAM', 'ADMIN'], scope: 'read', feature: 'email' };

const ITEM = `public_id as id, "to", reply_to as "replyTo", cc, bcc, "from", subject, html, text, ${iso('create_date')} as "createdAt",
  ${iso('write_date')} as "updatedAt", latest_status as "latestStatus", ${iso('scheduled_at')} as "scheduledAt", domain_id as "domainId"`;

verb('sentEmails', {
  kind: 'query',
  policy: reads,
  description:
    'A page of the sent emails in the shape of the email REST API, newest first, with the count of all that match.',
  args: (arg) => ({
    page: arg.int({ defaultValue: 1 }),
    limit: arg.int({ defaultValue: limits.emailPage }),
    startDate: arg({ type: 'DateTime' }),
    endDate: arg({ type: 'DateTime' }),
    domainIds: arg.intList(),
  }),
  async run(ctx, { page, limit, startDate, endDate, domainIds }) {
    const size = limit ?? limits.emailPage;
    const number = page ?? 1;
    if (size < 1 || size > limits.emailPage)
      throw errors.badRequest(`limit goes from 1 to ${limits.emailPage}`);
    if (number < 1 || number > 1_000_000) throw errors.badRequest('page is a number from 1 on');
    const where = `workspace_id = $1 and ($2::timestamp is null or create_date >= $2) and ($3::timestamp is null or create_date <= $3)
      and ($4::int[] is null or domain_id = any($4))`;
    const row = await jsonRow<{ json: string; n: number; count: number }>(
      ctx.db,
      `select coalesce(json_agg(e), '[]')::text as json, count(*)::int as n, (select count(*)::int from svc_email where ${where}) as count
       from (select ${ITEM} from svc_email m where ${where} order by m.id desc limit $5 offset $6) e`,
      [ctx.workspace.id, startDate ?? null, endDate ?? null, domainIds ?? null, size, (number - 1) * size],
      ['n', 'count'],
    );
    return new RawJson(`{"data":${row!.json},"count":${row!.count}}`, row!.n);
  },
});

verb('sentEmail', {
  kind: 'query',
  policy: reads,
  description: 'One email with its events in the shape of the email REST API.',
  args: (arg) => ({ id: arg.string({ required: true }) }),
  async run(ctx, { id }) {
    const row = await jsonRow(
      ctx.db,
      `select row_to_json(e)::text as json from (
         select ${ITEM}, workspace_id as "teamId", state, reason,
           (select coalesce(json_agg(json_build_object('emailId', m.public_id, 'status', v.status, 'createdAt', ${iso('v.create_date')}, 'data', v.data) order by v.id), '[]')
            from svc_email_event v where v.workspace_id = m.workspace_id and v.email_id = m.id) as "emailEvents"
         from svc_email m where m.workspace_id = $1 and m.public_id = $2
       ) e`,
      [ctx.workspace.id, id],
    );
    if (!row) throw errors.notFound('Email');
    return new RawJson(row.json, 1);
  },
});
