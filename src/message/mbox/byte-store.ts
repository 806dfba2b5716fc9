const BLOCK_BYTES = 65_536;

/** Collects bytes in blocks, which avoids overhead for many small chunks. Bytes beyond the limit are only counted. */
export function createByteStore(limit: number) {
  let blocks: Buffer[] = [];
  let used = 0;
  let size = 0;
  let block: Buffer | null = null;

  function add(bytes: Uint8Array): void {
    size += bytes.length;
    if (size > limit) {
      blocks = [];
      block = null;
      return;
    }
    for (let start = 0; start < bytes.length; ) {
      if (!block || used === block.length) {
        // Most messages are small and do not need a large block.
        block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, Math.max(1_024, size)));
        blocks.push(block);
        used = 0;
      }
      const part = bytes.subarray(start, start + block.length - used);
      block.set(part, used);
      used += part.length;
      start += part.length;
    }
  }

  return {
    add,
    size: (): number => size,
    /** Returns all bytes and clears the store. Null if they exceeded the limit. */
    take(): Buffer | null {
      const bytes = size > limit ? null : Buffer.concat(blocks, size);
      blocks = [];
      block = null;
      size = 0;
      return bytes;
    },
  };
}
