import { randomUUID } from 'node:crypto';
import type { Pace } from '../../src/delivery/rate.ts';
import { createPace } from '../../src/delivery/rate.ts';
import type { Answer, Outcome, Outgoing, Transport } from '../../src/delivery/transport.ts';
import type { Runtime } from '../../src/engine/runtime.ts';
import { limits } from '../../src/limits.ts';
import { parseAddress } from '../../src/mail/address.ts';
import { ComposeError, compose } from '../../src/mail/compose.ts';
import { type ClaimedEmail, claim, expire, reap, type Settled, settle } from './claim.ts';
import { settledBy } from './settle.ts';

/** Sends waiting emails until it is stopped. */
export interface Delivery {
  wake(): void;
  /** Claims nothing more, lets running sends end and writes what became of them. */
  stop(): Promise<void>;
}

const POLL = 500;
const REAP = 5_000;
/** A send that would have to wait longer goes back to the queue instead of holding its lease. */
const LONGEST_WAIT = 10_000;

export function startDelivery(runtime: Runtime, transport: Transport): Delivery {
  const worker = randomUUID();
  const pace = createPace();
  const acks = createAcks(runtime, worker);
  let running = 0;
  let stopped = false;
  let lastServed = 0;
  let wakeUp = () => {};

  const idle = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function loop(): Promise<void> {
    while (!stopped) {
      try {
        await refresh(pace, transport, runtime);
        const free = Math.min(limits.sendsAtOnce - running, pace.remaining());
        // Claiming for a few slots at a time would cost a statement each; wait until a good part is free.
        const emails =
          free >= limits.sendsAtOnce / 4 || running === 0
            ? await claim(runtime.db, worker, Math.max(1, free), lastServed)
            : [];
        lastServed = emails.at(-1)?.workspace_id ?? 0;
        for (const email of emails) start(email);
        if (emails.length === 0) await idle(POLL);
      } catch (error) {
        runtime.log.warn({ err: error }, 'delivery pauses');
        await idle(POLL * 2);
      }
    }
  }

  function start(email: ClaimedEmail): void {
    running++;
    deliverOne(email, transport, pace)
      .then((outcome) => {
        runtime.metrics.sent.inc({ outcome: outcome.kind });
        return acks.add(settledBy(email, outcome, transport.name));
      })
      .catch((error) =>
        runtime.log.error({ err: error, email: email.public_id }, 'an email could not be settled'),
      )
      .finally(() => {
        running--;
        wakeUp();
      });
  }

  const reaper = setInterval(() => {
    reap(runtime.db, transport.name === 'local')
      .then(() => expire(runtime.db))
      .catch((error) => runtime.log.warn({ err: error }, 'the reaper pauses'));
  }, REAP);
  const main = loop();

  return {
    wake: () => wakeUp(),
    async stop() {
      stopped = true;
      clearInterval(reaper);
      wakeUp();
      await main;
      const end = Date.now() + limits.drainTime;
      while (running > 0 && Date.now() < end) await idle(20);
      await acks.flushed();
      await transport.close();
    },
  };
}

async function refresh(pace: Pace, transport: Transport, runtime: Runtime): Promise<void> {
  if (!pace.due()) return;
  try {
    pace.update(await transport.limits());
  } catch (error) {
    runtime.log.warn({ err: error }, "the provider's limits could not be read");
    pace.throttled('unreachable', 5_000);
  }
}

/** Composes, waits for its turn and sends. */
async function deliverOne(email: ClaimedEmail, transport: Transport, pace: Pace): Promise<Outcome> {
  const message = outgoing(email);
  if ('kind' in message) return message;
  const count = message.recipients.length;
  const admission = pace.admit(count);
  if ('blockedMs' in admission) {
    return {
      kind: 'throttled',
      scope: 'daily',
      retryAfterMs: admission.blockedMs,
      reason: "The provider's daily quota is used up.",
    };
  }
  if (admission.waitMs > LONGEST_WAIT) {
    pace.release(count);
    return {
      kind: 'throttled',
      scope: 'rate',
      retryAfterMs: admission.waitMs,
      reason: "Waiting for the provider's rate.",
    };
  }
  if (admission.waitMs > 0) await new Promise((resolve) => setTimeout(resolve, admission.waitMs));
  const outcome = await transport.send(message);
  if (outcome.kind === 'throttled') pace.throttled(outcome.scope, outcome.retryAfterMs);
  return outcome;
}

function outgoing(email: ClaimedEmail): Outgoing | Answer {
  try {
    const from = parseAddress(email.from)!.address;
    const recipients = [...email.to, ...email.cc, ...email.bcc].map((text) => parseAddress(text)!.address);
    const raw = compose({
      emailId: email.public_id,
      messageId: `${email.public_id}@${from.split('@')[1]}`,
      date: new Date(email.created),
      from: email.from,
      to: email.to,
      cc: email.cc,
      replyTo: email.reply_to,
      subject: email.subject,
      text: email.text,
      html: email.html,
      headers: email.headers,
      attachments: email.attachments,
      inReplyTo: email.in_reply_to,
    });
    return {
      emailId: email.public_id,
      from,
      recipients,
      raw,
      tags: { workspace: String(email.workspace_id) },
    };
  } catch (error) {
    // Nothing has left yet, so this is a definite no; a row that cannot be composed must not be claimed for ever.
    const reason =
      error instanceof ComposeError ? error.message : `It could not be composed: ${(error as Error).message}`;
    return { kind: 'refused', code: 'compose', reason };
  }
}

/** Collects what became of emails and writes it together: while one statement runs, the next ones gather. */
function createAcks(runtime: Runtime, worker: string) {
  let waiting: Settled[] = [];
  let flushing: Promise<void> | null = null;

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await settleSurely(batch);
    }
    flushing = null;
  }

  /** The provider has answered; that must not get lost because the database is away for a moment. */
  async function settleSurely(batch: Settled[]): Promise<void> {
    const end = Date.now() + limits.leaseTime;
    for (;;) {
      try {
        return await settle(runtime.db, worker, batch);
      } catch (error) {
        if (Date.now() > end) throw error;
        runtime.log.warn({ err: error }, 'outcomes are written again');
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    }
  }

  return {
    add(settled: Settled): Promise<void> {
      waiting.push(settled);
      flushing ??= flush();
      return flushing;
    },
    flushed: async () => {
      await flushing;
    },
  };
}
