import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

/**
 * Storage format of blobs: chunks of 256 kB, each made of 64 kB frames that are encrypted separately, so that a blob
 * can be read in part. A frame's nonce contains its number in the blob and marks the last frame, so dropped, reordered
 * and truncated frames are detected.
 */

/** Plaintext bytes per chunk. */
export const CHUNK_BYTES = 256 * 1024;
const FRAME_BYTES = 64 * 1024;
/** Size of each frame's AES-GCM authentication tag. */
const TAG_BYTES = 16;

export interface ChunkSlice {
  chunkNumber: number;
  bytes: Buffer;
  isLast: boolean;
}

interface BlobExtent {
  size: number;
  sealed: boolean;
}

/** An empty blob has one chunk. */
export const countChunks = (size: number): number => Math.max(1, Math.ceil(size / CHUNK_BYTES));

/** Returns the length of a chunk in the store, including authentication tags. */
export function getStoredLength({ size, sealed }: BlobExtent, chunkNumber: number): number {
  const plaintextLength = Math.min(CHUNK_BYTES, size - chunkNumber * CHUNK_BYTES);
  return sealed
    ? plaintextLength + TAG_BYTES * Math.max(1, Math.ceil(plaintextLength / FRAME_BYTES))
    : plaintextLength;
}

export const getStoredOffset = ({ sealed }: BlobExtent, chunkNumber: number): number =>
  chunkNumber * (sealed ? CHUNK_BYTES + (TAG_BYTES * CHUNK_BYTES) / FRAME_BYTES : CHUNK_BYTES);

/** Splits a blob into chunks. Yields a chunk as soon as it is known whether another one follows. */
export async function* sliceContent(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<ChunkSlice> {
  let buffers: Buffer[] = [];
  let length = 0;
  let chunkNumber = 0;
  for await (const chunk of source) {
    buffers.push(chunk);
    length += chunk.length;
    if (length <= CHUNK_BYTES) continue;
    let all = Buffer.concat(buffers);
    for (; all.length > CHUNK_BYTES; all = all.subarray(CHUNK_BYTES))
      yield { chunkNumber: chunkNumber++, bytes: all.subarray(0, CHUNK_BYTES), isLast: false };
    // Copied, because a subarray would keep the yielded chunks in memory.
    buffers = [Buffer.from(all)];
    length = all.length;
  }
  yield { chunkNumber, bytes: Buffer.concat(buffers), isLast: true };
}

/** @param key null to store the chunk unencrypted */
export function encryptChunk(key: KeyObject | null, { chunkNumber, bytes, isLast }: ChunkSlice): Buffer {
  if (!key) return bytes;
  const parts: Buffer[] = [];
  for (let start = 0; start === 0 || start < bytes.length; start += FRAME_BYTES) {
    const isEnd = isLast && start + FRAME_BYTES >= bytes.length;
    const cipher = createCipheriv('aes-256-gcm', key, buildFrameNonce(chunkNumber, start, isEnd));
    parts.push(
      cipher.update(bytes.subarray(start, start + FRAME_BYTES)),
      cipher.final(),
      cipher.getAuthTag(),
    );
  }
  return Buffer.concat(parts);
}

/** Returns null if the chunk was encrypted with another key or modified. */
export function decryptChunk(
  key: KeyObject | null,
  { chunkNumber, bytes, isLast }: ChunkSlice,
): Buffer | null {
  if (!key) return bytes;
  const parts: Buffer[] = [];
  const step = FRAME_BYTES + TAG_BYTES;
  for (
    let position = 0, plainCount = 0;
    position === 0 || position < bytes.length;
    position += step, plainCount += FRAME_BYTES
  ) {
    const frame = bytes.subarray(position, position + step);
    if (frame.length < TAG_BYTES) return null;
    const decipher = createDecipheriv(
      'aes-256-gcm',
      key,
      buildFrameNonce(chunkNumber, plainCount, isLast && position + step >= bytes.length),
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

/** Builds a 96-bit nonce: a flag for the last frame, then the frame number. */
function buildFrameNonce(chunkNumber: number, index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt8(isLast ? 1 : 0);
  nonce.writeBigUInt64BE(BigInt(chunkNumber * (CHUNK_BYTES / FRAME_BYTES) + index / FRAME_BYTES), 4);
  return nonce;
}
