import type { DkimKey } from './identities.ts';

export type Tracking = 'click' | 'open' | 'full';

/** One message on its way to a provider: bytes and envelope, nothing about who asked for it. */
export interface TransportMessage {
  emailId: string;
  /** Envelope sender, a bare address. */
  from: string;
  /** To, Cc and Bcc together, bare addresses. */
  recipients: readonly string[];
  raw: Buffer;
  /** Where reports go, and by which they are known; for a transport that lets the sender choose. */
  returns?: { returnPath: string; envelopeId: string } | null;
  /** Key of the sender's domain; for a transport whose provider does not sign. */
  dkim?: (DkimKey & { domain: string }) | null;
  configurationSet?: string | null;
  /** Clicks, opens or both are to be tracked. */
  tracking?: Tracking | null;
  tags?: Readonly<Record<string, string>>;
}

/** The provider took it. */
export interface SentResult {
  kind: 'sent';
  providerId: string;
  /** The relay's own words, where they help to trace the message there. */
  response?: string;
}

/** A definite no: nothing was sent and asking again with the same message would not help. */
export interface RefusedResult {
  kind: 'refused';
  code: string;
  reason: string;
  /** The mailbox does not exist: the enhanced status code that says so, such as 5.1.1. Only of parts. */
  noMailbox?: string;
  /** Recipients that the relay refused for now, such as for a full mailbox. */
  softBounced?: string[];
}

/**
 * Nothing was sent, and it may be tried again after `retryAfterMs`. The scope says what other mail meets the same:
 * `rate` the sends per second, `daily` the 24-hour quota; `unreachable` (connection or credentials) and `account`
 * (suspended, paused, not allowed to relay), for which no message of the queue would get through; `set`, `domain` and
 * `sender`, mail with the same configuration set, domain or address of the sender; `recipient` is about these
 * recipients alone (grey listing, a full mailbox).
 */
export interface ThrottledResult {
  kind: 'throttled';
  scope: 'rate' | 'daily' | 'unreachable' | 'account' | 'set' | 'domain' | 'sender' | 'recipient';
  retryAfterMs: number;
  reason: string;
}

/**
 * The answer was lost: the message may or may not be out. Not sent again at once; the provider's events are awaited
 * first.
 */
export interface UnknownResult {
  kind: 'unknown';
  reason: string;
}

export type SendResult = SentResult | RefusedResult | ThrottledResult | UnknownResult;

/** What became of some of the recipients. */
export interface SendPart {
  recipients: string[];
  outcome: SendResult;
}

/** Recipients fared differently. A throttled part may be sent again with its recipients alone. */
export interface PartialResult {
  kind: 'partial';
  parts: SendPart[];
}

export type SendOutcome = SendResult | PartialResult;

export interface ProviderLimits {
  /** Recipients a second. */
  perSecond: number;
  /** Recipients in a sliding 24 hours, -1 for no limit. */
  perDay: number;
  sentLast24h: number;
}

export interface Transport {
  name: 'ses' | 'smtp' | 'local';
  /** Sends it can run at the same time; more would wait inside of it, unseen. Absent: any number. */
  concurrency?: number;
  /** Never rejects for a provider's answer; every failure is an Outcome. Aborting a running call gives `unknown`. */
  send(message: TransportMessage, signal?: AbortSignal): Promise<SendOutcome>;
  /** The provider's quota, or null where there is none. Rejects when the provider cannot be asked. */
  limits(): Promise<ProviderLimits | null>;
  close(): Promise<void>;
}
