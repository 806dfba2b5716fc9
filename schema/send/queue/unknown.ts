import type { Config } from '../../../src/config.ts';
import type { Database, Db } from '../../../src/db/pool.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { boundDomain } from '../kit/bound-domain.ts';
import { teamWrites } from '../kit/policies.ts';
import { dueAgain } from '../state/due-again.ts';
import { giveUp } from '../state/expire.ts';
import { notedOf } from '../state/noted.ts';
import { TOLD } from '../state/told.ts';

/** An email that is sent again says so in an event; so it is known that this was its second chance. */
const AGAIN = `exists (select 1 from svc_email_event v where v.workspace_id = m.workspace_id and v.email_id = m.id and v.status = 'QUEUED')`;

const MOST = 500;

/**
 * Emails whose answer was lost, and of which the provider has reported nothing in its time. They are sent once more,
 * under the same Message-ID, so that a receiver that got both can tell; when that answer is lost as well they fail. Where
 * the operator wants a person to decide they wait for that instead. A report that comes later corrects either.
 * @returns how many are to be sent again
 */
export async function resolveUnknown(
  db: Database,
  { unknownMinutes, unknownPolicy }: Pick<Config, 'unknownMinutes' | 'unknownPolicy'>,
): Promise<number> {
  const late = `m.state = 'unknown' and m.write_date < now() - make_interval(mins => ${unknownMinutes}) and not ${TOLD}`;
  const silent = `The provider has reported nothing about it within ${unknownMinutes} minutes`;
  if (unknownPolicy === 'hold') {
    await hold(db, late, `${silent}; it waits for somebody to decide. `);
    return 0;
  }
  // Without any, which is nearly always, the first statement is all that is asked.
  const queued = await sendAgain(
    db,
    `workspace_id > 0 and ${late} and not ${AGAIN}`,
    `${silent}; sent once more. `,
  );
  await giveUp(db, `${late} and ${AGAIN}`, `${silent}, nor about the attempt before. `);
  return queued;
}

/** @param which condition on `m`; its parameters are `params`, from $2 on */
async function sendAgain(
  db: Db,
  which: string,
  why: string,
  params: readonly unknown[] = [],
): Promise<number> {
  const [row] = await db.rows<{ n: number }>(
    `with again as (
       update svc_email m set state = 'queued', reason = $1 || coalesce(m.reason, ''), run_at = ${dueAgain('now()')}, scheduled_at = now(), lease_by = null, lease_until = null, write_date = now()
       from (select workspace_id, id from svc_email m where ${which} order by write_date limit ${MOST} for update skip locked) one
       where m.workspace_id = one.workspace_id and m.id = one.id
       returning m.workspace_id, m.id, m.domain_id, m.reason
     ), told as (
       select workspace_id, id as email_id, domain_id, 'QUEUED' as status, jsonb_build_object('reason', reason) as data from again
     ), ${notedOf('told')} select count(*)::int as n from again`,
    [why, ...params],
  );
  return row!.n;
}

/** The reason says it once; the time it is unknown since stays. */
const hold = (db: Db, late: string, why: string) =>
  db.rows(
    `update svc_email m set reason = $1 || coalesce(reason, '')
     where workspace_id > 0 and ${late} and not starts_with(coalesce(reason, ''), $1)`,
    [why],
  );

/** Of the caller's emails the one that is meant; the workspace is $2. */
const MINE = `workspace_id = $2 and public_id = $3 and state = 'unknown' and ($4::int is null or domain_id = $4)`;

const mine = (ctx: Ctx, id: string) => [ctx.workspace.id, id, boundDomain(ctx)];

verb('emailSendAgain', {
  kind: 'mutation',
  policy: teamWrites,
  description:
    'Sends an email once more of which nobody knows whether it went out, under the same Message-ID. Answers with its id.',
  args: (arg) => ({ id: arg.string({ required: true }) }),
  type: 'String',
  async run(ctx, { id }) {
    const found = await sendAgain(ctx.db, MINE, 'Sent once more on demand. ', mine(ctx, id));
    if (found === 0) throw await refusal(ctx, id);
    ctx.afterCommit(() => ctx.runtime.wakeDelivery());
    return id;
  },
});

verb('emailGiveUp', {
  kind: 'mutation',
  policy: teamWrites,
  description:
    'Takes an email for failed of which nobody knows whether it went out: it is not sent again. Answers with its id.',
  args: (arg) => ({ id: arg.string({ required: true }) }),
  type: 'String',
  async run(ctx, { id }) {
    if ((await giveUp(ctx.db, MINE, 'Given up on demand. ', mine(ctx, id))) === 0)
      throw await refusal(ctx, id);
    return id;
  },
});

async function refusal(ctx: Ctx, id: string): Promise<Error> {
  const [email] = await ctx.db.rows<{ state: string }>(
    `select state from svc_email where workspace_id = $1 and public_id = $2 and ($3::int is null or domain_id = $3)`,
    [ctx.workspace.id, id, boundDomain(ctx)],
  );
  if (!email) return errors.notFound('Email');
  return errors.badRequest(`It is known what became of the email: it is ${email.state}.`);
}
