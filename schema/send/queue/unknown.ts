import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { answersEmail } from '../kit/answers.ts';
import { ownEmail } from '../kit/bound-domain.ts';
import { teamWrites } from '../kit/policies.ts';
import type { EmailState } from '../state/email-state.ts';
import { giveUp } from '../state/expire.ts';
import { editEmails, recordMove } from '../state/move-emails.ts';
import { dueAgain, PROVIDER_REPORTED, sameEmail } from '../state/state-sql.ts';

/** An email that is sent again says so in an event; so it is known that this was its second chance. */
const AGAIN = sql`exists (select 1 from svc_email_event v
  where v.workspace_id = m.workspace_id and v.email_id = m.id and v.status = 'QUEUED')`;

/** How many are sent again at once. */
const MOST = sql.literal(500);

/**
 * Emails whose answer was lost, and of which the provider has reported nothing in its time. They are sent once more,
 * under the same Message-ID, so that a receiver that got both can recognise it; when that answer is lost as well they
 * fail. Where the operator wants a person to decide they wait for that instead. A report that comes later corrects
 * either.
 * @returns how many are to be sent again
 */
export async function resolveUnknown(
  db: Database,
  { unknownMinutes, unknownPolicy }: Pick<Config, 'unknownMinutes' | 'unknownPolicy'>,
): Promise<number> {
  const late = sql`m.state = 'unknown' and m.write_date < now() - make_interval(mins => ${unknownMinutes})
    and not ${PROVIDER_REPORTED}`;
  const silent = `The provider has reported nothing about it within ${unknownMinutes} minutes`;
  if (unknownPolicy === 'hold') {
    await hold(db, late, `${silent}; it waits for somebody to decide. `);
    return 0;
  }
  // Without any, which is nearly always, the first statement is all that is asked.
  const queued = await sendAgain(
    db,
    sql`m.workspace_id > 0 and ${late} and not ${AGAIN}`,
    `${silent}; sent once more. `,
  );
  await giveUp(db, sql`${late} and ${AGAIN}`, `${silent}, nor about the attempt before. `);
  return queued;
}

/** @param which condition on `m`, an email */
async function sendAgain(db: Db, which: Sql, why: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(
    recordMove('sendAgain', {
      to: 'queued',
      set: sql`reason = ${why} || coalesce(m.reason, ''), run_at = ${dueAgain(sql`now()`)}, scheduled_at = now(),
        lease_by = null, lease_until = null`,
      source: sql`(select m.workspace_id, m.id from svc_email m where ${which}
        order by m.write_date limit ${MOST} for update skip locked) late`,
      which: sameEmail('late'),
      event: { status: 'QUEUED', data: sql`jsonb_build_object('reason', m.reason)` },
    }),
  );
  return row!.n;
}

/** The reason says it once; the time it is unknown since stays. */
const hold = (db: Db, late: Sql, why: string) =>
  db.rows(
    editEmails({
      set: sql`reason = ${why} || coalesce(m.reason, '')`,
      which: sql`m.workspace_id > 0 and ${late} and not starts_with(coalesce(m.reason, ''), ${why})`,
    }),
  );

/** The caller's email, if its outcome is unknown. */
const unknownOne = (ctx: Ctx, id: string): Sql => sql`${ownEmail(ctx, id)} and m.state = 'unknown'`;

export const emailSendAgainVerb = verb('emailSendAgain', {
  kind: 'mutation',
  policy: teamWrites,
  description: 'Retries an email whose delivery outcome is unknown, keeping its Message-ID.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Email id.' }) }),
  ...answersEmail,
  async run(ctx, args) {
    const id = String(args.id);
    const found = await sendAgain(ctx.db, unknownOne(ctx, id), 'Sent once more on demand. ');
    if (found === 0) throw await refusal(ctx, id);
    ctx.afterCommit(() => ctx.runtime.wakeDelivery());
    return id;
  },
});

export const emailGiveUpVerb = verb('emailGiveUp', {
  kind: 'mutation',
  policy: teamWrites,
  description: 'Marks an email whose delivery outcome is unknown as failed. It will not be retried.',
  args: (arg) => ({ id: arg.id({ required: true, description: 'Email id.' }) }),
  ...answersEmail,
  async run(ctx, args) {
    const id = String(args.id);
    if ((await giveUp(ctx.db, unknownOne(ctx, id), 'Given up on demand. ')) === 0)
      throw await refusal(ctx, id);
    return id;
  },
});

async function refusal(ctx: Ctx, id: string): Promise<Error> {
  const [email] = await ctx.db.rows<{ state: EmailState }>(
    sql`select m.state from svc_email m where ${ownEmail(ctx, id)}`,
  );
  if (!email) return errors.notFound('Email');
  return errors.badRequest(`The outcome of the email is known: it is ${email.state}.`);
}
