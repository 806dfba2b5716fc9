import { setTimeout as sleep } from 'node:timers/promises';
import { readMigrations } from '../../../src/db/migrations/migration-files.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Provisioning } from '../../../src/engine/ctx/catalog.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { recordModels } from '../ir/code-models.ts';
import { provisionWorkspace } from './create-workspace.ts';

/** Records the code's models in the database. Returns the function that provisions workspaces with them. */
export async function prepareProvisioning(runtime: Runtime): Promise<Provisioning> {
  const migration = readMigrations().at(-1)?.name ?? '';
  return {
    version: await recordModels(runtime.db, runtime.registry, migration),
    provision: async (workspaceId) => {
      await tryToProvision(runtime, workspaceId);
    },
  };
}

/** If provisioning fails, the workspace keeps working with its existing rights. */
async function tryToProvision(runtime: Runtime, workspace: number): Promise<boolean> {
  try {
    return await provisionWorkspace(runtime, workspace);
  } catch (error) {
    runtime.log.error(
      { err: error, workspace },
      'could not add the initial records of new models to a workspace',
    );
    return false;
  }
}

const WORKSPACE_INTERVAL_MS = 20;

const WORKSPACE_BATCH_SIZE = 50;
const RETRY_INTERVAL_MS = 5_000;

/**
 * Provisions all workspaces, including inactive ones, with newly added models. Several processes can do so in parallel.
 * If one stops, the others continue.
 */
export function startProvisioning(runtime: Runtime): { stop(): Promise<void> } {
  const ending = new AbortController();
  const run = async () => {
    for (let after = 0; !ending.signal.aborted; ) {
      try {
        const outdatedIds = await findOutdatedWorkspaces(runtime, after);
        if (outdatedIds.length === 0) return;
        for (const id of outdatedIds) {
          if (ending.signal.aborted) return;
          await tryToProvision(runtime, id);
          after = id;
          await sleepUnlessStopped(WORKSPACE_INTERVAL_MS, ending.signal);
        }
      } catch (error) {
        runtime.log.warn({ err: error }, 'workspaces could not be looked up; retrying');
        await sleepUnlessStopped(RETRY_INTERVAL_MS, ending.signal);
      }
    }
  };
  const pendingRun = run();
  return {
    async stop() {
      ending.abort();
      await pendingRun;
    },
  };
}

const sleepUnlessStopped = (time: number, signal: AbortSignal): Promise<void> =>
  sleep(time, undefined, { signal }).catch(() => undefined);

async function findOutdatedWorkspaces({ db, catalogs }: Runtime, after: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    sql`select id from workspace where equipped < ${catalogs.provisioning!.version} and id > ${after}
     order by id limit ${WORKSPACE_BATCH_SIZE}`,
  );
  return rows.map((row) => row.id);
}
