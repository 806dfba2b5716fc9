import { defineEnumShape } from '../../../src/engine/operation/shape.ts';
import type { AutoReplyOutcome } from '../../../src/message/auto-reply/outcome.ts';

const OUTCOMES: Record<AutoReplyOutcome, string> = {
  sent: 'An auto-reply was sent.',
  recent: 'The sender received an auto-reply in the last seven days.',
  limit: 'The mailbox had sent too many auto-replies within an hour.',
  unreachable: 'The sender is on the suppression list.',
  cannot_send: 'The mailbox could not send.',
  spam: 'The message was filed to Spam, or its sender is blocked.',
  unverified: "The sender's address is not authenticated by SPF or DKIM, so it may be forged.",
  unreadable: 'The message could not be read.',
  no_sender: 'The message has no return address, like a delivery report.',
  own_sender: 'The message came from an address of this mailbox.',
  robot: 'The sender is an automated system.',
  automatic: 'The message was sent by a program.',
  bulk: 'The message is bulk mail.',
  list: 'The message came from a mailing list.',
  suppressed: 'The message asks for no auto-reply.',
  report: 'The message is a report from a mail server.',
  too_many_hops: 'The message passed through too many servers, as in a loop.',
  not_addressed: 'The message is not addressed to this mailbox in To or Cc.',
};

export const AutoReplyOutcomeShape = defineEnumShape(
  'MailAutoReplyOutcome',
  'Outcome of the auto-reply to a message: it was sent, or the reason why not.',
  OUTCOMES,
);

export const AUTO_REPLY_FIELD = {
  type: AutoReplyOutcomeShape,
  nullable: true,
  description:
    'Outcome of the auto-reply to the message. Null if auto-replies were off when the message arrived.',
} as const;
