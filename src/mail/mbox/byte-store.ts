const BLOCK_BYTES = 65_536;

/**
 * Collects bytes in blocks, so that many small pieces cost no more than their bytes. Beyond the limit it only counts.
 */
export function createByteStore(limit: number) {
  let blocks: Buffer[] = [];
  /** Bytes in use of the last block. */
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
    for (let at = 0; at < bytes.length; ) {
      if (!block || used === block.length) {
        // Small messages are many, and need no large block.
        block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, Math.max(1_024, size)));
        blocks.push(block);
        used = 0;
      }
      const part = bytes.subarray(at, at + block.length - used);
      block.set(part, used);
      used += part.length;
      at += part.length;
    }
  }

  return {
    add,
    size: (): number => size,
    /** The bytes in one piece, and the store empty again; null if they were more than the limit. */
    take(): Buffer | null {
      const whole = size > limit ? null : Buffer.concat(blocks, size);
      blocks = [];
      block = null;
      size = 0;
      return whole;
    },
  };
}
