import { LONGEST_HEAD, lineCutter } from './lines.ts';
import { type PartHeader, readPartHeader } from './part-header.ts';
import { type TransferDecoder, transferDecoder } from './transfer.ts';

/** A part of a message; a multipart, which holds parts, is one too. */
export interface ScannedPart extends Omit<PartHeader, 'boundary'> {
  /** As in IMAP: `1`, `2.1`; empty for a multipart that is the whole message. */
  path: string;
  /** Where its body begins and ends in the raw message, before it is decoded. */
  bodyFrom: number;
  bodyTo: number;
  /** Bytes of its body when it is decoded; 0 for a multipart. */
  size: number;
}

/** What a message holds, and where. */
export interface Scan {
  /** The header of the message as it stands there, without what is over the limits. */
  header: Buffer;
  parts: ScannedPart[];
  /** Bytes of the message. */
  size: number;
  /** Set where parts, or lines of a header, over the limits were left out. */
  truncated: boolean;
}

/** Bytes of one field of a header. A line whose head the line cutter has cut exceeds it. */
const MOST_FIELD = LONGEST_HEAD - 1;
/** Bytes of the header of a message, or of one of its parts, beyond which only essential fields are kept. */
const MOST_HEADER = 1024 * 1024;
/** Bytes of an essential field there. */
const MOST_LATE_FIELD = 64 * 1024;
/** Bytes that each kept line counts for beside its own, because of the memory it takes. */
const LINE_COST = 48;

/** Fields without which a message is not itself. The first of each is kept at any position. */
const ESSENTIAL = new RegExp(
  '^(?:subject|date|message-id|in-reply-to|references|from|sender|reply-to|to|cc|bcc|list-id|auto-submitted|' +
    'precedence|content-(?:type|transfer-encoding|disposition|id))$',
  'i',
);
const LONGEST_ESSENTIAL = 'content-transfer-encoding'.length;
const MOST_PARTS = 1_000;
/** Multiparts within each other. A deeper one is a file. */
const MOST_DEPTH = 50;

/** A multipart that is open. */
interface Level {
  part: ScannedPart;
  boundary: string;
  children: number;
}

interface ScanState {
  scan: Scan;
  levels: Level[];
  /** Open boundaries, and which level has each; the innermost where two have the same. */
  boundaries: Map<string, number>;
  /** Where lines belong. */
  place: 'header' | 'body' | 'between';
  header: Buffer[];
  headerSize: number;
  /** Bytes that the field which is being read may still have. */
  fieldRoom: number;
  /** Names of the essential fields of this header, as far as it has been read. */
  essential: Set<string>;
  part: ScannedPart | null;
  counter: Counter | null;
  /** Where the line before ended, without its line end. */
  lastEnd: number;
  /** Character set of the first part that names one. */
  charset: string | null;
  lineNo: number;
}

/**
 * Finds the parts of a message in one pass over its bytes, in memory that its size does not matter to. Takes any
 * bytes and never throws: what is not a message is a header, a body, or both.
 */
export function messageScanner(): { push(chunk: Uint8Array): void; end(): Scan } {
  const state: ScanState = {
    scan: { header: Buffer.alloc(0), parts: [], size: 0, truncated: false },
    levels: [],
    boundaries: new Map(),
    place: 'header',
    header: [],
    headerSize: 0,
    fieldRoom: 0,
    essential: new Set(),
    part: null,
    counter: null,
    lastEnd: 0,
    charset: null,
    lineNo: 0,
  };
  const lines = lineCutter({
    piece: (bytes) => state.counter?.count(bytes),
    line: (head, from, end, next) => takeLine(state, head, from, end, next),
    takesBlocks: () => state.place !== 'header',
    block(bytes, end) {
      state.counter?.count(bytes);
      state.counter?.keep();
      state.lastEnd = end;
    },
  });
  return {
    push: lines.push,
    end() {
      const size = lines.end();
      if (state.place === 'header') headerEnds(state, size);
      closePart(state, size, false);
      closeLevels(state, 0, size);
      state.scan.size = size;
      return state.scan;
    },
  };
}

function takeLine(state: ScanState, head: Buffer, from: number, end: number, next: number): void {
  const isFirst = state.lineNo++ === 0;
  if (boundaryLine(state, head, from, next)) state.lastEnd = end;
  else {
    if (state.place === 'header' && !(isFirst && isEnvelope(head))) headerLine(state, head, next);
    state.counter?.keep();
    state.lastEnd = end;
  }
}

/** The line that mbox files begin a message with. */
const isEnvelope = (head: Buffer): boolean => /^>?From +[^ :]/.test(head.toString('latin1', 0, 200));

function headerLine(state: ScanState, head: Buffer, next: number): void {
  if (head.length === 0) {
    headerEnds(state, next);
    return;
  }
  if (head[0] !== SPACE && head[0] !== TAB) state.fieldRoom = roomOfField(state, head);
  const kept = head.length < state.fieldRoom ? head : cutAtWord(head.subarray(0, state.fieldRoom));
  state.fieldRoom -= head.length + 1;
  if (kept.length < head.length) {
    state.scan.truncated = true;
    // The rest of the field would follow a gap.
    state.fieldRoom = 0;
    if (kept.length === 0) return;
  }
  // A copy: the chunk that the line is of need not live as long.
  state.header.push(Buffer.from(kept), LINE_END);
  state.headerSize += kept.length + LINE_COST;
}

const [SPACE, TAB, COLON, COMMA] = [32, 9, 58, 44] as const;

function roomOfField(state: ScanState, head: Buffer): number {
  const name = essentialName(head);
  const isFirst = name !== null && !state.essential.has(name);
  if (isFirst) state.essential.add(name);
  if (state.headerSize < MOST_HEADER) return MOST_FIELD;
  return isFirst ? MOST_LATE_FIELD : 0;
}

function essentialName(line: Buffer): string | null {
  const colon = line.subarray(0, LONGEST_ESSENTIAL + 2).indexOf(COLON);
  if (colon < 2) return null;
  const name = line.toString('latin1', 0, colon).trimEnd();
  return ESSENTIAL.test(name) ? name.toLowerCase() : null;
}

/** The beginning of a line up to its last comma or space, so that no address and no word is cut in two. */
function cutAtWord(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.max(0, bytes.lastIndexOf(COMMA), bytes.lastIndexOf(SPACE)));
}

const LINE_END = Buffer.from('\n');

function headerEnds(state: ScanState, bodyFrom: number): void {
  const header = Buffer.concat(state.header);
  const parent = state.levels.at(-1);
  const isMessage = state.scan.parts.length === 0;
  if (isMessage) state.scan.header = header;
  state.header = [];
  state.headerSize = 0;
  state.fieldRoom = 0;
  state.essential.clear();
  const { boundary, ...read } = readPartHeader(
    header,
    parent?.part.type === 'multipart/digest',
    state.charset,
  );
  state.charset ??= read.charset;
  const opens = read.type.startsWith('multipart/') && boundary !== null && state.levels.length < MOST_DEPTH;
  const type = read.type.startsWith('multipart/') && boundary === null ? 'text/plain' : read.type;
  const path = parent ? childPath(parent) : opens ? '' : '1';
  const part: ScannedPart = { path, ...read, type, bodyFrom, bodyTo: bodyFrom, size: 0 };
  state.scan.parts.push(part);
  state.place = opens ? 'between' : 'body';
  if (opens) {
    state.levels.push({ part, boundary: boundary!, children: 0 });
    noteBoundaries(state);
    return;
  }
  state.part = part;
  const decoder = transferDecoder(part.encoding);
  state.counter = decoder && counterOf(decoder);
}

function childPath({ part, children }: Level): string {
  return part.path === '' ? `${children}` : `${part.path}.${children}`;
}

function noteBoundaries(state: ScanState): void {
  state.boundaries = new Map(state.levels.map(({ boundary }, index) => [boundary, index]));
}

/** True for a line that ends a part. */
function boundaryLine(state: ScanState, head: Buffer, from: number, next: number): boolean {
  if (state.levels.length === 0 || head.length > 400 || head[0] !== 45 || head[1] !== 45) return false;
  const text = head.toString('latin1', 2).trimEnd();
  const level = state.boundaries.get(text);
  if (level !== undefined) {
    partEnds(state, from, level + 1);
    beginPart(state);
    return true;
  }
  const closing = text.endsWith('--') ? state.boundaries.get(text.slice(0, -2)) : undefined;
  if (closing === undefined) return false;
  partEnds(state, from, closing + 1);
  closeLevels(state, closing, next);
  noteBoundaries(state);
  state.place = 'between';
  return true;
}

/** @param keep how many levels stay open */
function partEnds(state: ScanState, from: number, keep: number): void {
  if (state.place === 'header') headerEnds(state, from);
  closePart(state, Math.min(state.lastEnd, from), true);
  if (state.levels.length === keep) return;
  closeLevels(state, keep, from);
  noteBoundaries(state);
}

/** A multipart without any part is the text it holds. */
function closeLevels(state: ScanState, keep: number, end: number): void {
  while (state.levels.length > keep) {
    const { part, children } = state.levels.pop()!;
    part.bodyTo = end;
    if (children > 0) continue;
    if (part.path === '') part.path = '1';
    part.type = 'text/plain';
    part.encoding = '8bit';
    part.size = part.bodyTo - part.bodyFrom;
  }
}

function beginPart(state: ScanState): void {
  const isFull = state.scan.parts.length >= MOST_PARTS;
  if (isFull) state.scan.truncated = true;
  else state.levels.at(-1)!.children += 1;
  state.place = isFull ? 'between' : 'header';
}

/** @param atBoundary whether a boundary ended it: the line end before that is no part of the body */
function closePart(state: ScanState, end: number, atBoundary: boolean): void {
  const { part, counter } = state;
  state.part = null;
  state.counter = null;
  if (!part) return;
  part.bodyTo = Math.max(part.bodyFrom, end);
  part.size = counter ? counter.total(atBoundary) : part.bodyTo - part.bodyFrom;
}

/** Counts the bytes of a body as they will be when it is decoded. */
interface Counter {
  count(bytes: Buffer): void;
  /** What was counted so far is of the body for certain: the line was no boundary. */
  keep(): void;
  total(atBoundary: boolean): number;
}

function counterOf(decoder: TransferDecoder): Counter {
  let size = 0;
  let kept = 0;
  let saved = decoder.save();
  return {
    count(bytes) {
      size += decoder.write(bytes).length;
    },
    keep() {
      kept = size;
      saved = decoder.save();
    },
    total(atBoundary) {
      if (!atBoundary) return size + decoder.end().length;
      decoder.restore(saved);
      return kept;
    },
  };
}
