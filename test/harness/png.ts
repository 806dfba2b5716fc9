import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** Builds a PNG: uniform gray, noise for a large file, or colored noise for the largest. */
export function buildPng(width: number, height: number, isNoise = false, channels: 1 | 3 = 1): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(8, 8);
  head.writeUInt8(channels === 3 ? 2 : 0, 9);
  const rows = Buffer.concat(
    Array.from({ length: height }, () =>
      Buffer.concat([
        Buffer.alloc(1),
        isNoise ? randomBytes(width * channels) : Buffer.alloc(width * channels, 128),
      ]),
    ),
  );
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    buildChunk('IHDR', head),
    buildChunk('IDAT', deflateSync(rows)),
    buildChunk('IEND', Buffer.alloc(0)),
  ]);
}

function buildChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
