import type { ReceivedFile, ReceivedMail } from '../../../src/engine/work/received-mail.ts';
import { getAddressDomain } from '../../../src/message/address.ts';
import { isFromProgram } from '../../../src/message/auto-reply/should-reply.ts';
import type { ParsedMail } from '../../../src/message/parse/message.ts';
import { readWholePart } from '../../../src/message/parse/part-content.ts';
import type { RawMail } from '../../../src/message/parse/raw.ts';
import { isSenderAuthenticated, type Verdicts } from '../intake/verdicts.ts';
import type { ClaimedDelivery } from './claim.ts';
import type { MailboxInfo } from './mailbox-facts.ts';

interface ReceivedDelivery {
  delivery: ClaimedDelivery;
  mailbox: MailboxInfo;
  mail: ParsedMail;
  raw: RawMail;
  verdicts: Verdicts | null;
}

/**
 * Builds the message as apps receive it. The author of a local message is authentic, because users can send only from
 * the workspace's domains.
 */
export function toReceivedMail({ delivery, mailbox, mail, raw, verdicts }: ReceivedDelivery): ReceivedMail {
  const { source, sender, recipients } = delivery;
  const { from, parts } = mail;
  const address = from.length === 1 ? from[0]!.address.toLowerCase() : null;
  return {
    mailboxId: mailbox.id,
    recipients,
    from: address,
    fromName: from[0]?.name ?? '',
    cc: mail.cc.map((address) => address.address),
    isProved:
      address !== null &&
      (source === 'local' ||
        (verdicts !== null && isSenderAuthenticated(verdicts, sender, getAddressDomain(address)))),
    isAutomatic: mail.state === 'placeholder' || isFromProgram(mail, sender, mailbox.addresses),
    subject: mail.subject,
    messageId: mail.messageId,
    answers: [...new Set([...mail.inReplyTo, ...mail.references.toReversed()])],
    text: mail.text,
    html: mail.html,
    files: mailbox.features['mail.inbound_attachments'] ? toReceivedFiles(mail, raw) : [],
    types: parts.map(({ type }) => type),
    async content(type, maxBytes) {
      const part = parts.find((part) => part.type === type);
      return part && part.size <= maxBytes ? readWholePart(raw, part) : null;
    },
  };
}

const toReceivedFiles = ({ attachments }: ParsedMail, raw: RawMail): ReceivedFile[] =>
  attachments.map((part) => ({
    name: part.filename ?? '',
    type: part.type,
    size: part.size,
    content: () => readWholePart(raw, part),
  }));
