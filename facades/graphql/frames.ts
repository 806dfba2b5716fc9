import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { ExecutionResult } from 'graphql';
import { memoizePerObject } from '../../src/cache.ts';

// Events of graphql-sse's distinct connections mode, which Yoga also uses. An EventSource sends the id of the last
// event when it reconnects.

export const buildNextFrame = (result: ExecutionResult, cursor?: string): string =>
  `event: next\n${cursor ? `id: ${cursor}\n` : ''}data: ${JSON.stringify(result)}\n\n`;

export const COMPLETE_FRAME = 'event: complete\ndata:\n\n';

export const HEARTBEAT_FRAME = Buffer.from(':\n\n');

const wrapChunk = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);

/** Encodes a stream's body for one subscriber, except for the framing of the chunked HTTP body. */
interface StreamEncoder {
  encodeStart(frames: Buffer): Buffer;
  /** Encodes frames as a chunk of the HTTP body. Subscribers share the chunks of the same frames. */
  encodeChunk(frames: Buffer): Buffer;
  encodeEnd(frames: Buffer): Buffer;
}

const PLAIN_ENCODER: StreamEncoder = {
  encodeStart: (frames) => frames,
  encodeChunk: memoizePerObject(wrapChunk),
  encodeEnd: (frames) => frames,
};

/** RFC 1952: deflate, no name, no time, unknown system. */
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty final block of deflate (RFC 1951 3.2.4). */
const LAST_BLOCK = Buffer.from([1, 0, 0, 0xff, 0xff]);

/**
 * Frames are compressed independently of each other, so that all subscribers share the result, and no connection needs
 * a compressor, which takes 256 KB. Each ends on a byte boundary, so clients receive it immediately.
 */
const compressFrames = (frames: Buffer): Buffer =>
  deflateRawSync(frames, { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_SYNC_FLUSH });

const compressChunk = memoizePerObject((frames: Buffer) => wrapChunk(compressFrames(frames)));

export function createStreamEncoder(isCompressed: boolean): StreamEncoder {
  if (!isCompressed) return PLAIN_ENCODER;
  let [checksum, length] = [0, 0];
  const count = (frames: Buffer) => {
    checksum = crc32(frames, checksum);
    length += frames.length;
  };
  return {
    encodeStart(frames) {
      count(frames);
      return Buffer.concat([GZIP_HEAD, compressFrames(frames)]);
    },
    encodeChunk(frames) {
      count(frames);
      return compressChunk(frames);
    },
    encodeEnd(frames) {
      count(frames);
      const trailer = Buffer.alloc(8);
      trailer.writeUInt32LE(checksum, 0);
      trailer.writeUInt32LE(length % 2 ** 32, 4);
      return Buffer.concat([compressFrames(frames), LAST_BLOCK, trailer]);
    },
  };
}
