import { sql } from '../sql.ts';
import { CHUNK, chunksOf, openChunk } from './frames.ts';
import { type BlobHost, DamagedBlob, type Head, MissingBlob } from './host.ts';
import { keysOf } from './keys.ts';
import { placeIn, storeNamed } from './stores.ts';

/** Bytes from `from` on, before `to`; without them, all. */
export interface Range {
  from?: number;
  to?: number;
}

/**
 * A content, or a part of it, in pieces of at most 256 kB.
 * @throws MissingBlob, DamagedBlob, also after some pieces
 */
export async function* readBlob(
  host: BlobHost,
  hash: string,
  { from = 0, to = Number.POSITIVE_INFINITY }: Range = {},
): AsyncGenerator<Buffer> {
  const head = await headOf(host, hash);
  const end = Math.min(to, head.size);
  if (from >= end) return;
  let no = Math.floor(from / CHUNK);
  for await (const plain of chunksFrom(host, head, no, Math.floor((end - 1) / CHUNK))) {
    const start = no++ * CHUNK;
    yield plain.subarray(Math.max(0, from - start), end - start);
  }
}

/** A content as a whole, for what is known to be small. @throws as readBlob */
export async function wholeBlob(host: BlobHost, hash: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of readBlob(host, hash)) pieces.push(piece);
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** Contents of one chunk in PostgreSQL, by hash, with one statement; those that are not, or not whole, are left out. */
export async function smallBlobs(host: BlobHost, hashes: readonly string[]): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  if (hashes.length === 0) return found;
  const rows = await host.db.rows<Pick<Head, 'hash' | 'size' | 'sealed' | 'place'> & { content: Buffer }>(
    SMALL({ workspaceId: host.workspace.id, hashes }),
  );
  for (const { hash, size, sealed, place, content } of rows) {
    const key = sealed ? (await keysOf(host)).sealingKey(place) : null;
    const plain = openChunk(key, { no: 0, bytes: content, isLast: true });
    if (plain?.length === size) found.set(hash, plain);
  }
  return found;
}

const SMALL = sql.prepare<{ workspaceId: number; hashes: readonly string[] }>(
  (p) => sql`
  select b.hash, b.size, b.sealed, b.place, c.content from unnest(${p.hashes}::text[]) h(hash)
  cross join lateral (
    select * from svc_blob b where b.workspace_id = ${p.workspaceId} and b.hash = h.hash limit 1
  ) b
  cross join lateral (
    select c.content from svc_blob_chunk c
    where c.workspace_id = ${p.workspaceId} and c.place = b.place and c.no = 0 limit 1
  ) c
  where b.store = 'pg' and b.size <= ${sql.literal(CHUNK)}`,
);

async function headOf({ db, workspace }: BlobHost, hash: string): Promise<Head> {
  const [head] = await db.rows<Head>(HEAD({ workspaceId: workspace.id, hash }));
  if (!head) throw new MissingBlob(hash);
  return head;
}

const HEAD = sql.prepare<{ workspaceId: number; hash: string }>(
  (p) => sql`
  select b.hash, b.size, b.sealed, b.store, b.place from svc_blob b
  where b.workspace_id = ${p.workspaceId} and b.hash = ${p.hash}`,
);

/** Chunks, opened. One that has been moved meanwhile is read on where it is now. */
async function* chunksFrom(host: BlobHost, head: Head, first: number, last: number): AsyncGenerator<Buffer> {
  let no = first;
  try {
    for await (const plain of openChunks(host, head, first, last)) {
      yield plain;
      no++;
    }
  } catch (error) {
    if (!(error instanceof MissingBlob)) throw error;
    const now = await headOf(host, head.hash);
    if (now.store === head.store && now.place === head.place) throw error;
    yield* openChunks(host, now, no, last);
  }
}

/** @throws DamagedBlob */
async function* openChunks(host: BlobHost, head: Head, first: number, last: number): AsyncGenerator<Buffer> {
  const { size, sealed, store, place, hash } = head;
  const key = sealed ? (await keysOf(host)).sealingKey(place) : null;
  const kept = storeNamed(host, store).read(host.db, placeIn(host, place), head, first, last);
  let no = first;
  for await (const bytes of kept) {
    const plain = openChunk(key, { no, bytes, isLast: no === chunksOf(size) - 1 });
    if (plain?.length !== Math.min(CHUNK, size - no * CHUNK)) throw new DamagedBlob(hash);
    yield plain;
    no++;
  }
}
