import { NOW } from '../../../src/db/now.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { buildArguments, defineArguments, requireField } from '../../../src/engine/operation/input.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { scheduleDueWork } from '../../../src/engine/work/due.ts';
import { errors } from '../../../src/errors.ts';
import { isVisibleEmail } from '../kit/bound-domain.ts';
import { TEAM_WRITE_POLICY } from '../kit/policies.ts';
import { returnEmail } from '../kit/resolve-records.ts';
import { cancel } from '../state/cancel.ts';
import type { EmailState } from '../state/email-state.ts';
import { editEmails } from '../state/move-emails.ts';
import { MAIL_QUEUE } from '../state/queues.ts';

const EMAIL_CHANGE = defineArguments('EmailChange', 'A new time for a scheduled email.', {
  scheduledAt: requireField(
    'DateTime',
    'New send time in ISO 8601 format (UTC if it has no offset). If the time is in the past, the email is sent ' +
      'immediately.',
  ),
});

export const emailReschedule = defineOperation('emailReschedule', {
  effects: ['writes', 'sends'],
  policy: TEAM_WRITE_POLICY,
  description: 'Reschedules a scheduled email. A time in the past sends it immediately.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Email id.' }),
    ...buildArguments(arg, EMAIL_CHANGE),
  }),
  ...returnEmail,
  run: (ctx, { id, scheduledAt }) => rescheduleEmail(ctx, String(id), scheduledAt),
});

export const emailCancel = defineOperation('emailCancel', {
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description: 'Cancels a scheduled email.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Email id.' }) }),
  ...returnEmail,
  async run(ctx, args) {
    const id = String(args.id);
    if ((await cancel(ctx.db, ctx.workspace.id, isScheduledEmail(ctx, id), null)) === 0)
      throw await buildRescheduleError(ctx, id);
    return id;
  },
});

/**
 * Matches a scheduled email that no worker has claimed. A concurrent claim cannot interfere, because it updates the
 * same row. A deferred email remains `SCHEDULED`; one that may have been sent does not.
 */
const isScheduledEmail = (ctx: Ctx, id: string): Sql =>
  sql`${isVisibleEmail(ctx, id)} and m.state = 'queued' and m.latest_status = 'SCHEDULED'`;

async function rescheduleEmail(ctx: Ctx, id: string, at: string): Promise<string> {
  const scheduledAt = Date.parse(at) > Date.now() ? at : null;
  const time = sql`${sql.param(scheduledAt)}::timestamptz at time zone 'UTC'`;
  const rows = await ctx.db.rows(
    editEmails({
      set: sql`scheduled_at = ${time}, run_at = greatest(${time}, ${NOW}),
        latest_status = ${scheduledAt ? 'SCHEDULED' : 'QUEUED'}, reason = null, write_date = now()`,
      condition: isScheduledEmail(ctx, id),
      returning: sql`m.id`,
    }),
  );
  if (rows.length === 0) throw await buildRescheduleError(ctx, id);
  scheduleDueWork(ctx.db, ctx.workspace.id, MAIL_QUEUE, { at: scheduledAt });
  return id;
}

async function buildRescheduleError(ctx: Ctx, id: string): Promise<Error> {
  const [email] = await ctx.db.rows<{ state: EmailState; latest_status: string }>(
    sql`select m.state, m.latest_status from svc_email m where ${isVisibleEmail(ctx, id)}`,
  );
  if (!email) return errors.notFound('Email');
  if (email.state === 'sending')
    return errors.badRequest('The email is already being sent and can no longer be changed.');
  return errors.badRequest(
    `The email has the status ${email.latest_status}. Only scheduled emails can be changed.`,
  );
}
