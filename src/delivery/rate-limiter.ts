import { type Clock, realClock } from './clock.ts';
import { createRateWindow } from './rate-window.ts';
import type { ProviderLimits, ThrottledResult } from './transport.ts';

export interface TokenBucket {
  /** Takes `n` tokens at once and returns the milliseconds to wait before using them. */
  take(n: number): number;
  /** Gives `n` tokens back that were taken and not used. */
  giveBack(n: number): void;
  /** Tokens that can be taken now without a wait of more than `ms` for the last of them. */
  getCapacity(ms: number): number;
  /** A new rate for the tokens to come; what is owed stays owed. */
  update(perSecond: number): void;
  /** Nothing may leave for `ms` from now; for a provider's own "slow down". */
  pause(ms: number): void;
}

/**
 * A token bucket with debt: a taker learns how long to wait instead of being refused, so many takers
 * keep the exact rate between them and late timers lose nothing. `burst` is how many tokens an idle bucket
 * holds; a tenth of a second's worth keeps any one-second window within 1.1 x the rate.
 */
export function createTokenBucket(
  options: { perSecond: number; burst?: number },
  { now }: Pick<Clock, 'now'> = realClock,
): TokenBucket {
  let rate = toPositiveRate(options.perSecond);
  const burst = () => options.burst ?? Math.max(1, rate / 10);
  let tokens = burst();
  let at = now();
  let closedUntil = 0;
  const refill = () => {
    const time = now();
    // Infinity x 0 is not a number: an unlimited bucket is simply always full.
    tokens = rate === Infinity ? burst() : Math.min(burst(), tokens + (Math.max(0, time - at) / 1000) * rate);
    at = time;
    return time;
  };
  return {
    take(n) {
      const time = refill();
      if (rate !== Infinity) tokens -= n;
      const owed = tokens < 0 ? (-tokens / rate) * 1000 : 0;
      return Math.ceil(Math.max(owed, closedUntil - time, 0));
    },
    giveBack(n) {
      refill();
      tokens = Math.min(burst(), tokens + n);
    },
    getCapacity(ms) {
      const time = refill();
      if (closedUntil - time > ms) return 0;
      return rate === Infinity ? Infinity : Math.max(0, tokens + (rate * ms) / 1000);
    },
    update(perSecond) {
      refill();
      rate = toPositiveRate(perSecond);
      tokens = Math.min(tokens, burst());
    },
    pause(ms) {
      closedUntil = Math.max(closedUntil, now() + ms);
    },
  };
}

export type RateReservation = { waitMs: number } | { blockedMs: number; scope: 'daily' };

export interface RateLimiter {
  /** Asks for room for `recipients`: how long to wait before sending, or how long the daily quota blocks. */
  reserve(recipients: number): RateReservation;
  /**
   * The last step before sending: waits until the second has room. What it gives is called when the provider has
   * answered.
   * @throws the signal's reason
   */
  waitForSlot(recipients: number, signal?: AbortSignal): Promise<() => void>;
  /** Undoes an admission that was not used. */
  release(recipients: number): void;
  /** Recipients left of the daily quota; Infinity without one. */
  remaining(): number;
  /** Recipients that can be sent to within `ms`, as far as the provider's limits go. */
  getCapacity(ms: number): number;
  /** Sends that must run at the same time for the rate to be used, as quick as the provider answers. */
  atOnce(): number;
  /** How many processes use the provider at this time: each takes its part of the rate. */
  share(processes: number): void;
  /** What holds everything back for longer than a moment; null when nothing does. */
  blocked(): string | null;
  /** True when the provider should be asked for its limits again. */
  due(): boolean;
  /** Takes the provider's figures; null lifts every limit. */
  update(limits: ProviderLimits | null): void;
  /** The figures could not be had: the last ones stay, and the provider is asked again at the usual time. */
  postpone(): void;
  /**
   * The provider said no itself: `daily` empties the quota until the next figures, `rate`, `unreachable` and `account`
   * pause everything; the other scopes delay nothing here.
   */
  throttled(answer: Omit<ThrottledResult, 'kind'>): void;
}

/** Scopes of an answer that every other message would get as well. */
const GLOBAL_SCOPES: ReadonlySet<ThrottledResult['scope']> = new Set(['rate', 'unreachable', 'account']);

/** Part of the rate that is paced out: what is a little late in one second must fit into the next. */
const RATE_UTILIZATION = 0.995;

/** A second's worth of answers is not waited for at more than this rate: no provider takes more of one process. */
const MAX_WINDOWED_RATE = 2000;

/** Keeps a provider's two limits, both counted in recipients as SES counts them. Starts without limits, due at once. */
export function createRateLimiter(clock: Clock = realClock, refreshMs = 60_000): RateLimiter {
  const { now } = clock;
  const bucket = createTokenBucket({ perSecond: Infinity }, clock);
  const window = createRateWindow(clock);
  let rate = Infinity;
  let sharers = 1;
  let left = Infinity;
  let blockedUntil = 0;
  let away = { until: 0, reason: '' };
  let refreshAt = now();
  const apply = () => {
    bucket.update((rate / sharers) * RATE_UTILIZATION);
    window.update(rate / sharers);
  };
  return {
    reserve(recipients) {
      const blockedMs = blockedUntil - now();
      if (blockedMs > 0) return { blockedMs, scope: 'daily' };
      if (recipients > left) return { blockedMs: Math.max(1, refreshAt - now()), scope: 'daily' };
      left -= recipients;
      return { waitMs: bucket.take(recipients) };
    },
    waitForSlot: window.waitForSlot,
    release(recipients) {
      left += recipients;
      bucket.giveBack(recipients);
    },
    remaining: () => left,
    getCapacity: (ms) =>
      blockedUntil > now() ? 0 : Math.max(0, Math.min(left, bucket.getCapacity(ms) - window.countWaiting())),
    atOnce: () =>
      Math.ceil(((Math.min(rate / sharers, MAX_WINDOWED_RATE) * window.getMinLatencyMs()) / 1000) * 1.5),
    share(processes) {
      if (processes === sharers) return;
      sharers = processes;
      apply();
    },
    blocked() {
      if (away.until > now()) return away.reason;
      return left < 1 || blockedUntil > now() ? "The provider's daily quota is used up." : null;
    },
    due: () => now() >= refreshAt,
    update(limits) {
      refreshAt = now() + refreshMs;
      left = computeQuotaLeft(limits);
      rate = limits?.perSecond ?? Infinity;
      apply();
    },
    postpone() {
      refreshAt = now() + refreshMs;
    },
    throttled({ scope, retryAfterMs, reason }) {
      const until = now() + retryAfterMs;
      if (scope === 'daily') blockedUntil = Math.max(blockedUntil, until);
      if (!GLOBAL_SCOPES.has(scope)) return;
      bucket.pause(retryAfterMs);
      window.pause(retryAfterMs);
      if (scope === 'rate') return;
      away = { until, reason };
      refreshAt = Math.max(refreshAt, until);
    },
  };
}

/** What the provider's own count leaves; -1 means no quota. */
function computeQuotaLeft(limits: ProviderLimits | null): number {
  if (!limits || limits.perDay < 0) return Infinity;
  return Math.max(0, limits.perDay - limits.sentLast24h);
}

function toPositiveRate(perSecond: number): number {
  return perSecond > 0 ? perSecond : 1;
}
