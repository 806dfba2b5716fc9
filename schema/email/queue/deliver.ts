import { randomUUID } from 'node:crypto';
import { createRateLimiter } from '../../../src/email/rate-limiter.ts';
import type { SendOutcome, Transport } from '../../../src/email/transport.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createFailureGuard, type FailureGuard } from '../../../src/engine/work/due.ts';
import {
  createWorkerHeartbeat,
  HEARTBEAT_INTERVAL_MS,
  type WorkerHeartbeat,
} from '../../../src/engine/work/worker-heartbeat.ts';
import { limits } from '../../../src/limits.ts';
import { type Clock, realClock } from '../../../src/loop/clock.ts';
import { createSleeper, type Sleeper } from '../../../src/loop/sleeper.ts';
import { createDomainKeys } from '../domains/signing.ts';
import { createReturnPaths } from '../provider/return-path.ts';
import { MAIL_QUEUE } from '../state/queues.ts';
import { type ClaimedEmail, claim } from './claim.ts';
import { type ClaimedEmails, createClaimedEmails, MAX_LARGE_CONTENT_BYTES } from './claimed-emails.ts';
import { buildRequeueResult, deliverOne, type SendContext } from './deliver-one.ts';
import { dropSuppressedRecipients } from './drop-suppressed.ts';
import { releaseExpiredLeases } from './expired-leases.ts';
import { createMemoryBudget } from './large-content.ts';
import { createLostClaims, type LostClaims } from './lost-claims.ts';
import { createOutages } from './outages.ts';
import { createOutcomeWriter, type OutcomeWriter } from './outcome-writer.ts';
import { recordBlockedReason } from './record-blocked.ts';
import { type NotSentOutcome, toEmailOutcome } from './record-outcome.ts';
import { resolveUnknownEmails } from './unknown.ts';

const EMAIL_LEASE_MS = 60_000;
/** Default maximum number of concurrent sends per process. */
export const CONCURRENT_SENDS = 64;
/**
 * Maximum for a slow provider, which needs more concurrent sends to reach its rate. Equals the number of connections of
 * the SES client.
 */
const MAX_CONCURRENT_SENDS = 256;

export interface Delivery {
  wake(): void;
  /** Claims no more emails, waits for sends in progress and records their outcomes. Never rejects. */
  stop(): Promise<void>;
}

export interface DeliveryOptions {
  /** Milliseconds after which an email's lease expires unless renewed. */
  leaseTime?: number;
  clock?: Clock;
}

interface DeliveryWork extends SendContext {
  runtime: Runtime;
  worker: string;
  leaseTime: number;
  outcomes: OutcomeWriter;
  /** Emails that are being sent or whose outcome is being recorded. */
  claimed: ClaimedEmails;
  lostClaims: LostClaims;
  guard: FailureGuard;
  heart: WorkerHeartbeat;
  dead: string[];
  sending: number;
  /** Last logged reason why the provider's limits are unknown. */
  limitless: string | null;
  /** Time of the next update to the reason stored on waiting emails. */
  explainAt: number;
  stopping: AbortController;
  sleeper: Sleeper;
}

const POLL_INTERVAL_MS = 500;
const EXPLAIN_INTERVAL_MS = 10_000;
const HOUSEKEEPING_INTERVAL_MS = 5_000;
/** Milliseconds until the other workers have noticed a new worker. */
const INTRODUCTION_MS = 2 * HEARTBEAT_INTERVAL_MS;
/**
 * Claims at most as many emails as can be sent in this time at the rate limit, because other emails cannot overtake
 * claimed ones.
 */
const RATE_LOOKAHEAD_MS = 1_000;

export function startDelivery(
  runtime: Runtime,
  transport: Transport,
  { leaseTime = EMAIL_LEASE_MS, clock = realClock }: DeliveryOptions = {},
): Delivery {
  const worker = randomUUID();
  const stopController = new AbortController();
  const claimedEmails = createClaimedEmails(runtime.db, worker, leaseTime, clock);
  const guard = createFailureGuard(runtime.log, MAIL_QUEUE);
  const state: DeliveryWork = {
    runtime,
    transport,
    worker,
    leaseTime,
    pace: createRateLimiter(clock),
    clock,
    stopped: stopController.signal,
    memory: createMemoryBudget(MAX_LARGE_CONTENT_BYTES),
    signing: createDomainKeys(runtime.db, runtime.config),
    returnPaths: createReturnPaths(runtime.db, runtime.config),
    outcomes: createOutcomeWriter(runtime, worker, leaseTime, clock),
    claimed: claimedEmails,
    lostClaims: createLostClaims(runtime.db, worker, claimedEmails, { leaseTime, clock, guard }),
    guard,
    heart: createWorkerHeartbeat(runtime.db, worker, 'mail', clock.now),
    dead: [],
    sending: 0,
    limitless: null,
    explainAt: 0,
    outages: createOutages(runtime.log, clock),
    stopping: stopController,
    sleeper: createSleeper(clock),
  };
  const registration = registerWorker(state);
  const loops = Promise.all([
    registration.then(() => send(state)),
    registration.then(() => sendHeartbeats(state)),
    runHousekeeping(state),
  ]);
  return { wake: state.sleeper.wake, stop: () => stop(state, loops) };
}

async function stop(state: DeliveryWork, loops: Promise<unknown>): Promise<void> {
  const end = state.clock.now() + limits.http.drainTime;
  state.stopping.abort();
  state.sleeper.wake();
  await loops;
  const finished = state.outcomes.finishBy(end);
  while (state.claimed.size() > 0 && state.clock.now() < end) await state.sleeper.sleep(20);
  await finished;
  if (state.claimed.size() === 0) await state.heart.end().catch(() => undefined);
  await state.transport
    .close()
    .catch((error) => state.runtime.log.warn({ err: error }, 'could not close the transport'));
}

/** Waits until the other workers share the rate limit with this one. */
async function registerWorker(state: DeliveryWork): Promise<void> {
  const alive = await sendHeartbeat(state);
  if (alive > 0) await state.clock.sleep(INTRODUCTION_MS, state.stopped).catch(() => undefined);
}

/**
 * Sends a heartbeat and divides the provider's rate limit among the live workers. @returns the number of other live
 * workers
 */
async function sendHeartbeat(state: DeliveryWork): Promise<number> {
  try {
    const { alive, dead } = await state.heart.send();
    state.dead = dead;
    state.pace.share(alive + 1);
    return alive;
  } catch (error) {
    state.runtime.log.debug({ err: error }, 'could not record the heartbeat of the delivery worker');
    return 0;
  }
}

async function sendHeartbeats(state: DeliveryWork): Promise<void> {
  while (!state.stopped.aborted) {
    await state.clock.sleep(HEARTBEAT_INTERVAL_MS, state.stopped).catch(() => undefined);
    await sendHeartbeat(state);
  }
}

async function send(state: DeliveryWork): Promise<void> {
  const { runtime, worker, leaseTime, claimed: claimedEmails, lostClaims, guard } = state;
  const request = { worker, leaseTime, room: claimedEmails.room, guard, onLost: lostClaims.add };
  while (!state.stopping.signal.aborted) {
    try {
      await refreshProviderLimits(state);
      await explainWaitingEmails(state);
      await lostClaims.putBack();
      const freeSlots = countFreeSlots(state);
      const emails = freeSlots > 0 ? await claim(runtime.db, { ...request, limit: freeSlots }) : [];
      if (emails.length > 0) await startSendingEmails(state, emails);
      else await state.sleeper.sleep(POLL_INTERVAL_MS);
    } catch (error) {
      runtime.log.warn({ err: error }, 'delivery paused after an error');
      await state.sleeper.sleep(POLL_INTERVAL_MS * 2);
    }
  }
}

/** Returns the number of emails to claim. Emails beyond the provider's capacity stay in the queue. */
function countFreeSlots({ transport, claimed: claimedEmails, sending, pace }: DeliveryWork): number {
  const concurrency = Math.min(MAX_CONCURRENT_SENDS, Math.max(CONCURRENT_SENDS, pace.atOnce()));
  const slots = Math.min(concurrency, transport.concurrency ?? concurrency);
  // Emails whose outcome is being recorded need no slot, but must not pile up.
  if (claimedEmails.size() > slots * 4) return 0;
  const freeSlots = slots - sending;
  // Each claim is a statement, so wait until a quarter of the slots are free.
  if (freeSlots < slots / 4) return 0;
  return Math.min(freeSlots, Math.floor(pace.getCapacity(RATE_LOOKAHEAD_MS)));
}

/** Starts sending claimed emails, and resolves without waiting for the outcomes. */
async function startSendingEmails(state: DeliveryWork, emails: ClaimedEmail[]): Promise<void> {
  const byWorkspace = Map.groupBy(emails, (email) => email.workspace_id);
  await Promise.all(
    [...byWorkspace].map(([workspaceId, workspaceEmails]) =>
      startSendingForWorkspace(state, workspaceId, workspaceEmails),
    ),
  );
}

async function startSendingForWorkspace(
  state: DeliveryWork,
  workspaceId: number,
  emails: ClaimedEmail[],
): Promise<void> {
  const { runtime } = state;
  const openEmails = await dropSuppressedRecipients(runtime.db, workspaceId, emails).catch((error) => {
    runtime.log.warn({ err: error }, 'could not read the suppression list');
    return null;
  });
  for (const email of emails) {
    const openRecipients = openEmails?.get(email.id);
    if (openRecipients) trackSending(state, openRecipients, deliverOne(runtime.db, openRecipients, state));
    else
      trackSending(
        state,
        email,
        Promise.resolve(openEmails ? SUPPRESSED_OUTCOME : SUPPRESSIONS_UNREADABLE_RESULT),
      );
  }
}

const SUPPRESSED_OUTCOME = { kind: 'suppressed' } as const;
const SUPPRESSIONS_UNREADABLE_RESULT = buildRequeueResult(1_000, 'The suppression list could not be read.');

function trackSending(
  state: DeliveryWork,
  email: ClaimedEmail,
  pendingOutcome: Promise<SendOutcome | NotSentOutcome>,
): void {
  const { runtime, transport, claimed: claimedEmails } = state;
  claimedEmails.add(email);
  state.sending++;
  pendingOutcome
    .finally(() => {
      state.sending--;
      state.sleeper.wake();
    })
    .then((outcome) => {
      runtime.metrics.sent.inc({ outcome: outcome.kind });
      return state.outcomes.write(toEmailOutcome(email, outcome, transport.name));
    })
    .catch((error) =>
      runtime.log.error(
        { err: error, email: email.public_id },
        'the outcome of an email could not be recorded',
      ),
    )
    .finally(() => {
      claimedEmails.delete(email);
      state.sleeper.wake();
    });
}

/**
 * Refreshes outdated provider limits. If the account may not read them, sends without limits and relies on the provider
 * to report throttling.
 */
async function refreshProviderLimits(state: DeliveryWork): Promise<void> {
  const { pace, transport, runtime } = state;
  if (!pace.due()) return;
  try {
    pace.update(await transport.limits());
    state.limitless = null;
  } catch (error) {
    const reason = (error as Error).message;
    if (reason !== state.limitless)
      runtime.log.warn({ reason }, "could not read the provider's sending limits");
    state.limitless = reason;
    pace.postpone();
  }
}

async function explainWaitingEmails(state: DeliveryWork): Promise<void> {
  const reason = state.pace.blocked();
  if (!reason || state.clock.now() < state.explainAt) return;
  state.explainAt = state.clock.now() + EXPLAIN_INTERVAL_MS;
  await recordBlockedReason(state.runtime.db, reason);
}

/**
 * Renews the leases of running sends before ending the leases of dead workers. The search for expired leases and
 * unknown outcomes reads every workspace's emails in delivery on all nodes of a cluster, so it runs rarely unless a
 * worker dies.
 */
async function runHousekeeping(state: DeliveryWork): Promise<void> {
  const { runtime, transport, leaseTime, stopping, clock } = state;
  const { db, config } = runtime;
  const sleeper = createSleeper(clock);
  let searchAt = Number.NEGATIVE_INFINITY;
  stopping.signal.addEventListener('abort', sleeper.wake);
  while (!stopping.signal.aborted) {
    await sleeper.sleep(Math.min(HOUSEKEEPING_INTERVAL_MS, leaseTime / 3));
    try {
      await state.claimed.renew();
      const { dead } = state;
      if (dead.length === 0 && clock.now() < searchAt) continue;
      searchAt = clock.now() + leaseTime / 2;
      await releaseExpiredLeases(db, transport.name === 'local', dead);
      if (dead.length > 0) await state.heart.removeDead(dead);
      await resolveUnknownEmails(db, config);
    } catch (error) {
      runtime.log.warn({ err: error }, 'queue maintenance paused after an error');
    }
  }
}
