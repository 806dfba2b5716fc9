import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { writeAtomically } from './atomic-file.ts';
import type { EncryptedKey } from './encrypted-key.ts';

export interface BackupHeader {
  format: 'atrium backup 1';
  version: string;
  created: string;
  /** Applied migrations, in order. */
  migrations: { name: string; checksum: string }[];
  /** The encrypted secret key. Null if omitted. */
  key: EncryptedKey | null;
}

/** Precedes the rows of a table. */
export interface TableHeader {
  table: string;
  columns: string[];
}

export interface SequenceValue {
  sequence: string;
  value: string;
  called: boolean;
}

/** Last piece of a backup. A file without it is truncated. */
export interface BackupTotals {
  sequences: SequenceValue[];
  /** Background jobs that have not finished. */
  jobs: { name: string; data: object }[];
  tables: number;
  rows: number;
}

/** `rows` contains text in PostgreSQL's COPY format, split at arbitrary positions. */
export type BackupPiece =
  | { kind: 'header'; value: BackupHeader }
  | { kind: 'table'; value: TableHeader }
  | { kind: 'rows'; value: Buffer }
  | { kind: 'end of table'; value: { rows: number } }
  | { kind: 'end'; value: BackupTotals };

const PIECE_KINDS = ['header', 'table', 'rows', 'end of table', 'end'] as const;
const PIECE_BYTES = 256 * 1024;
const MAX_JSON_BYTES = 64 * 1024 * 1024;
const PIECE_HEADER_BYTES = 5;

export async function writePieces(file: string, pieces: AsyncIterable<BackupPiece>): Promise<void> {
  await writeAtomically(file, [
    Readable.from(encodePieces(pieces), { objectMode: false }),
    createGzip({ level: 3 }),
  ]);
}

async function* encodePieces(pieces: AsyncIterable<BackupPiece>): AsyncGenerator<Buffer> {
  for await (const { kind, value } of pieces) {
    const body = kind === 'rows' ? value : Buffer.from(JSON.stringify(value));
    for (let from = 0; from === 0 || from < body.length; from += PIECE_BYTES) {
      const part = kind === 'rows' ? body.subarray(from, from + PIECE_BYTES) : body;
      const head = Buffer.alloc(PIECE_HEADER_BYTES);
      head.writeUInt8(PIECE_KINDS.indexOf(kind));
      head.writeUInt32BE(part.length, 1);
      yield head;
      yield part;
      if (kind !== 'rows') break;
    }
  }
}

/**
 * Reads a file written by `writePieces`.
 * @throws Error with a one-line message if the file is not a backup, or is truncated or corrupt
 */
export async function* readPieces(file: string): AsyncGenerator<BackupPiece> {
  const source = createReadStream(file);
  const plainGunzip = source.pipe(createGunzip({ chunkSize: PIECE_BYTES }));
  source.on('error', (error) => plainGunzip.destroy(error));
  try {
    let last: BackupPiece['kind'] | null = null;
    for await (const chunk of decodePieces(plainGunzip)) {
      if (last === null && chunk.kind !== 'header') break;
      last = chunk.kind;
      yield chunk;
    }
    if (last !== 'end') throw createDamagedBackupError(file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw code.startsWith('Z_') || error instanceof SyntaxError ? createDamagedBackupError(file) : error;
  } finally {
    source.destroy();
  }
}

const createDamagedBackupError = (file: string): Error =>
  new Error(`${file} is not a complete backup of Atrium.`);

async function* decodePieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<BackupPiece> {
  let buffered: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    buffered = buffered.length > 0 ? Buffer.concat([buffered, chunk]) : chunk;
    let position = 0;
    for (;;) {
      if (buffered.length - position < PIECE_HEADER_BYTES) break;
      const kind = PIECE_KINDS[buffered.readUInt8(position)];
      const length = buffered.readUInt32BE(position + 1);
      if (!kind || length > MAX_JSON_BYTES) throw new SyntaxError('not a part of a backup');
      if (buffered.length - position < PIECE_HEADER_BYTES + length) break;
      const body = buffered.subarray(position + PIECE_HEADER_BYTES, position + PIECE_HEADER_BYTES + length);
      yield { kind, value: kind === 'rows' ? body : JSON.parse(body.toString()) } as BackupPiece;
      position += PIECE_HEADER_BYTES + length;
    }
    buffered = buffered.subarray(position);
  }
}
