import { type Clock, realClock } from '../loop/clock.ts';
import { createRateWindow } from './rate-window.ts';
import type { ProviderLimits, ThrottledResult } from './transport.ts';

interface TokenBucket {
  /** Takes `n` tokens at once and returns the milliseconds to wait before using them. */
  take(n: number): number;
  giveBack(n: number): void;
  /** Returns the number of tokens that are available now or become available within `ms`. */
  getCapacity(ms: number): number;
  /** Sets the rate of future tokens. Existing debt is kept. */
  update(perSecond: number): void;
  /** Blocks all tokens for `ms`, for example after throttling by the provider. */
  pause(ms: number): void;
}

/**
 * Creates a token bucket with debt: callers get a waiting time instead of a rejection, so that many callers together
 * keep the exact rate and late timers lose no capacity.
 * @param options `burst` is the capacity of an idle bucket; by default, tokens for a tenth of a second, which keeps
 * every one-second window within 1.1 times the rate
 */
export function createTokenBucket(
  options: { perSecond: number; burst?: number },
  { now }: Pick<Clock, 'now'> = realClock,
): TokenBucket {
  let rate = toPositiveRate(options.perSecond);
  const getBurst = () => options.burst ?? Math.max(1, rate / 10);
  let tokens = getBurst();
  let sendTime = now();
  let closedUntil = 0;
  const refill = () => {
    const time = now();
    // Infinity x 0 is NaN, so an unlimited bucket is always full.
    tokens =
      rate === Infinity
        ? getBurst()
        : Math.min(getBurst(), tokens + (Math.max(0, time - sendTime) / 1000) * rate);
    sendTime = time;
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
      tokens = Math.min(getBurst(), tokens + n);
    },
    getCapacity(ms) {
      const time = refill();
      if (closedUntil - time > ms) return 0;
      return rate === Infinity ? Infinity : Math.max(0, tokens + (rate * ms) / 1000);
    },
    update(perSecond) {
      refill();
      rate = toPositiveRate(perSecond);
      tokens = Math.min(tokens, getBurst());
    },
    pause(ms) {
      closedUntil = Math.max(closedUntil, now() + ms);
    },
  };
}

type RateReservation = { waitMs: number } | { blockedMs: number; scope: 'daily' };

export interface RateLimiter {
  /**
   * Reserves capacity for `recipients`. Returns the time to wait before sending, or the time until the daily quota
   * allows sending.
   */
  reserve(recipients: number): RateReservation;
  /**
   * Waits until the current second has capacity, as the last step before sending.
   * @returns a function to call when the provider has responded
   * @throws the signal's reason
   */
  waitForSlot(recipients: number, signal?: AbortSignal): Promise<() => void>;
  release(recipients: number): void;
  /** Infinity without a quota. */
  remaining(): number;
  getCapacity(ms: number): number;
  /** Returns the number of concurrent sends needed to use the whole rate at the provider's response time. */
  atOnce(): number;
  share(processes: number): void;
  /** Returns the reason why all sends are paused for longer, or null. */
  blocked(): string | null;
  due(): boolean;
  /** Null removes all limits. */
  update(limits: ProviderLimits | null): void;
  /** Keeps the limits after a failed refresh, and retries at the usual interval. */
  postpone(): void;
  /**
   * Records throttling by the provider. `daily` uses up the quota until the next refresh. `rate`, `unreachable` and
   * `account` pause all sends. Other scopes have no effect here.
   */
  throttled(result: Omit<ThrottledResult, 'kind'>): void;
}

const GLOBAL_SCOPES: ReadonlySet<ThrottledResult['scope']> = new Set(['rate', 'unreachable', 'account']);

/** Fraction of the rate to use, so that slightly late sends fit into the next second. */
const RATE_UTILIZATION = 0.995;

/** Rate above which the concurrency no longer increases, because no provider accepts more from one process. */
const MAX_WINDOWED_RATE = 2000;

/**
 * Enforces a provider's two limits, both counted in recipients as in SES. There are no limits until the first refresh,
 * which is due immediately.
 */
export function createRateLimiter(clock: Clock = realClock, refreshMs = 60_000): RateLimiter {
  const { now } = clock;
  const bucket = createTokenBucket({ perSecond: Infinity }, clock);
  const window = createRateWindow(clock);
  let rate = Infinity;
  let processCount = 1;
  let remainingQuota = Infinity;
  let blockedUntil = 0;
  let outage = { until: 0, reason: '' };
  let refreshAt = now();
  const updateRates = () => {
    bucket.update((rate / processCount) * RATE_UTILIZATION);
    window.update(rate / processCount);
  };
  return {
    reserve(recipients) {
      const blockedMs = blockedUntil - now();
      if (blockedMs > 0) return { blockedMs, scope: 'daily' };
      if (recipients > remainingQuota) return { blockedMs: Math.max(1, refreshAt - now()), scope: 'daily' };
      remainingQuota -= recipients;
      return { waitMs: bucket.take(recipients) };
    },
    waitForSlot: window.waitForSlot,
    release(recipients) {
      remainingQuota += recipients;
      bucket.giveBack(recipients);
    },
    remaining: () => remainingQuota,
    getCapacity: (ms) =>
      blockedUntil > now()
        ? 0
        : Math.max(0, Math.min(remainingQuota, bucket.getCapacity(ms) - window.countWaiting())),
    atOnce: () =>
      Math.ceil(((Math.min(rate / processCount, MAX_WINDOWED_RATE) * window.getMinLatencyMs()) / 1000) * 1.5),
    share(processes) {
      if (processes === processCount) return;
      processCount = processes;
      updateRates();
    },
    blocked() {
      if (outage.until > now()) return outage.reason;
      return remainingQuota < 1 || blockedUntil > now() ? "The provider's daily quota is used up." : null;
    },
    due: () => now() >= refreshAt,
    update(limits) {
      refreshAt = now() + refreshMs;
      remainingQuota = computeQuotaLeft(limits);
      rate = limits?.perSecond ?? Infinity;
      updateRates();
    },
    postpone() {
      refreshAt = now() + refreshMs;
    },
    throttled({ scope, retryAfterMs, reason }) {
      const end = now() + retryAfterMs;
      if (scope === 'daily') blockedUntil = Math.max(blockedUntil, end);
      if (!GLOBAL_SCOPES.has(scope)) return;
      bucket.pause(retryAfterMs);
      window.pause(retryAfterMs);
      if (scope === 'rate') return;
      outage = { until: end, reason };
      refreshAt = Math.max(refreshAt, end);
    },
  };
}

/** Computes the remaining quota from the provider's count. A limit of -1 means that there is no quota. */
function computeQuotaLeft(limits: ProviderLimits | null): number {
  if (!limits || limits.perDay < 0) return Infinity;
  return Math.max(0, limits.perDay - limits.sentLast24h);
}

function toPositiveRate(perSecond: number): number {
  return perSecond > 0 ? perSecond : 1;
}
