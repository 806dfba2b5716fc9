import type { RawMail } from './parse/raw.ts';
import type { ScannedPart } from './parse/scan.ts';

type FileLocation = Pick<ScannedPart, 'path' | 'type' | 'bodyFrom' | 'bodyTo' | 'size'>;

/** The range of a file, including its header, and its replacement. */
interface RemovedRange {
  from: number;
  to: number;
  note: Buffer;
}

interface StrippedMail {
  read(): AsyncGenerator<Buffer>;
  /** Maps an offset of remaining content to its offset in the result. */
  mapOffset(index: number): number;
}

/** Maximum bytes of a part's header, including the boundary line before it. */
const MAX_PART_HEADER_BYTES = 66 * 1024;

/**
 * Replaces each file with a `message/external-body` part (RFC 2046 5.2.3), which keeps the file's name and type and
 * states that the file was removed.
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
      let position = 0;
      for (const { from, to, note } of cuts) {
        yield* toBuffers(raw.read(position, from));
        yield note;
        position = to;
      }
      yield* toBuffers(raw.read(position, raw.size));
    },
    mapOffset: (index) =>
      cuts.reduce(
        (position, { from, to, note }) => (to <= index ? position + note.length - (to - from) : position),
        index,
      ),
  };
}

async function readBytes(raw: RawMail, from: number, to: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of raw.read(from, to)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* toBuffers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** The header starts after the last boundary, or at the start of a message that consists of one file. */
function findHeaderStart(before: string, isBeginning: boolean): number {
  let start = -1;
  for (const { index, 0: line } of before.matchAll(/(?<=^|\n)--[^\n]*\n/g)) start = index + line.length;
  if (start >= 0) return start;
  return isBeginning ? 0 : before.length;
}

/** Fields that describe the encoding of the removed bytes. */
const CONTENT_FIELD = /^(?:content-type|content-transfer-encoding|content-length|content-md5)[ \t]*:/i;

function buildNote(header: string, { type, size }: FileLocation): Buffer {
  const fields = header.split(/\r?\n(?![ \t])/).filter((field) => field.trim() !== '');
  const [contentFields, otherFields] = [true, false].map((isContentField) =>
    fields.filter((field) => CONTENT_FIELD.test(field) === isContentField),
  );
  const lines = [
    ...otherFields!,
    `Content-Type: message/external-body; access-type=x-not-kept; size=${size}`,
    '',
    ...(contentFields!.length > 0 ? contentFields! : [`Content-Type: ${type}`]),
    '',
    'This attachment was removed.',
    '',
  ];
  return Buffer.from(lines.join('\r\n'), 'latin1');
}
