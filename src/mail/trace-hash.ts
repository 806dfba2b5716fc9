import { createHash, type Hash } from 'node:crypto';
import type { RawMail } from './parse/raw.ts';

/** What servers write above a message that passes them. */
const TRACE_HEADER = new RegExp(
  '^(?:(?:x-)?received|return-path|delivered-to|x-original-to|envelope-to|received-spf|authentication-results|' +
    'arc-[a-z-]+|x-spam-[a-z-]+|x-rspamd-[a-z-]+|x-google-smtp-source|x-gm-message-state|x-forwarded-(?:to|for))$',
);

/** Bytes of trace headers; what lies beyond is taken for the message itself. */
const MAX_TRACE_BYTES = 64 * 1024;

/** A hash of a message that is the same however it came; it is fed the message as that is read. */
export interface TraceHash {
  push(piece: Uint8Array): void;
  /** SHA-256. */
  end(): Buffer;
}

/** Hashes a message from the first header field on that its author wrote. */
export function createTraceHash(): TraceHash {
  const hash = createHash('sha256');
  let head: Buffer | null = Buffer.alloc(0);
  return {
    push(piece) {
      if (!head) hash.update(piece);
      else {
        head = Buffer.concat([head, piece]);
        if (isTraceComplete(head)) head = startHash(hash, head);
      }
    },
    end() {
      if (head) startHash(hash, head);
      return hash.digest();
    },
  };
}

/** Whether the end of the trace headers is in it. */
const isTraceComplete = (head: Buffer): boolean =>
  head.length >= MAX_TRACE_BYTES || findTraceEnd(head, false) < head.length;

function startHash(hash: Hash, head: Buffer): null {
  hash.update(head.subarray(findTraceEnd(head, true)));
  return null;
}

/**
 * Where the first line begins that belongs to no trace header.
 * @param isAll false where more may follow: then it is the length while that is not known
 */
function findTraceEnd(head: Buffer, isAll: boolean): number {
  for (let at = 0; ; ) {
    const end = head.indexOf(10, at);
    if (end === -1) return isAll ? at : head.length;
    const line = head.toString('latin1', at, end);
    const isFolded = at > 0 && /^[ \t]/.test(line);
    const name = line.slice(0, Math.max(0, line.indexOf(':')));
    if (!isFolded && !TRACE_HEADER.test(name.trimEnd().toLowerCase())) return at;
    at = end + 1;
  }
}

/** The message, of which the first reading as a whole feeds the hash. */
export function hashWhileReading(raw: RawMail, below: TraceHash): RawMail {
  let isFed = false;
  return {
    size: raw.size,
    async *read(from, to) {
      const feeds = !isFed && from === 0 && to === raw.size;
      isFed ||= feeds;
      for await (const piece of raw.read(from, to)) {
        if (feeds) below.push(piece);
        yield piece;
      }
    },
  };
}
