import type { Database } from '../../../src/db/pool.ts';
import { limits } from '../../../src/limits.ts';
import { type CallQueue, createCallQueue } from './call-queue.ts';
import { claimCalls, type DueCall, type LeasedWebhook, release } from './claim.ts';
import { DOWN_AFTER_FAILURES, type FinishedAttempt, recordCallOutcomes } from './outcome.ts';

/** A webhook that this process holds. */
export interface ServedWebhook extends LeasedWebhook {
  /** Calls that run now. */
  running: number;
}

/** What serving a webhook needs of its worker. */
export interface WebhookService {
  db: Database;
  worker: string;
  leaseTime: number;
  /** Milliseconds a webhook that seems to be down rests the first time. */
  restMs: number;
  /** One attempt. Never rejects. */
  call(call: DueCall): Promise<FinishedAttempt>;
  /** Whether the webhook may begin one more call beside all others that run. */
  canStart(webhook: ServedWebhook): boolean;
  /** Whether it has to make way, for others or the end of the process. */
  mustEnd(webhook: ServedWebhook, since: number): boolean;
  /** The webhook is in another state after too many failures. */
  disabled(webhook: LeasedWebhook): void;
}

/** Calls that are taken at one time, and that a webhook holds in memory at most. */
const MAX_CLAIMED_CALLS = 100;
/** Milliseconds after which it is looked again for what is due, while calls run. */
const CHECK_INTERVAL_MS = 200;

/** What one webhook is doing. */
interface WebhookRun {
  service: WebhookService;
  webhook: ServedWebhook;
  queue: CallQueue;
  ended: FinishedAttempt[];
  running: Set<Promise<void>>;
  /** Milliseconds since 1970. */
  nextLook: number;
  active: boolean;
  /** Attempts that failed since the last that did not; from `DOWN` on one call at a time tries. */
  misses: number;
  wake(): void;
}

/**
 * Makes the due calls of a webhook until none is due, or it has to make way. Calls about one email or record are made
 * one after another, the next one once the outcome of the one before is written; others side by side. The database is
 * asked one thing at a time. After a failure the webhook is kept until its lease runs out: the next worker that claims
 * it then knows that calls may have begun and not been noted.
 */
export async function serveWebhook(service: WebhookService, webhook: ServedWebhook): Promise<void> {
  const serving: WebhookRun = {
    service,
    webhook,
    queue: createCallQueue(),
    ended: [],
    running: new Set(),
    nextLook: 0,
    active: true,
    misses: 0,
    wake: () => undefined,
  };
  try {
    await serve(serving);
  } catch (error) {
    await Promise.all(serving.running);
    // What ended well is not made again for nothing.
    await saveOutcomes(serving).catch(() => undefined);
    throw error;
  }
  await release(service.db, webhook, service.worker);
}

async function serve(serving: WebhookRun): Promise<void> {
  const { service, queue: line, ended, running } = serving;
  const since = Date.now();
  while (serving.active && !service.mustEnd(serving.webhook, since)) {
    if (ended.length > 0) await saveOutcomes(serving);
    if (Date.now() >= serving.nextLook && line.size() < MAX_CLAIMED_CALLS) await claimMore(serving);
    begin(serving);
    if (line.size() === 0 && ended.length === 0 && running.size === 0) return;
    if (ended.length === 0) await waitForWork(serving);
  }
  const back = line.clear();
  await Promise.all(running);
  await saveOutcomes(serving, back);
}

/** Until a call has ended, or it is time to look again. */
function waitForWork(serving: WebhookRun): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CHECK_INTERVAL_MS);
    serving.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

async function claimMore(serving: WebhookRun): Promise<void> {
  const { service, webhook, queue: line } = serving;
  const { db, worker, leaseTime } = service;
  const taken = await claimCalls(db, webhook, { worker, leaseTime, most: MAX_CLAIMED_CALLS });
  if (!taken) serving.active = false;
  else serving.misses = Math.max(serving.misses, taken.misses);
  line.add(taken?.calls ?? []);
  serving.nextLook = taken?.more ? 0 : Date.now() + CHECK_INTERVAL_MS;
}

function begin(serving: WebhookRun): void {
  const { service, webhook, queue: line, ended, running } = serving;
  const isFree = () =>
    serving.misses < DOWN_AFTER_FAILURES ? service.canStart(webhook) : running.size + ended.length === 0;
  while (isFree()) {
    const call = line.next();
    if (!call) return;
    webhook.running++;
    const made = service.call(call).then((outcome) => {
      webhook.running--;
      running.delete(made);
      serving.misses = outcome.response.error === null ? 0 : serving.misses + 1;
      ended.push(outcome);
      serving.wake();
    });
    running.add(made);
  }
}

async function saveOutcomes(serving: WebhookRun, back: DueCall[] = []): Promise<void> {
  const { service, webhook, queue: line } = serving;
  const ended = serving.ended.splice(0);
  if (ended.length === 0 && back.length === 0) return;
  const again = ended.filter(({ outcome }) => outcome.status === 'PENDING');
  const behind = again.flatMap(({ call, outcome }) =>
    line.putOff(call).map((each) => ({ call: each, wait: outcome.wait })),
  );
  const now = await recordCallOutcomes(service.db, webhook, { ended, behind, back }, service.restMs);
  for (const { call, outcome } of ended) if (outcome.status !== 'PENDING') line.ended(call);
  if (now?.status === 'AUTO_DISABLED' && serving.active) service.disabled(webhook);
  if (now?.status !== 'ACTIVE' || now.rests) serving.active = false;
}

/**
 * How many calls a webhook may run beside others: those of a workspace and of the process share their places, and none
 * is without one. Pure.
 * @param all that the process holds, this one included
 */
export function canStartCall(webhook: ServedWebhook, all: readonly ServedWebhook[]): boolean {
  const beside = all.filter((each) => each.workspace_id === webhook.workspace_id);
  if (webhook.running === 0) return true;
  const share = Math.min(
    limits.webhook.callsAtOnceOfWebhook,
    limits.webhook.callsAtOnceOfWorkspace / beside.length,
    limits.webhook.callsAtOnce / all.length,
  );
  return (
    webhook.running + 1 <= share &&
    sum(beside) < limits.webhook.callsAtOnceOfWorkspace &&
    sum(all) < limits.webhook.callsAtOnce
  );
}

const sum = (webhooks: readonly ServedWebhook[]): number =>
  webhooks.reduce((all, each) => all + each.running, 0);
