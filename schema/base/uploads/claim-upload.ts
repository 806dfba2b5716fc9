import { touchBlobs } from '../../../src/db/blobs/put.ts';
import { readBlob, readWholeBlob } from '../../../src/db/blobs/read.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';

export interface CompleteUpload {
  id: number;
  hash: string;
  size: number;
  checksum: string;
}

/**
 * Claims one of the caller's uploads for a record. An upload can be claimed only once, but remains available if the
 * transaction fails.
 * @throws MISSING if the upload belongs to another user, was used or is not complete
 */
export async function claimUpload(ctx: Ctx, id: number): Promise<CompleteUpload> {
  const [claimedUpload] = await ctx.db.rows<CompleteUpload>(
    sql`delete from svc_upload where workspace_id = ${ctx.workspace.id} and id = ${id}
     and user_id = ${ctx.principal?.userId ?? null} and hash is not null returning id, hash, size, checksum`,
  );
  if (!claimedUpload || (await touchBlobs(ctx, [claimedUpload.hash])).length === 0)
    throw errors.missing('svc.upload', [id]);
  return claimedUpload;
}

export async function loadUploads(ctx: Ctx, ids: number[]): Promise<Map<number, CompleteUpload>> {
  const rows = await ctx.db.rows<CompleteUpload>(
    sql`select id, hash, size, checksum from svc_upload where workspace_id = ${ctx.workspace.id}
     and id = any(${ids}) and user_id = ${ctx.principal?.userId ?? null} and hash is not null`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Deletes the caller's uploads. @returns the deleted ids */
export async function dropUploads(ctx: Ctx, ids: number[]): Promise<Set<number>> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`delete from svc_upload where workspace_id = ${ctx.workspace.id} and id = any(${ids})
     and user_id = ${ctx.principal?.userId ?? null} and hash is not null returning id`,
  );
  return new Set(rows.map(({ id }) => id));
}

export const readUpload = (ctx: Ctx, { hash }: CompleteUpload): Promise<Buffer> => readWholeBlob(ctx, hash);

export async function readUploadStart(ctx: Ctx, { hash }: CompleteUpload, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBlob(ctx, hash, { to: bytes })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
