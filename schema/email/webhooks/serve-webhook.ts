import type { Database } from '../../../src/db/pool.ts';
import { limits } from '../../../src/limits.ts';
import { type CallQueue, createCallQueue } from './call-queue.ts';
import { claimCalls, type DueCall, type LeasedWebhook, release } from './claim.ts';
import { DOWN_AFTER_FAILURES, type FinishedAttempt, recordCallOutcomes } from './outcome.ts';

const MAX_CONCURRENT_CALLS = 300;
const MAX_CONCURRENT_CALLS_PER_WORKSPACE = 80;

export interface ServedWebhook extends LeasedWebhook {
  running: number;
}

export interface WebhookHost {
  db: Database;
  worker: string;
  leaseTime: number;
  /** First pause, in milliseconds, of a webhook that seems to be down. */
  restMs: number;
  /** Makes one attempt. Never rejects. */
  call(call: DueCall): Promise<FinishedAttempt>;
  canStart(webhook: ServedWebhook): boolean;
  /** True if the webhook must yield to others, or the process is shutting down. */
  mustEnd(webhook: ServedWebhook, since: number): boolean;
  disabled(webhook: LeasedWebhook): void;
}

/** Maximum number of calls loaded at once and kept in memory per webhook. */
const MAX_CLAIMED_CALLS = 100;
const CHECK_INTERVAL_MS = 200;

interface WebhookRun {
  service: WebhookHost;
  webhook: ServedWebhook;
  queue: CallQueue;
  ended: FinishedAttempt[];
  running: Set<Promise<void>>;
  /** Unix time in milliseconds of the next check for due calls. */
  nextLook: number;
  active: boolean;
  /** Consecutive failed attempts. From `DOWN_AFTER_FAILURES` on, calls run one at a time. */
  misses: number;
  wake(): void;
}

/**
 * Makes a webhook's due calls until no call is left or it must stop. Calls about the same email or record run one after
 * another, each after the previous outcome is recorded; others run concurrently. Runs one statement at a time. After an
 * error, the webhook stays leased until the lease expires, so that the next worker knows that calls may have started
 * without being recorded.
 */
export async function serveWebhook(service: WebhookHost, webhook: ServedWebhook): Promise<void> {
  const run: WebhookRun = {
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
    await makeCalls(run);
  } catch (error) {
    await Promise.all(run.running);
    // Records the finished calls, so that they are not repeated.
    await saveOutcomes(run).catch(() => undefined);
    throw error;
  }
  await release(service.db, webhook, service.worker);
}

async function makeCalls(run: WebhookRun): Promise<void> {
  const { service, queue: line, ended, running } = run;
  const since = Date.now();
  while (run.active && !service.mustEnd(run.webhook, since)) {
    if (ended.length > 0) await saveOutcomes(run);
    if (Date.now() >= run.nextLook && line.size() < MAX_CLAIMED_CALLS) await claimMoreCalls(run);
    startCalls(run);
    if (line.size() === 0 && ended.length === 0 && running.size === 0) return;
    if (ended.length === 0) await waitForWork(run);
  }
  const calls = line.clear();
  await Promise.all(running);
  await saveOutcomes(run, calls);
}

function waitForWork(run: WebhookRun): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CHECK_INTERVAL_MS);
    run.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

async function claimMoreCalls(run: WebhookRun): Promise<void> {
  const { service, webhook, queue: line } = run;
  const { db, worker, leaseTime } = service;
  const calls = await claimCalls(db, webhook, { worker, leaseTime, limit: MAX_CLAIMED_CALLS });
  if (!calls) run.active = false;
  else run.misses = Math.max(run.misses, calls.misses);
  line.add(calls?.calls ?? []);
  run.nextLook = calls?.more ? 0 : Date.now() + CHECK_INTERVAL_MS;
}

function startCalls(run: WebhookRun): void {
  const { service, webhook, queue: line, ended, running } = run;
  const isFree = () =>
    run.misses < DOWN_AFTER_FAILURES ? service.canStart(webhook) : running.size + ended.length === 0;
  while (isFree()) {
    const call = line.next();
    if (!call) return;
    webhook.running++;
    const runningCall = service.call(call).then((outcome) => {
      webhook.running--;
      running.delete(runningCall);
      run.misses = outcome.response.error === null ? 0 : run.misses + 1;
      ended.push(outcome);
      run.wake();
    });
    running.add(runningCall);
  }
}

async function saveOutcomes(run: WebhookRun, calls: DueCall[] = []): Promise<void> {
  const { service, webhook, queue: line } = run;
  const attempts = run.ended.splice(0);
  if (attempts.length === 0 && calls.length === 0) return;
  const retries = attempts.filter(({ outcome }) => outcome.status === 'PENDING');
  const laterCalls = retries.flatMap(({ call, outcome }) =>
    line.putOff(call).map((item) => ({ call: item, wait: outcome.wait })),
  );
  const now = await recordCallOutcomes(
    service.db,
    webhook,
    { ended: attempts, behind: laterCalls, back: calls },
    service.restMs,
  );
  for (const { call, outcome } of attempts) if (outcome.status !== 'PENDING') line.ended(call);
  if (now?.status === 'AUTO_DISABLED' && run.active) service.disabled(webhook);
  if (now?.status !== 'ACTIVE' || now.rests) run.active = false;
}

/**
 * True if the webhook may start another call. A workspace's webhooks share its limit, and all webhooks share the
 * process's limit, but each webhook may always run one call.
 * @param all webhooks leased by the process, including this one
 */
export function canStartCall(webhook: ServedWebhook, all: readonly ServedWebhook[]): boolean {
  const siblings = all.filter((item) => item.workspace_id === webhook.workspace_id);
  if (webhook.running === 0) return true;
  const share = Math.min(
    limits.webhook.callsAtOnceOfWebhook,
    MAX_CONCURRENT_CALLS_PER_WORKSPACE / siblings.length,
    MAX_CONCURRENT_CALLS / all.length,
  );
  return (
    webhook.running + 1 <= share &&
    countRunningCalls(siblings) < MAX_CONCURRENT_CALLS_PER_WORKSPACE &&
    countRunningCalls(all) < MAX_CONCURRENT_CALLS
  );
}

const countRunningCalls = (webhooks: readonly ServedWebhook[]): number =>
  webhooks.reduce((all, webhook) => all + webhook.running, 0);
