import type { BlobHost, BlobPlace, StoreName } from './host.ts';
import { pgStore } from './pg-store.ts';
import { bucketOf } from './s3-store.ts';
import type { BlobStore } from './store.ts';

/** @throws Error naming the setting when contents are in a bucket that is not set */
export function storeNamed({ runtime }: BlobHost, name: StoreName): BlobStore {
  if (name === 'pg') return pgStore;
  const { bucket } = runtime.config.blobs;
  if (!bucket) throw new Error('contents are in a bucket: BLOB_URL must say where it is');
  return bucketOf(bucket);
}

/**
 * Where a new content goes. Within a transaction that is PostgreSQL, so that what is undone leaves nothing in the
 * bucket; `blob move` takes it there.
 */
export const storeOfNew = ({ db, runtime }: BlobHost): StoreName =>
  runtime.config.blobs.bucket?.writes && !db.isTransaction ? 's3' : 'pg';

export const placeIn = ({ workspace }: BlobHost, place: string): BlobPlace => ({
  workspaceId: workspace.id,
  place,
});
