import { createCache } from '../../../src/cache.ts';
import type { SendOutcome, ThrottledResult, Tracking } from '../../../src/email/transport.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import type { Clock } from '../../../src/loop/clock.ts';
import type { NotSentOutcome } from './record-outcome.ts';

const MAX_OUTAGES = 10_000;

/** Properties shared by emails that the provider rejects for the same reason. */
interface OutageScope {
  from: string;
  /** Determines the SES configuration set. */
  tracking?: Tracking | null;
}

/** Tracks rejections that are not caused by the message. Each outage is logged once. */
export interface ProviderOutages {
  /** Returns why an email must wait after the rejection of a similar one; null if it may be sent. */
  findBlocker(email: OutageScope): ThrottledResult | null;
  recordOutcome(email: OutageScope, outcome: SendOutcome | NotSentOutcome): void;
}

interface Outage {
  until: number;
  reason: string;
}

/** Milliseconds after a pause during which only one of the similar emails is tried. */
const TRIAL_MS = 5_000;

/** Milliseconds without similar mail after which an outage is forgotten. */
const OUTAGE_MEMORY_MS = 3_600_000;

export function createOutages(log: Runtime['log'], clock: Pick<Clock, 'now'>): ProviderOutages {
  const closedCache = createCache<string, Outage>({
    age: OUTAGE_MEMORY_MS,
    entries: MAX_OUTAGES,
  });
  let isUnreachable = false;

  /** Logs provider outages. The rate limiter pauses sending. */
  function trackProvider(outcome: SendOutcome | NotSentOutcome): void {
    const scope = outcome.kind === 'throttled' ? outcome.scope : null;
    const isAway = scope === 'unreachable' || scope === 'account';
    if (isAway && !isUnreachable) {
      const { reason } = outcome as ThrottledResult;
      if (scope === 'account')
        log.warn({ reason }, 'the mail provider accepts no mail from this account; emails stay queued');
      else log.warn({ reason }, 'the mail provider is unreachable; emails stay queued');
    }
    if (outcome.kind === 'sent' && isUnreachable) log.info('the mail provider is reachable again');
    if (isAway || outcome.kind === 'sent') isUnreachable = isAway;
  }

  function pauseScope(key: string, { retryAfterMs, reason }: ThrottledResult): void {
    if (!closedCache.get(key))
      log.warn({ reason, of: key }, 'the mail provider rejects some of the mail; it stays queued');
    closedCache.set(key, { until: clock.now() + retryAfterMs, reason });
  }

  return {
    findBlocker(email) {
      const now = clock.now();
      const outages = getOutageKeys(email).flatMap((key) => closedCache.get(key) ?? []);
      const shut = outages.find(({ until }) => until > now);
      if (shut)
        return { kind: 'throttled', scope: 'recipient', retryAfterMs: shut.until - now, reason: shut.reason };
      for (const outage of outages) outage.until = now + TRIAL_MS;
      return null;
    },
    recordOutcome(email, outcome) {
      trackProvider(outcome);
      if (outcome.kind === 'throttled') {
        const key = buildOutageKey(outcome.scope, email);
        if (key) pauseScope(key, outcome);
      }
      if (outcome.kind === 'sent')
        for (const key of getOutageKeys(email).filter((outageKey) => closedCache.get(outageKey))) {
          closedCache.delete(key);
          log.info({ of: key }, 'the mail provider accepts this mail again');
        }
    },
  };
}

const SCOPES = ['set', 'domain', 'sender'] as const;

const getOutageKeys = (email: OutageScope): string[] => SCOPES.map((scope) => buildOutageKey(scope, email)!);

function buildOutageKey(scope: ThrottledResult['scope'], { from, tracking }: OutageScope): string | null {
  if (scope === 'set')
    return `configuration set of ${tracking ? `tracking ${tracking}` : 'mail without tracking'}`;
  if (scope === 'domain') return `domain ${from.slice(from.lastIndexOf('@') + 1)}`;
  return scope === 'sender' ? `sender ${from}` : null;
}
