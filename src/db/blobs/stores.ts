import type { BlobHost, BlobLocation, BlobStoreName } from './host.ts';
import { pgStore } from './pg-store.ts';
import { getBucketStore } from './s3-store.ts';
import type { BlobStore } from './store.ts';

/** @throws Error naming the setting when contents are in a bucket that is not set */
export function getBlobStore({ runtime }: BlobHost, name: BlobStoreName): BlobStore {
  if (name === 'pg') return pgStore;
  const { bucket } = runtime.config.blobs;
  if (!bucket) throw new Error('contents are in a bucket: BLOB_URL must say where it is');
  return getBucketStore(bucket);
}

/**
 * Where a new content goes. Within a transaction that is PostgreSQL, so that what is undone leaves nothing in the
 * bucket; `blob move` takes it there.
 */
export const chooseBlobStore = ({ db, runtime }: BlobHost): BlobStoreName =>
  runtime.config.blobs.bucket?.writes && !db.isTransaction ? 's3' : 'pg';

export const toBlobLocation = ({ workspace }: BlobHost, place: string): BlobLocation => ({
  workspaceId: workspace.id,
  place,
});
