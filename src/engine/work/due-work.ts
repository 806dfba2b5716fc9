import { startWorkerLoop, type WorkerLoop } from '../../loop/worker-loop.ts';
import { type Ctx, createCtx } from '../ctx/ctx.ts';
import type { Runtime } from '../ctx/runtime.ts';
import {
  createFailureGuard,
  type DueWorkspace,
  type FailureGuard,
  findDueWorkspaces,
  reschedule,
} from './due.ts';
import { loadWorkspace } from './load-workspace.ts';

interface DueWorkResult {
  done: number;
  next: string | null;
}

/** Work that the engine runs in each workspace where it is due. */
interface DueWork {
  kind: string;
  /** Technical name of the app that declares the work. */
  app: string;
  /**
   * Does part of the work.
   * @param ctx system context of the workspace, which skips access rights and record rules
   * @returns the amount of work done, and the next time when the workspace is due, or null for never
   */
  run(ctx: Ctx, due: DueWorkspace): Promise<DueWorkResult>;
}

const dueWork: DueWork[] = [];

/** Declares work that all worker processes run concurrently. */
export function defineDueWork(task: DueWork): void {
  dueWork.push(task);
}

export const listDueKinds = (apps: readonly string[]): string[] =>
  dueWork.flatMap(({ kind, app }) => (apps.includes(app) ? kind : []));

const POLL_INTERVAL_MS = 1_000;

export function startDueWork(runtime: Runtime): WorkerLoop {
  const guards = new Map(dueWork.map((task) => [task, createFailureGuard(runtime.log, task.kind)]));
  return startWorkerLoop(POLL_INTERVAL_MS, () => runAll(runtime, guards));
}

/** Runs each kind of work in the workspace that has waited longest, and returns the amount of work done. */
async function runAll(runtime: Runtime, guards: Map<DueWork, FailureGuard>): Promise<number> {
  let doneCount = 0;
  for (const [task, guard] of guards)
    try {
      doneCount += await runOne(runtime, task, guard);
    } catch (error) {
      runtime.log.warn({ err: error, kind: task.kind }, 'could not look for due work');
    }
  return doneCount;
}

async function runOne(runtime: Runtime, { kind, run }: DueWork, guard: FailureGuard): Promise<number> {
  const [due] = await findDueWorkspaces(runtime.db, kind, 1, guard.resting());
  if (!due) return 0;
  const doneCount = await guard.run(due.workspace_id, async () => {
    const result = await run(await createWorkspaceCtx(runtime, due.workspace_id), due);
    await reschedule(runtime.db, kind, due, result.next);
    return result.done;
  });
  // A failure counts as work, so that the next workspace is served immediately.
  return doneCount ?? 1;
}

async function createWorkspaceCtx(runtime: Runtime, id: number): Promise<Ctx> {
  const workspace = await loadWorkspace(runtime, id);
  return createCtx(runtime, { workspace, principal: null, channel: 'job', requestId: 'due' }).system();
}
