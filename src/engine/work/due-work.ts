import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '../../db/sql.ts';
import { type Ctx, createCtx } from '../ctx/ctx.ts';
import type { Runtime } from '../ctx/runtime.ts';
import { type Due, findDue } from './due.ts';

/** What is done in workspaces that have something due of a kind; the engine finds them. */
interface DueWork {
  kind: string;
  /**
   * Does some of it, and says with `settled` when the workspace is due again.
   * @param ctx of the platform in the workspace; skips access rights and record rules
   * @returns how much it has done
   */
  run(ctx: Ctx, due: Due): Promise<number>;
}

const declared: DueWork[] = [];

/** Declares work. Every worker process does it; any number may do so together. */
export function defineDueWork(work: DueWork): void {
  declared.push(work);
}

/** Does what is due until it is stopped. */
export interface DueWorker {
  wake(): void;
  /** Begins nothing more and lets what runs end. Never rejects. */
  stop(): Promise<void>;
}

const POLL = 1_000;
/** Milliseconds before work that failed is tried again. */
const RETRY = 5_000;

export function startDueWork(runtime: Runtime): DueWorker {
  let stopping = false;
  let sleep = new AbortController();
  const serve = async (): Promise<void> => {
    while (!stopping) {
      const { signal } = sleep;
      const [done, failed] = await doAll(runtime);
      if (done === 0 && !stopping)
        await pause(failed ? RETRY : POLL, null, { signal }).catch(() => undefined);
      if (signal.aborted) sleep = new AbortController();
    }
  };
  const running = serve();
  return {
    wake: () => sleep.abort(),
    async stop() {
      stopping = true;
      sleep.abort();
      await running;
    },
  };
}

/** Some of each kind, of the workspace that has waited longest. @returns how much, and whether any has failed */
async function doAll(runtime: Runtime): Promise<[done: number, failed: boolean]> {
  let [done, failed] = [0, false];
  for (const { kind, run } of declared)
    try {
      const [due] = await findDue(runtime.db, kind, 1);
      if (due) done += await run(await ctxOfWorkspace(runtime, due.workspace_id), due);
    } catch (error) {
      failed = true;
      runtime.log.warn({ err: error, kind }, 'work that is due failed and is tried again');
    }
  return [done, failed];
}

async function ctxOfWorkspace(runtime: Runtime, id: number): Promise<Ctx> {
  const [row] = await runtime.db.rows<{ slug: string }>(sql`select slug from workspace where id = ${id}`);
  const workspace = row && (await runtime.identity.workspace(row.slug));
  if (!workspace) throw new Error(`workspace ${id} is gone`);
  return createCtx(runtime, { workspace, principal: null, channel: 'job', requestId: 'due' }).system();
}
