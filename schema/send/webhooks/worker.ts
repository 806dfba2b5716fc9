import { randomUUID } from 'node:crypto';
import { realClock } from '../../../src/delivery/clock.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { findDue } from '../../../src/engine/work/due.ts';
import {
  createWorkerHeartbeat,
  HEARTBEAT_INTERVAL_MS,
  type WorkerHeartbeat,
} from '../../../src/engine/work/workers.ts';
import { limits } from '../../../src/limits.ts';
import { decryptIfPrefixed } from '../../../src/seal.ts';
import { createSleeper, type Sleeper } from '../kit/sleeper.ts';
import { WEBHOOK } from '../state/webhook-calls.ts';
import { claimWebhooks, type DueCall, type HeldWebhook, releaseDead, releaseUnknown } from './claim.ts';
import { CALLS_MADE } from './figures.ts';
import { type AttemptEnd, fateOf } from './outcome.ts';
import { emailData, mailData, PAYLOAD_VERSION } from './payload.ts';
import { post, type WebhookAnswer } from './post.ts';
import { mayBegin, type Served, type Service, serveWebhook } from './serve-webhook.ts';
import { signedHeaders } from './sign.ts';
import { UNREADABLE } from './webhook-secret.ts';

/** Calls webhooks until it is stopped. Any number of processes may do so together. */
export interface Webhooks {
  wake(): void;
  /** Begins no more calls and lets running ones end. Never rejects. */
  stop(): Promise<void>;
}

export interface WebhookOptions {
  /** Milliseconds for which a worker that says nothing is believed to be alive; longer than a call takes. */
  leaseTime?: number;
  /** Milliseconds until the second attempt. */
  pause?: number;
}

/** What the parts of one worker share. */
interface Work extends Required<WebhookOptions> {
  runtime: Runtime;
  worker: string;
  heart: WorkerHeartbeat;
  ended: AbortController;
  /** The running ones. */
  held: Map<Promise<void>, Served>;
  /** Workspaces of which the answer to a claim was lost, and when they are looked at for the last time. */
  lost: Map<number, number>;
  stopping: boolean;
  sleeper: Sleeper;
}

const POLL = 500;
/** Milliseconds that a webhook is served before others that wait for a place get their turn. */
const TURN = 2_000;
/** Milliseconds for which a claim may still run in the database after its connection has broken. */
const AFTERMATH = 5_000;

export function startWebhooks(runtime: Runtime, options: WebhookOptions = {}): Webhooks {
  const worker = randomUUID();
  const work: Work = {
    runtime,
    worker,
    heart: createWorkerHeartbeat(runtime.db, worker, 'webhook', Date.now),
    ended: new AbortController(),
    leaseTime: limits.webhook.lease,
    pause: limits.webhook.pause,
    held: new Map(),
    lost: new Map(),
    stopping: false,
    sleeper: createSleeper(),
    ...options,
  };
  const running = Promise.all([serve(work), live(work)]);
  return {
    wake: work.sleeper.wake,
    async stop() {
      work.stopping = true;
      work.sleeper.wake();
      work.ended.abort();
      await running;
      await Promise.all(work.held.keys());
      await work.heart.end().catch(() => undefined);
    },
  };
}

/** Says that this worker lives, and frees what dead ones held. */
async function live({ runtime, heart, ended }: Work): Promise<void> {
  while (!ended.signal.aborted) {
    try {
      const { dead } = await heart.send();
      if (dead.length > 0) {
        await releaseDead(runtime.db, dead);
        await heart.removeDead(dead);
      }
    } catch (error) {
      runtime.log.debug({ err: error }, 'could not say that the worker of webhooks lives');
    }
    await realClock.sleep(HEARTBEAT_INTERVAL_MS, ended.signal).catch(() => undefined);
  }
}

async function serve(work: Work): Promise<void> {
  const { runtime, sleeper } = work;
  while (!work.stopping) {
    try {
      await releaseLost(work);
      if ((await claimDue(work)) === 0) await sleeper.sleep(POLL);
    } catch (error) {
      runtime.log.warn({ err: error }, 'webhook delivery paused after an error');
      await sleeper.sleep(POLL * 2);
    }
  }
}

/** What the database has claimed for this worker without it having heard of it; all that it has heard of is held. */
async function releaseLost({ runtime, worker, held, lost }: Work): Promise<void> {
  for (const [workspaceId, until] of lost) {
    const known = [...held.values()].flatMap((each) => (each.workspace_id === workspaceId ? [each.id] : []));
    await releaseUnknown(runtime.db, workspaceId, worker, known);
    if (Date.now() >= until) lost.delete(workspaceId);
  }
}

/**
 * A few webhooks of each workspace that has waited longest, so that the slow endpoints of one workspace do not take
 * every place. @returns how many
 */
async function claimDue(work: Work): Promise<number> {
  const { runtime, worker, leaseTime, held } = work;
  const free = () => limits.webhook.atOnce - held.size;
  if (free() <= 0) return 0;
  let claimed = 0;
  for (const due of await findDue(runtime.db, WEBHOOK, free(), fullOf(work))) {
    const most = Math.min(free(), limits.webhook.atOnceOfOne - countOf(work, due.workspace_id));
    if (most <= 0) break;
    const webhooks = await claimWebhooks(runtime.db, due, { most, worker, leaseTime }).catch((error) => {
      noteLost(work, due.workspace_id);
      throw error;
    });
    for (const webhook of webhooks) hold(work, webhook);
    claimed += webhooks.length;
  }
  return claimed;
}

const noteLost = ({ lost }: Work, workspaceId: number) => lost.set(workspaceId, Date.now() + AFTERMATH);

const countOf = ({ held }: Work, workspaceId: number): number =>
  [...held.values()].filter((each) => each.workspace_id === workspaceId).length;

/** Workspaces of which as many webhooks are called now as may be. */
const fullOf = ({ held }: Work): number[] =>
  [...Map.groupBy(held.values(), ({ workspace_id }) => workspace_id)].flatMap(([workspaceId, all]) =>
    all.length >= limits.webhook.atOnceOfOne ? [workspaceId] : [],
  );

function hold(work: Work, held: HeldWebhook): void {
  const webhook: Served = { ...held, running: 0 };
  const running = serveWebhook(serviceOf(work), webhook)
    .catch((error) => {
      if (isCut(error)) noteLost(work, webhook.workspace_id);
      work.runtime.log.warn({ err: error, webhook: webhook.id }, 'could not process a webhook; retrying');
    })
    .finally(() => {
      work.held.delete(running);
      work.sleeper.wake();
    });
  work.held.set(running, webhook);
}

function serviceOf(work: Work): Service {
  const { runtime, worker, leaseTime, pause, held } = work;
  const othersWait = (workspaceId: number): boolean =>
    held.size >= limits.webhook.atOnce || fullOf(work).includes(workspaceId);
  return {
    db: runtime.db,
    worker,
    leaseTime,
    pause,
    call: (call) => callOnce(work, call),
    mayBegin: (webhook) => mayBegin(webhook, [...held.values()]),
    mustEnd: (webhook, since) =>
      work.stopping || (Date.now() - since > TURN && othersWait(webhook.workspace_id)),
    disabled: ({ workspace_id: workspace, id: webhook }) =>
      runtime.log.warn(
        { workspace, webhook },
        'disabled a webhook: its endpoint is gone, or calls failed repeatedly',
      ),
  };
}

/** Whether the connection broke, as it does when the database ends, so that the outcome of a statement is not known. */
const isCut = (error: { code?: string }): boolean => !/^(?!57P)[0-9A-Z]{5}$/.test(error.code ?? '');

async function callOnce({ runtime, pause }: Work, call: DueCall): Promise<AttemptEnd> {
  const attempt = call.attempt + 1;
  const payload = {
    id: call.public_id,
    type: call.type,
    version: PAYLOAD_VERSION,
    createdAt: call.created,
    teamId: call.workspace_id,
    data: call.payload?.data ?? dataOf(call),
    attempt,
  };
  const body = JSON.stringify(payload);
  const answer = await postSigned(runtime, call, attempt, body);
  const fate = fateOf(attempt, answer, pause);
  CALLS_MADE.inc({ outcome: fate.status.toLowerCase() });
  return { call, body, answer, fate };
}

const dataOf = ({ type, email, data }: DueCall): object | null => {
  if (!email) return data;
  return type.startsWith('mail.') ? mailData(email) : emailData(email);
};

function postSigned(
  { config }: Runtime,
  call: DueCall,
  attempt: number,
  body: string,
): Promise<WebhookAnswer> {
  const secret = decryptIfPrefixed(config.secretKey, call.secret);
  if (secret === null)
    return Promise.resolve({ status: null, text: null, ms: 0, retryAfterMs: null, error: UNREADABLE });
  const oldSecret = call.old_secret && decryptIfPrefixed(config.secretKey, call.old_secret);
  const signed = { type: call.type, callId: call.public_id, attempt, secret, oldSecret };
  const reach = { allowPrivate: config.webhookAllowPrivate, dnsServers: config.dnsServers };
  return post(call.url, signedHeaders(signed, body, Date.now()), body, reach);
}
