import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { findDue } from '../../../src/engine/work/due.ts';
import { type BatchingQueue, createBatchingQueue } from '../../../src/engine/work/gather.ts';
import { defineCounter } from '../../../src/engine/work/metrics.ts';
import { limits } from '../../../src/limits.ts';
import { createBareCtx } from '../../base/workspace/create-workspace.ts';
import { createSleeper, type Sleeper } from '../../send/kit/sleeper.ts';
import { INTAKE } from '../intake/accept.ts';
import { smallMails } from '../messages/raw.ts';
import {
  type ClaimedDelivery,
  type Claimer,
  claimDeliveries,
  noteSuspect,
  putBackDelivery,
  renewLeases,
  waitingMailboxes,
} from './claim.ts';
import {
  type Destination,
  type Filed,
  fileReady,
  type ReadyDelivery,
  readyToFile,
  settleGone,
  unreadDelivery,
} from './file-delivery.ts';
import { type MailboxFacts, mailboxFacts } from './mailbox-facts.ts';

/** Files what has come into mailboxes until it is stopped. Any number of processes may do so together. */
export interface MailFiler {
  wake(): void;
  /** Claims nothing more and lets what is being filed end. Never rejects. */
  stop(): Promise<void>;
}

export interface IntakeOptions {
  /** Milliseconds for which a worker that says nothing keeps what it files. */
  leaseTime?: number;
}

/** A mailbox into which messages are being filed. */
interface Turn {
  workspaceId: number;
  /** Those that are not done yet. */
  open: Set<number>;
}

/** Messages of one mailbox that may be filed. */
interface MailboxReady {
  ctx: Ctx;
  ready: readonly ReadyDelivery[];
}

/** What became of a message, or what hindered that it was filed. */
type FilingResult = { filed: Filed } | { error: unknown };

/** What the parts of one worker share. */
interface Work extends Claimer {
  runtime: Runtime;
  turns: Map<Promise<void>, Turn>;
  /** Files messages of one mailbox, with those of others. */
  filing: BatchingQueue<MailboxReady, Filed[]>;
  /** Messages at which a process may have ended are read one after another, so that it is seen at which one. */
  suspects: Promise<unknown>;
  /** Per workspace, after which mailbox the next look begins. */
  places: Map<number, number>;
  stopping: boolean;
  sleeper: Sleeper;
}

const POLL = 500;

const FILED = defineCounter('atrium_mail_received_total', 'Received messages, by what became of them.', [
  'outcome',
]);

export function startIntake(
  runtime: Runtime,
  { leaseTime = limits.mail.filingLease }: IntakeOptions = {},
): MailFiler {
  const worker = `${runtime.db.processName}:${randomUUID()}`;
  const work: Work = {
    runtime,
    worker,
    leaseTime,
    turns: new Map(),
    filing: filingOf(worker),
    suspects: Promise.resolve(),
    places: new Map(),
    stopping: false,
    sleeper: createSleeper(),
  };
  const running = serve(work);
  const renewing = setInterval(() => void keepLeases(work), leaseTime / 3);
  return {
    wake: work.sleeper.wake,
    async stop() {
      work.stopping = true;
      work.sleeper.wake();
      await running;
      await Promise.all(work.turns.keys());
      clearInterval(renewing);
    },
  };
}

async function serve(work: Work): Promise<void> {
  const { runtime, sleeper } = work;
  while (!work.stopping) {
    try {
      if ((await claimDue(work)) === 0) await sleeper.sleep(POLL);
    } catch (error) {
      runtime.log.warn({ err: error }, 'filing of received mail paused after an error');
      await sleeper.sleep(POLL * 2);
    }
  }
}

/** A few mailboxes of each workspace that has waited longest. @returns how many */
async function claimDue(work: Work): Promise<number> {
  const { runtime, turns } = work;
  const free = () => limits.mail.filedAtOnce - turns.size;
  if (free() <= 0) return 0;
  let claimed = 0;
  for (const due of await findDue(runtime.db, INTAKE, free(), fullOf(work))) {
    const most = Math.min(free(), limits.mail.filedAtOnceOfOne - countOf(work, due.workspace_id));
    if (most <= 0) break;
    const looked = await waitingMailboxes(
      runtime.db,
      due.workspace_id,
      work.places.get(due.workspace_id) ?? 0,
    );
    const accounts = looked.ids.slice(0, most);
    const deliveries = await claimDeliveries(runtime.db, due, accounts, work);
    const next = nextOf(accounts, looked, deliveries);
    if (next > 0) work.places.set(due.workspace_id, next);
    else work.places.delete(due.workspace_id);
    begin(work, due.workspace_id, deliveries);
    claimed += deliveries.length;
  }
  return claimed;
}

/** The mailbox after which the next look begins: a claim that is full may have come to some of the mailboxes alone. */
function nextOf(
  accounts: readonly number[],
  looked: { ids: readonly number[]; next: number },
  deliveries: readonly ClaimedDelivery[],
): number {
  if (deliveries.length === limits.mail.filedClaim)
    return Math.max(...deliveries.map(({ account_id }) => account_id));
  return accounts.length < looked.ids.length ? accounts.at(-1)! : looked.next;
}

const countOf = ({ turns }: Work, workspaceId: number): number =>
  [...turns.values()].filter((turn) => turn.workspaceId === workspaceId).length;

/** Workspaces of which messages are filed into as many mailboxes as may be. */
const fullOf = ({ turns }: Work): number[] =>
  [...Map.groupBy(turns.values(), ({ workspaceId }) => workspaceId)].flatMap(([workspaceId, all]) =>
    all.length >= limits.mail.filedAtOnceOfOne ? [workspaceId] : [],
  );

/** What filing needs that is fetched for all messages of a claim with one statement each. */
interface Fetched {
  mailboxes: ReadonlyMap<number, MailboxFacts>;
  /** Small messages, by their hashes. */
  raw: ReadonlyMap<string, Buffer>;
}

function begin(work: Work, workspaceId: number, claimed: ClaimedDelivery[]): void {
  if (claimed.length === 0) return;
  const ctx = createBareCtx(work.runtime, workspaceId);
  const fetched = fetchFor(ctx, claimed);
  for (const deliveries of Map.groupBy(claimed, ({ account_id }) => account_id).values()) {
    const turn: Turn = { workspaceId, open: new Set(deliveries.map(({ id }) => id)) };
    const running = fileAll(work, ctx, turn, deliveries, fetched).finally(() => {
      work.turns.delete(running);
      work.sleeper.wake();
    });
    work.turns.set(running, turn);
  }
}

async function fetchFor(ctx: Ctx, claimed: readonly ClaimedDelivery[]): Promise<Fetched> {
  const [mailboxes, raw] = await Promise.all([
    mailboxFacts(ctx, [...new Set(claimed.map(({ account_id }) => account_id))]),
    smallMails(
      ctx,
      claimed.filter((each) => !isSuspect(each)),
    ),
  ]);
  return { mailboxes, raw };
}

/** What is claimed of one mailbox. Never rejects: what cannot be filed is put back. */
async function fileAll(
  work: Work,
  ctx: Ctx,
  turn: Turn,
  deliveries: readonly ClaimedDelivery[],
  fetched: Promise<Fetched>,
): Promise<void> {
  const settle = async (delivery: ClaimedDelivery, result: FilingResult | 'gone') => {
    if (result === 'gone') FILED.inc({ outcome: result });
    else if ('filed' in result) FILED.inc({ outcome: result.filed });
    else await back(work, turn.workspaceId, delivery, result.error);
    turn.open.delete(delivery.id);
  };
  try {
    const { mailboxes, raw } = await fetched;
    const mailbox = mailboxes.get(deliveries[0]!.account_id);
    if (!mailbox) {
      for (const each of deliveries) await settle(each, await gone(ctx, each));
      return;
    }
    const read = await Promise.allSettled(
      deliveries.map((each) => readInTurn(work, ctx, each, { mailbox, raw: raw.get(each.raw_hash) })),
    );
    const ready = read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const results = await resultsOf(work, ctx, ready);
    for (const [i, { delivery }] of ready.entries()) await settle(delivery, results[i]!);
    for (const [i, result] of read.entries())
      if (result.status === 'rejected') await settle(deliveries[i]!, { error: result.reason });
  } catch (error) {
    for (const each of deliveries) if (turn.open.has(each.id)) await settle(each, { error });
  }
}

/** A process has ended while it filed the message, perhaps at it. */
const isSuspect = ({ was_left, suspected }: ClaimedDelivery): boolean => was_left || suspected > 0;

const filingOf = (worker: string): BatchingQueue<MailboxReady, Filed[]> =>
  createBatchingQueue<MailboxReady, Filed[]>({
    getKey: ({ ctx }) => ctx.workspace.id,
    async runBatch(mailboxes) {
      const all = mailboxes.flatMap(({ ready }) => ready);
      const filed = await fileReady(mailboxes[0]!.ctx, all, worker);
      return mailboxes.map(({ ready }) => filed.splice(0, ready.length));
    },
    // While one waits for the database, another is being made.
    concurrency: 2,
    maxSize: limits.mail.filedInOne,
    getSize: ({ ready }) => ready.length,
    isItemError: () => true,
  });

/** Where the messages of a mailbox cannot be filed together, each is filed alone. */
async function resultsOf(work: Work, ctx: Ctx, ready: readonly ReadyDelivery[]): Promise<FilingResult[]> {
  if (ready.length === 0) return [];
  try {
    return (await work.filing.add({ ctx, ready })).map((filed) => ({ filed }));
  } catch (error) {
    if (ready.length === 1) return [{ error }];
    ctx.runtime.log.warn({ err: error }, 'received messages could not be filed together');
    const results: FilingResult[] = [];
    for (const each of ready) results.push(...(await resultsOf(work, ctx, [each])));
    return results;
  }
}

function readInTurn(
  work: Work,
  ctx: Ctx,
  delivery: ClaimedDelivery,
  source: Destination,
): Promise<ReadyDelivery> {
  if (!isSuspect(delivery)) return readyToFile(ctx, delivery, source);
  const turn = work.suspects.then(() => readSuspect(ctx, delivery, source));
  work.suspects = turn.catch(() => undefined);
  return turn;
}

/**
 * The attempt is counted while it lasts, so that only the end of a process leaves it counted; after some that are, the
 * message is filed unread. An attempt that fails is no reason for that.
 */
async function readSuspect(ctx: Ctx, delivery: ClaimedDelivery, source: Destination): Promise<ReadyDelivery> {
  const { db, log } = ctx.runtime;
  const { id: workspace } = ctx.workspace;
  if (delivery.suspected >= limits.mail.suspectAttempts) {
    log.error(
      { workspace, delivery: delivery.id },
      'processes end at a received message; it is filed unread',
    );
    return unreadDelivery(delivery, source.mailbox);
  }
  await noteSuspect(db, workspace, delivery.id, 1);
  try {
    return await readyToFile(ctx, delivery, source);
  } finally {
    await noteSuspect(db, workspace, delivery.id, -1).catch((error: unknown) =>
      log.warn({ err: error, workspace, delivery: delivery.id }, 'a received message stays under suspicion'),
    );
  }
}

/** The mailbox was deleted while the message was on its way. */
async function gone(ctx: Ctx, delivery: ClaimedDelivery): Promise<'gone'> {
  await settleGone(ctx, delivery);
  return 'gone';
}

/** If not even that can be done, the lease ends by itself. */
async function back(work: Work, workspace: number, delivery: ClaimedDelivery, error: unknown): Promise<void> {
  const { db, log } = work.runtime;
  const reason = error instanceof Error ? error.message : String(error);
  log.warn(
    { err: error, workspace, delivery: delivery.id },
    'a received message could not be filed; retrying',
  );
  const outcome = await putBackDelivery(db, workspace, delivery, work.worker, reason).catch(
    () => 'queued' as const,
  );
  FILED.inc({ outcome: outcome === 'failed' ? 'failed' : 'retried' });
}

async function keepLeases(work: Work): Promise<void> {
  for (const [workspaceId, turns] of Map.groupBy(work.turns.values(), (turn) => turn.workspaceId)) {
    const ids = turns.flatMap(({ open }) => [...open]);
    await renewLeases(work.runtime.db, workspaceId, ids, work).catch(() => undefined);
  }
}
