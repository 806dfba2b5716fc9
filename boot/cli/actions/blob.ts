import { type BlobCheckResult, checkBlobs } from '../../../src/db/blobs/check.ts';
import type { BlobHost, BlobStoreName } from '../../../src/db/blobs/host.ts';
import { type BlobMoveResult, moveBlobs } from '../../../src/db/blobs/move.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { errors } from '../../../src/errors.ts';
import { runOnRuntime } from '../run-on-runtime.ts';
import { findWorkspaceId } from './workspace-id.ts';

const WORKSPACE_PAGE_SIZE = 500;

export const runBlobMove = (
  to: BlobStoreName,
  slug?: string,
): Promise<{ to: BlobStoreName } & BlobMoveResult> =>
  runOnRuntime(async (runtime) => {
    if (!runtime.config.blobs.bucket)
      throw errors.user('BLOB_URL is not set. Set it to the URL of the bucket.');
    const totals: BlobMoveResult = { contents: 0, bytes: 0 };
    for await (const host of listHosts(runtime, slug)) addCounts(totals, await moveBlobs(host, to));
    return { to, ...totals };
  });

/** @throws USER_ERROR with the counts if blobs are missing or corrupt */
export const runBlobCheck = (slug?: string): Promise<BlobCheckResult> =>
  runOnRuntime(async (runtime) => {
    const totals: BlobCheckResult = { contents: 0, bytes: 0, missing: 0, wrong: 0 };
    for await (const host of listHosts(runtime, slug)) addCounts(totals, await checkBlobs(host));
    if (totals.missing + totals.wrong > 0)
      throw errors.user(
        `${totals.missing} of ${totals.contents} blobs are missing and ${totals.wrong} are corrupt.`,
      );
    return totals;
  });

async function* listHosts(runtime: Runtime, slug: string | undefined): AsyncGenerator<BlobHost> {
  const { db } = runtime;
  const workspaceId = await findWorkspaceId(runtime, slug);
  for (let last = 0; ; ) {
    const workspaceRows = await db.rows<{ id: number }>(
      sql`select id from workspace where id > ${last} and (${workspaceId}::int is null or id = ${workspaceId})
       order by id limit ${sql.literal(WORKSPACE_PAGE_SIZE)}`,
    );
    for (const workspace of workspaceRows) yield { db, workspace, runtime };
    if (workspaceRows.length < WORKSPACE_PAGE_SIZE) return;
    last = workspaceRows.at(-1)!.id;
  }
}

function addCounts<T extends Record<keyof T, number>>(totals: T, counts: T): void {
  for (const name of Object.keys(totals) as (keyof T)[]) (totals[name] as number) += counts[name];
}
