import { sql } from '../../../src/db/sql.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { answersShape, OUTCOME } from '../kit/answer.ts';
import { mailWrites } from '../kit/policies.ts';
import { answering, MailRefusal } from '../kit/refusal.ts';
import { dropParts, ENDED } from './job-row.ts';

/** What starts of jobs answer. */
export const STARTED = {
  ...OUTCOME,
  jobId: { type: 'ID', nullable: true, description: 'Id of the job; null when refused.' },
} as const;

export const mailJobCancelVerb = verb('mailJobCancel', {
  kind: 'mutation',
  effects: ['writes'],
  policy: mailWrites,
  description:
    'Ends a job of yours. What it has done stays, and the batch of messages that an import is filing may still ' +
    'arrive. The password for the other server is deleted immediately.',
  args: (arg) => ({ jobId: arg.recordId({ required: true, description: 'Job that has not ended.' }) }),
  ...answersShape('MailJobCancelled', 'A job that was ended.', OUTCOME),
  run: (ctx, { jobId }) =>
    answering(() =>
      ctx.tx(async (tx) => {
        const ended = await tx.db.rows(
          sql`update svc_mail_job set state = 'cancelled', ${ENDED}
           where workspace_id = ${tx.workspace.id} and id = ${jobId} and user_id = ${tx.principal!.userId}
             and next_at is not null returning id`,
        );
        if (ended.length === 0) throw new MailRefusal('You have no such job that has not ended.');
        await tx.db.rows(dropParts(tx, jobId));
        return {};
      }),
    ),
});
