import { sql } from '../sql.ts';
import type { BlobHost } from './host.ts';
import { getBucketStore } from './s3-store.ts';

/**
 * Deletes what the bucket has of a workspace that is about to go; what PostgreSQL has goes with its rows.
 * @throws Error naming the setting when contents are in a bucket that is not set
 */
export async function emptyBucket({ db, workspace, runtime }: BlobHost): Promise<void> {
  const { bucket } = runtime.config.blobs;
  if (bucket) return getBucketStore(bucket).removeAll(workspace.id);
  const [there] = await db.rows(
    sql`select 1 from svc_blob b where b.workspace_id = ${workspace.id}
     and (b.store = 's3' or b.copied_at is not null) limit 1`,
  );
  if (there) throw new Error('contents are in a bucket: BLOB_URL must say where it is');
}
