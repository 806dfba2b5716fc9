import { NOW } from '../now.ts';
import { sql } from '../sql.ts';
import { CHUNK_BYTES } from './frames.ts';
import type { BlobHead, BlobHost, BlobStoreName } from './host.ts';
import { getBlobStore, toBlobLocation } from './stores.ts';

/**
 * Deletes blobs in two steps, so that an interrupted deletion can be continued. The first step removes the hash, so
 * that the blob can no longer be found. The second step deletes the chunks and the head.
 */

/** The hash of a deleted blob is replaced by this prefix and the blob's `place`. */
export const DELETED_PREFIX = '-';

export async function markBlobsDeleted(
  { db, workspace }: BlobHost,
  hashes: readonly string[],
): Promise<void> {
  await db.rows(
    sql`update svc_blob set hash = ${sql.literal(DELETED_PREFIX)} || place, marked_at = ${NOW}
     where workspace_id = ${workspace.id} and hash = any(${hashes})`,
  );
}

export const getOtherStore = (name: BlobStoreName): BlobStoreName => (name === 'pg' ? 's3' : 'pg');

/**
 * Deletes the chunks and heads of deleted blobs.
 * @param hashesOrLimit `place` of each blob, or the maximum number of blobs
 * @returns the number of deleted blobs
 */
export async function purgeDeletedBlobs(
  host: BlobHost,
  hashesOrLimit: readonly string[] | number,
): Promise<number> {
  const { db, workspace } = host;
  const condition = typeof hashesOrLimit === 'number' ? sql`` : sql` and b.place = any(${hashesOrLimit})`;
  const count = typeof hashesOrLimit === 'number' ? hashesOrLimit : hashesOrLimit.length;
  const rows = await db.rows<DeletedBlob>(
    sql`select b.size, b.store, b.place, b.copied_at is not null as copied from svc_blob b
     where b.workspace_id = ${workspace.id} and b.marked_at is not null
       and starts_with(b.hash, ${sql.literal(DELETED_PREFIX)})${condition}
     limit ${count}`,
  );
  const isSmall = (row: DeletedBlob) => row.store === 'pg' && !row.copied && row.size <= CHUNK_BYTES;
  const smallRows = rows.filter(isSmall).map(({ place }) => place);
  await db.rows(
    sql`delete from svc_blob_chunk where workspace_id = ${workspace.id} and place = any(${smallRows})`,
  );
  await deleteHeads(host, smallRows);
  for (const { store, place, copied } of rows.filter((row) => !isSmall(row))) {
    const stores = copied ? [store, getOtherStore(store)] : [store];
    for (const name of stores) await getBlobStore(host, name).remove(db, toBlobLocation(host, place));
    await deleteHeads(host, [place]);
  }
  return rows.length;
}

interface DeletedBlob extends Pick<BlobHead, 'size' | 'store' | 'place'> {
  copied: boolean;
}

async function deleteHeads({ db, workspace }: BlobHost, places: string[]): Promise<void> {
  const names = places.map((place) => `${DELETED_PREFIX}${place}`);
  await db.rows(sql`delete from svc_blob where workspace_id = ${workspace.id} and hash = any(${names})`);
}
