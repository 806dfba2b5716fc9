import type { BlobHost, BlobLocation, BlobStoreName } from './host.ts';
import { pgStore } from './pg-store.ts';
import { getBucketStore } from './s3-store.ts';
import type { BlobStore } from './store.ts';

/** @throws Error if the blobs are in a bucket and BLOB_URL is not set */
export function getBlobStore({ runtime }: BlobHost, name: BlobStoreName): BlobStore {
  if (name === 'pg') return pgStore;
  const { bucket } = runtime.config.blobs;
  if (!bucket) throw new Error('blobs are in a bucket: set BLOB_URL to its URL');
  return getBucketStore(bucket);
}

/**
 * Returns the store for new blobs. Within a transaction, this is PostgreSQL, so that a rollback leaves nothing in the
 * bucket. The command `blob move` moves these blobs to the bucket.
 */
export const chooseBlobStore = ({ db, runtime }: BlobHost): BlobStoreName =>
  runtime.config.blobs.bucket?.writes && !db.isTransaction ? 's3' : 'pg';

export const toBlobLocation = ({ workspace }: BlobHost, place: string): BlobLocation => ({
  workspaceId: workspace.id,
  place,
});
