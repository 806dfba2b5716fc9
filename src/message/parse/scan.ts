import { createLineSplitter, MAX_LINE_HEAD_BYTES } from './line-splitter.ts';
import { type PartHeader, readPartHeader } from './part-header.ts';
import { createTransferDecoder, type TransferDecoder } from './transfer.ts';

export interface ScannedPart extends Omit<PartHeader, 'boundary'> {
  /** Numbered as in IMAP: `1`, `2.1`. Empty for a multipart that is the whole message. */
  path: string;
  /** Start of the header and byte range of the encoded body, in the raw message or the content of the container. */
  headerFrom: number;
  bodyFrom: number;
  bodyTo: number;
  /** Size of the decoded body in bytes. 0 for a multipart. */
  size: number;
  /** Part that this part was unpacked from. */
  container?: ScannedPart;
  /** True for the text of a TNEF message, which repeats the message's plain text with formatting. */
  isTnefBody?: boolean;
  /** True if the part can be decrypted only with the recipients' keys. */
  isEncrypted?: boolean;
}

export interface MailScan {
  /** Raw header of the message, without fields beyond the limits. */
  header: Buffer;
  parts: ScannedPart[];
  size: number;
  /** True if parts or header lines beyond the limits were omitted. */
  truncated: boolean;
}

/** Maximum bytes of a header field, below the length at which the line splitter truncates. */
const MAX_FIELD_BYTES = MAX_LINE_HEAD_BYTES - 1;
/** Maximum bytes of a header. Beyond it, only essential fields are kept. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** Maximum bytes of an essential field once the header exceeds `MAX_HEADER_BYTES`. */
const MAX_LATE_FIELD_BYTES = 64 * 1024;
const LINE_OVERHEAD_BYTES = 48;

/** Fields that identify or classify a message. The first of each is kept at any position. */
const ESSENTIAL_FIELD = new RegExp(
  '^(?:subject|date|message-id|in-reply-to|references|from|sender|reply-to|to|cc|bcc|list-id|auto-submitted|' +
    'precedence|content-(?:type|transfer-encoding|disposition|id|location))$',
  'i',
);
const MAX_ESSENTIAL_NAME_LENGTH = 'content-transfer-encoding'.length;
export const MAX_PARTS = 1_000;
/** Maximum depth of nested multiparts. A deeper one is treated as a file. */
const MAX_DEPTH = 50;

interface OpenMultipart {
  part: ScannedPart;
  boundary: string;
  children: number;
}

interface ScanState {
  scan: MailScan;
  levels: OpenMultipart[];
  /** Open boundaries with their levels. If two are equal, the innermost takes precedence. */
  boundaries: Map<string, number>;
  place: 'header' | 'body' | 'between';
  headerFrom: number;
  header: Buffer[];
  headerSize: number;
  /** Remaining size of the current field in bytes. */
  fieldRoom: number;
  essential: Set<string>;
  part: ScannedPart | null;
  counter: BodyCounter | null;
  /** End of the previous line, without its line ending. */
  lastEnd: number;
  /** Charset of the first part that declares one. */
  charset: string | null;
  lineNo: number;
}

/**
 * Finds the parts of a message in one pass, with memory independent of its size. Never throws: input that is not a
 * message is treated as a header, a body, or both. `parts` contains the parts found so far.
 */
export function createMessageScanner() {
  const state: ScanState = {
    scan: { header: Buffer.alloc(0), parts: [], size: 0, truncated: false },
    levels: [],
    boundaries: new Map(),
    place: 'header',
    headerFrom: 0,
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
    line: (head, from, end, next) => scanLine(state, head, from, end, next),
    acceptsBlocks: () => state.place !== 'header',
    block(bytes, end) {
      state.counter?.count(bytes);
      state.counter?.confirm();
      state.lastEnd = end;
    },
  });
  return {
    parts: state.scan.parts,
    push: lines.push,
    end(): MailScan {
      const size = lines.end();
      if (state.place === 'header') finishHeader(state, size);
      closePart(state, size, false);
      closeLevels(state, 0, size);
      state.scan.size = size;
      return state.scan;
    },
  };
}

function scanLine(state: ScanState, head: Buffer, from: number, end: number, next: number): void {
  const isFirst = state.lineNo++ === 0;
  if (scanBoundaryLine(state, head, from, next)) state.lastEnd = end;
  else {
    if (state.place === 'header' && !(isFirst && isMboxEnvelope(head))) scanHeaderLine(state, head, next);
    state.counter?.confirm();
    state.lastEnd = end;
  }
}

/** Matches the separator line of mbox files. */
const isMboxEnvelope = (head: Buffer): boolean => /^>?From +[^ :]/.test(head.toString('latin1', 0, 200));

function scanHeaderLine(state: ScanState, head: Buffer, next: number): void {
  if (head.length === 0) {
    finishHeader(state, next);
    return;
  }
  if (head[0] !== SPACE && head[0] !== TAB) state.fieldRoom = computeFieldLimit(state, head);
  const fieldPart = head.length < state.fieldRoom ? head : cutAtWord(head.subarray(0, state.fieldRoom));
  // Once the header is full, short lines count with their overhead, which limits the number of kept lines.
  state.fieldRoom -= head.length + (state.headerSize < MAX_HEADER_BYTES ? 1 : LINE_OVERHEAD_BYTES);
  if (fieldPart.length < head.length) {
    state.scan.truncated = true;
    // Drops the rest of the field, because content before it is missing.
    state.fieldRoom = 0;
    if (fieldPart.length === 0) return;
  }
  // Copied, so that the chunk can be freed.
  state.header.push(Buffer.from(fieldPart), LINE_END);
  state.headerSize += fieldPart.length + LINE_OVERHEAD_BYTES;
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

/** Cuts a line at its last comma or space, so that no address or word is split. */
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
  const { boundary, ...read } = readPartHeader(header, parent?.part.type, state.charset);
  state.charset ??= read.charset;
  const opens = read.type.startsWith('multipart/') && boundary !== null && state.levels.length < MAX_DEPTH;
  const type = read.type.startsWith('multipart/') && boundary === null ? 'text/plain' : read.type;
  const path = parent ? buildChildPath(parent) : opens ? '' : '1';
  const { headerFrom } = state;
  const part: ScannedPart = { path, ...read, type, headerFrom, bodyFrom, bodyTo: bodyFrom, size: 0 };
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

function scanBoundaryLine(state: ScanState, head: Buffer, from: number, next: number): boolean {
  if (state.levels.length === 0 || head.length > 400 || head[0] !== 45 || head[1] !== 45) return false;
  const text = head.toString('latin1', 2).trimEnd();
  const level = state.boundaries.get(text);
  if (level !== undefined) {
    finishPart(state, from, level + 1);
    beginPart(state, next);
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

/** @param keep number of levels that stay open */
function finishPart(state: ScanState, from: number, keep: number): void {
  if (state.place === 'header') finishHeader(state, from);
  closePart(state, Math.min(state.lastEnd, from), true);
  if (state.levels.length === keep) return;
  closeLevels(state, keep, from);
  updateBoundaries(state);
}

/** A multipart without parts is treated as text. */
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

function beginPart(state: ScanState, headerFrom: number): void {
  const isFull = state.scan.parts.length >= MAX_PARTS;
  if (isFull) state.scan.truncated = true;
  else state.levels.at(-1)!.children += 1;
  state.place = isFull ? 'between' : 'header';
  state.headerFrom = headerFrom;
}

/** @param atBoundary true if a boundary ended the part; the line ending before it does not belong to the body */
function closePart(state: ScanState, end: number, atBoundary: boolean): void {
  const { part, counter } = state;
  state.part = null;
  state.counter = null;
  if (!part) return;
  part.bodyTo = Math.max(part.bodyFrom, end);
  part.size = counter ? counter.total(atBoundary) : part.bodyTo - part.bodyFrom;
}

interface BodyCounter {
  count(bytes: Buffer): void;
  /** Confirms that the bytes counted so far belong to the body, because the line was not a boundary. */
  confirm(): void;
  total(atBoundary: boolean): number;
}

function createBodyCounter(decoder: TransferDecoder): BodyCounter {
  let size = 0;
  let carriedBytes = 0;
  let savedState = decoder.save();
  return {
    count(bytes) {
      size += decoder.write(bytes).length;
    },
    confirm() {
      carriedBytes = size;
      savedState = decoder.save();
    },
    total(atBoundary) {
      if (!atBoundary) return size + decoder.end().length;
      decoder.restore(savedState);
      return carriedBytes;
    },
  };
}
