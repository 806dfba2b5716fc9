import { createHash } from 'node:crypto';
import { getBaseSubject } from './base-subject.ts';

/** Maximum number of ids used from each end of the list. The messages in between connect longer conversations. */
const MAX_IDS_PER_END = 50;

const MAX_FIELD_CHARS = 100_000;

interface ThreadHeaders {
  messageId: string;
  inReplyTo: string;
  references: string;
  subject: string;
  /** True for an automatic reply, which may have a different subject. */
  isAutoReply?: boolean;
}

export interface ThreadKeys {
  /** 16-byte hashes of the message's id and its references, in that order. */
  refs: Buffer[];
  /** 16-byte hash of the base subject. */
  subject: Buffer;
  /**
   * Hash of the message that an automatic reply responds to. Both belong to the same thread regardless of the subject.
   */
  answers?: Buffer | undefined;
}

/** Two messages belong to the same thread if they share a reference and the base subject (RFC 8621 3). */
export function computeThreadKeys(headers: ThreadHeaders): ThreadKeys {
  const { messageId, references, inReplyTo } = headers;
  const ids = [...new Set([messageId, references, inReplyTo].flatMap(findMessageIds))];
  const used =
    ids.length > 2 * MAX_IDS_PER_END
      ? [...ids.slice(0, MAX_IDS_PER_END), ...ids.slice(-MAX_IDS_PER_END)]
      : ids;
  const [repliedId] = headers.isAutoReply ? findMessageIds(inReplyTo) : [];
  return {
    refs: used.map(computeRefHash),
    subject: computeRefHash(getBaseSubject(headers.subject)),
    answers: repliedId === undefined ? undefined : computeRefHash(repliedId),
  };
}

const computeRefHash = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, 16);

/**
 * Parses the ids in a Message-ID, In-Reply-To or References field. Ids are case-sensitive and have no brackets. Removes
 * white space inside brackets, which folding may leave. In a field without brackets, each word with an @ is an id.
 */
export function findMessageIds(field: string): string[] {
  const text = field.slice(0, MAX_FIELD_CHARS);
  const ids: string[] = [];
  for (let open = text.indexOf('<'); open >= 0; ) {
    const close = text.indexOf('>', open);
    if (close < 0) break;
    const id = text.slice(text.lastIndexOf('<', close) + 1, close).replace(/\s+/g, '');
    if (id) ids.push(id);
    open = text.indexOf('<', close);
  }
  return ids.length > 0 ? ids : text.split(/[\s<>,]+/).filter((word) => word.includes('@'));
}
