import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

/**
 * The form in which contents are kept: chunks of 256 kB, each of frames of 64 kB that are sealed one by one, so that
 * parts of a content can be read. A frame's nonce is its number in the content, and the last frame's says that it is
 * the last: none can be left out, moved or cut off unseen. Pure.
 */

/** Bytes of a content in one chunk. */
export const CHUNK_BYTES = 256 * 1024;
const FRAME_BYTES = 64 * 1024;
/** Bytes by which a sealed frame is longer. */
const TAG_BYTES = 16;

/** A piece of a content that is one chunk. */
export interface ChunkSlice {
  no: number;
  bytes: Buffer;
  isLast: boolean;
}

/** What the form of a content follows from. */
export interface BlobExtent {
  size: number;
  sealed: boolean;
}

/** How many chunks there are; an empty content has one too. */
export const countChunks = (size: number): number => Math.max(1, Math.ceil(size / CHUNK_BYTES));

/** Bytes of a chunk as it is kept. */
export function getStoredLength({ size, sealed }: BlobExtent, no: number): number {
  const plain = Math.min(CHUNK_BYTES, size - no * CHUNK_BYTES);
  return sealed ? plain + TAG_BYTES * Math.max(1, Math.ceil(plain / FRAME_BYTES)) : plain;
}

/** Bytes of all chunks before `no`. */
export const getStoredOffset = ({ sealed }: BlobExtent, no: number): number =>
  no * (sealed ? CHUNK_BYTES + (TAG_BYTES * CHUNK_BYTES) / FRAME_BYTES : CHUNK_BYTES);

/** Takes a content apart. One piece is held back until it is known whether it is the last. */
export async function* sliceContent(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<ChunkSlice> {
  let held: Buffer[] = [];
  let length = 0;
  let no = 0;
  for await (const piece of source) {
    held.push(piece);
    length += piece.length;
    if (length <= CHUNK_BYTES) continue;
    let all = Buffer.concat(held);
    for (; all.length > CHUNK_BYTES; all = all.subarray(CHUNK_BYTES))
      yield { no: no++, bytes: all.subarray(0, CHUNK_BYTES), isLast: false };
    // A copy, so that what was given out is not kept by it.
    held = [Buffer.from(all)];
    length = all.length;
  }
  yield { no, bytes: Buffer.concat(held), isLast: true };
}

/** @param key null: it is kept as it is */
export function encryptChunk(key: KeyObject | null, { no, bytes, isLast }: ChunkSlice): Buffer {
  if (!key) return bytes;
  const parts: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += FRAME_BYTES) {
    const isEnd = isLast && at + FRAME_BYTES >= bytes.length;
    const cipher = createCipheriv('aes-256-gcm', key, buildFrameNonce(no, at, isEnd));
    parts.push(cipher.update(bytes.subarray(at, at + FRAME_BYTES)), cipher.final(), cipher.getAuthTag());
  }
  return Buffer.concat(parts);
}

/** What `closeChunk` was given; null when it was sealed with another key or changed since. */
export function decryptChunk(key: KeyObject | null, { no, bytes, isLast }: ChunkSlice): Buffer | null {
  if (!key) return bytes;
  const parts: Buffer[] = [];
  const step = FRAME_BYTES + TAG_BYTES;
  for (let at = 0, plain = 0; at === 0 || at < bytes.length; at += step, plain += FRAME_BYTES) {
    const frame = bytes.subarray(at, at + step);
    if (frame.length < TAG_BYTES) return null;
    const decipher = createDecipheriv(
      'aes-256-gcm',
      key,
      buildFrameNonce(no, plain, isLast && at + step >= bytes.length),
    );
    decipher.setAuthTag(frame.subarray(frame.length - TAG_BYTES));
    try {
      parts.push(decipher.update(frame.subarray(0, frame.length - TAG_BYTES)), decipher.final());
    } catch {
      return null;
    }
  }
  return Buffer.concat(parts);
}

/** 96 bits: whether it is the last frame, and its number. */
function buildFrameNonce(no: number, at: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt8(isLast ? 1 : 0);
  nonce.writeBigUInt64BE(BigInt(no * (CHUNK_BYTES / FRAME_BYTES) + at / FRAME_BYTES), 4);
  return nonce;
}
