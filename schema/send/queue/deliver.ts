import { randomUUID } from 'node:crypto';
import { type Clock, realClock } from '../../../src/delivery/clock.ts';
import { createPace } from '../../../src/delivery/rate.ts';
import type { Outcome, Transport } from '../../../src/delivery/transport.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { limits } from '../../../src/limits.ts';
import { createSleeper, type Sleeper } from '../kit/sleeper.ts';
import { expire } from '../state/expire.ts';
import { type ClaimedEmail, claim, type LastServed, renew, sharers } from './claim.ts';
import { deliverOne, putBack, type Way } from './deliver-one.ts';
import { endExpiredLeases } from './expired-leases.ts';
import { leaveOutSuppressed } from './leave-out-suppressed.ts';
import { noteBlocked } from './note-blocked.ts';
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
  /** Ids of the emails that are being sent or whose outcome is being written. */
  held: Set<number>;
  /** Emails that are with the provider now. */
  sending: number;
  /** Why the provider's limits are unknown, as last logged. */
  limitless: string | null;
  /** The provider could not be reached when it was last tried. */
  away: boolean;
  /** When the other processes were last counted. */
  counted: number;
  stopping: AbortController;
  sleeper: Sleeper;
}

const POLL = 500;
const HOUSEKEEPING = 5_000;
const EXPIRY = 60_000;
const SHARING = 1_000;
/** What waits in here for the provider's rate cannot be overtaken, so it must not be more than this long. */
const AHEAD = 1_000;

export function startDelivery(
  runtime: Runtime,
  transport: Transport,
  { leaseTime = limits.delivery.leaseTime, clock = realClock }: DeliveryOptions = {},
): Delivery {
  const worker = randomUUID();
  const stopping = new AbortController();
  const work: Work = {
    runtime,
    transport,
    worker,
    leaseTime,
    pace: createPace(clock),
    clock,
    stopped: stopping.signal,
    outcomes: createOutcomeWriter(runtime, worker, leaseTime, clock),
    held: new Set(),
    sending: 0,
    limitless: null,
    away: false,
    counted: Number.NEGATIVE_INFINITY,
    stopping,
    sleeper: createSleeper(clock),
  };
  const running = Promise.all([send(work), keepHouse(work)]);
  return { wake: work.sleeper.wake, stop: () => stop(work, running) };
}

async function stop(work: Work, running: Promise<unknown>): Promise<void> {
  const end = work.clock.now() + limits.http.drainTime;
  work.stopping.abort();
  work.sleeper.wake();
  await running;
  const written = work.outcomes.finishBy(end);
  while (work.held.size > 0 && work.clock.now() < end) await work.sleeper.sleep(20);
  await written;
  await work.transport
    .close()
    .catch((error) => work.runtime.log.warn({ err: error }, 'could not close the transport'));
}

async function send(work: Work): Promise<void> {
  const { runtime, worker, leaseTime } = work;
  const after: LastServed = { own: 0, bulk: 0 };
  while (!work.stopping.signal.aborted) {
    try {
      await refresh(work);
      await share(work);
      const most = freeSlots(work);
      const emails = most > 0 ? await claim(runtime.db, { worker, most, after, leaseTime }) : [];
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
  if (held.size > slots * 4) return 0;
  const free = slots - sending;
  // Claiming for a few slots at a time would cost a statement each; wait until a good part is free.
  if (free < slots / 4) return 0;
  return Math.min(free, Math.floor(pace.room(AHEAD)));
}

/**
 * Sends claimed emails to those of their recipients they may still be sent to. Each has its place in the provider's
 * limits when this ends: until then nothing more may be claimed.
 */
async function sendAll(work: Work, emails: ClaimedEmail[]): Promise<void> {
  const { runtime } = work;
  const open = await leaveOutSuppressed(runtime.db, emails).catch((error) => {
    runtime.log.warn({ err: error }, 'could not read the suppression list');
    return null;
  });
  for (const email of emails) {
    const left = open?.get(email.id);
    if (left) hold(work, left, deliverOne(left, work));
    else hold(work, email, Promise.resolve(open ? SUPPRESSED : UNREAD));
  }
}

const SUPPRESSED = { kind: 'suppressed' } as const;
const UNREAD = putBack(1_000, 'The suppression list could not be read.');

function hold(work: Work, email: ClaimedEmail, sent: Promise<Outcome | NotSent>): void {
  const { runtime, transport, held } = work;
  held.add(email.id);
  work.sending++;
  sent
    .finally(() => {
      work.sending--;
      work.sleeper.wake();
    })
    .then((outcome) => {
      runtime.metrics.sent.inc({ outcome: outcome.kind });
      logOutage(work, outcome);
      return work.outcomes.write(outcomeOf(email, outcome, transport.name));
    })
    .catch((error) =>
      runtime.log.error(
        { err: error, email: email.public_id },
        'the outcome of an email could not be recorded',
      ),
    )
    .finally(() => {
      held.delete(email.id);
      work.sleeper.wake();
    });
}

/** Each email that waits for the provider has the reason on it; the log has it once an outage, and when it is over. */
function logOutage(work: Work, outcome: Outcome | NotSent): void {
  const away = outcome.kind === 'throttled' && outcome.scope === 'unreachable';
  if (away && !work.away)
    work.runtime.log.warn({ reason: outcome.reason }, 'the mail provider is unreachable; emails stay queued');
  if (outcome.kind === 'sent' && work.away) work.runtime.log.info('the mail provider is reachable again');
  if (away || outcome.kind === 'sent') work.away = away;
}

/**
 * Asks the provider for its limits when they are old, and says so on the mail they hold back. An account that may send
 * but not read its limits sends without them: the provider says itself when it is too much.
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
  const blocked = pace.blocked();
  if (blocked) await noteBlocked(runtime.db, blocked);
}

/** Processes that send at the same time share the provider's rate. */
async function share(work: Work): Promise<void> {
  const now = work.clock.now();
  if (now < work.counted + SHARING) return;
  work.counted = now;
  work.pace.share(await sharers(work.runtime.db, work.worker));
}

/** Leases of running sends are renewed before those of dead workers are ended. */
async function keepHouse(work: Work): Promise<void> {
  const { runtime, transport, worker, leaseTime, stopping, clock } = work;
  const { db, config } = runtime;
  const sleeper = createSleeper(clock);
  stopping.signal.addEventListener('abort', sleeper.wake);
  let expiry = 0;
  while (!stopping.signal.aborted) {
    await sleeper.sleep(Math.min(HOUSEKEEPING, leaseTime / 3));
    try {
      await renew(db, worker, [...work.held], leaseTime);
      await endExpiredLeases(db, transport.name === 'local');
      if ((await resolveUnknown(db, config)) > 0) work.sleeper.wake();
      if (clock.now() < expiry) continue;
      expiry = clock.now() + EXPIRY;
      await expire(db);
    } catch (error) {
      runtime.log.warn({ err: error }, 'housekeeping of the queue pauses');
    }
  }
}
