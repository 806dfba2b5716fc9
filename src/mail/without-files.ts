import type { RawMail } from './parse/raw.ts';
import type { ScannedPart } from './parse/scan.ts';

/** Where a part lies. */
export type FilePlace = Pick<ScannedPart, 'path' | 'type' | 'bodyFrom' | 'bodyTo' | 'size'>;

/** Some bytes of a message, from the header of a file to its end, that are left out, and what stands there. */
interface Cut {
  from: number;
  to: number;
  note: Buffer;
}

/** A message without its files. */
export interface Stripped {
  /** All of it. */
  read(): AsyncGenerator<Buffer>;
  /** Where something is that was at `at` and was not left out. */
  placeOf(at: number): number;
}

/** Bytes of the header of a part, with the line that parts it from the one before. */
const HEADER = 66 * 1024;

/**
 * Leaves out the bytes of files. In the place of each stands a `message/external-body` (RFC 2046 5.2.3) that keeps the
 * file's name and type and says that it was not kept.
 */
export async function withoutFiles(raw: RawMail, files: readonly FilePlace[]): Promise<Stripped> {
  const cuts: Cut[] = [];
  let end = 0;
  for (const file of [...files].sort((a, b) => a.bodyFrom - b.bodyFrom)) {
    const from = Math.max(end, file.bodyFrom - HEADER);
    const before = (await bytesOf(raw, from, file.bodyFrom)).toString('latin1');
    const header = before.slice(headerStart(before, from === 0));
    cuts.push({ from: file.bodyFrom - header.length, to: file.bodyTo, note: noteFor(header, file) });
    end = file.bodyTo;
  }
  return {
    async *read() {
      let at = 0;
      for (const { from, to, note } of cuts) {
        yield* buffers(raw.read(at, from));
        yield note;
        at = to;
      }
      yield* buffers(raw.read(at, raw.size));
    },
    placeOf: (at) =>
      cuts.reduce((place, { from, to, note }) => (to <= at ? place + note.length - (to - from) : place), at),
  };
}

async function bytesOf(raw: RawMail, from: number, to: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of raw.read(from, to)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* buffers(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}

/** Behind the last boundary; the header of a message that is one file begins with the message. */
function headerStart(before: string, isBeginning: boolean): number {
  let start = -1;
  for (const { index, 0: line } of before.matchAll(/(?<=^|\n)--[^\n]*\n/g)) start = index + line.length;
  if (start >= 0) return start;
  return isBeginning ? 0 : before.length;
}

/** Fields that say how the bytes are to be read, which are not there any more. */
const OF_BYTES = /^(?:content-type|content-transfer-encoding|content-length|content-md5)[ \t]*:/i;

function noteFor(header: string, { type, size }: FilePlace): Buffer {
  const fields = header.split(/\r?\n(?![ \t])/).filter((field) => field.trim() !== '');
  const [ofBytes, others] = [true, false].map((is) => fields.filter((field) => OF_BYTES.test(field) === is));
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
