import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createBareCtx } from '../../../src/engine/ctx/system-ctx.ts';
import {
  createFailureGuard,
  type FailureGuard,
  findDueWorkspaces,
  scheduleDueWork,
} from '../../../src/engine/work/due.ts';
import { loadJobPrincipal } from '../../../src/engine/work/load-workspace.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { startWorkerLoop, type WorkerLoop } from '../../../src/loop/worker-loop.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { defineLeaseClaim } from '../kit/lease.ts';
import { MailError } from '../kit/operation.ts';
import { OUTGOING_COLUMNS, OUTGOING_KIND, type OutgoingRow, toSendInput } from './outgoing.ts';
import { getRepliedMessage } from './replied-message.ts';
import { prepareMessage } from './send-input.ts';
import { sendMailboxMessage, TransientMailError } from './send-message.ts';
import { loadStagedFiles } from './staged-files.ts';

const MAX_CONCURRENT_SENDS = 8;
/** Milliseconds after which another process may take over a message that is being sent. */
export const OUTGOING_LEASE_MS = 60_000;
/** Maximum attempts before a message is marked as failed. */
export const MAX_OUTGOING_ATTEMPTS = 20;

const POLL_INTERVAL_MS = 500;

/** Sends due messages until it is stopped. Any number of processes can do so concurrently. */
export function startScheduledSender(runtime: Runtime): WorkerLoop {
  const guard = createFailureGuard(runtime.log, OUTGOING_KIND);
  return startWorkerLoop(POLL_INTERVAL_MS, () =>
    sendDue(runtime, guard).catch((error: unknown) => {
      runtime.log.warn({ err: error }, 'sending of scheduled messages paused after an error');
      return 0;
    }),
  );
}

/** Sends a batch of due messages from the workspace that has waited longest. @returns the number of messages */
async function sendDue(runtime: Runtime, guard: FailureGuard): Promise<number> {
  const [due] = await findDueWorkspaces(runtime.db, OUTGOING_KIND, 1, guard.resting());
  if (!due) return 0;
  const rows = await guard.run(due.workspace_id, () =>
    claimOutgoing<OutgoingRow>(runtime.db, due, MAX_CONCURRENT_SENDS),
  );
  // A failed claim counts as progress, so that the next workspace is served immediately.
  if (!rows) return 1;
  const { large = [], small = [] } = Object.groupBy(rows, (row) =>
    row.attachment_ids.length > 0 ? 'large' : 'small',
  );
  const send = (row: OutgoingRow) => trySendOutgoing(runtime, due.workspace_id, row);
  await Promise.all([sendSequentially(large, send), ...small.map(send)]);
  return rows.length;
}

/** Sends one message at a time, so that only one message's files are in memory. */
async function sendSequentially(
  rows: readonly OutgoingRow[],
  send: (row: OutgoingRow) => Promise<void>,
): Promise<void> {
  for (const row of rows) await send(row);
}

/** Reason shown for errors that the author cannot fix. */
const SEND_FAILED = 'It could not be sent.';

/** A message may be sent only while its claimed row exists. */
const claimOutgoing = defineLeaseClaim({
  table: 'svc_mail_outgoing',
  kind: OUTGOING_KIND,
  lease: OUTGOING_LEASE_MS,
  attempts: MAX_OUTGOING_ATTEMPTS,
  givenUp: sql`state = 'failed', next_at = null, error = ${sql.literal(SEND_FAILED)}`,
  columns: OUTGOING_COLUMNS,
});

/** Never rejects: a message that cannot be sent is retried, or is marked as failed with the reason. */
async function trySendOutgoing(runtime: Runtime, workspaceId: number, row: OutgoingRow): Promise<void> {
  const ctx = createBareCtx(runtime, workspaceId);
  try {
    const principal = await loadJobPrincipal(runtime, workspaceId, row.user_id);
    if (!principal) throw errors.user('The user who wrote the message is no longer active.');
    await sendOutgoing(ctx.with({ principal, channel: 'job' }), row);
  } catch (error) {
    await requeueOutgoing(ctx, row, error).catch((secondError: unknown) =>
      runtime.log.warn(
        { err: secondError, workspace: workspaceId, outgoing: row.id },
        'could not release a message; it waits until its lease expires',
      ),
    );
  }
}

async function sendOutgoing(ctx: Ctx, row: OutgoingRow): Promise<void> {
  const account = await getMemberMailbox(ctx, row.account_id);
  const input = toSendInput(row);
  const message = await prepareMessage(ctx, account, input);
  const repliedMessage =
    row.in_reply_to === null ? null : await findRepliedMessage(ctx, account.id, row.in_reply_to);
  const files = await loadStagedFiles(ctx, { ...input, accountId: account.id, outgoingId: row.id });
  const { attachmentIds } = input;
  await sendMailboxMessage(ctx, {
    account,
    message,
    answered: repliedMessage,
    files,
    attachmentIds,
    draftId: null,
    outgoingId: row.id,
  });
}

/** Returns null if the message no longer exists. */
const findRepliedMessage = (ctx: Ctx, accountId: number, id: number) =>
  getRepliedMessage(ctx, accountId, id).catch((error: unknown) => {
    if (error instanceof AppError || error instanceof MailError) return null;
    throw error;
  });

/** Milliseconds before each retry. The last value repeats. */
const RETRY_DELAYS_MS = [1_000, 10_000, 60_000, 300_000];

/** Does nothing if another process has claimed the message, because each claim counts as an attempt. */
async function requeueOutgoing(ctx: Ctx, row: OutgoingRow, error: unknown): Promise<void> {
  const isPassing = error instanceof TransientMailError;
  const isFinal =
    (error instanceof MailError && !isPassing) || (error instanceof AppError && error.status < 500);
  const isFailed = isFinal || row.attempts >= MAX_OUTGOING_ATTEMPTS;
  const message = error instanceof Error ? error.message : String(error);
  if (!isFinal) ctx.log.warn({ err: error, outgoing: row.id }, 'a message could not be sent');
  const pause = RETRY_DELAYS_MS[Math.min(row.attempts - 1, RETRY_DELAYS_MS.length - 1)]!;
  const next: Sql = isFailed ? sql`null` : sql`now() + make_interval(secs => ${pause / 1_000})`;
  await ctx.db.rows(
    sql`update svc_mail_outgoing set state = ${isFailed ? 'failed' : 'waiting'}, next_at = ${next}, lease = null,
       error = ${isFinal || isPassing ? message : SEND_FAILED}
     where workspace_id = ${ctx.workspace.id} and id = ${row.id} and attempts = ${row.attempts}`,
  );
  if (!isFailed) scheduleDueWork(ctx.db, ctx.workspace.id, OUTGOING_KIND, { wait: pause });
}
