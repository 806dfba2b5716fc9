import { createHash } from 'node:crypto';
import { getBaseSubject } from './base-subject.ts';

/** Ids used from each end of a message's list; a conversation that is longer is found by its neighbours. */
const MAX_IDS_PER_END = 50;

/** Characters of a header field that are read. */
const MAX_FIELD_CHARS = 100_000;

/** Header fields as they came, unfolded or not. */
export interface ThreadHeaders {
  messageId: string;
  inReplyTo: string;
  references: string;
  subject: string;
  /** Whether a machine answers with it, under a subject of its own. */
  isAutoReply?: boolean;
}

export interface ThreadKeys {
  /** 16 bytes for each id the message has or names, the message's own first. */
  refs: Buffer[];
  /** 16 bytes of its base subject. */
  subject: Buffer;
  /** What an auto reply answers: it belongs to that thread whatever its subject. */
  answers?: Buffer | undefined;
}

/** Two messages are of one thread if they share a ref and the subject (RFC 8621 3). */
export function computeThreadKeys(headers: ThreadHeaders): ThreadKeys {
  const { messageId, references, inReplyTo } = headers;
  const ids = [...new Set([messageId, references, inReplyTo].flatMap(findMessageIds))];
  const used =
    ids.length > 2 * MAX_IDS_PER_END
      ? [...ids.slice(0, MAX_IDS_PER_END), ...ids.slice(-MAX_IDS_PER_END)]
      : ids;
  const [answered] = headers.isAutoReply ? findMessageIds(inReplyTo) : [];
  return {
    refs: used.map(computeRefHash),
    subject: computeRefHash(getBaseSubject(headers.subject)),
    answers: answered === undefined ? undefined : computeRefHash(answered),
  };
}

/** What a deduplicating or threading key is made of: 16 bytes of SHA-256. */
const computeRefHash = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, 16);

/**
 * The ids in a Message-ID, In-Reply-To or References field, without their brackets, their case kept; white space inside
 * of brackets, which long folded lines leave behind, is dropped. Where there are no brackets, words with an @ are ids.
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
