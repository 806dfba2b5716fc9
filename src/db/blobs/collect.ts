import { limits } from '../../limits.ts';
import type { Db } from '../db.ts';
import { NOW } from '../now.ts';
import { type Sql, sql } from '../sql.ts';
import { tryLockContents } from './content-lock.ts';
import type { BlobHost, BlobStoreName } from './host.ts';
import { DELETED_PREFIX, getOtherStore, purgeDeletedBlobs } from './remove.ts';
import { getBlobStore, toBlobLocation } from './stores.ts';
import { buildUnusedCondition } from './uses.ts';

/**
 * Minimum age for deletion, because a younger blob may not be referenced yet. No transaction or upload takes longer.
 */
const MIN_UNUSED_AGE = sql`interval '24 hours'`;
const MARK_GRACE_PERIOD = sql`interval '1 hour'`;
const COPY_GRACE_PERIOD = sql`interval '24 hours'`;

const BATCH_SIZE = 500;

/**
 * Deletes the unused blobs of a workspace, in batches. A blob is marked first, and deleted if it is still unused an
 * hour later. Storing it again removes the mark.
 * @returns true if some blobs are marked and wait for deletion
 */
export async function collectBlobs(host: BlobHost): Promise<boolean> {
  await deleteOldCopies(host);
  await resolveMarkedBlobs(host);
  while ((await purgeDeletedBlobs(host, BATCH_SIZE)) === BATCH_SIZE);
  return markUnusedBlobs(host);
}

async function deleteOldCopies(host: BlobHost): Promise<void> {
  const { db, workspace } = host;
  for (;;) {
    const rows = await db.rows<{ hash: string }>(
      sql`select b.hash from svc_blob b where b.workspace_id = ${workspace.id}
       and b.copied_at < ${NOW} - ${COPY_GRACE_PERIOD} limit ${BATCH_SIZE}`,
    );
    for (const { hash } of rows) await deleteBlobCopy(host, hash);
    if (rows.length < BATCH_SIZE) return;
  }
}

/** Deletes the copy that a move may have left in the other store. */
export function deleteBlobCopy(host: BlobHost, hash: string): Promise<void> {
  const { db, workspace } = host;
  return db.transaction(async (tx) => {
    const [row] = await tx.rows<{ store: BlobStoreName; place: string }>(
      sql`select b.store, b.place from svc_blob b where b.workspace_id = ${workspace.id} and b.hash = ${hash}
       and b.copied_at is not null for update`,
    );
    if (!row) return;
    await getBlobStore(host, getOtherStore(row.store)).remove(tx, toBlobLocation(host, row.place));
    await tx.rows(
      sql`update svc_blob set copied_at = null where workspace_id = ${workspace.id} and hash = ${hash}`,
    );
  });
}

/**
 * Handles blobs marked more than an hour ago: unmarks used blobs, and schedules unused blobs for deletion unless the
 * workspace's blobs are locked.
 */
async function resolveMarkedBlobs({ db, workspace }: BlobHost): Promise<void> {
  const old = sql`b.workspace_id = ${workspace.id} and b.marked_at < ${NOW} - ${MARK_GRACE_PERIOD}
    and not starts_with(b.hash, ${sql.literal(DELETED_PREFIX)})`;
  const none = buildUnusedCondition(workspace.id, sql`b.hash`);
  const some = (condition: Sql) =>
    sql`select b.hash from svc_blob b where ${old} and ${condition} limit ${limits.sql.batchRows} for update`;
  const updateOldBlobs = async (db: Db, condition: Sql, change: Sql): Promise<boolean> => {
    const rows = await db.rows(
      sql`with settled as (${some(condition)})
       update svc_blob set ${change}
       where workspace_id = ${workspace.id} and hash in (select s.hash from settled s) returning 1`,
    );
    return rows.length === limits.sql.batchRows;
  };
  const markDeletable = (tx: Db) =>
    updateOldBlobs(tx, none, sql`hash = ${sql.literal(DELETED_PREFIX)} || place`);
  while (await updateOldBlobs(db, sql`not (${none})`, sql`marked_at = null`));
  while (
    await db.transaction(async (tx) => (await areContentsUnlocked(tx, workspace.id)) && markDeletable(tx))
  );
}

function areContentsUnlocked(tx: Db, workspaceId: number): Promise<boolean> {
  return tx.value<boolean>(tryLockContents(workspaceId));
}

async function markUnusedBlobs({ db, workspace }: BlobHost): Promise<boolean> {
  let isMarked = false;
  for (let last = ''; ; ) {
    const rows = await db.rows<{ hash: string; marked: boolean; idle: boolean }>(
      sql`select b.hash, b.marked_at is not null as marked,
         b.marked_at is null and b.put_at < ${NOW} - ${MIN_UNUSED_AGE}
           and ${buildUnusedCondition(workspace.id, sql`b.hash`)} as idle
       from svc_blob b where b.workspace_id = ${workspace.id} and b.hash > ${last}
       order by b.hash limit ${sql.literal(limits.sql.batchRows)}`,
    );
    const idleRows = rows.filter((row) => row.idle).map(({ hash }) => hash);
    if (idleRows.length > 0)
      await db.rows(
        sql`update svc_blob set marked_at = ${NOW}
         where workspace_id = ${workspace.id} and hash = any(${idleRows}) and put_at < ${NOW} - ${MIN_UNUSED_AGE}`,
      );
    isMarked ||= rows.some((row) => row.idle || row.marked);
    if (rows.length < limits.sql.batchRows) return isMarked;
    last = rows.at(-1)!.hash;
  }
}
