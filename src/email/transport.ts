import type { DkimKey } from './identities.ts';

export type Tracking = 'click' | 'open' | 'full';

/** A message to send: content and envelope, without data about its author. */
export interface TransportMessage {
  emailId: string;
  /** Bare address of the envelope sender. */
  from: string;
  /** Bare addresses of To, Cc and Bcc. */
  recipients: readonly string[];
  raw: Buffer;
  /** Return path and envelope id that identify reports about the message, for transports that allow them. */
  returns?: { returnPath: string; envelopeId: string } | null;
  /** Key of the sender's domain, for transports that do not sign. */
  dkim?: (DkimKey & { domain: string }) | null;
  configurationSet?: string | null;
  tracking?: Tracking | null;
  tags?: Readonly<Record<string, string>>;
}

interface SentResult {
  kind: 'sent';
  providerId: string;
  /** The relay's response, which helps trace the message on the relay. */
  response?: string;
}

/** A final rejection. Nothing was sent, and a retry would not help. */
export interface RefusedResult {
  kind: 'refused';
  code: string;
  reason: string;
  /** Enhanced status code of a missing mailbox, such as 5.1.1. Set only in parts. */
  noMailbox?: string;
  /** Recipients that the relay rejected temporarily, for example because of a full mailbox. */
  softBounced?: string[];
}

/**
 * Nothing was sent, and the message can be retried after `retryAfterMs`. The scope defines which other mail is
 * affected:
 * - `rate`: the sends per second
 * - `daily`: the 24-hour quota
 * - `unreachable` (connection or credentials) and `account` (suspended, paused, not allowed to relay): all messages
 * - `set`, `domain` and `sender`: mail with the same configuration set, sender domain or sender address
 * - `recipient`: only these recipients (greylisting, a full mailbox)
 */
export interface ThrottledResult {
  kind: 'throttled';
  scope: 'rate' | 'daily' | 'unreachable' | 'account' | 'set' | 'domain' | 'sender' | 'recipient';
  retryAfterMs: number;
  reason: string;
}

/** The response was lost, so the message may have been sent. The provider's events are awaited before a retry. */
interface UnknownResult {
  kind: 'unknown';
  reason: string;
}

export type SendResult = SentResult | RefusedResult | ThrottledResult | UnknownResult;

export interface SendPart {
  recipients: string[];
  outcome: SendResult;
}

/** Recipients had different outcomes. A throttled part can be retried alone. */
interface PartialResult {
  kind: 'partial';
  parts: SendPart[];
}

export type SendOutcome = SendResult | PartialResult;

export interface ProviderLimits {
  /** Recipients per second. */
  perSecond: number;
  /** Recipients in a sliding 24-hour window. -1 for no limit. */
  perDay: number;
  sentLast24h: number;
}

export interface Transport {
  name: 'ses' | 'smtp' | 'local';
  /** Maximum number of concurrent sends. Further sends would wait inside the transport. Undefined for no limit. */
  concurrency?: number;
  /** Never rejects: every failure is a `SendOutcome`. Aborting a running send returns `unknown`. */
  send(message: TransportMessage, signal?: AbortSignal): Promise<SendOutcome>;
  /** Null if the provider has no quota. Rejects if the provider is unavailable. */
  limits(): Promise<ProviderLimits | null>;
  close(): Promise<void>;
}
