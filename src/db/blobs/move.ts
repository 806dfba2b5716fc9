import { createHash } from 'node:crypto';
import { NOW } from '../now.ts';
import { sql } from '../sql.ts';
import { deleteBlobCopy } from './collect.ts';
import { countChunks } from './frames.ts';
import { type BlobHead, type BlobHost, type BlobStoreName, DamagedBlobError } from './host.ts';
import { getBlobStore, toBlobLocation } from './stores.ts';

const PAGE_SIZE = 500;

export interface BlobMoveResult {
  contents: number;
  bytes: number;
}

/**
 * Moves the blobs of a workspace to another store. Each blob is copied, read back and compared before the new store
 * becomes current. The old copy is deleted a day later, because readers may still use it. An interrupted move can be
 * restarted.
 */
export async function moveBlobs(host: BlobHost, to: BlobStoreName): Promise<BlobMoveResult> {
  const result: BlobMoveResult = { contents: 0, bytes: 0 };
  for (let last = ''; ; ) {
    const heads = await loadHeadsAfter(host, last);
    for (const head of heads.filter((head) => head.store !== to && !/^[~-]/.test(head.hash))) {
      if (!(await moveBlob(host, head, to))) continue;
      result.contents++;
      result.bytes += head.size;
    }
    if (heads.length < PAGE_SIZE) return result;
    last = heads.at(-1)!.hash;
  }
}

export const loadHeadsAfter = ({ db, workspace }: BlobHost, last: string): Promise<BlobHead[]> =>
  db.rows<BlobHead>(
    sql`select b.hash, b.size, b.sealed, b.store, b.place from svc_blob b
     where b.workspace_id = ${workspace.id} and b.hash > ${last} order by b.hash limit ${sql.literal(PAGE_SIZE)}`,
  );

/** @returns false if the blob was deleted or another process is moving it */
async function moveBlob(host: BlobHost, head: BlobHead, to: BlobStoreName): Promise<boolean> {
  const { db, workspace } = host;
  const location = toBlobLocation(host, head.place);
  const readAll = (store: BlobStoreName) =>
    getBlobStore(host, store).read(db, location, head, 0, countChunks(head.size) - 1);
  await deleteBlobCopy(host, head.hash);
  const copiedAt = await recordCopy(host, head);
  if (copiedAt === null) return false;
  const digest = await getBlobStore(host, to).write(
    db,
    location,
    readAll(head.store) as AsyncIterable<Buffer>,
  );
  if ((await computeChunkDigest(readAll(to))) !== digest) throw new DamagedBlobError(head.hash);
  const updatedRows = await db.rows(
    sql`update svc_blob set store = ${to}, copied_at = ${NOW}
     where workspace_id = ${workspace.id} and hash = ${head.hash} and place = ${head.place} and store = ${head.store}
     and copied_at = ${copiedAt}::timestamp returning 1`,
  );
  return updatedRows.length > 0;
}

/**
 * Records that the other store may have a copy from now on.
 * @returns the recorded time, or null if another process is copying the blob
 */
async function recordCopy(
  { db, workspace }: BlobHost,
  { hash, place, store }: BlobHead,
): Promise<string | null> {
  const [row] = await db.rows<{ at: string }>(
    sql`update svc_blob set copied_at = ${NOW}
     where workspace_id = ${workspace.id} and hash = ${hash} and place = ${place} and store = ${store}
     and copied_at is null returning copied_at as at`,
  );
  return row?.at ?? null;
}

async function computeChunkDigest(chunks: AsyncIterable<Buffer>): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of chunks) digest.update(chunk);
  return digest.digest('hex');
}
