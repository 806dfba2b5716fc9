/** Offsets are relative to the whole input. */
interface LineReader {
  /** Receives part of a line, possibly with its line ending. */
  piece(bytes: Buffer): void;
  /**
   * Receives a complete line.
   * @param head the first 256 kB, without the line ending
   * @param from start of the line
   * @param end start of the line ending
   * @param next start of the next line
   */
  line(head: Buffer, from: number, end: number, next: number): void;
  /**
   * Returns true if only lines that start with two hyphens must be passed to `line`. Other lines are then passed to
   * `block`.
   */
  acceptsBlocks(): boolean;
  /**
   * Receives complete lines that do not start with two hyphens.
   * @param end start of the last line ending
   */
  block(bytes: Buffer, end: number): void;
}

const LF = 10;
const CR = 13;
const HYPHEN = 45;
const LINE_WITH_HYPHENS = Buffer.from('\n--');
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

const DETECTION_BYTES = 4096;
export const MAX_LINE_HEAD_BYTES = 256 * 1024;

interface SplitterState {
  reader: LineReader;
  /** LF, or CR if the input contains no LF. */
  ending: number;
  /** `base` is the offset of the chunk, and `from` is the offset of the current line. */
  base: number;
  from: number;
  /** Start of the current line, carried over from earlier chunks. */
  carry: Buffer;
  carried: number;
  lastByte: number;
}

/**
 * Splits chunks into lines. Lines end with CRLF or LF, or with CR if the start of the input contains no LF. Skips a
 * byte order mark, and keeps at most part of one line in memory.
 */
export function createLineSplitter(reader: LineReader): { push(chunk: Uint8Array): void; end(): number } {
  const state: SplitterState = {
    reader,
    ending: 0,
    base: 0,
    from: 0,
    carry: Buffer.alloc(0),
    carried: 0,
    lastByte: 0,
  };
  let start: Buffer | null = Buffer.alloc(0);
  const detectLineEnding = () => {
    const bytes = start!;
    start = null;
    const head = bytes.subarray(0, DETECTION_BYTES);
    state.ending = head.includes(CR) && !head.includes(LF) ? CR : LF;
    const skipped = bytes.subarray(0, 3).equals(BOM) ? 3 : 0;
    state.base = skipped;
    state.from = skipped;
    splitChunk(state, bytes.subarray(skipped));
  };
  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      if (start === null) splitChunk(state, bytes);
      else {
        start = Buffer.concat([start, bytes]);
        if (start.length >= DETECTION_BYTES) detectLineEnding();
      }
    },
    end() {
      if (start !== null) detectLineEnding();
      if (state.from < state.base) completeLine(state, Buffer.alloc(0), state.base, state.base);
      return state.base;
    },
  };
}

function splitChunk(state: SplitterState, chunk: Buffer): void {
  let position = 0;
  while (position < chunk.length) {
    const to = findBlockEnd(state, chunk, position);
    if (to > position) {
      emitBlock(state, chunk.subarray(position, to), state.base + to);
      position = to;
      continue;
    }
    position = splitLine(state, chunk, position);
  }
  state.base += chunk.length;
}

/** Finds the end of the lines that can be passed as a block. Returns `index` if there are none. */
function findBlockEnd(
  { reader, ending, carried, from, base }: SplitterState,
  chunk: Buffer,
  index: number,
): number {
  const isBegun = carried > 0 || from !== base + index;
  if (isBegun || ending !== LF || !reader.acceptsBlocks()) return index;
  if (chunk[index] === HYPHEN && (index + 1 === chunk.length || chunk[index + 1] === HYPHEN)) return index;
  const end = chunk.indexOf(LINE_WITH_HYPHENS, index);
  return end === -1 ? chunk.lastIndexOf(LF) + 1 : end + 1;
}

function emitBlock(state: SplitterState, bytes: Buffer, next: number): void {
  const hasCr = bytes.length > 1 && bytes[bytes.length - 2] === CR;
  state.reader.block(bytes, next - (hasCr ? 2 : 1));
  state.from = next;
}

function splitLine(state: SplitterState, chunk: Buffer, index: number): number {
  const end = chunk.indexOf(state.ending, index);
  const to = end === -1 ? chunk.length : end + 1;
  const bytes = index === 0 && to === chunk.length ? chunk : chunk.subarray(index, to);
  state.reader.piece(bytes);
  if (end === -1) keepHead(state, bytes);
  else completeLine(state, bytes.subarray(0, -1), state.base + end, state.base + to);
  return to;
}

/** @param end position of the byte that ends the line; a preceding CR is part of the ending */
function completeLine(state: SplitterState, bytes: Buffer, end: number, next: number): void {
  const last = bytes.length > 0 ? bytes[bytes.length - 1] : state.lastByte;
  const hasCr = state.ending === LF && last === CR && end > state.from && next > end;
  if (state.carried > 0) keepHead(state, bytes);
  const head =
    state.carried > 0 ? state.carry.subarray(0, state.carried) : bytes.subarray(0, MAX_LINE_HEAD_BYTES);
  const length = end - state.from - (hasCr ? 1 : 0);
  state.reader.line(head.subarray(0, length), state.from, state.from + length, next);
  state.from = next;
  state.carried = 0;
  state.lastByte = 0;
}

function keepHead(state: SplitterState, bytes: Buffer): void {
  if (bytes.length > 0) state.lastByte = bytes[bytes.length - 1]!;
  const remaining = MAX_LINE_HEAD_BYTES - state.carried;
  if (remaining <= 0 || bytes.length === 0) return;
  const headPart = bytes.subarray(0, remaining);
  if (state.carry.length < state.carried + headPart.length) {
    const largerBuffer = Buffer.alloc(Math.min(MAX_LINE_HEAD_BYTES, (state.carried + headPart.length) * 2));
    state.carry.copy(largerBuffer, 0, 0, state.carried);
    state.carry = largerBuffer;
  }
  headPart.copy(state.carry, state.carried);
  state.carried += headPart.length;
}
