import type { NoReplyReason } from './should-reply.ts';

/** Reasons that depend on earlier auto-replies, the mailbox or the recipient. */
type DeliveryReason = 'recent' | 'limit' | 'unreachable' | 'cannot_send';

/** Outcome while auto-replies are on: `sent`, or the reason why none was sent. */
export type AutoReplyOutcome =
  | 'sent'
  | Exclude<NoReplyReason, 'off' | 'not_today' | 'not_live'>
  | DeliveryReason;
