import type { RawMail } from './parse/raw.ts';
import type { ScannedPart } from './parse/scan.ts';

/** Where a part lies. */
export type FileLocation = Pick<ScannedPart, 'path' | 'type' | 'bodyFrom' | 'bodyTo' | 'size'>;

/** Some bytes of a message, from the header of a file to its end, that are left out, and what stands there. */
interface RemovedRange {
  from: number;
  to: number;
  note: Buffer;
}

/** A message without its files. */
export interface StrippedMail {
  /** All of it. */
  read(): AsyncGenerator<Buffer>;
  /** Where something is that was at `at` and was not left out. */
  mapOffset(at: number): number;
}

/** Bytes of the header of a part, with the line that parts it from the one before. */
const MAX_PART_HEADER_BYTES = 66 * 1024;

/**
 * Leaves out the bytes of files. In the place of each stands a `message/external-body` (RFC 2046 5.2.3) that keeps the
 * file's name and type and says that it was not kept.
 */
export async function removeFiles(raw: RawMail, files: readonly FileLocation[]): Promise<StrippedMail> {
  const cuts: RemovedRange[] = [];
  let end = 0;
  for (const file of [...files].sort((a, b) => a.bodyFrom - b.bodyFrom)) {
    const from = Math.max(end, file.bodyFrom - MAX_PART_HEADER_BYTES);
    const before = (await readBytes(raw, from, file.bodyFrom)).toString('latin1');
    const header = before.slice(findHeaderStart(before, from === 0));
    cuts.push({ from: file.bodyFrom - header.length, to: file.bodyTo, note: buildNote(header, file) });
    end = file.bodyTo;
  }
  return {
    async *read() {
      let at = 0;
      for (const { from, to, note } of cuts) {
        yield* toBuffers(raw.read(at, from));
        yield note;
        at = to;
      }
      yield* toBuffers(raw.read(at, raw.size));
    },
    mapOffset: (at) =>
      cuts.reduce((place, { from, to, note }) => (to <= at ? place + note.length - (to - from) : place), at),
  };
}

async function readBytes(raw: RawMail, from: number, to: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of raw.read(from, to)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* toBuffers(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}

/** Behind the last boundary; the header of a message that is one file begins with the message. */
function findHeaderStart(before: string, isBeginning: boolean): number {
  let start = -1;
  for (const { index, 0: line } of before.matchAll(/(?<=^|\n)--[^\n]*\n/g)) start = index + line.length;
  if (start >= 0) return start;
  return isBeginning ? 0 : before.length;
}

/** Fields that say how the bytes are to be read, which are not there any more. */
const CONTENT_FIELD = /^(?:content-type|content-transfer-encoding|content-length|content-md5)[ \t]*:/i;

function buildNote(header: string, { type, size }: FileLocation): Buffer {
  const fields = header.split(/\r?\n(?![ \t])/).filter((field) => field.trim() !== '');
  const [ofBytes, others] = [true, false].map((is) =>
    fields.filter((field) => CONTENT_FIELD.test(field) === is),
  );
  const lines = [
    ...others!,
    `Content-Type: message/external-body; access-type=x-not-kept; size=${size}`,
    '',
    ...(ofBytes!.length > 0 ? ofBytes! : [`Content-Type: ${type}`]),
    '',
    'This attachment was not kept.',
    '',
  ];
  return Buffer.from(lines.join('\r\n'), 'latin1');
}
