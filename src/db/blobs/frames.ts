import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

/**
 * The form in which contents are kept: chunks of 256 kB, each of frames of 64 kB that are sealed one by one, so that
 * parts of a content can be read. A frame's nonce is its number in the content, and the last frame's says that it is
 * the last: none can be left out, moved or cut off unseen. Pure.
 */

/** Bytes of a content in one chunk. */
export const CHUNK = 256 * 1024;
const FRAME = 64 * 1024;
/** Bytes by which a sealed frame is longer. */
const TAG = 16;

/** A piece of a content that is one chunk. */
export interface Slice {
  no: number;
  bytes: Buffer;
  isLast: boolean;
}

/** What the form of a content follows from. */
export interface Extent {
  size: number;
  sealed: boolean;
}

/** How many chunks there are; an empty content has one too. */
export const chunksOf = (size: number): number => Math.max(1, Math.ceil(size / CHUNK));

/** Bytes of a chunk as it is kept. */
export function keptLength({ size, sealed }: Extent, no: number): number {
  const plain = Math.min(CHUNK, size - no * CHUNK);
  return sealed ? plain + TAG * Math.max(1, Math.ceil(plain / FRAME)) : plain;
}

/** Bytes of all chunks before `no`. */
export const keptBefore = ({ sealed }: Extent, no: number): number =>
  no * (sealed ? CHUNK + (TAG * CHUNK) / FRAME : CHUNK);

/** Takes a content apart. One piece is held back until it is known whether it is the last. */
export async function* slices(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Slice> {
  let held: Buffer[] = [];
  let length = 0;
  let no = 0;
  for await (const piece of source) {
    held.push(piece);
    length += piece.length;
    if (length <= CHUNK) continue;
    let all = Buffer.concat(held);
    for (; all.length > CHUNK; all = all.subarray(CHUNK))
      yield { no: no++, bytes: all.subarray(0, CHUNK), isLast: false };
    // A copy, so that what was given out is not kept by it.
    held = [Buffer.from(all)];
    length = all.length;
  }
  yield { no, bytes: Buffer.concat(held), isLast: true };
}

/** @param key null: it is kept as it is */
export function closeChunk(key: KeyObject | null, { no, bytes, isLast }: Slice): Buffer {
  if (!key) return bytes;
  const parts: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += FRAME) {
    const isEnd = isLast && at + FRAME >= bytes.length;
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(no, at, isEnd));
    parts.push(cipher.update(bytes.subarray(at, at + FRAME)), cipher.final(), cipher.getAuthTag());
  }
  return Buffer.concat(parts);
}

/** What `closeChunk` was given; null when it was sealed with another key or changed since. */
export function openChunk(key: KeyObject | null, { no, bytes, isLast }: Slice): Buffer | null {
  if (!key) return bytes;
  const parts: Buffer[] = [];
  const step = FRAME + TAG;
  for (let at = 0, plain = 0; at === 0 || at < bytes.length; at += step, plain += FRAME) {
    const frame = bytes.subarray(at, at + step);
    if (frame.length < TAG) return null;
    const decipher = createDecipheriv(
      'aes-256-gcm',
      key,
      nonceOf(no, plain, isLast && at + step >= bytes.length),
    );
    decipher.setAuthTag(frame.subarray(frame.length - TAG));
    try {
      parts.push(decipher.update(frame.subarray(0, frame.length - TAG)), decipher.final());
    } catch {
      return null;
    }
  }
  return Buffer.concat(parts);
}

/** 96 bits: whether it is the last frame, and its number. */
function nonceOf(no: number, at: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt8(isLast ? 1 : 0);
  nonce.writeBigUInt64BE(BigInt(no * (CHUNK / FRAME) + at / FRAME), 4);
  return nonce;
}
