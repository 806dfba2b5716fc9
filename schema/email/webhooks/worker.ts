import { randomUUID } from 'node:crypto';
import { decryptIfPrefixed } from '../../../src/encryption.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createFailureGuard, type FailureGuard, findDueWorkspaces } from '../../../src/engine/work/due.ts';
import {
  createWorkerHeartbeat,
  HEARTBEAT_INTERVAL_MS,
  type WorkerHeartbeat,
} from '../../../src/engine/work/worker-heartbeat.ts';
import { limits } from '../../../src/limits.ts';
import { realClock } from '../../../src/loop/clock.ts';
import { createSleeper, type Sleeper } from '../../../src/loop/sleeper.ts';
import { WEBHOOK_QUEUE } from '../state/webhook-calls.ts';
import {
  claimWebhooks,
  type DueCall,
  type LeasedWebhook,
  releaseDeadWorkers,
  releaseUnknownLeases,
} from './claim.ts';
import { WEBHOOK_ATTEMPTS } from './metrics.ts';
import { computeCallOutcome, FIRST_RETRY_PAUSE_MS, type FinishedAttempt } from './outcome.ts';
import { buildEmailData, buildMailboxData, PAYLOAD_VERSION } from './payload.ts';
import { postWebhook, type WebhookResponse } from './post-webhook.ts';
import { canStartCall, type ServedWebhook, serveWebhook, type WebhookHost } from './serve-webhook.ts';
import { buildSignedHeaders } from './sign.ts';
import { UNREADABLE_SECRET } from './webhook-secret.ts';

const MAX_CONCURRENT_WEBHOOKS_PER_WORKSPACE = 10;
const WEBHOOK_LEASE_MS = 60_000;

/** Calls webhooks until it is stopped. Any number of processes can do so concurrently. */
export interface WebhookWorker {
  wake(): void;
  /** Starts no more calls and waits for running ones. Never rejects. */
  stop(): Promise<void>;
}

export interface WebhookOptions {
  /** Milliseconds. Must be longer than a call. */
  leaseTime?: number;
  /** Milliseconds before the first retry. */
  pause?: number;
}

interface WebhookWork extends Required<WebhookOptions> {
  runtime: Runtime;
  worker: string;
  heart: WorkerHeartbeat;
  ended: AbortController;
  served: Map<Promise<void>, ServedWebhook>;
  /** Workspaces whose claim response was lost, with the Unix time in milliseconds of the last check. */
  lostLeases: Map<number, number>;
  guard: FailureGuard;
  stopping: boolean;
  sleeper: Sleeper;
}

const POLL_INTERVAL_MS = 500;
/** Milliseconds after which a webhook yields to others. */
const SERVE_TIME_MS = 2_000;
/** Milliseconds that a claim may still run in the database after its connection broke. */
const MAX_LATE_CLAIM_MS = 5_000;

export function startWebhookWorker(runtime: Runtime, options: WebhookOptions = {}): WebhookWorker {
  const worker = randomUUID();
  const state: WebhookWork = {
    runtime,
    worker,
    heart: createWorkerHeartbeat(runtime.db, worker, 'webhook', Date.now),
    ended: new AbortController(),
    leaseTime: WEBHOOK_LEASE_MS,
    pause: FIRST_RETRY_PAUSE_MS,
    served: new Map(),
    lostLeases: new Map(),
    guard: createFailureGuard(runtime.log, WEBHOOK_QUEUE),
    stopping: false,
    sleeper: createSleeper(),
    ...options,
  };
  const loops = Promise.all([serve(state), sendHeartbeats(state)]);
  return {
    wake: state.sleeper.wake,
    async stop() {
      state.stopping = true;
      state.sleeper.wake();
      state.ended.abort();
      await loops;
      await Promise.all(state.served.keys());
      await state.heart.end().catch(() => undefined);
    },
  };
}

async function sendHeartbeats({ runtime, heart, ended }: WebhookWork): Promise<void> {
  while (!ended.signal.aborted) {
    try {
      const { dead } = await heart.send();
      if (dead.length > 0) {
        await releaseDeadWorkers(runtime.db, dead);
        await heart.removeDead(dead);
      }
    } catch (error) {
      runtime.log.debug({ err: error }, 'could not record the heartbeat of the webhook worker');
    }
    await realClock.sleep(HEARTBEAT_INTERVAL_MS, ended.signal).catch(() => undefined);
  }
}

async function serve(state: WebhookWork): Promise<void> {
  const { runtime, sleeper } = state;
  while (!state.stopping) {
    try {
      await releaseLostWebhooks(state);
      if ((await claimDueWebhooks(state)) === 0) await sleeper.sleep(POLL_INTERVAL_MS);
    } catch (error) {
      runtime.log.warn({ err: error }, 'webhook delivery paused after an error');
      await sleeper.sleep(POLL_INTERVAL_MS * 2);
    }
  }
}

/** Releases webhooks that are leased to this worker in the database but that it never received. */
async function releaseLostWebhooks({
  runtime,
  worker,
  served: servedWebhooks,
  lostLeases,
  guard,
}: WebhookWork): Promise<void> {
  for (const [workspaceId, end] of lostLeases) {
    const servedIds = [...servedWebhooks.values()].flatMap((item) =>
      item.workspace_id === workspaceId ? [item.id] : [],
    );
    const isReleased = await guard.run(workspaceId, () =>
      releaseUnknownLeases(runtime.db, workspaceId, worker, servedIds).then(() => true),
    );
    if (isReleased && Date.now() >= end) lostLeases.delete(workspaceId);
  }
}

/**
 * Claims a few webhooks from each workspace, starting with the workspaces that have waited longest, so that one
 * workspace's slow endpoints cannot occupy all slots.
 * @returns the number of claimed webhooks
 */
async function claimDueWebhooks(state: WebhookWork): Promise<number> {
  const { runtime, worker, leaseTime, served: servedWebhooks, guard } = state;
  const free = () => limits.webhook.atOnce - servedWebhooks.size;
  if (free() <= 0) return 0;
  let claimedCount = 0;
  const excludedWorkspaces = [...guard.resting(), ...getFullWorkspaces(state)];
  const dueWebhooks = await findDueWorkspaces(runtime.db, WEBHOOK_QUEUE, free(), excludedWorkspaces);
  for (const due of dueWebhooks) {
    const count = Math.min(
      free(),
      MAX_CONCURRENT_WEBHOOKS_PER_WORKSPACE - countServed(state, due.workspace_id),
    );
    if (count <= 0) break;
    const webhooks = await guard.run(due.workspace_id, () =>
      claimWebhooks(runtime.db, due, { limit: count, worker, leaseTime }),
    );
    if (!webhooks) recordLostLease(state, due.workspace_id);
    for (const webhook of webhooks ?? []) startServing(state, webhook);
    claimedCount += webhooks?.length ?? 0;
  }
  return claimedCount;
}

const recordLostLease = ({ lostLeases }: WebhookWork, workspaceId: number) =>
  lostLeases.set(workspaceId, Date.now() + MAX_LATE_CLAIM_MS);

const countServed = ({ served: leasedWebhooks }: WebhookWork, workspaceId: number): number =>
  [...leasedWebhooks.values()].filter((leasedWebhook) => leasedWebhook.workspace_id === workspaceId).length;

const getFullWorkspaces = ({ served: leasedWebhooks }: WebhookWork): number[] =>
  [...Map.groupBy(leasedWebhooks.values(), ({ workspace_id }) => workspace_id)].flatMap(
    ([workspaceId, webhooks]) =>
      webhooks.length >= MAX_CONCURRENT_WEBHOOKS_PER_WORKSPACE ? [workspaceId] : [],
  );

function startServing(state: WebhookWork, leasedWebhook: LeasedWebhook): void {
  const webhook: ServedWebhook = { ...leasedWebhook, running: 0 };
  const pendingCall = serveWebhook(buildWebhookHost(state), webhook)
    .catch((error) => {
      if (isConnectionError(error)) recordLostLease(state, webhook.workspace_id);
      state.runtime.log.warn({ err: error, webhook: webhook.id }, 'could not process a webhook; retrying');
    })
    .finally(() => {
      state.served.delete(pendingCall);
      state.sleeper.wake();
    });
  state.served.set(pendingCall, webhook);
}

function buildWebhookHost(state: WebhookWork): WebhookHost {
  const { runtime, worker, leaseTime, pause, served: leasedWebhooks } = state;
  const othersWait = (workspaceId: number): boolean =>
    leasedWebhooks.size >= limits.webhook.atOnce || getFullWorkspaces(state).includes(workspaceId);
  return {
    db: runtime.db,
    worker,
    leaseTime,
    restMs: pause,
    call: (call) => attemptCall(state, call),
    canStart: (webhook) => canStartCall(webhook, [...leasedWebhooks.values()]),
    mustEnd: (webhook, since) =>
      state.stopping || (Date.now() - since > SERVE_TIME_MS && othersWait(webhook.workspace_id)),
    disabled: ({ workspace_id: workspace, id: webhook }) =>
      runtime.log.warn(
        { workspace, webhook },
        'disabled a webhook: its endpoint is gone, or calls failed repeatedly',
      ),
  };
}

/** True if the connection broke or the database shut down, which leaves the statement's outcome unknown. */
const isConnectionError = (error: { code?: string }): boolean =>
  !/^(?!57P)[0-9A-Z]{5}$/.test(error.code ?? '');

async function attemptCall({ runtime, pause }: WebhookWork, call: DueCall): Promise<FinishedAttempt> {
  const attempt = call.attempt + 1;
  const payload = {
    id: call.public_id,
    type: call.type,
    version: PAYLOAD_VERSION,
    createdAt: call.created,
    teamId: call.workspace_id,
    data: call.payload?.data ?? buildCallData(call),
    attempt,
  };
  const body = JSON.stringify(payload);
  const response = await postSignedCall(runtime, call, attempt, body);
  const outcome = computeCallOutcome(attempt, response, pause);
  WEBHOOK_ATTEMPTS.inc({ outcome: outcome.status.toLowerCase() });
  return { call, body, response, outcome };
}

const buildCallData = ({ type, email, data }: DueCall): object | null => {
  if (!email) return data;
  return type.startsWith('mail.') ? buildMailboxData(email) : buildEmailData(email);
};

function postSignedCall(
  { config }: Runtime,
  call: DueCall,
  attempt: number,
  body: string,
): Promise<WebhookResponse> {
  const secret = decryptIfPrefixed(config.secretKey, call.secret);
  if (secret === null)
    return Promise.resolve({ status: null, text: null, ms: 0, retryAfterMs: null, error: UNREADABLE_SECRET });
  const oldSecret = call.old_secret && decryptIfPrefixed(config.secretKey, call.old_secret);
  const signedCall = { type: call.type, callId: call.public_id, attempt, secret, oldSecret };
  const reach = { allowPrivate: config.webhookAllowPrivate, dnsServers: config.dnsServers };
  return postWebhook(call.url, buildSignedHeaders(signedCall, body, Date.now()), body, reach);
}
