import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { boundDomain } from '../kit/bound-domain.ts';
import { teamWrites } from '../kit/policies.ts';
import { cancel } from '../state/cancel.ts';

verb('emailReschedule', {
  kind: 'mutation',
  policy: teamWrites,
  description:
    'Gives an email that waits for its time another one; a time that is past sends it at once. Answers with its id.',
  args: (arg) => ({
    id: arg.string({ required: true }),
    scheduledAt: arg({ type: 'DateTime', required: true }),
  }),
  type: 'String',
  run: (ctx, { id, scheduledAt }) => reschedule(ctx, id, String(scheduledAt)),
});

verb('emailCancel', {
  kind: 'mutation',
  policy: teamWrites,
  description: 'Cancels an email that waits for its time. Answers with its id.',
  args: (arg) => ({ id: arg.string({ required: true }) }),
  type: 'String',
  async run(ctx, { id }) {
    if ((await cancel(ctx.db, WAITING, null, waiting(ctx, id))) === 0) throw await refusal(ctx, id);
    return id;
  },
});

/** No worker has it yet, and none gets it meanwhile: a claim changes the state of the row that is changed here. */
const WAITING = `workspace_id = $2 and public_id = $3 and state = 'queued' and latest_status = 'SCHEDULED'
  and attempts = 0 and ($4::int is null or domain_id = $4)`;

const waiting = (ctx: Ctx, id: string) => [ctx.workspace.id, id, boundDomain(ctx)];

async function reschedule(ctx: Ctx, id: string, at: string): Promise<string> {
  const later = Date.parse(at) > Date.now();
  const rows = await ctx.db.rows(
    `update svc_email set scheduled_at = $1::timestamptz at time zone 'UTC', run_at = coalesce($1::timestamptz at time zone 'UTC', now()),
       latest_status = case when $1::timestamptz is null then 'QUEUED' else 'SCHEDULED' end, write_date = now()
     where ${WAITING} returning id, workspace_id`,
    [later ? at : null, ...waiting(ctx, id)],
  );
  if (rows.length === 0) throw await refusal(ctx, id);
  ctx.afterCommit(() => ctx.runtime.wakeDelivery());
  return id;
}

/** Why an email could not be changed. */
async function refusal(ctx: Ctx, id: string): Promise<Error> {
  const [email] = await ctx.db.rows<{ latest_status: string }>(
    `select latest_status from svc_email where workspace_id = $1 and public_id = $2 and ($3::int is null or domain_id = $3)`,
    [ctx.workspace.id, id, boundDomain(ctx)],
  );
  if (!email) return errors.notFound('Email');
  return errors.badRequest(
    `The email is already processed: its status is ${email.latest_status}, and only a scheduled one can be changed.`,
  );
}
