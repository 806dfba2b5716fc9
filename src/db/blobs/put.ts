import { randomBytes } from 'node:crypto';
import { errors } from '../../errors.ts';
import { NOW } from '../now.ts';
import { sql } from '../sql.ts';
import { CHUNK_BYTES, type ChunkSlice, encryptChunk, sliceContent } from './frames.ts';
import { type BlobHead, type BlobHost, DamagedBlobError } from './host.ts';
import { type BlobKeys, loadBlobKeys } from './keys.ts';
import { markBlobsDeleted, purgeDeletedBlobs } from './remove.ts';
import { chooseBlobStore, getBlobStore, toBlobLocation } from './stores.ts';

export interface StoredBlob {
  /** By which it is read. */
  hash: string;
  /** Bytes. */
  size: number;
}

export interface PutBlobOptions {
  /** Bytes that the content may have at most. */
  limit?: number;
}

/**
 * Keeps a content, once in a workspace however often it is put. What is not used within a day (`uses.ts`) is deleted,
 * so put it again, or `keepBlobs`, before another record refers to it. Works within a transaction and without one; a
 * source that is a stream is never held whole.
 * @throws BAD_REQUEST above the limit, and then nothing is kept
 */
export async function putBlob(
  host: BlobHost,
  source: Buffer | AsyncIterable<Buffer>,
  { limit = Number.POSITIVE_INFINITY }: PutBlobOptions = {},
): Promise<StoredBlob> {
  const keys = await loadBlobKeys(host);
  const pieces = sliceContent(limitSize(limit, Buffer.isBuffer(source) ? [source] : source));
  const { value: first } = (await pieces.next()) as { value: ChunkSlice };
  // What is at hand is named before it is written: most of the time that is enough.
  const whole = Buffer.isBuffer(source) ? source : first.isLast ? first.bytes : null;
  if (whole) {
    const put = { hash: keys.createNameHmac().update(whole).digest('hex'), size: whole.length };
    if (first.isLast && chooseBlobStore(host) === 'pg') return storeSmallBlob(host, keys, put, first);
    if ((await touchBlobs(host, [put.hash])).length > 0) return put;
  }
  return storeLargeBlob(host, keys, prependItem(first, pieces));
}

/** Keeps contents as `putBlob` does, the small ones in one transaction. @returns each, in their order */
export async function putBlobs(
  host: BlobHost,
  contents: readonly Buffer[],
  options: PutBlobOptions = {},
): Promise<StoredBlob[]> {
  const isSmall = (bytes: Buffer) =>
    bytes.length <= Math.min(MAX_SMALL_BLOB_BYTES, options.limit ?? MAX_SMALL_BLOB_BYTES) &&
    chooseBlobStore(host) === 'pg';
  const put = new Map<Buffer, StoredBlob>();
  const small: SmallBlob[] = [];
  for (const bytes of new Set(contents))
    if (isSmall(bytes)) {
      const sealed = await buildSmallBlob(host, bytes);
      small.push(sealed);
      put.set(bytes, { hash: sealed.hash, size: sealed.size });
    } else put.set(bytes, await putBlob(host, bytes, options));
  if (small.length > 0)
    await host.db.transaction(async (tx) => {
      // In one order, so that two that keep the same do not wait for each other.
      const sorted = small.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
      const kept = sorted.map((each) => tx.rows(INSERT_SMALL_BLOB(each)));
      tx.finish();
      await Promise.all(kept);
    });
  return contents.map((bytes) => put.get(bytes)!);
}

/**
 * Contents that get one more use: each is as if it had been put again.
 * @returns those that there are
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
  for await (const piece of source) {
    size += piece.length;
    if (size > limit) throw errors.contentTooLarge(limit);
    yield piece;
  }
}

async function* prependItem<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

const generatePlace = (): string => randomBytes(16).toString('hex');

/** A content that fits a chunk, named and sealed, as it is written by `withSmallBlob`. */
export interface SmallBlob extends BlobHead {
  workspaceId: number;
  content: Buffer;
}

/** Bytes of a content that another statement may write beside its own rows. */
export const MAX_SMALL_BLOB_BYTES = CHUNK_BYTES;

/** Names and seals a content of at most `SMALL_BLOB` bytes, which is not for a bucket. */
export async function buildSmallBlob(host: BlobHost, bytes: Buffer): Promise<SmallBlob> {
  const keys = await loadBlobKeys(host);
  const hash = keys.createNameHmac().update(bytes).digest('hex');
  return encryptSmallBlob(host, keys, { hash, size: bytes.length }, { no: 0, bytes, isLast: true });
}

function encryptSmallBlob(host: BlobHost, keys: BlobKeys, put: StoredBlob, slice: ChunkSlice): SmallBlob {
  const place = generatePlace();
  const { seals } = host.runtime.config.blobs;
  const content = encryptChunk(seals ? keys.getEncryptionKey(place) : null, slice);
  return { ...put, sealed: seals, store: 'pg', place, workspaceId: host.workspace.id, content };
}

async function storeSmallBlob(
  host: BlobHost,
  keys: BlobKeys,
  put: StoredBlob,
  slice: ChunkSlice,
): Promise<StoredBlob> {
  await host.db.rows(INSERT_SMALL_BLOB(encryptSmallBlob(host, keys, put, slice)));
  return put;
}

type HeadRow = BlobHead & { workspaceId: number };

const insertHead = (p: { readonly [K in keyof HeadRow]: unknown }) => sql`
  insert into svc_blob (workspace_id, hash, size, sealed, store, place)
  values (${p.workspaceId}, ${p.hash}, ${p.size}, ${p.sealed}, ${p.store}, ${p.place})
  on conflict (workspace_id, hash) do update set put_at = excluded.put_at, marked_at = null
  returning place`;

const INSERT_HEAD = sql.prepare<HeadRow>(insertHead);

/** Head and only chunk, as parts of a `with`; the chunk is left out when the content is there already. */
export const buildSmallBlobCtes = (p: { readonly [K in keyof SmallBlob]: unknown }) => sql`
  head as (${insertHead(p)}), chunk as (
    insert into svc_blob_chunk (workspace_id, place, no, content)
    select ${p.workspaceId}::int, h.place, 0, ${p.content}::bytea from head h where h.place = ${p.place}
  )`;

const INSERT_SMALL_BLOB = sql.prepare<SmallBlob>((p) => sql`with ${buildSmallBlobCtes(p)} select 1 as put`);

/**
 * The name follows from the whole, and the whole is not held: chunks are written under a place, with a head that has no
 * content's name yet, and get their name at the end. A process that dies leaves a head without a use, which is
 * collected as any other.
 */
async function storeLargeBlob(
  host: BlobHost,
  keys: BlobKeys,
  pieces: AsyncIterable<ChunkSlice>,
): Promise<StoredBlob> {
  const place = generatePlace();
  const { seals } = host.runtime.config.blobs;
  const store = chooseBlobStore(host);
  const begun: BlobHead = { hash: buildDraftName(place), size: 0, sealed: seals, store, place };
  await host.db.rows(INSERT_HEAD({ ...begun, workspaceId: host.workspace.id }));
  try {
    const namer = keys.createNameHmac();
    const key = seals ? keys.getEncryptionKey(place) : null;
    let size = 0;
    const chunks = async function* () {
      for await (const piece of pieces) {
        namer.update(piece.bytes);
        size += piece.bytes.length;
        yield encryptChunk(key, piece);
      }
    };
    await getBlobStore(host, store).write(host.db, toBlobLocation(host, place), chunks());
    const put = { hash: namer.digest('hex'), size };
    if (!(await assignHash(host, begun, put))) await discardDraft(host, begun);
    return put;
  } catch (error) {
    // In a transaction that fails nothing more can be done, nor has to.
    if (!host.db.isTransaction) await discardDraft(host, begun).catch(() => undefined);
    throw error;
  }
}

const buildDraftName = (place: string): string => `~${place}`;

/** Gives what was written its name. @returns false when there was such a content already */
const assignHash = ({ db, workspace }: BlobHost, begun: BlobHead, put: StoredBlob): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [kept] = await tx.rows<{ place: string }>(
      INSERT_HEAD({ ...begun, ...put, workspaceId: workspace.id }),
    );
    if (kept!.place !== begun.place) return false;
    const gone = await tx.rows(
      sql`delete from svc_blob where workspace_id = ${workspace.id} and hash = ${begun.hash} returning hash`,
    );
    // It took longer than contents without a use are kept.
    if (gone.length === 0) throw new DamagedBlobError(begun.hash);
    return true;
  });

async function discardDraft(host: BlobHost, begun: BlobHead): Promise<void> {
  await markBlobsDeleted(host, [begun.hash]);
  await purgeDeletedBlobs(host, [begun.place]);
}
