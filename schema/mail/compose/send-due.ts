import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { type DueWorkspace, findDue, scheduleDue } from '../../../src/engine/work/due.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { createBareCtx } from '../../base/workspace/create-workspace.ts';
import { createSleeper } from '../../send/kit/sleeper.ts';
import { accountOf } from '../accounts/member-of.ts';
import { defineLeased } from '../kit/lease.ts';
import { MailRefusal } from '../kit/refusal.ts';
import { answeredOf } from './answered.ts';
import { inputOf, OUTGOING, OUTGOING_COLUMNS, type OutgoingRow } from './outgoing.ts';
import { letterOf } from './send-input.ts';
import { PassingRefusal, sendLetter } from './send-letter.ts';
import { stagedFiles } from './staged-files.ts';

/** Sends messages whose time has come until it is stopped. Any number of processes may do so together. */
export interface LaterSender {
  wake(): void;
  /** Claims nothing more and lets what is being sent end. Never rejects. */
  stop(): Promise<void>;
}

const POLL = 500;

export function startSendingLater(runtime: Runtime): LaterSender {
  const sleeper = createSleeper();
  let stopping = false;
  const running = (async () => {
    while (!stopping) {
      const sent = await sendAllDue(runtime).catch((error: unknown) => {
        runtime.log.warn({ err: error }, 'sending of scheduled messages paused after an error');
        return 0;
      });
      if (sent === 0) await sleeper.sleep(POLL);
    }
  })();
  return {
    wake: sleeper.wake,
    async stop() {
      stopping = true;
      sleeper.wake();
      await running;
    },
  };
}

/** Some of what is due, of the workspace that has waited longest. @returns how many messages */
async function sendAllDue(runtime: Runtime): Promise<number> {
  const [due] = await findDue(runtime.db, OUTGOING, 1);
  if (!due) return 0;
  const rows = await claim(runtime, due);
  const { large = [], small = [] } = Object.groupBy(rows, (row) =>
    row.attachment_ids.length > 0 ? 'large' : 'small',
  );
  const send = (row: OutgoingRow) => sendOne(runtime, due.workspace_id, row);
  await Promise.all([inTurn(large, send), ...small.map(send)]);
  return rows.length;
}

/** Messages with files are in memory one at a time. */
async function inTurn(
  rows: readonly OutgoingRow[],
  send: (row: OutgoingRow) => Promise<void>,
): Promise<void> {
  for (const row of rows) await send(row);
}

/** The reason where the error is none that its writer could do something about. */
const NOT_SENT = 'It could not be sent.';

/** A row that is claimed is still the permission to send it. */
const CLAIM = defineLeased({
  table: 'svc_mail_outgoing',
  kind: OUTGOING,
  lease: limits.mail.outgoingLease,
  attempts: limits.mail.outgoingAttempts,
  givenUp: sql`state = 'failed', next_at = null, error = ${sql.literal(NOT_SENT)}`,
  columns: OUTGOING_COLUMNS,
});

const claim = (
  { db }: Runtime,
  { workspace_id: workspace, version, at }: DueWorkspace,
): Promise<OutgoingRow[]> =>
  db.rows(
    CLAIM({
      workspace,
      kind: OUTGOING,
      worker: db.processName,
      version,
      at,
      most: limits.mail.outgoingAtOnce,
    }),
  );

/** Never rejects: what cannot be sent is tried again, or waits for its writer with the reason. */
async function sendOne(runtime: Runtime, workspaceId: number, row: OutgoingRow): Promise<void> {
  const ctx = createBareCtx(runtime, workspaceId);
  try {
    const principal = await runtime.identity.principal(workspaceId, row.user_id);
    if (!principal) throw errors.user('The user who wrote it is not active.');
    await sendNow(ctx.with({ principal, channel: 'job' }), row);
  } catch (error) {
    await putBack(ctx, row, error).catch((again: unknown) =>
      runtime.log.warn(
        { err: again, workspace: workspaceId, outgoing: row.id },
        'a message waits for its lease',
      ),
    );
  }
}

async function sendNow(ctx: Ctx, row: OutgoingRow): Promise<void> {
  const account = await accountOf(ctx, row.account_id);
  const input = inputOf(row);
  const letter = await letterOf(ctx, account, input);
  const answered = row.in_reply_to === null ? null : await stillThere(ctx, account.id, row.in_reply_to);
  const files = await stagedFiles(ctx, { ...input, accountId: account.id, outgoingId: row.id });
  const { attachmentIds } = input;
  await sendLetter(ctx, {
    account,
    letter,
    answered,
    files,
    attachmentIds,
    draftId: null,
    outgoingId: row.id,
  });
}

/** What it answers may have been deleted meanwhile. */
const stillThere = (ctx: Ctx, accountId: number, id: number) =>
  answeredOf(ctx, accountId, id).catch((error: unknown) => {
    if (error instanceof AppError || error instanceof MailRefusal) return null;
    throw error;
  });

/** Milliseconds before each further attempt; the last one goes on. */
const PAUSES = [1_000, 10_000, 60_000, 300_000];

async function putBack(ctx: Ctx, row: OutgoingRow, error: unknown): Promise<void> {
  const isPassing = error instanceof PassingRefusal;
  const isFinal =
    (error instanceof MailRefusal && !isPassing) || (error instanceof AppError && error.status < 500);
  const failed = isFinal || row.attempts >= limits.mail.outgoingAttempts;
  const message = error instanceof Error ? error.message : String(error);
  if (!isFinal) ctx.log.warn({ err: error, outgoing: row.id }, 'a message could not be sent');
  const pause = PAUSES[Math.min(row.attempts - 1, PAUSES.length - 1)]!;
  const next: Sql = failed ? sql`null` : sql`now() + make_interval(secs => ${pause / 1_000})`;
  await ctx.db.rows(
    sql`update svc_mail_outgoing set state = ${failed ? 'failed' : 'waiting'}, next_at = ${next}, lease = null,
       error = ${isFinal || isPassing ? message : NOT_SENT}
     where workspace_id = ${ctx.workspace.id} and id = ${row.id}`,
  );
  if (!failed) scheduleDue(ctx.db, ctx.workspace.id, OUTGOING, { wait: pause });
}
