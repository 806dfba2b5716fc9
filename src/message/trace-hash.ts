import { createHash, type Hash } from 'node:crypto';
import type { RawMail } from './parse/raw.ts';

/** Fields that servers add above a message in transit. */
const TRACE_HEADER = new RegExp(
  '^(?:(?:x-)?received|return-path|delivered-to|x-original-to|envelope-to|received-spf|authentication-results|' +
    'arc-[a-z-]+|x-spam-[a-z-]+|x-rspamd-[a-z-]+|x-google-smtp-source|x-gm-message-state|x-forwarded-(?:to|for))$',
);

/** Maximum bytes of trace fields. Anything beyond counts as the message itself. */
const MAX_TRACE_BYTES = 64 * 1024;

interface TraceHash {
  push(chunk: Uint8Array): void;
  /** Returns the SHA-256 digest. */
  end(): Buffer;
}

/**
 * Creates a hash that does not depend on the route of a message. It starts at the first header field that the author
 * wrote.
 */
export function createTraceHash(): TraceHash {
  const hash = createHash('sha256');
  let head: Buffer | null = Buffer.alloc(0);
  return {
    push(chunk) {
      if (!head) hash.update(chunk);
      else {
        head = Buffer.concat([head, chunk]);
        if (isTraceComplete(head)) head = startHash(hash, head);
      }
    },
    end() {
      if (head) startHash(hash, head);
      return hash.digest();
    },
  };
}

const isTraceComplete = (head: Buffer): boolean =>
  head.length >= MAX_TRACE_BYTES || findTraceEnd(head, false) < head.length;

function startHash(hash: Hash, head: Buffer): null {
  hash.update(head.subarray(findTraceEnd(head, true)));
  return null;
}

/**
 * Finds the first line after the trace fields.
 * @param isAll false if more data may follow
 * @returns the offset of the line, or the length of the data if more is needed to find it
 */
function findTraceEnd(head: Buffer, isAll: boolean): number {
  for (let start = 0; ; ) {
    const end = head.indexOf(10, start);
    if (end === -1) return isAll ? start : head.length;
    const line = head.toString('latin1', start, end);
    const isFolded = start > 0 && /^[ \t]/.test(line);
    const name = line.slice(0, Math.max(0, line.indexOf(':')));
    if (!isFolded && !TRACE_HEADER.test(name.trimEnd().toLowerCase())) return start;
    start = end + 1;
  }
}

/** Wraps a message so that the first complete read feeds the hash. */
export function hashWhileReading(raw: RawMail, innerHash: TraceHash): RawMail {
  let isFed = false;
  return {
    size: raw.size,
    async *read(from, to) {
      const feeds = !isFed && from === 0 && to === raw.size;
      isFed ||= feeds;
      for await (const chunk of raw.read(from, to)) {
        if (feeds) innerHash.push(chunk);
        yield chunk;
      }
    },
  };
}
