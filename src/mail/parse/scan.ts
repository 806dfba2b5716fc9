import { createLineSplitter, MAX_LINE_HEAD_BYTES } from './line-splitter.ts';
import { type PartHeader, readPartHeader } from './part-header.ts';
import { createTransferDecoder, type TransferDecoder } from './transfer.ts';

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
export interface MailScan {
  /** The header of the message as it stands there, without what is over the limits. */
  header: Buffer;
  parts: ScannedPart[];
  /** Bytes of the message. */
  size: number;
  /** Set where parts, or lines of a header, over the limits were left out. */
  truncated: boolean;
}

/** Bytes of one field of a header. A line whose head the line cutter has cut exceeds it. */
const MAX_FIELD_BYTES = MAX_LINE_HEAD_BYTES - 1;
/** Bytes of the header of a message, or of one of its parts, beyond which only essential fields are kept. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** Bytes of an essential field there. */
const MAX_LATE_FIELD_BYTES = 64 * 1024;
/** Bytes that each kept line counts for beside its own, because of the memory it takes. */
const LINE_OVERHEAD_BYTES = 48;

/** Fields without which a message is not itself. The first of each is kept at any position. */
const ESSENTIAL_FIELD = new RegExp(
  '^(?:subject|date|message-id|in-reply-to|references|from|sender|reply-to|to|cc|bcc|list-id|auto-submitted|' +
    'precedence|content-(?:type|transfer-encoding|disposition|id))$',
  'i',
);
const MAX_ESSENTIAL_NAME_LENGTH = 'content-transfer-encoding'.length;
const MAX_PARTS = 1_000;
/** Multiparts within each other. A deeper one is a file. */
const MAX_DEPTH = 50;

/** A multipart that is open. */
interface OpenMultipart {
  part: ScannedPart;
  boundary: string;
  children: number;
}

interface ScanState {
  scan: MailScan;
  levels: OpenMultipart[];
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
  counter: BodyCounter | null;
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
export function createMessageScanner(): { push(chunk: Uint8Array): void; end(): MailScan } {
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
  const lines = createLineSplitter({
    piece: (bytes) => state.counter?.count(bytes),
    line: (head, from, end, next) => handleLine(state, head, from, end, next),
    acceptsBlocks: () => state.place !== 'header',
    block(bytes, end) {
      state.counter?.count(bytes);
      state.counter?.confirm();
      state.lastEnd = end;
    },
  });
  return {
    push: lines.push,
    end() {
      const size = lines.end();
      if (state.place === 'header') finishHeader(state, size);
      closePart(state, size, false);
      closeLevels(state, 0, size);
      state.scan.size = size;
      return state.scan;
    },
  };
}

function handleLine(state: ScanState, head: Buffer, from: number, end: number, next: number): void {
  const isFirst = state.lineNo++ === 0;
  if (handleBoundaryLine(state, head, from, next)) state.lastEnd = end;
  else {
    if (state.place === 'header' && !(isFirst && isMboxEnvelope(head))) handleHeaderLine(state, head, next);
    state.counter?.confirm();
    state.lastEnd = end;
  }
}

/** The line that mbox files begin a message with. */
const isMboxEnvelope = (head: Buffer): boolean => /^>?From +[^ :]/.test(head.toString('latin1', 0, 200));

function handleHeaderLine(state: ScanState, head: Buffer, next: number): void {
  if (head.length === 0) {
    finishHeader(state, next);
    return;
  }
  if (head[0] !== SPACE && head[0] !== TAB) state.fieldRoom = computeFieldLimit(state, head);
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
  state.headerSize += kept.length + LINE_OVERHEAD_BYTES;
}

const [SPACE, TAB, COLON, COMMA] = [32, 9, 58, 44] as const;

function computeFieldLimit(state: ScanState, head: Buffer): number {
  const name = getEssentialName(head);
  const isFirst = name !== null && !state.essential.has(name);
  if (isFirst) state.essential.add(name);
  if (state.headerSize < MAX_HEADER_BYTES) return MAX_FIELD_BYTES;
  return isFirst ? MAX_LATE_FIELD_BYTES : 0;
}

function getEssentialName(line: Buffer): string | null {
  const colon = line.subarray(0, MAX_ESSENTIAL_NAME_LENGTH + 2).indexOf(COLON);
  if (colon < 2) return null;
  const name = line.toString('latin1', 0, colon).trimEnd();
  return ESSENTIAL_FIELD.test(name) ? name.toLowerCase() : null;
}

/** The beginning of a line up to its last comma or space, so that no address and no word is cut in two. */
function cutAtWord(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.max(0, bytes.lastIndexOf(COMMA), bytes.lastIndexOf(SPACE)));
}

const LINE_END = Buffer.from('\n');

function finishHeader(state: ScanState, bodyFrom: number): void {
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
  const opens = read.type.startsWith('multipart/') && boundary !== null && state.levels.length < MAX_DEPTH;
  const type = read.type.startsWith('multipart/') && boundary === null ? 'text/plain' : read.type;
  const path = parent ? buildChildPath(parent) : opens ? '' : '1';
  const part: ScannedPart = { path, ...read, type, bodyFrom, bodyTo: bodyFrom, size: 0 };
  state.scan.parts.push(part);
  state.place = opens ? 'between' : 'body';
  if (opens) {
    state.levels.push({ part, boundary: boundary!, children: 0 });
    updateBoundaries(state);
    return;
  }
  state.part = part;
  const decoder = createTransferDecoder(part.encoding);
  state.counter = decoder && createBodyCounter(decoder);
}

function buildChildPath({ part, children }: OpenMultipart): string {
  return part.path === '' ? `${children}` : `${part.path}.${children}`;
}

function updateBoundaries(state: ScanState): void {
  state.boundaries = new Map(state.levels.map(({ boundary }, index) => [boundary, index]));
}

/** True for a line that ends a part. */
function handleBoundaryLine(state: ScanState, head: Buffer, from: number, next: number): boolean {
  if (state.levels.length === 0 || head.length > 400 || head[0] !== 45 || head[1] !== 45) return false;
  const text = head.toString('latin1', 2).trimEnd();
  const level = state.boundaries.get(text);
  if (level !== undefined) {
    finishPart(state, from, level + 1);
    beginPart(state);
    return true;
  }
  const closing = text.endsWith('--') ? state.boundaries.get(text.slice(0, -2)) : undefined;
  if (closing === undefined) return false;
  finishPart(state, from, closing + 1);
  closeLevels(state, closing, next);
  updateBoundaries(state);
  state.place = 'between';
  return true;
}

/** @param keep how many levels stay open */
function finishPart(state: ScanState, from: number, keep: number): void {
  if (state.place === 'header') finishHeader(state, from);
  closePart(state, Math.min(state.lastEnd, from), true);
  if (state.levels.length === keep) return;
  closeLevels(state, keep, from);
  updateBoundaries(state);
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
  const isFull = state.scan.parts.length >= MAX_PARTS;
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
interface BodyCounter {
  count(bytes: Buffer): void;
  /** What was counted so far is of the body for certain: the line was no boundary. */
  confirm(): void;
  total(atBoundary: boolean): number;
}

function createBodyCounter(decoder: TransferDecoder): BodyCounter {
  let size = 0;
  let kept = 0;
  let saved = decoder.save();
  return {
    count(bytes) {
      size += decoder.write(bytes).length;
    },
    confirm() {
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
