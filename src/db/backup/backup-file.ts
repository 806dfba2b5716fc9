import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import type { SealedKey } from './sealed-key.ts';
import { writeWhole } from './whole-file.ts';

/** The beginning of a backup. */
export interface Header {
  format: 'atrium backup 1';
  /** Version of Atrium. */
  version: string;
  /** ISO. */
  created: string;
  /** What the database had applied, in order. */
  migrations: { name: string; checksum: string }[];
  /** null: it was left out. */
  key: SealedKey | null;
}

/** A table, before its rows. */
export interface TableHead {
  table: string;
  columns: string[];
}

export interface SequenceValue {
  sequence: string;
  value: string;
  called: boolean;
}

/** The end, without which the file is not whole. */
export interface Totals {
  sequences: SequenceValue[];
  /** Background jobs that have not run. */
  jobs: { name: string; data: object }[];
  tables: number;
  rows: number;
}

/** A piece of a backup; `rows` are in PostgreSQL's text format of COPY, cut anywhere. */
export type Piece =
  | { kind: 'header'; value: Header }
  | { kind: 'table'; value: TableHead }
  | { kind: 'rows'; value: Buffer }
  | { kind: 'end of table'; value: { rows: number } }
  | { kind: 'end'; value: Totals };

const KINDS = ['header', 'table', 'rows', 'end of table', 'end'] as const;
/** Bytes of one piece of rows; a row may be longer, and is cut. */
const PIECE = 256 * 1024;
/** Bytes of a piece that is not of rows. */
const WORDS = 64 * 1024 * 1024;
const HEAD = 5;

/** Writes a file that is there only when it is whole, compressed, for its owner alone. */
export async function writePieces(file: string, pieces: AsyncIterable<Piece>): Promise<void> {
  await writeWhole(file, [Readable.from(encode(pieces), { objectMode: false }), createGzip({ level: 3 })]);
}

async function* encode(pieces: AsyncIterable<Piece>): AsyncGenerator<Buffer> {
  for await (const { kind, value } of pieces) {
    const body = kind === 'rows' ? value : Buffer.from(JSON.stringify(value));
    for (let from = 0; from === 0 || from < body.length; from += PIECE) {
      const part = kind === 'rows' ? body.subarray(from, from + PIECE) : body;
      const head = Buffer.alloc(HEAD);
      head.writeUInt8(KINDS.indexOf(kind));
      head.writeUInt32BE(part.length, 1);
      yield head;
      yield part;
      if (kind !== 'rows') break;
    }
  }
}

/**
 * Reads what `writePieces` wrote.
 * @throws Error with one line when the file is no backup, is cut short or was changed
 */
export async function* readPieces(file: string): AsyncGenerator<Piece> {
  const source = createReadStream(file);
  const plain = source.pipe(createGunzip({ chunkSize: PIECE }));
  source.on('error', (error) => plain.destroy(error));
  try {
    let last: Piece['kind'] | null = null;
    for await (const piece of decode(plain)) {
      if (last === null && piece.kind !== 'header') break;
      last = piece.kind;
      yield piece;
    }
    if (last !== 'end') throw damaged(file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw code.startsWith('Z_') || error instanceof SyntaxError ? damaged(file) : error;
  } finally {
    source.destroy();
  }
}

const damaged = (file: string): Error => new Error(`${file} is not a whole backup of Atrium.`);

async function* decode(chunks: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    let at = 0;
    for (;;) {
      if (held.length - at < HEAD) break;
      const kind = KINDS[held.readUInt8(at)];
      const length = held.readUInt32BE(at + 1);
      if (!kind || length > WORDS) throw new SyntaxError('no piece of a backup');
      if (held.length - at < HEAD + length) break;
      const body = held.subarray(at + HEAD, at + HEAD + length);
      yield { kind, value: kind === 'rows' ? body : JSON.parse(body.toString()) } as Piece;
      at += HEAD + length;
    }
    held = held.subarray(at);
  }
}
