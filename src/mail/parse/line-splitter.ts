/** What is met while lines are read. Offsets are those of the whole. */
export interface LineReader {
  /** A piece of a line, with its end where that is in it. */
  piece(bytes: Buffer): void;
  /**
   * A line that is complete.
   * @param head its first 256 kB, without its end
   * @param from where it begins
   * @param end where its end begins
   * @param next where the next line begins
   */
  line(head: Buffer, from: number, end: number, next: number): void;
  /** Whether lines that do not begin with two hyphens are all alike now: they then come as one block. */
  acceptsBlocks(): boolean;
  /**
   * Lines that are complete, none of which begins with two hyphens.
   * @param end where the end of the last one begins
   */
  block(bytes: Buffer, end: number): void;
}

const LF = 10;
const CR = 13;
const HYPHEN = 45;
const LINE_WITH_HYPHENS = Buffer.from('\n--');
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Bytes by which it is decided how lines end. */
const DETECTION_BYTES = 4096;
/** Bytes of the head of a line. */
export const MAX_LINE_HEAD_BYTES = 256 * 1024;

interface SplitterState {
  reader: LineReader;
  /** LF, or CR where there is no LF at all. */
  ending: number;
  /** Where the chunk begins, and the line that is being read. */
  base: number;
  from: number;
  /** The head of that line, as far as earlier chunks have it. */
  carry: Buffer;
  carried: number;
  lastByte: number;
}

/**
 * Cuts chunks into lines that end with CRLF, LF or, where the beginning holds no LF, CR. A byte order mark is left
 * out. Keeps a part of one line, whatever it is given.
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
  const decide = () => {
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
        if (start.length >= DETECTION_BYTES) decide();
      }
    },
    end() {
      if (start !== null) decide();
      if (state.from < state.base) completeLine(state, Buffer.alloc(0), state.base, state.base);
      return state.base;
    },
  };
}

function splitChunk(state: SplitterState, chunk: Buffer): void {
  let at = 0;
  while (at < chunk.length) {
    const to = findBlockEnd(state, chunk, at);
    if (to > at) {
      emitBlock(state, chunk.subarray(at, to), state.base + to);
      at = to;
      continue;
    }
    at = splitLine(state, chunk, at);
  }
  state.base += chunk.length;
}

/** Where the lines end that can be taken as a block; `at` where there are none. */
function findBlockEnd(
  { reader, ending, carried, from, base }: SplitterState,
  chunk: Buffer,
  at: number,
): number {
  const isBegun = carried > 0 || from !== base + at;
  if (isBegun || ending !== LF || !reader.acceptsBlocks()) return at;
  if (chunk[at] === HYPHEN && (at + 1 === chunk.length || chunk[at + 1] === HYPHEN)) return at;
  const found = chunk.indexOf(LINE_WITH_HYPHENS, at);
  return found === -1 ? chunk.lastIndexOf(LF) + 1 : found + 1;
}

/** @param next where the next line begins */
function emitBlock(state: SplitterState, bytes: Buffer, next: number): void {
  const hasCr = bytes.length > 1 && bytes[bytes.length - 2] === CR;
  state.reader.block(bytes, next - (hasCr ? 2 : 1));
  state.from = next;
}

/** @returns where the next line begins, or the chunk ends */
function splitLine(state: SplitterState, chunk: Buffer, at: number): number {
  const found = chunk.indexOf(state.ending, at);
  const to = found === -1 ? chunk.length : found + 1;
  const bytes = at === 0 && to === chunk.length ? chunk : chunk.subarray(at, to);
  state.reader.piece(bytes);
  if (found === -1) keepHead(state, bytes);
  else completeLine(state, bytes.subarray(0, -1), state.base + found, state.base + to);
  return to;
}

/** @param end where the byte stands that ends the line; a CR before it belongs to the end */
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
  const room = MAX_LINE_HEAD_BYTES - state.carried;
  if (room <= 0 || bytes.length === 0) return;
  const taken = bytes.subarray(0, room);
  if (state.carry.length < state.carried + taken.length) {
    const grown = Buffer.alloc(Math.min(MAX_LINE_HEAD_BYTES, (state.carried + taken.length) * 2));
    state.carry.copy(grown, 0, 0, state.carried);
    state.carry = grown;
  }
  taken.copy(state.carry, state.carried);
  state.carried += taken.length;
}
