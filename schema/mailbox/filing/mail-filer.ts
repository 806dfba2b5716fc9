import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createBareCtx } from '../../../src/engine/ctx/system-ctx.ts';
import { type BatchingQueue, createBatchingQueue } from '../../../src/engine/work/batching-queue.ts';
import {
  createFailureGuard,
  type DueWorkspace,
  type FailureGuard,
  findDueWorkspaces,
} from '../../../src/engine/work/due.ts';
import { defineCounter } from '../../../src/engine/work/metrics.ts';
import { createSleeper, type Sleeper } from '../../../src/loop/sleeper.ts';
import { INTAKE_KIND } from '../intake/accept.ts';
import { loadSmallMails } from '../messages/raw.ts';
import {
  adjustSuspectCount,
  type ClaimedDelivery,
  type Claimer,
  claimDeliveries,
  findWaitingMailboxes,
  MAX_CLAIMED_MESSAGES,
  renewLeases,
  requeueDelivery,
} from './claim.ts';
import {
  buildUnreadDelivery,
  type Destination,
  type FilingOutcome,
  fileDeliveries,
  markDeliveryGone,
  type PreparedDelivery,
  prepareDelivery,
} from './file-delivery.ts';
import { loadMailboxInfo, type MailboxInfo } from './mailbox-facts.ts';

const MAX_CONCURRENT_MAILBOXES = 48;
const MAX_CONCURRENT_MAILBOXES_PER_WORKSPACE = 32;
/** Maximum number of messages per transaction. A mailbox with more messages gets its own transaction. */
const MAX_FILED_PER_TRANSACTION = 64;
export const FILING_LEASE_MS = 30_000;
/** After this many crashes while parsing a message, it is filed without parsing. */
const MAX_PARSE_CRASHES = 2;

/** Files received messages until it is stopped. Any number of processes can do so concurrently. */
export interface MailFiler {
  wake(): void;
  /** Claims no more messages and waits for filings in progress. Never rejects. */
  stop(): Promise<void>;
}

export interface MailFilerOptions {
  /** Milliseconds after which another worker may take over an unrenewed lease. */
  leaseTime?: number;
}

interface MailboxRun {
  workspaceId: number;
  pendingIds: Set<number>;
}

interface MailboxBatch {
  ctx: Ctx;
  deliveries: readonly PreparedDelivery[];
}

type FilingResult = { filed: FilingOutcome } | { error: unknown };

interface FilerState extends Claimer {
  runtime: Runtime;
  turns: Map<Promise<void>, MailboxRun>;
  filing: BatchingQueue<MailboxBatch, FilingOutcome[]>;
  /** Serializes the parsing of suspect messages, so that a crash identifies the message. */
  suspects: Promise<unknown>;
  /** The mailbox after which the next claim starts, by workspace. */
  positions: Map<number, number>;
  guard: FailureGuard;
  stopping: boolean;
  sleeper: Sleeper;
}

const POLL_INTERVAL_MS = 500;

const RECEIVED_COUNTER = defineCounter('atrium_mail_received_total', 'Received messages, by outcome.', [
  'outcome',
]);

export function startMailFiler(
  runtime: Runtime,
  { leaseTime = FILING_LEASE_MS }: MailFilerOptions = {},
): MailFiler {
  const worker = `${runtime.db.processName}:${randomUUID()}`;
  const state: FilerState = {
    runtime,
    worker,
    leaseTime,
    turns: new Map(),
    filing: createFilingQueue(worker),
    suspects: Promise.resolve(),
    positions: new Map(),
    guard: createFailureGuard(runtime.log, INTAKE_KIND),
    stopping: false,
    sleeper: createSleeper(),
  };
  const loop = runFilingLoop(state);
  const renewing = setInterval(() => void renewAllLeases(state), leaseTime / 3);
  return {
    wake: state.sleeper.wake,
    async stop() {
      state.stopping = true;
      state.sleeper.wake();
      await loop;
      await Promise.all(state.turns.keys());
      clearInterval(renewing);
    },
  };
}

async function runFilingLoop(state: FilerState): Promise<void> {
  const { runtime, sleeper } = state;
  while (!state.stopping) {
    try {
      if ((await claimDueDeliveries(state)) === 0) await sleeper.sleep(POLL_INTERVAL_MS);
    } catch (error) {
      runtime.log.warn({ err: error }, 'filing of received mail paused after an error');
      await sleeper.sleep(POLL_INTERVAL_MS * 2);
    }
  }
}

/** Claims messages for a few mailboxes, starting with the workspaces that have waited longest. @returns their number */
async function claimDueDeliveries(state: FilerState): Promise<number> {
  const { runtime, turns, guard } = state;
  const free = () => MAX_CONCURRENT_MAILBOXES - turns.size;
  if (free() <= 0) return 0;
  let claimedCount = 0;
  const excludedWorkspaces = [...guard.resting(), ...findFullWorkspaces(state)];
  for (const due of await findDueWorkspaces(runtime.db, INTAKE_KIND, free(), excludedWorkspaces)) {
    const maxRuns = Math.min(
      free(),
      MAX_CONCURRENT_MAILBOXES_PER_WORKSPACE - countRuns(state, due.workspace_id),
    );
    if (maxRuns <= 0) break;
    claimedCount +=
      (await guard.run(due.workspace_id, () => claimWorkspaceDeliveries(state, due, maxRuns))) ?? 0;
  }
  return claimedCount;
}

async function claimWorkspaceDeliveries(
  state: FilerState,
  due: DueWorkspace,
  maxRuns: number,
): Promise<number> {
  const { db } = state.runtime;
  const looked = await findWaitingMailboxes(db, due.workspace_id, state.positions.get(due.workspace_id) ?? 0);
  const accounts = looked.ids.slice(0, maxRuns);
  const deliveries = await claimDeliveries(db, due, accounts, state);
  const next = getNextPosition(accounts, looked, deliveries);
  if (next > 0) state.positions.set(due.workspace_id, next);
  else state.positions.delete(due.workspace_id);
  startRuns(state, due.workspace_id, deliveries);
  return deliveries.length;
}

/** Returns the mailbox after which the next claim starts, because a full claim may not have reached all mailboxes. */
function getNextPosition(
  accounts: readonly number[],
  looked: { ids: readonly number[]; next: number },
  deliveries: readonly ClaimedDelivery[],
): number {
  if (deliveries.length === MAX_CLAIMED_MESSAGES)
    return Math.max(...deliveries.map(({ account_id }) => account_id));
  return accounts.length < looked.ids.length ? accounts.at(-1)! : looked.next;
}

const countRuns = ({ turns }: FilerState, workspaceId: number): number =>
  [...turns.values()].filter((turn) => turn.workspaceId === workspaceId).length;

const findFullWorkspaces = ({ turns }: FilerState): number[] =>
  [...Map.groupBy(turns.values(), ({ workspaceId }) => workspaceId)].flatMap(([workspaceId, all]) =>
    all.length >= MAX_CONCURRENT_MAILBOXES_PER_WORKSPACE ? [workspaceId] : [],
  );

/** Data for all messages of a claim, fetched with one statement per kind. */
interface FetchedInputs {
  mailboxes: ReadonlyMap<number, MailboxInfo>;
  /** Small messages, by hash. */
  raw: ReadonlyMap<string, Buffer>;
}

function startRuns(state: FilerState, workspaceId: number, claimedDeliveries: ClaimedDelivery[]): void {
  if (claimedDeliveries.length === 0) return;
  const ctx = createBareCtx(state.runtime, workspaceId);
  const pendingInputs = fetchInputs(ctx, claimedDeliveries);
  for (const deliveries of Map.groupBy(claimedDeliveries, ({ account_id }) => account_id).values()) {
    const turn: MailboxRun = { workspaceId, pendingIds: new Set(deliveries.map(({ id }) => id)) };
    const pendingRun = fileMailbox(state, ctx, turn, deliveries, pendingInputs).finally(() => {
      state.turns.delete(pendingRun);
      state.sleeper.wake();
    });
    state.turns.set(pendingRun, turn);
  }
}

async function fetchInputs(ctx: Ctx, deliveries: readonly ClaimedDelivery[]): Promise<FetchedInputs> {
  const [mailboxes, raw] = await Promise.all([
    loadMailboxInfo(ctx, [...new Set(deliveries.map(({ account_id }) => account_id))]),
    loadSmallMails(
      ctx,
      deliveries.filter((item) => !isSuspect(item)),
    ),
  ]);
  return { mailboxes, raw };
}

/** Files the claimed messages of one mailbox. Never rejects: a message that cannot be filed is requeued. */
async function fileMailbox(
  state: FilerState,
  ctx: Ctx,
  turn: MailboxRun,
  deliveries: readonly ClaimedDelivery[],
  pendingInputs: Promise<FetchedInputs>,
): Promise<void> {
  const finish = async (delivery: ClaimedDelivery, result: FilingResult | 'gone') => {
    if (result === 'gone') RECEIVED_COUNTER.inc({ outcome: result });
    else if ('filed' in result) RECEIVED_COUNTER.inc({ outcome: result.filed });
    else await requeueFailedDelivery(state, turn.workspaceId, delivery, result.error);
    turn.pendingIds.delete(delivery.id);
  };
  try {
    const { mailboxes, raw } = await pendingInputs;
    const mailbox = mailboxes.get(deliveries[0]!.account_id);
    if (!mailbox) {
      // The mailbox was deleted after it accepted the messages.
      for (const delivery of deliveries) {
        await markDeliveryGone(ctx, delivery);
        await finish(delivery, 'gone');
      }
      return;
    }
    const readResults = await Promise.allSettled(
      deliveries.map((delivery) =>
        readDelivery(state, ctx, delivery, { mailbox, raw: raw.get(delivery.raw_hash) }),
      ),
    );
    const preparedDeliveries = readResults.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    const results = await filePrepared(state, ctx, preparedDeliveries);
    for (const [i, { delivery }] of preparedDeliveries.entries()) await finish(delivery, results[i]!);
    for (const [i, result] of readResults.entries())
      if (result.status === 'rejected') await finish(deliveries[i]!, { error: result.reason });
  } catch (error) {
    for (const delivery of deliveries)
      if (turn.pendingIds.has(delivery.id)) await finish(delivery, { error });
  }
}

/** True if a process died while filing the message, possibly because of it. */
const isSuspect = ({ was_left, suspected }: ClaimedDelivery): boolean => was_left || suspected > 0;

const createFilingQueue = (worker: string): BatchingQueue<MailboxBatch, FilingOutcome[]> =>
  createBatchingQueue<MailboxBatch, FilingOutcome[]>({
    getKey: ({ ctx }) => ctx.workspace.id,
    async runBatch(mailboxes) {
      const all = mailboxes.flatMap(({ deliveries }) => deliveries);
      const outcomes = await fileDeliveries(mailboxes[0]!.ctx, all, worker);
      return mailboxes.map(({ deliveries }) => outcomes.splice(0, deliveries.length));
    },
    // Builds one batch while another waits for the database.
    concurrency: 2,
    maxSize: MAX_FILED_PER_TRANSACTION,
    getSize: ({ deliveries }) => deliveries.length,
    isItemError: () => true,
  });

/** If the batch fails, files its messages individually. */
async function filePrepared(
  state: FilerState,
  ctx: Ctx,
  preparedDeliveries: readonly PreparedDelivery[],
): Promise<FilingResult[]> {
  if (preparedDeliveries.length === 0) return [];
  try {
    return (await state.filing.add({ ctx, deliveries: preparedDeliveries })).map((outcome) => ({
      filed: outcome,
    }));
  } catch (error) {
    if (preparedDeliveries.length === 1) return [{ error }];
    ctx.runtime.log.warn({ err: error }, 'could not file received messages as a batch');
    const results: FilingResult[] = [];
    for (const item of preparedDeliveries) results.push(...(await filePrepared(state, ctx, [item])));
    return results;
  }
}

function readDelivery(
  state: FilerState,
  ctx: Ctx,
  delivery: ClaimedDelivery,
  source: Destination,
): Promise<PreparedDelivery> {
  if (!isSuspect(delivery)) return prepareDelivery(ctx, delivery, source);
  const turn = state.suspects.then(() => readSuspect(ctx, delivery, source));
  state.suspects = turn.catch(() => undefined);
  return turn;
}

/**
 * Parses a suspect message. An attempt counts as a crash until it returns or throws. After several crashes, the message
 * is filed without parsing.
 */
async function readSuspect(
  ctx: Ctx,
  delivery: ClaimedDelivery,
  source: Destination,
): Promise<PreparedDelivery> {
  const { db, log } = ctx.runtime;
  const { id: workspace } = ctx.workspace;
  if (delivery.suspected >= MAX_PARSE_CRASHES) {
    log.error(
      { workspace, delivery: delivery.id },
      'a received message repeatedly ends the process; it is filed without being parsed',
    );
    return buildUnreadDelivery(delivery, source.mailbox);
  }
  await adjustSuspectCount(db, workspace, delivery.id, 1);
  try {
    return await prepareDelivery(ctx, delivery, source);
  } finally {
    await adjustSuspectCount(db, workspace, delivery.id, -1).catch((error: unknown) =>
      log.warn(
        { err: error, workspace, delivery: delivery.id },
        'could not mark a received message as harmless',
      ),
    );
  }
}

/** If requeuing fails too, the lease expires. */
async function requeueFailedDelivery(
  state: FilerState,
  workspace: number,
  delivery: ClaimedDelivery,
  error: unknown,
): Promise<void> {
  const { db, log } = state.runtime;
  const reason = error instanceof Error ? error.message : String(error);
  log.warn(
    { err: error, workspace, delivery: delivery.id },
    'a received message could not be filed; retrying',
  );
  const outcome = await requeueDelivery(db, workspace, delivery, state.worker, reason).catch(
    () => 'queued' as const,
  );
  RECEIVED_COUNTER.inc({ outcome: outcome === 'failed' ? 'failed' : 'retried' });
}

async function renewAllLeases(state: FilerState): Promise<void> {
  for (const [workspaceId, turns] of Map.groupBy(state.turns.values(), (turn) => turn.workspaceId)) {
    const ids = turns.flatMap(({ pendingIds }) => [...pendingIds]);
    await renewLeases(state.runtime.db, workspaceId, ids, state).catch(() => undefined);
  }
}
