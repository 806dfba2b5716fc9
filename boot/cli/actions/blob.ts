import { type BlobCheckResult, checkBlobs } from '../../../src/db/blobs/check.ts';
import type { BlobHost, BlobStoreName } from '../../../src/db/blobs/host.ts';
import { type BlobMoveResult, moveBlobs } from '../../../src/db/blobs/move.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { errors } from '../../../src/errors.ts';
import { runOnRuntime } from '../run-on-runtime.ts';
import { findWorkspaceId } from './workspace-id.ts';

/** Workspaces per query. */
const WORKSPACE_PAGE_SIZE = 500;

export const blobMove = (to: BlobStoreName, slug?: string): Promise<{ to: BlobStoreName } & BlobMoveResult> =>
  runOnRuntime(async (runtime) => {
    if (!runtime.config.blobs.bucket) throw errors.user('Set BLOB_URL to the URL of the bucket.');
    const all: BlobMoveResult = { contents: 0, bytes: 0 };
    for await (const host of listHosts(runtime, slug)) addCounts(all, await moveBlobs(host, to));
    return { to, ...all };
  });

/** @throws USER_ERROR with the counts if contents are missing or corrupt */
export const blobCheck = (slug?: string): Promise<BlobCheckResult> =>
  runOnRuntime(async (runtime) => {
    const all: BlobCheckResult = { contents: 0, bytes: 0, missing: 0, wrong: 0 };
    for await (const host of listHosts(runtime, slug)) addCounts(all, await checkBlobs(host));
    if (all.missing + all.wrong > 0)
      throw errors.user(`${all.missing} of ${all.contents} blobs are missing and ${all.wrong} are corrupt.`);
    return all;
  });

async function* listHosts(runtime: Runtime, slug: string | undefined): AsyncGenerator<BlobHost> {
  const { db } = runtime;
  const one = await findWorkspaceId(runtime, slug);
  for (let last = 0; ; ) {
    const workspaceRows = await db.rows<{ id: number }>(
      sql`select id from workspace where id > ${last} and (${one}::int is null or id = ${one})
       order by id limit ${sql.literal(WORKSPACE_PAGE_SIZE)}`,
    );
    for (const workspace of workspaceRows) yield { db, workspace, runtime };
    if (workspaceRows.length < WORKSPACE_PAGE_SIZE) return;
    last = workspaceRows.at(-1)!.id;
  }
}

function addCounts<T extends Record<keyof T, number>>(all: T, some: T): void {
  for (const name of Object.keys(all) as (keyof T)[]) (all[name] as number) += some[name];
}
