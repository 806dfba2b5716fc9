import { type Clock, realClock } from './clock.ts';

/**
 * A provider's limit as the provider counts it: no second in which more arrive. A bucket paces when messages are due;
 * this holds at the moment they leave, whatever timers, pauses of the process or a burst after one made of that.
 */
export interface Window {
  /**
   * Waits, first come first served, until `n` more may leave. What it gives is called when the provider has answered.
   * @throws the signal's reason
   */
  enter(n: number, signal?: AbortSignal): Promise<() => void>;
  /** Recipients that wait to leave. */
  waiting(): number;
  /** A new number of arrivals in a second; Infinity for no limit. */
  update(perSecond: number): void;
  /** Nothing may leave for `ms` from now. */
  pause(ms: number): void;
  /** Milliseconds of the quickest of late answers: how slow the provider is by itself. */
  quickest(): number;
}

const SECOND = 1000;

/**
 * Milliseconds a message may be on its way longer than the quickest; after that it is taken for arrived, answered or
 * not.
 */
const LATEST = 1000;

interface Place {
  n: number;
  /** When it is free, by the clock. */
  free: number;
}

export function createWindow({ now, sleep }: Clock = realClock): Window {
  let most = Infinity;
  let places: Place[] = [];
  let used = 0;
  let waiting = 0;
  let closedUntil = 0;
  let last: Promise<unknown> = Promise.resolve();
  const ways = createWays();

  /** Milliseconds until `n` may leave, or until it is worth asking again. */
  function wait(n: number): number {
    const time = now();
    if (closedUntil > time) return closedUntil - time;
    while (places.length > 0 && places[0]!.free <= time) used -= places.shift()!.n;
    if (used + n > most) clear(time);
    // More at once than a second allows leave alone.
    return used === 0 || used + n <= most ? 0 : Math.min(...places.map(({ free }) => free)) - time;
  }

  /** A slow one does not block those behind it. */
  function clear(time: number): void {
    places = places.filter((place) => place.free > time);
    used = places.reduce((sum, place) => sum + place.n, 0);
  }

  /** A second after it has arrived at the latest; until it is answered, that is as late as can be. */
  function take(n: number): () => void {
    const left = now();
    const place = { n, free: left + SECOND + LATEST };
    if (most !== Infinity) {
      places.push(place);
      used += n;
    }
    return () => {
      place.free = Math.min(place.free, left + SECOND + ways.add(now() - left));
    };
  }

  async function turn(n: number, before: Promise<unknown>, signal?: AbortSignal): Promise<() => void> {
    await before;
    for (let ms = wait(n); ms > 0; ms = wait(n)) await sleep(Math.ceil(ms), signal);
    return take(n);
  }

  return {
    async enter(n, signal) {
      if (waiting === 0 && wait(n) <= 0) return take(n);
      waiting += n;
      const mine = turn(n, last, signal);
      last = mine.catch(() => undefined);
      return mine.finally(() => {
        waiting -= n;
      });
    },
    waiting: () => waiting,
    update(perSecond) {
      most = perSecond === Infinity ? Infinity : Math.max(1, Math.floor(perSecond));
    },
    pause(ms) {
      closedUntil = Math.max(closedUntil, now() + ms);
    },
    quickest: ways.quickest,
  };
}

/**
 * How long messages are on their way. That part of it which all have in common moves all seconds alike; what one takes
 * longer may be time in which it had not arrived yet. So an uneven provider is sent to a little less than it allows.
 */
function createWays() {
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
      return Math.min(ms - common + 1, LATEST);
    },
  };
}
