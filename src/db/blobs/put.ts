import { randomBytes } from 'node:crypto';
import { errors } from '../../errors.ts';
import { runTogether } from '../db.ts';
import { NOW } from '../now.ts';
import { type Sql, sql } from '../sql.ts';
import { CHUNK_BYTES, type ChunkSlice, encryptChunk, sliceContent } from './frames.ts';
import type { BlobHead, BlobHost } from './host.ts';
import { type BlobKeys, loadBlobKeys } from './keys.ts';
import { chooseBlobStore, getBlobStore, toBlobLocation } from './stores.ts';

export interface StoredBlob {
  hash: string;
  size: number;
}

interface PutBlobOptions {
  limit?: number;
}

/**
 * Stores a blob, once per workspace for identical content. A blob that no record refers to (`uses.ts`) is deleted after
 * a day. Before you add a reference later, call this function or `touchBlobs` again. Works inside and outside
 * transactions, and never loads a whole stream into memory.
 * @throws BAD_REQUEST if the blob exceeds the limit, without storing anything
 */
export async function putBlob(
  host: BlobHost,
  source: Buffer | AsyncIterable<Buffer>,
  { limit = Number.POSITIVE_INFINITY }: PutBlobOptions = {},
): Promise<StoredBlob> {
  const keys = await loadBlobKeys(host);
  const pieces = sliceContent(limitSize(limit, Buffer.isBuffer(source) ? [source] : source));
  const { value: first } = (await pieces.next()) as { value: ChunkSlice };
  // Content in memory is hashed before it is written, because the blob usually exists and needs no write.
  const bytes = Buffer.isBuffer(source) ? source : first.isLast ? first.bytes : null;
  if (bytes) {
    const storedBlob = { hash: keys.createNameHmac().update(bytes).digest('hex'), size: bytes.length };
    if (first.isLast && chooseBlobStore(host) === 'pg') return storeSmallBlob(host, keys, storedBlob, first);
    if ((await touchBlobs(host, [storedBlob.hash])).length > 0) return storedBlob;
  }
  return storeLargeBlob(host, keys, prependItem(first, pieces));
}

/**
 * Like `putBlob` for several blobs. Small blobs are stored in one transaction.
 * @returns the blobs in the order of `contents`
 */
export async function putBlobs(
  host: BlobHost,
  contents: readonly Buffer[],
  options: PutBlobOptions = {},
): Promise<StoredBlob[]> {
  const isSmall = (bytes: Buffer) =>
    bytes.length <= Math.min(MAX_SMALL_BLOB_BYTES, options.limit ?? MAX_SMALL_BLOB_BYTES) &&
    chooseBlobStore(host) === 'pg';
  const storedBlobs = new Map<Buffer, StoredBlob>();
  const blobs: SmallBlob[] = [];
  for (const bytes of new Set(contents))
    if (isSmall(bytes)) {
      const smallBlob = await buildSmallBlob(host, bytes);
      blobs.push(smallBlob);
      storedBlobs.set(bytes, { hash: smallBlob.hash, size: smallBlob.size });
    } else storedBlobs.set(bytes, await putBlob(host, bytes, options));
  // Sorted by hash, so that concurrent calls lock rows in the same order and cannot deadlock.
  const sortedBlobs = blobs.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  if (blobs.length > 0) await runTogether(host.db, sortedBlobs.flatMap(buildSmallBlobInserts));
  return contents.map((bytes) => storedBlobs.get(bytes)!);
}

/**
 * Protects existing blobs from collection, as if they had been stored again.
 * @returns the hashes of the blobs that exist
 */
export async function touchBlobs({ db, workspace }: BlobHost, hashes: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ hash: string }>(
    sql`update svc_blob set put_at = ${NOW}, marked_at = null
     where workspace_id = ${workspace.id} and hash = any(${hashes}) returning hash`,
  );
  return rows.map(({ hash }) => hash);
}

async function* limitSize(
  limit: number,
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > limit) throw errors.contentTooLarge(limit);
    yield chunk;
  }
}

async function* prependItem<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

const generatePlace = (): string => randomBytes(16).toString('hex');

export interface SmallBlob extends BlobHead {
  workspaceId: number;
  content: Buffer;
}

export const MAX_SMALL_BLOB_BYTES = CHUNK_BYTES;

/** Hashes and encrypts a blob of at most `MAX_SMALL_BLOB_BYTES` for PostgreSQL. */
export async function buildSmallBlob(host: BlobHost, bytes: Buffer): Promise<SmallBlob> {
  const keys = await loadBlobKeys(host);
  const hash = keys.createNameHmac().update(bytes).digest('hex');
  return encryptSmallBlob(host, keys, { hash, size: bytes.length }, { chunkNumber: 0, bytes, isLast: true });
}

function encryptSmallBlob(host: BlobHost, keys: BlobKeys, blob: StoredBlob, slice: ChunkSlice): SmallBlob {
  const place = generatePlace();
  const { encrypts } = host.runtime.config.blobs;
  const content = encryptChunk(encrypts ? keys.getEncryptionKey(place) : null, slice);
  return { ...blob, sealed: encrypts, store: 'pg', place, workspaceId: host.workspace.id, content };
}

async function storeSmallBlob(
  host: BlobHost,
  keys: BlobKeys,
  blob: StoredBlob,
  slice: ChunkSlice,
): Promise<StoredBlob> {
  await runTogether(host.db, buildSmallBlobInserts(encryptSmallBlob(host, keys, blob, slice)));
  return blob;
}

type HeadRow = BlobHead & { workspaceId: number };

const INSERT_HEAD = sql.prepare<HeadRow>(
  (p) => sql`
  insert into svc_blob (workspace_id, hash, size, sealed, store, place)
  values (${p.workspaceId}, ${p.hash}, ${p.size}, ${p.sealed}, ${p.store}, ${p.place})
  on conflict (workspace_id, hash) do update set put_at = excluded.put_at, marked_at = null
  returning place`,
);

/** Inserts no chunk if the blob already exists, because the existing head has another `place`. */
const INSERT_ONLY_CHUNK = sql.prepare<SmallBlob>(
  (p) => sql`
  insert into svc_blob_chunk (workspace_id, place, no, content)
  select b.workspace_id, b.place, 0, ${p.content}::bytea from svc_blob b
  where b.workspace_id = ${p.workspaceId} and b.hash = ${p.hash} and b.place = ${p.place}`,
);

/** The statements must run in one transaction, in this order. */
export const buildSmallBlobInserts = (blob: SmallBlob): Sql[] => [INSERT_HEAD(blob), INSERT_ONLY_CHUNK(blob)];

/**
 * Streams a blob. Its hash is known only at the end, so the chunks are written under a draft head, which is then
 * renamed. If the process dies, the draft is collected like any unused blob.
 */
async function storeLargeBlob(
  host: BlobHost,
  keys: BlobKeys,
  pieces: AsyncIterable<ChunkSlice>,
): Promise<StoredBlob> {
  const place = generatePlace();
  const { encrypts } = host.runtime.config.blobs;
  const store = chooseBlobStore(host);
  const draft: BlobHead = { hash: buildDraftName(place), size: 0, sealed: encrypts, store, place };
  await host.db.rows(INSERT_HEAD({ ...draft, workspaceId: host.workspace.id }));
  try {
    const namer = keys.createNameHmac();
    const key = encrypts ? keys.getEncryptionKey(place) : null;
    let size = 0;
    const chunks = async function* () {
      for await (const slice of pieces) {
        namer.update(slice.bytes);
        size += slice.bytes.length;
        yield encryptChunk(key, slice);
      }
    };
    await getBlobStore(host, store).write(host.db, toBlobLocation(host, place), chunks());
    const storedBlob = { hash: namer.digest('hex'), size };
    if (!(await assignHash(host, draft, storedBlob))) await discardDraft(host, draft);
    return storedBlob;
  } catch (error) {
    // Within a transaction, the rollback discards the draft.
    if (!host.db.isTransaction) await discardDraft(host, draft).catch(() => undefined);
    throw error;
  }
}

/** Hash prefix of a blob that is still being stored. */
const DRAFT_PREFIX = '~';

const buildDraftName = (place: string): string => `${DRAFT_PREFIX}${place}`;

/** @returns false if the blob already exists */
const assignHash = ({ db, workspace }: BlobHost, draft: BlobHead, blob: StoredBlob): Promise<boolean> =>
  db.transaction(async (tx) => {
    const place = await tx.value<string>(INSERT_HEAD({ ...draft, ...blob, workspaceId: workspace.id }));
    if (place !== draft.place) return false;
    const deletedRows = await tx.rows(
      sql`delete from svc_blob where workspace_id = ${workspace.id} and hash = ${draft.hash} returning hash`,
    );
    // The draft was collected as unused, because the write took too long, or the workspace was deleted.
    if (deletedRows.length === 0)
      throw errors.user('The file was deleted before it was completely received.');
    return true;
  });

/** Deletes the chunks even if the head is gone. Nothing refers to a draft, so the head can be deleted last. */
async function discardDraft(host: BlobHost, { hash, store, place }: BlobHead): Promise<void> {
  await getBlobStore(host, store).remove(host.db, toBlobLocation(host, place));
  await host.db.rows(sql`delete from svc_blob where workspace_id = ${host.workspace.id} and hash = ${hash}`);
}
