import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { isInBoundDomain, isVisibleEmail } from '../kit/bound-domain.ts';
import { TEAM_WRITE_POLICY } from '../kit/policies.ts';
import { returnEmail } from '../kit/resolve-records.ts';
import type { EmailState } from '../state/email-state.ts';
import { isSuppressed } from '../suppressions/is-suppressed.ts';
import { RESEND_BATCH_SIZE, sendAgain } from './unknown.ts';

const MAX_REQUEUED_EMAILS = 5_000;
const MAX_REASON_SEARCH_CHARS = 200;

/** The body may have been purged (EMAIL_BODY_DAYS). */
const HAS_BODY = sql`(m.html is not null or m.text is not null)`;

/** Matches emails that did not reach all recipients and expect no late outcome. */
const IS_FAILED = sql`(m.state = 'failed'
  or m.state = 'sent' and cardinality(m.pending) > 0 and m.lease_by is null)`;

/** Matches suppressed emails with a recipient in `to` that is no longer on the suppression list. */
const isNoLongerSuppressed = ({ workspace }: Ctx): Sql => sql`(m.state = 'suppressed' and exists (
  select 1 from unnest(m."to") r
  where not ${isSuppressed(workspace.id, sql`= lower(coalesce(substring(r from '<([^<>]*)>\\s*$'), r))`)}))`;

const SEND_AGAIN_REASON = 'Sent again on request. ';

export const emailSendAgain = defineOperation('emailSendAgain', {
  effects: ['writes', 'sends'],
  policy: TEAM_WRITE_POLICY,
  description:
    'Retries an email that failed or has an unknown outcome, with the same Message-ID. A suppressed ' +
    'email can be retried once a recipient in `to` is no longer on the suppression list. If the ' +
    'email reached some of its recipients, it is sent only to the others.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Email id.' }) }),
  ...returnEmail,
  async run(ctx, args) {
    const id = String(args.id);
    const condition = sql`${isVisibleEmail(ctx, id)} and (m.state = 'unknown'
      or (${IS_FAILED} or ${isNoLongerSuppressed(ctx)}) and ${HAS_BODY})`;
    if ((await sendAgain(ctx.db, ctx.workspace.id, condition, SEND_AGAIN_REASON)) === 0)
      throw await buildResendError(ctx, id);
    return id;
  },
});

async function buildResendError(ctx: Ctx, id: string): Promise<Error> {
  const [email] = await ctx.db.rows<{ state: EmailState; has_body: boolean }>(
    sql`select m.state, ${HAS_BODY} as has_body from svc_email m where ${isVisibleEmail(ctx, id)}`,
  );
  if (!email) return errors.notFound('Email');
  if (!email.has_body) return errors.badRequest('The content of the email has been purged.');
  if (email.state === 'suppressed')
    return errors.badRequest(
      'Every recipient in `to` is still on the suppression list. Remove one with `suppressionRemove` first.',
    );
  return errors.badRequest(`The email has not failed. Its state is ${email.state}.`);
}

const SentAgainShape = defineTypedShape('EmailsSentAgain', 'Result of sending failed emails again.', {
  queued: { type: 'Int', description: 'Number of emails that were queued again.' },
  hasMore: { type: 'Boolean', description: 'True if more emails remain. Repeat the call to queue them.' },
});

export const emailsSendAgain = defineOperation('emailsSendAgain', {
  effects: ['writes', 'sends'],
  policy: { ...TEAM_WRITE_POLICY, audit: 'email.send_again' },
  description:
    `Retries failed emails in a time range, up to ${MAX_REQUEUED_EMAILS} per call. Omits emails with ` +
    'an unknown outcome, which may have been sent, and emails whose content has been purged. If an ' +
    'email reached some of its recipients, it is sent only to the others.',
  args: (arg) => ({
    startDate: arg({ type: 'DateTime', required: true, description: 'Created at or after this time.' }),
    endDate: arg({ type: 'DateTime', description: 'Created at or before this time.' }),
    reasonContains: arg.string({
      description: 'Only emails whose failure reason contains this text, ignoring case.',
    }),
    domainIds: arg.recordIds({ description: 'Only emails sent from these domains.' }),
    suppressed: arg.boolean({
      defaultValue: false,
      description:
        'True to include suppressed emails if a recipient in `to` is no longer on the suppression list.',
    }),
  }),
  type: SentAgainShape.ref,
  async run(ctx, { startDate, endDate, reasonContains, domainIds, suppressed }) {
    if ((reasonContains?.length ?? 0) > MAX_REASON_SEARCH_CHARS)
      throw errors.badRequest(`reasonContains: must have at most ${MAX_REASON_SEARCH_CHARS} characters.`);
    const state = suppressed ? sql`(${IS_FAILED} or ${isNoLongerSuppressed(ctx)})` : IS_FAILED;
    const condition = sql`${buildCreatedCondition(startDate, endDate)} and ${state} and ${HAS_BODY}
      and not ${mayHaveBeenSent(ctx)}
      and m.mailbox_id is null and ${isInBoundDomain(ctx, sql`m.domain_id`)} and ${buildDomainCondition(domainIds)}
      and ${buildReasonCondition(reasonContains)}`;
    let queuedCount = 0;
    for (
      let last = RESEND_BATCH_SIZE;
      last === RESEND_BATCH_SIZE && queuedCount < MAX_REQUEUED_EMAILS;
      queuedCount += last
    )
      last = await sendAgain(ctx.db, ctx.workspace.id, condition, SEND_AGAIN_REASON);
    return {
      queued: queuedCount,
      hasMore: queuedCount >= MAX_REQUEUED_EMAILS && (await hasMoreEmails(ctx, condition)),
    };
  },
});

/** Builds a condition with inclusive bounds. Time columns are UTC without a time zone. */
function buildCreatedCondition(from: unknown, to: unknown): Sql {
  const time = (value: unknown) =>
    sql`${new Date(String(value)).toISOString()}::timestamptz at time zone 'UTC'`;
  const upperBound = to ? sql` and m.create_date <= ${time(to)}` : sql.empty;
  return sql`m.create_date >= ${time(from)}${upperBound}`;
}

/** Matches emails with an earlier attempt that ended without a response. */
const mayHaveBeenSent = (ctx: Ctx): Sql => sql`exists (select 1 from svc_email_event v
  where v.workspace_id = ${ctx.workspace.id} and v.email_id = m.id
    and v.status = 'DELIVERY_DELAYED' and v.data->>'reason' is not null)`;

const buildDomainCondition = (domains: readonly number[] | null | undefined): Sql =>
  domains?.length ? sql`m.domain_id = any(${[...domains]}::int[])` : sql`true`;

const buildReasonCondition = (text: string | null | undefined): Sql =>
  text ? sql`strpos(lower(m.reason), ${text.toLowerCase()}) > 0` : sql`true`;

const hasMoreEmails = async (ctx: Ctx, condition: Sql): Promise<boolean> =>
  (
    await ctx.db.rows(
      sql`select 1 from svc_email m where m.workspace_id = ${ctx.workspace.id} and ${condition} limit 1`,
    )
  ).length > 0;
