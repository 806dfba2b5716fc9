import { createHash } from 'node:crypto';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

// Contents lie in svc_blob under their SHA-256, once for all attachments of the workspace that have them.

/** Keeps content. @returns its hash */
export async function keepBlob(ctx: Ctx, content: Buffer): Promise<string> {
  const hash = createHash('sha256').update(content).digest('hex');
  // Also where it is there: the row is locked until this transaction ends, so that it is not deleted meanwhile.
  await ctx.db.rows(
    sql`insert into svc_blob (workspace_id, hash, content) values (${ctx.workspace.id}, ${hash}, ${content})
     on conflict (workspace_id, hash) do update set hash = excluded.hash`,
  );
  return hash;
}

/** Hashes that may be without a use once a change is done, by what stands for the change. */
const planned = new WeakMap<object, string[]>();

/** Before attachments change their content or go: what they have now. */
export async function planDrop(ctx: Ctx, ids: number[], change: object): Promise<void> {
  const rows = await ctx.db.rows<{ hash: string }>(
    sql`select distinct store_hash as hash from ir_attachment
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and store_hash is not null`,
  );
  planned.set(
    change,
    rows.map((row) => row.hash),
  );
}

/** Deletes those of these contents that are no longer used. */
export async function dropUnused(ctx: Ctx, change: object): Promise<void> {
  const hashes = planned.get(change) ?? [];
  if (hashes.length === 0) return;
  await ctx.db.rows(
    sql`delete from svc_blob b where b.workspace_id = ${ctx.workspace.id} and b.hash = any(${hashes})
     and not exists (select 1 from ir_attachment a
       where a.workspace_id = ${ctx.workspace.id} and a.store_hash = b.hash)`,
  );
}
