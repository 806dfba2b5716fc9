import { type Clock, realClock } from './clock.ts';

/**
 * A provider's limit as the provider counts it: no second in which more arrive. A bucket paces when messages are due;
 * this holds at the moment they leave, whatever timers, pauses of the process or a burst after one made of that.
 */
export interface RateWindow {
  /**
   * Waits, first come first served, until `n` more may leave. What it gives is called when the provider has answered.
   * @throws the signal's reason
   */
  waitForSlot(n: number, signal?: AbortSignal): Promise<() => void>;
  /** Recipients that wait to leave. */
  countWaiting(): number;
  /** A new number of arrivals in a second; Infinity for no limit. */
  update(perSecond: number): void;
  /** Nothing may leave for `ms` from now. */
  pause(ms: number): void;
  /** Milliseconds of the quickest of late answers: how slow the provider is by itself. */
  getMinLatencyMs(): number;
}

const SECOND_MS = 1000;

/**
 * Milliseconds a message may be on its way longer than the quickest; after that it is taken for arrived, answered or
 * not.
 */
const MAX_EXTRA_LATENCY_MS = 1000;

interface WindowSlot {
  n: number;
  /** When it is free, by the clock. */
  free: number;
}

export function createRateWindow({ now, sleep }: Clock = realClock): RateWindow {
  let most = Infinity;
  let slots: WindowSlot[] = [];
  let used = 0;
  let waiting = 0;
  let closedUntil = 0;
  let last: Promise<unknown> = Promise.resolve();
  const ways = createLatencyTracker();

  /** Milliseconds until `n` may leave, or until it is worth asking again. */
  function wait(n: number): number {
    const time = now();
    if (closedUntil > time) return closedUntil - time;
    while (slots.length > 0 && slots[0]!.free <= time) used -= slots.shift()!.n;
    if (used + n > most) clear(time);
    // More at once than a second allows leave alone.
    return used === 0 || used + n <= most ? 0 : Math.min(...slots.map(({ free }) => free)) - time;
  }

  /** A slow one does not block those behind it. */
  function clear(time: number): void {
    slots = slots.filter((place) => place.free > time);
    used = slots.reduce((sum, place) => sum + place.n, 0);
  }

  /** A second after it has arrived at the latest; until it is answered, that is as late as can be. */
  function takeSlot(n: number): () => void {
    const left = now();
    const place = { n, free: left + SECOND_MS + MAX_EXTRA_LATENCY_MS };
    if (most !== Infinity) {
      slots.push(place);
      used += n;
    }
    return () => {
      place.free = Math.min(place.free, left + SECOND_MS + ways.add(now() - left));
    };
  }

  async function waitForTurn(n: number, before: Promise<unknown>, signal?: AbortSignal): Promise<() => void> {
    await before;
    for (let ms = wait(n); ms > 0; ms = wait(n)) await sleep(Math.ceil(ms), signal);
    return takeSlot(n);
  }

  return {
    async waitForSlot(n, signal) {
      if (waiting === 0 && wait(n) <= 0) return takeSlot(n);
      waiting += n;
      const mine = waitForTurn(n, last, signal);
      last = mine.catch(() => undefined);
      return mine.finally(() => {
        waiting -= n;
      });
    },
    countWaiting: () => waiting,
    update(perSecond) {
      most = perSecond === Infinity ? Infinity : Math.max(1, Math.floor(perSecond));
    },
    pause(ms) {
      closedUntil = Math.max(closedUntil, now() + ms);
    },
    getMinLatencyMs: ways.quickest,
  };
}

/**
 * How long messages are on their way. That part of it which all have in common moves all seconds alike; what one takes
 * longer may be time in which it had not arrived yet. So an uneven provider is sent to a little less than it allows.
 */
function createLatencyTracker() {
  /** A provider that has become slower is known to be so after some ten thousand answers. */
  const FORGETS = 1.000_05;
  /** The first ones also wait for connections and credentials: their timings say nothing about the normal speed. */
  const WARM = 100;
  let quickest = Infinity;
  let answers = 0;
  return {
    quickest: () => (quickest === Infinity ? 0 : quickest),
    /** @returns for how much longer than the quickest the message may not have arrived */
    add(ms: number): number {
      quickest = Math.min(ms, quickest * FORGETS);
      const common = answers++ < WARM ? 0 : quickest;
      return Math.min(ms - common + 1, MAX_EXTRA_LATENCY_MS);
    },
  };
}
