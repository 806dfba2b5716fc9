import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { NOW, NOW_ROW } from '../../../src/db/now.ts';
import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { isVisibleEmail } from '../kit/bound-domain.ts';
import { TEAM_WRITE_POLICY } from '../kit/policies.ts';
import { returnEmail } from '../kit/resolve-records.ts';
import type { EmailState } from '../state/email-state.ts';
import { giveUpEmails } from '../state/expire.ts';
import { buildRecordedMove, editEmails, recordMove } from '../state/move-emails.ts';
import { scheduleMailDue } from '../state/queues.ts';
import { buildRequeueTime, isLocked, PROVIDER_REPORTED } from '../state/state-sql.ts';

/**
 * Resolves emails whose response was lost and on which the provider has not reported in time. Sends them once more with
 * the same Message-ID, so that a receiver can detect the duplicate; a second lost response fails them. If
 * `unknownPolicy` is `hold`, they wait for the operator's decision instead. A later report corrects either result.
 * @returns the number of emails to be sent again
 */
export async function resolveUnknownEmails(
  db: Database,
  { unknownMinutes, unknownPolicy }: Pick<Config, 'unknownMinutes' | 'unknownPolicy'>,
): Promise<number> {
  let queuedCount = 0;
  const noReportReason = `The provider has reported nothing about it within ${unknownMinutes} minutes`;
  const waitReason = `${noReportReason}; it must be resent or marked as failed manually. `;
  const isOverdue = sql`m.state = 'unknown' and m.write_date < ${NOW} - make_interval(mins => ${unknownMinutes})
    and not ${PROVIDER_REPORTED}${unknownPolicy === 'hold' ? sql` and ${lacksReason(waitReason)}` : sql.empty}`;
  // Usually finds nothing, and is then the only query.
  const workspaces = await db.rows<{ workspace_id: number }>(
    sql`select distinct m.workspace_id from svc_email m where m.workspace_id > 0 and ${isOverdue}`,
  );
  for (const { workspace_id: workspaceId } of workspaces) {
    if (unknownPolicy === 'hold') await appendReason(db, workspaceId, isOverdue, waitReason);
    else {
      const isResent = wasSentAgain(workspaceId);
      queuedCount += await sendAgain(
        db,
        workspaceId,
        sql`${isOverdue} and not ${isResent}`,
        `${noReportReason}; sent again. `,
      );
      await giveUpEmails(
        db,
        workspaceId,
        sql`${isOverdue} and ${isResent}`,
        `${noReportReason}, nor about the previous attempt. `,
      );
    }
  }
  return queuedCount;
}

/** Matches emails that have had their second attempt. A resend is recorded as a QUEUED event. */
const wasSentAgain = (workspaceId: number): Sql => sql`exists (select 1 from svc_email_event v
  where v.workspace_id = ${workspaceId} and v.email_id = m.id and v.status = 'QUEUED')`;

const lacksReason = (reason: string): Sql => sql`not starts_with(coalesce(m.reason, ''), ${reason})`;

const REACHED_NOBODY = sql`m.state in ('failed', 'suppressed')`;

export const RESEND_BATCH_SIZE = 500;

/**
 * Requeues up to `RESEND_BATCH_SIZE` emails. An email that reached some recipients is requeued for the others.
 * @param condition condition on `m`
 * @returns the number of emails
 */
export async function sendAgain(
  db: Db,
  workspaceId: number,
  condition: Sql,
  reason: string,
): Promise<number> {
  const workspace = sql.param(workspaceId);
  const count = await recordMove(
    db,
    workspaceId,
    buildRecordedMove('sendAgain', {
      to: 'queued',
      set: sql`reason = ${reason} || coalesce(m.reason, ''), run_at = ${buildRequeueTime(workspace, sql`n.now`)},
        scheduled_at = now(), lease_by = null, lease_until = null,
        pending = case when ${REACHED_NOBODY} then '{}' else m.pending end,
        suppressed = case when m.state = 'suppressed' then '{}' else m.suppressed end,
        latest_status = case when ${REACHED_NOBODY} then 'QUEUED' else m.latest_status end`,
      source: NOW_ROW,
      condition: isLocked(
        workspace,
        sql`select m.id from svc_email m where m.workspace_id = ${workspace} and ${condition}
          order by m.write_date limit ${sql.literal(RESEND_BATCH_SIZE)} for update skip locked`,
      ),
      event: { status: 'QUEUED', data: sql`m.reason` },
    }),
    { dataKey: 'reason' },
  );
  if (count > 0) scheduleMailDue(db, workspaceId);
  return count;
}

/** Leaves `write_date` unchanged, because it is the time when the outcome became unknown. */
const appendReason = (db: Db, workspaceId: number, isOverdue: Sql, reason: string) =>
  db.rows(
    editEmails({
      set: sql`reason = ${reason} || coalesce(m.reason, '')`,
      condition: sql`m.workspace_id = ${workspaceId} and ${isOverdue}`,
    }),
  );

const isUnknownEmail = (ctx: Ctx, id: string): Sql => sql`${isVisibleEmail(ctx, id)} and m.state = 'unknown'`;

export const emailGiveUp = defineOperation('emailGiveUp', {
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description: 'Marks an email with an unknown delivery outcome as failed. The email is not retried.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Email id.' }) }),
  ...returnEmail,
  async run(ctx, args) {
    const id = String(args.id);
    if (
      (await giveUpEmails(ctx.db, ctx.workspace.id, isUnknownEmail(ctx, id), 'Given up on request. ')) === 0
    )
      throw await buildResolveError(ctx, id);
    return id;
  },
});

async function buildResolveError(ctx: Ctx, id: string): Promise<Error> {
  const [email] = await ctx.db.rows<{ state: EmailState }>(
    sql`select m.state from svc_email m where ${isVisibleEmail(ctx, id)}`,
  );
  if (!email) return errors.notFound('Email');
  return errors.badRequest(`The outcome of the email is already known: ${email.state}.`);
}
