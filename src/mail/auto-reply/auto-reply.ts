import type { ParsedMail } from '../parse/message.ts';
import type { AutoReplySettings } from './settings.ts';

/** An auto reply, ready to be composed. */
export interface AutoReply {
  subject: string;
  text: string;
  headers: Record<string, string>;
}

/** Characters of a subject; RFC 5322 2.1.1. */
const MAX_SUBJECT_LENGTH = 150;
const MAX_REFERENCES = 20;

/**
 * The answer to a message. Its headers keep other automata from answering it (RFC 3834 5). It is sent with the null
 * sender where the provider takes that.
 */
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

/** RFC 5322 3.6.4: the references of what is answered and its own id; where it has none, what it answers. */
function buildThreadHeaders(mail: ParsedMail): Record<string, string> {
  const { messageId } = mail;
  if (messageId === null || !isMessageId(messageId)) return {};
  const before = mail.references.length > 0 ? mail.references : mail.inReplyTo.slice(0, 1);
  const known = before.filter((id) => isMessageId(id) && id !== messageId).slice(1 - MAX_REFERENCES);
  return {
    'In-Reply-To': `<${messageId}>`,
    References: [...known, messageId].map((id) => `<${id}>`).join(' '),
  };
}

const isMessageId = (id: string): boolean => /^[!-;=?-~]{1,250}$/.test(id);
