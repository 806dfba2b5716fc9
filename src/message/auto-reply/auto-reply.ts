import type { ParsedMail } from '../parse/message.ts';
import type { AutoReplySettings } from './settings.ts';

interface AutoReply {
  subject: string;
  text: string;
  headers: Record<string, string>;
}

/** Maximum subject length in characters. RFC 5322 2.1.1 recommends lines of at most 78 characters. */
const MAX_SUBJECT_LENGTH = 150;
const MAX_REFERENCES = 20;

/** Builds an auto-reply with headers that prevent replies from other automatic systems (RFC 3834 5). */
export function buildAutoReply(mail: ParsedMail, settings: AutoReplySettings): AutoReply {
  const subject = settings.subject.trim() || `Auto: ${mail.subject}`;
  return {
    subject: removeControls(subject).slice(0, MAX_SUBJECT_LENGTH).toWellFormed().trim(),
    text: settings.body,
    headers: {
      'Auto-Submitted': 'auto-replied (vacation)',
      Precedence: 'bulk',
      'X-Auto-Response-Suppress': 'All',
      'X-Atrium-Auto': 'vacation',
      ...buildThreadHeaders(mail),
    },
  };
}

const removeControls = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ');

/** Builds In-Reply-To and References (RFC 5322 3.6.4). Uses the message's In-Reply-To if it has no References. */
function buildThreadHeaders(mail: ParsedMail): Record<string, string> {
  const { messageId } = mail;
  if (messageId === null || !isMessageId(messageId)) return {};
  const before = mail.references.length > 0 ? mail.references : mail.inReplyTo.slice(0, 1);
  const references = before.filter((id) => isMessageId(id) && id !== messageId).slice(1 - MAX_REFERENCES);
  return {
    'In-Reply-To': `<${messageId}>`,
    References: [...references, messageId].map((id) => `<${id}>`).join(' '),
  };
}

const isMessageId = (id: string): boolean => /^[!-;=?-~]{1,250}$/.test(id);
