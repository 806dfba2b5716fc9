import { sql } from '../sql.ts';
import { CHUNK_BYTES, countChunks, decryptChunk } from './frames.ts';
import { type BlobHead, type BlobHost, DamagedBlobError, MissingBlobError } from './host.ts';
import { loadBlobKeys } from './keys.ts';
import { getBlobStore, toBlobLocation } from './stores.ts';

/** `from` is inclusive, `to` is exclusive. Defaults to the whole blob. */
export interface ByteRange {
  from?: number;
  to?: number;
}

/**
 * Reads a blob or a part of it in chunks of at most 256 kB.
 * @throws MissingBlobError or DamagedBlobError, possibly after some chunks
 */
export async function* readBlob(
  host: BlobHost,
  hash: string,
  { from = 0, to = Number.POSITIVE_INFINITY }: ByteRange = {},
): AsyncGenerator<Buffer> {
  const head = await loadHead(host, hash);
  const end = Math.min(to, head.size);
  if (from >= end) return;
  let chunkNumber = Math.floor(from / CHUNK_BYTES);
  for await (const plaintext of readChunks(host, head, chunkNumber, Math.floor((end - 1) / CHUNK_BYTES))) {
    const start = chunkNumber++ * CHUNK_BYTES;
    yield plaintext.subarray(Math.max(0, from - start), end - start);
  }
}

/**
 * Reads a small blob into memory.
 * @throws MissingBlobError or DamagedBlobError
 */
export async function readWholeBlob(host: BlobHost, hash: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBlob(host, hash)) chunks.push(chunk);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Reads single-chunk blobs from PostgreSQL in one statement. Omits other, missing and damaged blobs. */
export async function readSmallBlobs(
  host: BlobHost,
  hashes: readonly string[],
): Promise<Map<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  if (hashes.length === 0) return blobs;
  const rows = await host.db.rows<Pick<BlobHead, 'hash' | 'size' | 'sealed' | 'place'> & { content: Buffer }>(
    SELECT_SMALL_BLOBS({ workspaceId: host.workspace.id, hashes }),
  );
  for (const { hash, size, sealed, place, content } of rows) {
    const key = sealed ? (await loadBlobKeys(host)).getEncryptionKey(place) : null;
    const plaintext = decryptChunk(key, { chunkNumber: 0, bytes: content, isLast: true });
    if (plaintext?.length === size) blobs.set(hash, plaintext);
  }
  return blobs;
}

const SELECT_SMALL_BLOBS = sql.prepare<{ workspaceId: number; hashes: readonly string[] }>(
  (p) => sql`
  select b.hash, b.size, b.sealed, b.place, c.content from unnest(${p.hashes}::text[]) h(hash)
  cross join lateral (
    select * from svc_blob b where b.workspace_id = ${p.workspaceId} and b.hash = h.hash limit 1
  ) b
  cross join lateral (
    select c.content from svc_blob_chunk c
    where c.workspace_id = ${p.workspaceId} and c.place = b.place and c.no = 0 limit 1
  ) c
  where b.store = 'pg' and b.size <= ${sql.literal(CHUNK_BYTES)}`,
);

async function loadHead({ db, workspace }: BlobHost, hash: string): Promise<BlobHead> {
  const [head] = await db.rows<BlobHead>(SELECT_HEAD({ workspaceId: workspace.id, hash }));
  if (!head) throw new MissingBlobError(hash);
  return head;
}

const SELECT_HEAD = sql.prepare<{ workspaceId: number; hash: string }>(
  (p) => sql`
  select b.hash, b.size, b.sealed, b.store, b.place from svc_blob b
  where b.workspace_id = ${p.workspaceId} and b.hash = ${p.hash}`,
);

/** If the blob is moved during the read, continues at its new location. */
async function* readChunks(
  host: BlobHost,
  head: BlobHead,
  first: number,
  last: number,
): AsyncGenerator<Buffer> {
  let chunkNumber = first;
  try {
    for await (const plaintext of decryptChunks(host, head, first, last)) {
      yield plaintext;
      chunkNumber++;
    }
  } catch (error) {
    if (!(error instanceof MissingBlobError)) throw error;
    const now = await loadHead(host, head.hash);
    if (now.store === head.store && now.place === head.place) throw error;
    yield* decryptChunks(host, now, chunkNumber, last);
  }
}

/** @throws DamagedBlobError */
async function* decryptChunks(
  host: BlobHost,
  head: BlobHead,
  first: number,
  last: number,
): AsyncGenerator<Buffer> {
  const { size, sealed, store, place, hash } = head;
  const key = sealed ? (await loadBlobKeys(host)).getEncryptionKey(place) : null;
  const ciphertext = getBlobStore(host, store).read(host.db, toBlobLocation(host, place), head, first, last);
  let chunkNumber = first;
  for await (const bytes of ciphertext) {
    const plaintext = decryptChunk(key, {
      chunkNumber,
      bytes,
      isLast: chunkNumber === countChunks(size) - 1,
    });
    if (plaintext?.length !== Math.min(CHUNK_BYTES, size - chunkNumber * CHUNK_BYTES))
      throw new DamagedBlobError(hash);
    yield plaintext;
    chunkNumber++;
  }
}
