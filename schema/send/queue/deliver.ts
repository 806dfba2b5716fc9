import { randomUUID } from 'node:crypto';
import { type Clock, realClock } from '../../../src/delivery/clock.ts';
import { createRateLimiter } from '../../../src/delivery/rate.ts';
import type { SendOutcome, Transport } from '../../../src/delivery/transport.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import {
  createWorkerHeartbeat,
  HEARTBEAT_INTERVAL_MS,
  type WorkerHeartbeat,
} from '../../../src/engine/work/workers.ts';
import { limits } from '../../../src/limits.ts';
import { createSigning } from '../domains/signing.ts';
import { createSleeper, type Sleeper } from '../kit/sleeper.ts';
import { createReturnPaths } from '../provider/return-path.ts';
import { type ClaimedEmail, claim } from './claim.ts';
import { deliverOne, putBack, type Way } from './deliver-one.ts';
import { endExpiredLeases } from './expired-leases.ts';
import { createHeld, type Held } from './held.ts';
import { createMemory } from './large-content.ts';
import { leaveOutSuppressed } from './leave-out-suppressed.ts';
import { createLostClaims, type LostClaims } from './lost-claims.ts';
import { noteBlocked } from './note-blocked.ts';
import { createOutages } from './outages.ts';
import { createOutcomeWriter, type OutcomeWriter } from './outcome-writer.ts';
import { type NotSent, outcomeOf } from './record-outcome.ts';
import { resolveUnknown } from './unknown.ts';

/** Sends waiting emails until it is stopped. */
export interface Delivery {
  wake(): void;
  /** Claims nothing more, lets running sends end and writes what became of them. Never rejects. */
  stop(): Promise<void>;
}

export interface DeliveryOptions {
  /** Milliseconds for which a worker that says nothing is believed to be alive. */
  leaseTime?: number;
  clock?: Clock;
}

/** What the parts of one worker share. */
interface Work extends Way {
  runtime: Runtime;
  worker: string;
  leaseTime: number;
  outcomes: OutcomeWriter;
  /** Emails that are being sent or whose outcome is being written. */
  held: Held;
  lost: LostClaims;
  heart: WorkerHeartbeat;
  /** Workers that died; what they held has not been taken from them yet. */
  dead: string[];
  /** Emails that are with the provider now. */
  sending: number;
  /** Why the provider's limits are unknown, as last logged. */
  limitless: string | null;
  /** When the reason is next written on mail that waits for the provider. */
  explainAt: number;
  stopping: AbortController;
  sleeper: Sleeper;
}

const POLL = 500;
const EXPLAINED = 10_000;
const HOUSEKEEPING = 5_000;
/** In this time the workers that send already have heard of a new one. */
const INTRODUCTION = 2 * HEARTBEAT_INTERVAL_MS;
/** What waits in here for the provider's rate cannot be overtaken, so it must not be more than this long. */
const AHEAD = 1_000;

export function startDelivery(
  runtime: Runtime,
  transport: Transport,
  { leaseTime = limits.delivery.leaseTime, clock = realClock }: DeliveryOptions = {},
): Delivery {
  const worker = randomUUID();
  const stopping = new AbortController();
  const held = createHeld(runtime.db, worker, leaseTime, clock);
  const work: Work = {
    runtime,
    transport,
    worker,
    leaseTime,
    pace: createRateLimiter(clock),
    clock,
    stopped: stopping.signal,
    memory: createMemory(limits.delivery.largeContent),
    signing: createSigning(runtime.db, runtime.config),
    returnPaths: createReturnPaths(runtime.db, runtime.config),
    outcomes: createOutcomeWriter(runtime, worker, leaseTime, clock),
    held,
    lost: createLostClaims(runtime.db, worker, held, { leaseTime, clock }),
    heart: createWorkerHeartbeat(runtime.db, worker, 'mail', clock.now),
    dead: [],
    sending: 0,
    limitless: null,
    explainAt: 0,
    outages: createOutages(runtime.log, clock),
    stopping,
    sleeper: createSleeper(clock),
  };
  const begun = introduce(work);
  const running = Promise.all([begun.then(() => send(work)), begun.then(() => live(work)), keepHouse(work)]);
  return { wake: work.sleeper.wake, stop: () => stop(work, running) };
}

async function stop(work: Work, running: Promise<unknown>): Promise<void> {
  const end = work.clock.now() + limits.http.drainTime;
  work.stopping.abort();
  work.sleeper.wake();
  await running;
  const written = work.outcomes.finishBy(end);
  while (work.held.size() > 0 && work.clock.now() < end) await work.sleeper.sleep(20);
  await written;
  if (work.held.size() === 0) await work.heart.end().catch(() => undefined);
  await work.transport
    .close()
    .catch((error) => work.runtime.log.warn({ err: error }, 'could not close the transport'));
}

/** Those that send already take the rate for theirs until they have heard of this one. */
async function introduce(work: Work): Promise<void> {
  const alive = await beat(work);
  if (alive > 0) await work.clock.sleep(INTRODUCTION, work.stopped).catch(() => undefined);
}

/** Says that this worker lives, and shares the provider's rate with the others that do. @returns how many */
async function beat(work: Work): Promise<number> {
  try {
    const { alive, dead } = await work.heart.send();
    work.dead = dead;
    work.pace.share(alive + 1);
    return alive;
  } catch (error) {
    work.runtime.log.debug({ err: error }, 'could not say that the worker lives');
    return 0;
  }
}

async function live(work: Work): Promise<void> {
  while (!work.stopped.aborted) {
    await work.clock.sleep(HEARTBEAT_INTERVAL_MS, work.stopped).catch(() => undefined);
    await beat(work);
  }
}

async function send(work: Work): Promise<void> {
  const { runtime, worker, leaseTime, held, lost } = work;
  const want = { worker, leaseTime, room: held.room, lost: lost.add };
  while (!work.stopping.signal.aborted) {
    try {
      await refresh(work);
      await explain(work);
      await lost.putBack();
      const most = freeSlots(work);
      const emails = most > 0 ? await claim(runtime.db, { ...want, most }) : [];
      if (emails.length > 0) await sendAll(work, emails);
      else await work.sleeper.sleep(POLL);
    } catch (error) {
      runtime.log.warn({ err: error }, 'delivery paused after an error');
      await work.sleeper.sleep(POLL * 2);
    }
  }
}

/** How many emails to claim: what the provider has no room for stays in the queue, untouched. */
function freeSlots({ transport, held, sending, pace }: Work): number {
  const wanted = Math.min(
    limits.delivery.sendsAtOnceMost,
    Math.max(limits.delivery.sendsAtOnce, pace.atOnce()),
  );
  const slots = Math.min(wanted, transport.concurrency ?? wanted);
  // What has been answered and waits to be written takes no slot, but it must not pile up either.
  if (held.size() > slots * 4) return 0;
  const free = slots - sending;
  // Claiming for a few slots at a time would cost a statement each; wait until a good part is free.
  if (free < slots / 4) return 0;
  return Math.min(free, Math.floor(pace.getCapacity(AHEAD)));
}

/**
 * Sends claimed emails to those of their recipients they may still be sent to. Each has its place in the provider's
 * limits when this ends: until then nothing more may be claimed.
 */
async function sendAll(work: Work, emails: ClaimedEmail[]): Promise<void> {
  const byWorkspace = Map.groupBy(emails, (email) => email.workspace_id);
  await Promise.all([...byWorkspace].map(([workspaceId, its]) => sendSome(work, workspaceId, its)));
}

async function sendSome(work: Work, workspaceId: number, emails: ClaimedEmail[]): Promise<void> {
  const { runtime } = work;
  const open = await leaveOutSuppressed(runtime.db, workspaceId, emails).catch((error) => {
    runtime.log.warn({ err: error }, 'could not read the suppression list');
    return null;
  });
  for (const email of emails) {
    const left = open?.get(email.id);
    if (left) hold(work, left, deliverOne(runtime.db, left, work));
    else hold(work, email, Promise.resolve(open ? SUPPRESSED : UNREAD));
  }
}

const SUPPRESSED = { kind: 'suppressed' } as const;
const UNREAD = putBack(1_000, 'The suppression list could not be read.');

function hold(work: Work, email: ClaimedEmail, sent: Promise<SendOutcome | NotSent>): void {
  const { runtime, transport, held } = work;
  held.add(email);
  work.sending++;
  sent
    .finally(() => {
      work.sending--;
      work.sleeper.wake();
    })
    .then((outcome) => {
      runtime.metrics.sent.inc({ outcome: outcome.kind });
      return work.outcomes.write(outcomeOf(email, outcome, transport.name));
    })
    .catch((error) =>
      runtime.log.error(
        { err: error, email: email.public_id },
        'the outcome of an email could not be recorded',
      ),
    )
    .finally(() => {
      held.delete(email);
      work.sleeper.wake();
    });
}

/**
 * Asks the provider for its limits when they are old. An account that may send but not read its limits sends without
 * them: the provider says itself when it is too much.
 */
async function refresh(work: Work): Promise<void> {
  const { pace, transport, runtime } = work;
  if (!pace.due()) return;
  try {
    pace.update(await transport.limits());
    work.limitless = null;
  } catch (error) {
    const reason = (error as Error).message;
    if (reason !== work.limitless)
      runtime.log.warn({ reason }, "could not read the provider's sending limits");
    work.limitless = reason;
    pace.postpone();
  }
}

/** Says on the mail that waits for the provider why it does. */
async function explain(work: Work): Promise<void> {
  const reason = work.pace.blocked();
  if (!reason || work.clock.now() < work.explainAt) return;
  work.explainAt = work.clock.now() + EXPLAINED;
  await noteBlocked(work.runtime.db, reason);
}

/** Leases of running sends are renewed before those of dead workers are ended. */
async function keepHouse(work: Work): Promise<void> {
  const { runtime, transport, leaseTime, stopping, clock } = work;
  const { db, config } = runtime;
  const sleeper = createSleeper(clock);
  stopping.signal.addEventListener('abort', sleeper.wake);
  while (!stopping.signal.aborted) {
    await sleeper.sleep(Math.min(HOUSEKEEPING, leaseTime / 3));
    try {
      await work.held.renew();
      const { dead } = work;
      await endExpiredLeases(db, transport.name === 'local', dead);
      if (dead.length > 0) await work.heart.removeDead(dead);
      await resolveUnknown(db, config);
    } catch (error) {
      runtime.log.warn({ err: error }, 'housekeeping of the queue pauses');
    }
  }
}
