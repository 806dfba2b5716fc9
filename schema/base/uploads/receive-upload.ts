import { createHash } from 'node:crypto';
import { putBlob } from '../../../src/db/blobs/put.ts';
import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import { type Ctx, createDetachedCtx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';

/** Maximum number of a user's unclaimed uploads, including those in progress. */
export const MAX_PENDING_UPLOADS = 50;
/** Maximum total size of a user's unclaimed uploads. */
const MAX_PENDING_UPLOAD_BYTES = 500_000_000;
/** Maximum total size of a workspace's unclaimed uploads. */
export const MAX_PENDING_WORKSPACE_BYTES = 5_000_000_000;

export interface ReceivedUpload {
  id: number;
  name: string;
  size: number;
}

/**
 * Stores a file's bytes as they arrive. Reserves space first, so that concurrent uploads cannot exceed the limits.
 * @throws BAD_REQUEST with HTTP status 413 if the file is too large, USER_ERROR if too many uploads are pending
 */
export async function receiveUpload(
  ctx: Ctx,
  name: string,
  bytes: AsyncIterable<Buffer>,
  announcedBytes: number | null,
): Promise<ReceivedUpload> {
  const maxBytes = announcedBytes ?? limits.upload.fileBytes;
  if (maxBytes > limits.upload.fileBytes) throw errors.contentTooLarge(limits.upload.fileBytes);
  const id = await reserveUpload(ctx, name, maxBytes);
  const sha1 = createHash('sha1');
  async function* hashStream(): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      sha1.update(chunk);
      yield chunk;
    }
  }
  try {
    const { hash, size } = await putBlob(ctx, hashStream(), { limit: maxBytes });
    const updatedRows = await ctx.db.rows(
      sql`update svc_upload set hash = ${hash}, size = ${size}, checksum = ${sha1.digest('hex')}
       where workspace_id = ${ctx.workspace.id} and id = ${id} returning 1`,
    );
    // The upload was discarded or has expired in the meantime.
    if (updatedRows.length === 0) throw errors.missing('svc.upload', [id]);
    return { id, name, size };
  } catch (error) {
    // The client has usually disconnected.
    await createDetachedCtx(ctx)
      .db.rows(sql`delete from svc_upload where workspace_id = ${ctx.workspace.id} and id = ${id}`)
      .catch(() => undefined);
    throw error;
  }
}

const reserveUpload = (ctx: Ctx, name: string, bytes: number): Promise<number> =>
  ctx.tx(async (tx) => {
    const workspace = sql.param(tx.workspace.id);
    const user = sql.param(tx.principal!.userId);
    // Prevents concurrent requests from exceeding the limits.
    await tx.db.rows(
      sql`select pg_advisory_xact_lock(hashtext('uploads of a workspace'), ${workspace}::int)`,
    );
    const [usage] = await tx.db.rows<{ files: number; user_bytes: number; workspace_bytes: number }>(
      sql`select count(*) filter (where user_id = ${user})::int as files,
         coalesce(sum(size) filter (where user_id = ${user}), 0)::float8 as user_bytes,
         coalesce(sum(size), 0)::float8 as workspace_bytes
       from svc_upload where workspace_id = ${workspace}`,
    );
    const { files, user_bytes: userBytes, workspace_bytes: workspaceBytes } = usage!;
    if (files >= MAX_PENDING_UPLOADS || userBytes + bytes > MAX_PENDING_UPLOAD_BYTES)
      throw errors.user(
        `Your unused uploads would exceed ${MAX_PENDING_UPLOADS} files or ` +
          `${MAX_PENDING_UPLOAD_BYTES / 1_000_000} MB. Use or discard some.`,
      );
    if (workspaceBytes + bytes > MAX_PENDING_WORKSPACE_BYTES)
      throw errors.user('This workspace has too many uploads in progress. Try again later.');
    const id = await allocateId(tx, 'svc_upload');
    await tx.db.rows(
      sql`insert into svc_upload (workspace_id, id, user_id, name, size)
       values (${workspace}, ${id}, ${user}, ${name}, ${bytes})`,
    );
    return id;
  });
