import { sql } from '../../../src/db/sql.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { buildDeleteJobPartsSql, SET_JOB_ENDED } from './job-row.ts';

export const JOB_STARTED_SHAPE = {
  jobId: { type: 'ID', description: 'Id of the job. Null if the call was rejected.' },
} as const;

export const mailJobCancel = defineOperation('mailJobCancel', {
  kind: 'mutation',
  effects: ['writes'],
  policy: MAIL_WRITE_POLICY,
  description:
    'Stops one of your jobs. Completed work is kept. An import may still finish its current batch of ' +
    'messages, but its stored password is deleted immediately.',
  args: (arg) => ({ jobId: arg.recordId({ required: true, description: 'Job to stop.' }) }),
  ...returnOutcome('MailJobCancelled', 'Result of canceling a job.'),
  run: (ctx, { jobId }) =>
    catchMailError(() =>
      ctx.tx(async (tx) => {
        const endedRows = await tx.db.rows(
          sql`update svc_mail_job set state = 'cancelled', ${SET_JOB_ENDED}
           where workspace_id = ${tx.workspace.id} and id = ${jobId} and user_id = ${tx.principal!.userId}
             and next_at is not null returning id`,
        );
        if (endedRows.length === 0) throw new MailError('You have no unfinished job with this id.');
        await tx.db.rows(buildDeleteJobPartsSql(tx, jobId));
        return {};
      }),
    ),
});
