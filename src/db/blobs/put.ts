import { randomBytes } from 'node:crypto';
import { errors } from '../../errors.ts';
import { NOW } from '../now.ts';
import { sql } from '../sql.ts';
import { CHUNK, closeChunk, type Slice, slices } from './frames.ts';
import { type BlobHost, DamagedBlob, type Head } from './host.ts';
import { type BlobKeys, keysOf } from './keys.ts';
import { giveUpBlobs, removeGivenUp } from './remove.ts';
import { placeIn, storeNamed, storeOfNew } from './stores.ts';

export interface PutBlob {
  /** By which it is read. */
  hash: string;
  /** Bytes. */
  size: number;
}

export interface PutOptions {
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
  { limit = Number.POSITIVE_INFINITY }: PutOptions = {},
): Promise<PutBlob> {
  const keys = await keysOf(host);
  const pieces = slices(within(limit, Buffer.isBuffer(source) ? [source] : source));
  const { value: first } = (await pieces.next()) as { value: Slice };
  // What is at hand is named before it is written: most of the time that is enough.
  const whole = Buffer.isBuffer(source) ? source : first.isLast ? first.bytes : null;
  if (whole) {
    const put = { hash: keys.namer().update(whole).digest('hex'), size: whole.length };
    if (first.isLast && storeOfNew(host) === 'pg') return putSmall(host, keys, put, first);
    if ((await keepBlobs(host, [put.hash])).length > 0) return put;
  }
  return putLarge(host, keys, chained(first, pieces));
}

/** Keeps contents as `putBlob` does, the small ones in one transaction. @returns each, in their order */
export async function putBlobs(
  host: BlobHost,
  contents: readonly Buffer[],
  options: PutOptions = {},
): Promise<PutBlob[]> {
  const isSmall = (bytes: Buffer) =>
    bytes.length <= Math.min(SMALL_BLOB, options.limit ?? SMALL_BLOB) && storeOfNew(host) === 'pg';
  const put = new Map<Buffer, PutBlob>();
  const small: SmallBlob[] = [];
  for (const bytes of new Set(contents))
    if (isSmall(bytes)) {
      const sealed = await smallBlob(host, bytes);
      small.push(sealed);
      put.set(bytes, { hash: sealed.hash, size: sealed.size });
    } else put.set(bytes, await putBlob(host, bytes, options));
  if (small.length > 0)
    await host.db.transaction(async (tx) => {
      // In one order, so that two that keep the same do not wait for each other.
      const sorted = small.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
      const kept = sorted.map((each) => tx.rows(PUT_SMALL(each)));
      tx.finish();
      await Promise.all(kept);
    });
  return contents.map((bytes) => put.get(bytes)!);
}

/**
 * Contents that get one more use: each is as if it had been put again.
 * @returns those that there are
 */
export async function keepBlobs({ db, workspace }: BlobHost, hashes: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ hash: string }>(
    sql`update svc_blob set put_at = ${NOW}, marked_at = null
     where workspace_id = ${workspace.id} and hash = any(${hashes}) returning hash`,
  );
  return rows.map(({ hash }) => hash);
}

async function* within(
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

async function* chained<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

const newPlace = (): string => randomBytes(16).toString('hex');

/** A content that fits a chunk, named and sealed, as it is written by `withSmallBlob`. */
export interface SmallBlob extends Head {
  workspaceId: number;
  content: Buffer;
}

/** Bytes of a content that another statement may write beside its own rows. */
export const SMALL_BLOB = CHUNK;

/** Names and seals a content of at most `SMALL_BLOB` bytes, which is not for a bucket. */
export async function smallBlob(host: BlobHost, bytes: Buffer): Promise<SmallBlob> {
  const keys = await keysOf(host);
  const hash = keys.namer().update(bytes).digest('hex');
  return sealedSmall(host, keys, { hash, size: bytes.length }, { no: 0, bytes, isLast: true });
}

function sealedSmall(host: BlobHost, keys: BlobKeys, put: PutBlob, slice: Slice): SmallBlob {
  const place = newPlace();
  const { seals } = host.runtime.config.blobs;
  const content = closeChunk(seals ? keys.sealingKey(place) : null, slice);
  return { ...put, sealed: seals, store: 'pg', place, workspaceId: host.workspace.id, content };
}

async function putSmall(host: BlobHost, keys: BlobKeys, put: PutBlob, slice: Slice): Promise<PutBlob> {
  await host.db.rows(PUT_SMALL(sealedSmall(host, keys, put, slice)));
  return put;
}

type HeadRow = Head & { workspaceId: number };

const HEAD = (p: { readonly [K in keyof HeadRow]: unknown }) => sql`
  insert into svc_blob (workspace_id, hash, size, sealed, store, place)
  values (${p.workspaceId}, ${p.hash}, ${p.size}, ${p.sealed}, ${p.store}, ${p.place})
  on conflict (workspace_id, hash) do update set put_at = excluded.put_at, marked_at = null
  returning place`;

const PUT_HEAD = sql.prepare<HeadRow>(HEAD);

/** Head and only chunk, as parts of a `with`; the chunk is left out when the content is there already. */
export const withSmallBlob = (p: { readonly [K in keyof SmallBlob]: unknown }) => sql`
  head as (${HEAD(p)}), chunk as (
    insert into svc_blob_chunk (workspace_id, place, no, content)
    select ${p.workspaceId}::int, h.place, 0, ${p.content}::bytea from head h where h.place = ${p.place}
  )`;

const PUT_SMALL = sql.prepare<SmallBlob>((p) => sql`with ${withSmallBlob(p)} select 1 as put`);

/**
 * The name follows from the whole, and the whole is not held: chunks are written under a place, with a head that has no
 * content's name yet, and get their name at the end. A process that dies leaves a head without a use, which is
 * collected as any other.
 */
async function putLarge(host: BlobHost, keys: BlobKeys, pieces: AsyncIterable<Slice>): Promise<PutBlob> {
  const place = newPlace();
  const { seals } = host.runtime.config.blobs;
  const store = storeOfNew(host);
  const begun: Head = { hash: draftName(place), size: 0, sealed: seals, store, place };
  await host.db.rows(PUT_HEAD({ ...begun, workspaceId: host.workspace.id }));
  try {
    const namer = keys.namer();
    const key = seals ? keys.sealingKey(place) : null;
    let size = 0;
    const chunks = async function* () {
      for await (const piece of pieces) {
        namer.update(piece.bytes);
        size += piece.bytes.length;
        yield closeChunk(key, piece);
      }
    };
    await storeNamed(host, store).write(host.db, placeIn(host, place), chunks());
    const put = { hash: namer.digest('hex'), size };
    if (!(await named(host, begun, put))) await discard(host, begun);
    return put;
  } catch (error) {
    // In a transaction that fails nothing more can be done, nor has to.
    if (!host.db.isTransaction) await discard(host, begun).catch(() => undefined);
    throw error;
  }
}

const draftName = (place: string): string => `~${place}`;

/** Gives what was written its name. @returns false when there was such a content already */
const named = ({ db, workspace }: BlobHost, begun: Head, put: PutBlob): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [kept] = await tx.rows<{ place: string }>(
      PUT_HEAD({ ...begun, ...put, workspaceId: workspace.id }),
    );
    if (kept!.place !== begun.place) return false;
    const gone = await tx.rows(
      sql`delete from svc_blob where workspace_id = ${workspace.id} and hash = ${begun.hash} returning hash`,
    );
    // It took longer than contents without a use are kept.
    if (gone.length === 0) throw new DamagedBlob(begun.hash);
    return true;
  });

async function discard(host: BlobHost, begun: Head): Promise<void> {
  await giveUpBlobs(host, [begun.hash]);
  await removeGivenUp(host, [begun.place]);
}
