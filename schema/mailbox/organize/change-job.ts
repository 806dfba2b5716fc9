import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { limits } from '../../../src/limits.ts';
import { getMemberFolder, getMemberMailbox } from '../accounts/member-access.ts';
import { JOB_STARTED_SHAPE } from '../jobs/job-cancel.ts';
import { type JobRow, saveJob, startJob } from '../jobs/job-row.ts';
import { defineJobStep } from '../jobs/run-jobs.ts';
import { catchMailError, MAIL_WRITE_POLICY, returnOutcome } from '../kit/operation.ts';
import { findAllEntryIds } from '../search/search-page.ts';
import {
  type BulkChange,
  type BulkScope,
  buildBulkArgs,
  changeEntriesInBulk,
  checkBulkChange,
  checkExpectedCount,
  findBulkEntryIds,
  lockExistingEntries,
  toBulkScope,
} from './bulk-entries.ts';

const MAX_JOB_MESSAGES = 1_000_000;

const MAX_ENTRIES_TEXT = MAX_JOB_MESSAGES.toLocaleString('en');

interface ChangePlan {
  folderId: number;
  scope: BulkScope;
  expectCount: number;
  change: BulkChange;
}

export const mailChangeFoundStart = defineOperation('mailChangeFoundStart', {
  kind: 'mutation',
  effects: ['writes'],
  policy: MAIL_WRITE_POLICY,
  description:
    `Changes up to ${MAX_ENTRIES_TEXT} messages like \`mailChangeFound\`, but in a background job ` +
    `(\`mailJobs\`) and in batches of ${limits.mail.changed}. The job first counts the messages. If ` +
    'their number differs from `expectCount`, the job fails without changing anything and reports ' +
    'the actual number in `total`. The change cannot be undone with a token.',
  args: buildBulkArgs,
  ...returnOutcome(
    'MailChangeFoundStarted',
    'Result of starting a change to many messages.',
    JOB_STARTED_SHAPE,
  ),
  run: (ctx, { folderId, expectCount, ...args }) =>
    catchMailError(async () => {
      const folder = await getMemberFolder(ctx, folderId);
      const { vals, toFolderId, addLabelIds, removeLabelIds } = args;
      const change: BulkChange = { vals, toFolderId, addLabelIds, removeLabelIds };
      checkBulkChange(change);
      const plan: ChangePlan = { folderId, scope: toBulkScope(args), expectCount, change };
      return { job_id: await startJob(ctx, { accountId: folder.account_id, kind: 'change', plan }) };
    }),
});

defineJobStep('change', async (ctx, job, mustStop) => {
  await getMemberMailbox(ctx, job.account_id);
  if (job.total === null) await collectEntries(ctx, job);
  while (!mustStop()) if (!(await changeNextPart(ctx, job))) return true;
  return false;
});

/** Stores the ids of the matching messages, so that messages that match later are not changed. */
async function collectEntries(ctx: Ctx, job: JobRow): Promise<void> {
  const { folderId, scope, expectCount } = job.plan as ChangePlan;
  const folder = await getMemberFolder(ctx, folderId);
  const ids = await findBulkEntryIds(ctx, folder, scope, MAX_JOB_MESSAGES, findAllEntryIds);
  job.total = ids.length;
  checkExpectedCount(ids, expectCount);
  await ctx.tx(async (tx) => {
    await saveJob(tx, job);
    await storeParts(tx, job, ids);
  });
  job.attempts = 0;
}

async function storeParts(ctx: Ctx, { id }: JobRow, ids: number[]): Promise<void> {
  await ctx.db.rows(
    sql`insert into svc_mail_job_part (workspace_id, job_id, no, entry_ids)
     select j.workspace_id, j.id, (e.place - 1) / ${sql.literal(limits.mail.changed)},
       array_agg(e.id order by e.place)
     from svc_mail_job j cross join unnest(${ids}::int8[]) with ordinality e(id, place)
     where j.workspace_id = ${ctx.workspace.id} and j.id = ${id} group by 1, 2, 3`,
  );
}

/** Changes the next part and saves the progress, in one transaction. @returns false if there are no more parts */
async function changeNextPart(ctx: Ctx, job: JobRow): Promise<boolean> {
  // The transaction may be retried or rolled back, so `job` changes only after the commit.
  const progress = await changePart(ctx, job);
  if (progress) Object.assign(job, progress, { attempts: 0 });
  return progress !== null;
}

const changePart = (ctx: Ctx, job: JobRow): Promise<Pick<JobRow, 'done' | 'skipped'> | null> =>
  ctx.tx(async (tx) => {
    const part = await getFirstPart(tx, job);
    if (!part) return null;
    const existingIds = await lockExistingEntries(tx, job.account_id, part.entry_ids);
    const progress = {
      done: job.done + existingIds.length,
      skipped: job.skipped + part.entry_ids.length - existingIds.length,
    };
    // Saves the job before deleting its part, so that it locks both in the same order as a cancellation.
    await saveJob(tx, { ...job, ...progress });
    if (existingIds.length > 0) await changeEntriesInBulk(tx, existingIds, (job.plan as ChangePlan).change);
    await tx.db.rows(
      sql`delete from svc_mail_job_part
       where workspace_id = ${tx.workspace.id} and job_id = ${job.id} and no = ${part.no}`,
    );
    return progress;
  });

async function getFirstPart(ctx: Ctx, { id }: JobRow) {
  const [part] = await ctx.db.rows<{ no: number; entry_ids: number[] }>(
    sql`select p.no, p.entry_ids from svc_mail_job_part p
     where p.workspace_id = ${ctx.workspace.id} and p.job_id = ${id} order by p.no limit 1`,
  );
  return part;
}
