// The subset of the tar format (POSIX ustar) that workspace archives need: files in folders, of known size.

const BLOCK_BYTES = 512;
const MAX_NAME_BYTES = 100;

/** A file in an archive. Its body must be read before the next entry is requested. */
export interface TarEntry {
  name: string;
  size: number;
  body: AsyncIterable<Buffer>;
}

export function buildTarHeader(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new Error(`a name is too long for the archive: ${name}`);
  const head = Buffer.alloc(BLOCK_BYTES);
  head.write(name, 0);
  head.write('0000600\0', 100);
  head.write('0000000\0', 108);
  head.write('0000000\0', 116);
  // Sizes of 8 GiB or more are stored in binary, as in GNU tar.
  if (size < 8 ** 11) head.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  else {
    head.writeUInt8(0x80, 124);
    head.writeBigUInt64BE(BigInt(size), 128);
  }
  head.write('00000000000\0', 136);
  head.write('        ', 148);
  head.write('0', 156);
  head.write('ustar\x0000', 257, 'latin1');
  head.write(`${computeChecksum(head).toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

export const buildTarPadding = (size: number): Buffer =>
  Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);

export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES);

const computeChecksum = (head: Buffer): number => head.reduce((sum, byte) => sum + byte, 0);

/**
 * Reads an archive one file at a time. Unread parts of a body are skipped.
 * @param damaged creates the error for a truncated or invalid archive
 */
export async function* readTar(
  source: AsyncIterable<Buffer>,
  damaged: () => Error,
): AsyncGenerator<TarEntry> {
  const reader = createBlockReader(source);
  for (;;) {
    const head = await reader.whole(BLOCK_BYTES);
    if (!head) throw damaged();
    if (head.every((byte) => byte === 0)) return;
    const { name, size } = parseTarHeader(head, damaged);
    let remaining = size;
    const body = async function* (): AsyncGenerator<Buffer> {
      while (remaining > 0) {
        const chunk = await reader.some(remaining);
        if (!chunk) throw damaged();
        remaining -= chunk.length;
        yield chunk;
      }
    };
    yield { name, size, body: body() };
    for await (const _ of body());
    await reader.whole(buildTarPadding(size).length);
  }
}

function parseTarHeader(head: Buffer, damaged: () => Error): { name: string; size: number } {
  const stated = Number.parseInt(head.toString('latin1', 148, 156), 8);
  const blank = Buffer.from(head);
  blank.write('        ', 148);
  if (stated !== computeChecksum(blank)) throw damaged();
  const end = head.indexOf(0);
  const name = head.toString('utf8', 0, Math.min(end < 0 ? MAX_NAME_BYTES : end, MAX_NAME_BYTES));
  const size =
    head.readUInt8(124) === 0x80
      ? Number(head.readBigUInt64BE(128))
      : Number.parseInt(head.toString('latin1', 124, 136), 8);
  return { name, size };
}

function createBlockReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let buffered: Buffer = Buffer.alloc(0);
  const some = async (count: number): Promise<Buffer | null> => {
    while (buffered.length === 0) {
      const { value, done } = await chunks.next();
      if (done) return null;
      buffered = value;
    }
    const chunk = buffered.subarray(0, count);
    buffered = buffered.subarray(chunk.length);
    return chunk;
  };
  const readExactly = async (count: number): Promise<Buffer | null> => {
    const chunks: Buffer[] = [];
    for (let remainingCount = count; remainingCount > 0; ) {
      const chunk = await some(remainingCount);
      if (!chunk) return null;
      remainingCount -= chunk.length;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
  return { some, whole: readExactly };
}
