import { sql } from '../sql.ts';
import type { BlobHost } from './host.ts';
import { getBucketStore } from './s3-store.ts';

/**
 * Deletes a workspace's objects from the bucket. Its blobs in PostgreSQL are deleted with its rows.
 * @throws Error if blobs are in a bucket and BLOB_URL is not set
 */
export async function emptyBucket({ db, workspace, runtime }: BlobHost): Promise<void> {
  const { bucket } = runtime.config.blobs;
  if (bucket) return getBucketStore(bucket).removeAll(workspace.id);
  const [remaining] = await db.rows(
    sql`select 1 from svc_blob b where b.workspace_id = ${workspace.id}
     and (b.store = 's3' or b.copied_at is not null) limit 1`,
  );
  if (remaining) throw new Error('blobs are in a bucket: set BLOB_URL to its URL');
}
