import { setTimeout as sleep } from 'node:timers/promises';
import { readMigrations } from '../../../src/db/migrations/migration-files.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Provisioning } from '../../../src/engine/ctx/catalog.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { recordModels } from '../ir/code-models.ts';
import { equipWorkspace } from './create-workspace.ts';

/** Writes the code's models down, and gives what workspaces need of them. */
export async function equipment(runtime: Runtime): Promise<Provisioning> {
  const migration = readMigrations().at(-1)?.name ?? '';
  return {
    version: await recordModels(runtime.db, runtime.registry, migration),
    provision: async (workspaceId) => {
      await tryToEquip(runtime, workspaceId);
    },
  };
}

/** One that cannot get the rights of new models works on with those that it has. */
async function tryToEquip(runtime: Runtime, workspace: number): Promise<boolean> {
  try {
    return await equipWorkspace(runtime, workspace);
  } catch (error) {
    runtime.log.error({ err: error, workspace }, 'a workspace could not get what new models start with');
    return false;
  }
}

/** Milliseconds between two workspaces. */
const PAUSE = 20;

/** How many workspaces are looked up at once. */
const BATCH = 50;

/** Milliseconds before the database is asked again after an error. */
const RETRY = 5_000;

/**
 * Gives the workspaces what they lack of the code's models, one after the other, until none is left: those in which
 * no one works. Any number of processes may do so together; where one ends, the next goes on.
 */
export function startEquipping(runtime: Runtime): { stop(): Promise<void> } {
  const ending = new AbortController();
  const run = async () => {
    for (let after = 0; !ending.signal.aborted; ) {
      try {
        const behind = await workspacesBehind(runtime, after);
        if (behind.length === 0) return;
        for (const id of behind) {
          if (ending.signal.aborted) return;
          await tryToEquip(runtime, id);
          after = id;
          await pause(PAUSE, ending.signal);
        }
      } catch (error) {
        runtime.log.warn({ err: error }, 'workspaces could not be looked up; retrying');
        await pause(RETRY, ending.signal);
      }
    }
  };
  const running = run();
  return {
    async stop() {
      ending.abort();
      await running;
    },
  };
}

const pause = (time: number, signal: AbortSignal): Promise<void> =>
  sleep(time, undefined, { signal }).catch(() => undefined);

async function workspacesBehind({ db, catalogs }: Runtime, after: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    sql`select id from workspace where equipped < ${catalogs.provisioning!.version} and id > ${after}
     order by id limit ${BATCH}`,
  );
  return rows.map((row) => row.id);
}
