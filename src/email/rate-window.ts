import { type Clock, realClock } from '../loop/clock.ts';

/**
 * Enforces a provider's limit as the provider counts it: arrivals in any one second. A token bucket decides when
 * messages are due. The window applies when they are sent, regardless of late timers, process pauses and bursts.
 */
interface RateWindow {
  /**
   * Waits until there is capacity for `n` more recipients. Callers are served in order.
   * @returns a function to call when the provider has responded
   * @throws the signal's reason
   */
  waitForSlot(n: number, signal?: AbortSignal): Promise<() => void>;
  countWaiting(): number;
  /** Sets the arrivals per second. Infinity for no limit. */
  update(perSecond: number): void;
  pause(ms: number): void;
  /** Returns the smallest recent latency, which is the provider's base latency. */
  getMinLatencyMs(): number;
}

const SECOND_MS = 1000;

/** Latency above the minimum after which a message counts as arrived, even without a response. */
const MAX_EXTRA_LATENCY_MS = 1000;

interface WindowSlot {
  n: number;
  /** Clock time when the slot becomes free. */
  free: number;
}

export function createRateWindow({ now, sleep }: Clock = realClock): RateWindow {
  let maxPerSecond = Infinity;
  let slots: WindowSlot[] = [];
  let used = 0;
  let waitingCount = 0;
  let closedUntil = 0;
  let last: Promise<unknown> = Promise.resolve();
  const ways = createLatencyTracker();

  /** Returns the milliseconds until there is capacity for `n` recipients, or until the next check. */
  function wait(n: number): number {
    const time = now();
    if (closedUntil > time) return closedUntil - time;
    while (slots.length > 0 && slots[0]!.free <= time) used -= slots.shift()!.n;
    if (used + n > maxPerSecond) removeExpiredSlots(time);
    // A message with more recipients than the limit per second is sent alone.
    return used === 0 || used + n <= maxPerSecond ? 0 : Math.min(...slots.map(({ free }) => free)) - time;
  }

  /** Frees expired slots, even behind one that has not expired. */
  function removeExpiredSlots(time: number): void {
    slots = slots.filter((slot) => slot.free > time);
    used = slots.reduce((sum, slot) => sum + slot.n, 0);
  }

  /** Occupies a slot until one second after the latest possible arrival, which is unknown until the response. */
  function occupySlot(n: number): () => void {
    const start = now();
    const place = { n, free: start + SECOND_MS + MAX_EXTRA_LATENCY_MS };
    if (maxPerSecond !== Infinity) {
      slots.push(place);
      used += n;
    }
    return () => {
      place.free = Math.min(place.free, start + SECOND_MS + ways.add(now() - start));
    };
  }

  async function waitForTurn(n: number, before: Promise<unknown>, signal?: AbortSignal): Promise<() => void> {
    await before;
    for (let ms = wait(n); ms > 0; ms = wait(n)) await sleep(Math.ceil(ms), signal);
    return occupySlot(n);
  }

  return {
    async waitForSlot(n, signal) {
      if (waitingCount === 0 && wait(n) <= 0) return occupySlot(n);
      waitingCount += n;
      const turn = waitForTurn(n, last, signal);
      last = turn.catch(() => undefined);
      return turn.finally(() => {
        waitingCount -= n;
      });
    },
    countWaiting: () => waitingCount,
    update(perSecond) {
      maxPerSecond = perSecond === Infinity ? Infinity : Math.max(1, Math.floor(perSecond));
    },
    pause(ms) {
      closedUntil = Math.max(closedUntil, now() + ms);
    },
    getMinLatencyMs: ways.quickest,
  };
}

/**
 * Estimates when messages arrive. Latency common to all messages shifts every second equally. Extra latency may precede
 * the arrival, so a provider with uneven latency is used slightly below its limit.
 */
function createLatencyTracker() {
  /** Decay of the minimum. A slower provider is detected after about ten thousand responses. */
  const DECAY_FACTOR = 1.000_05;
  /** The first messages also wait for connections and credentials, so their latency is not representative. */
  const WARM_UP_RESULTS = 100;
  let quickest = Infinity;
  let results = 0;
  return {
    quickest: () => (quickest === Infinity ? 0 : quickest),
    /** @returns the latency above the minimum, during which the message may not have arrived */
    add(ms: number): number {
      quickest = Math.min(ms, quickest * DECAY_FACTOR);
      const common = results++ < WARM_UP_RESULTS ? 0 : quickest;
      return Math.min(ms - common + 1, MAX_EXTRA_LATENCY_MS);
    },
  };
}
