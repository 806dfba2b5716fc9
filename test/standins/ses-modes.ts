/** Failure mode of the stand-in, before or after it has accepted the message. */
export type Behavior =
  | 'normal'
  | 'hang'
  | 'hang-after'
  | 'reset'
  | 'reset-after'
  | 'error-500'
  | 'error-500-after'
  | 'garbage';

/** Can be changed at run time. */
export interface Modes {
  behavior: Behavior;
  /** Number of sends until the behavior returns to `normal`. */
  times: number;
  /** Recipients per second before "Maximum sending rate exceeded". 0 disables the check. */
  enforcePerSecond: number;
  enforceDaily: boolean;
  /** Named errors by recipient address. */
  failures: Record<string, { name: string; status?: number; message?: string }>;
  /** Requires From to be a verified identity or to belong to a verified domain. */
  requireVerified: boolean;
  /** Requires recipients to be verified or simulator addresses as well. */
  sandbox: boolean;
  delayMs: number;
  /** Responses to sends wait for this promise. */
  hold: Promise<void> | null;
  /** Posts the Send event and its follow-up events to the subscriber after accepting a message. */
  autoEvents: boolean;
}

export interface Quota {
  Max24HourSend: number;
  MaxSendRate: number;
  SentLast24Hours: number;
}

export const createModes = (): Modes => ({
  behavior: 'normal',
  times: Number.MAX_SAFE_INTEGER,
  enforcePerSecond: 0,
  enforceDaily: false,
  failures: {},
  requireVerified: false,
  sandbox: false,
  delayMs: 0,
  hold: null,
  autoEvents: false,
});

export const createQuota = (): Quota => ({ Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 0 });

export function consumeBehavior(modes: Modes): Behavior {
  if (modes.behavior === 'normal') return 'normal';
  if (modes.times <= 0) {
    modes.behavior = 'normal';
    return 'normal';
  }
  modes.times -= 1;
  return modes.behavior;
}
