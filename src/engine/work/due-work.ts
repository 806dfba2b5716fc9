import { setTimeout as pause } from 'node:timers/promises';
import { type Ctx, createCtx } from '../ctx/ctx.ts';
import type { Runtime } from '../ctx/runtime.ts';
import { type DueWorkspace, findDue } from './due.ts';
import { loadWorkspace } from './load-workspace.ts';

/** A kind of work that the engine runs in workspaces where it is due. */
interface DueWork {
  kind: string;
  /** Technical name of the app that declares the work. */
  app: string;
  /**
   * Does a part of the work, then calls `buildRescheduleSql` with the time when the workspace is due again.
   * @param ctx platform context for the workspace; skips access rights and record rules
   * @returns the amount of work done
   */
  run(ctx: Ctx, due: DueWorkspace): Promise<number>;
}

const dueWork: DueWork[] = [];

/** Declares work. Every worker process runs it, concurrently with others. */
export function defineDueWork(work: DueWork): void {
  dueWork.push(work);
}

export const listDueKinds = (apps: readonly string[]): string[] =>
  dueWork.flatMap(({ kind, app }) => (apps.includes(app) ? kind : []));

export interface DueWorker {
  wake(): void;
  /** Starts no more work and waits for running work. Never rejects. */
  stop(): Promise<void>;
}

const POLL_INTERVAL_MS = 1_000;
/** Milliseconds before failed work is retried in the same workspace. Other workspaces are served in the meantime. */
const RETRY_DELAY_MS = 5_000;

/** Workspaces where a kind of work failed, with the end of their pause (ms of `performance.now`). */
type RestingWorkspaces = Map<string, Map<number, number>>;

export function startDueWork(runtime: Runtime): DueWorker {
  let stopping = false;
  let sleep = new AbortController();
  const resting: RestingWorkspaces = new Map();
  const serve = async (): Promise<void> => {
    while (!stopping) {
      const { signal } = sleep;
      const done = await runAll(runtime, resting);
      if (done === 0 && !stopping) await pause(POLL_INTERVAL_MS, null, { signal }).catch(() => undefined);
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

/** Does a part of each kind, in the workspace that has waited longest. @returns the amount of work done */
async function runAll(runtime: Runtime, resting: RestingWorkspaces): Promise<number> {
  let done = 0;
  for (const work of dueWork)
    try {
      done += await runOne(runtime, work, resting);
    } catch (error) {
      runtime.log.warn({ err: error, kind: work.kind }, 'work that is due could not be found');
    }
  return done;
}

async function runOne(runtime: Runtime, { kind, run }: DueWork, resting: RestingWorkspaces): Promise<number> {
  const now = performance.now();
  const failed = new Map([...(resting.get(kind) ?? [])].filter(([, until]) => until > now));
  resting.set(kind, failed);
  const [due] = await findDue(runtime.db, kind, 1, [...failed.keys()]);
  if (!due) return 0;
  try {
    return await run(await createWorkspaceCtx(runtime, due.workspace_id), due);
  } catch (error) {
    failed.set(due.workspace_id, now + RETRY_DELAY_MS);
    const place = { err: error, kind, workspace: due.workspace_id };
    runtime.log.warn(place, 'work that is due failed and is tried again');
    // Reports progress, so that the next workspace is served immediately.
    return 1;
  }
}

async function createWorkspaceCtx(runtime: Runtime, id: number): Promise<Ctx> {
  const workspace = await loadWorkspace(runtime, id);
  return createCtx(runtime, { workspace, principal: null, channel: 'job', requestId: 'due' }).system();
}
