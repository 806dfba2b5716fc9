/** How the stand-in breaks: before or after it has accepted the message. */
export type Behaviour =
  | 'normal'
  | 'hang'
  | 'hang-after'
  | 'reset'
  | 'reset-after'
  | 'error-500'
  | 'error-500-after'
  | 'garbage';

/** Switchable at run time; every field may be set alone. */
export interface Modes {
  behaviour: Behaviour;
  /** How many sends the behaviour lasts before it is `normal` again. */
  times: number;
  /** Recipients a second before "Maximum sending rate exceeded". 0 switches the check off. */
  enforcePerSecond: number;
  /** Enforces the daily quota of the account. */
  enforceDaily: boolean;
  /** A named error for a recipient, by address. */
  failures: Record<string, { name: string; status?: number; message?: string }>;
  /** From must be a verified identity, or of one's domain. */
  requireVerified: boolean;
  /** Recipients must be verified or simulators as well. */
  sandbox: boolean;
  delayMs: number;
  /** Answers to sends wait for it. */
  held: Promise<void> | null;
  /** After accepting, post the Send event and what follows to the subscriber. */
  autoEvents: boolean;
}

export interface Quota {
  Max24HourSend: number;
  MaxSendRate: number;
  SentLast24Hours: number;
}

export const createModes = (): Modes => ({
  behaviour: 'normal',
  times: Number.MAX_SAFE_INTEGER,
  enforcePerSecond: 0,
  enforceDaily: false,
  failures: {},
  requireVerified: false,
  sandbox: false,
  delayMs: 0,
  held: null,
  autoEvents: false,
});

export const createQuota = (): Quota => ({ Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 0 });

/** The behaviour for one send, counting it down. */
export function takeBehaviour(modes: Modes): Behaviour {
  if (modes.behaviour === 'normal') return 'normal';
  if (modes.times <= 0) {
    modes.behaviour = 'normal';
    return 'normal';
  }
  modes.times -= 1;
  return modes.behaviour;
}
