import { setTimeout as pause } from 'node:timers/promises';
import { type Ctx, createCtx } from '../ctx/ctx.ts';
import type { Runtime } from '../ctx/runtime.ts';
import { type DueWorkspace, findDue } from './due.ts';
import { loadWorkspace } from './load-workspace.ts';

/** What is done in workspaces that have something due of a kind; the engine finds them. */
interface DueWork {
  kind: string;
  /** Technical name of the app that it is of. */
  app: string;
  /**
   * Does some of it, and says with `settled` when the workspace is due again.
   * @param ctx of the platform in the workspace; skips access rights and record rules
   * @returns how much it has done
   */
  run(ctx: Ctx, due: DueWorkspace): Promise<number>;
}

const dueWork: DueWork[] = [];

/** Declares work. Every worker process does it; any number may do so together. */
export function defineDueWork(work: DueWork): void {
  dueWork.push(work);
}

/** The kinds of the work of these apps. */
export const listDueKinds = (apps: readonly string[]): string[] =>
  dueWork.flatMap(({ kind, app }) => (apps.includes(app) ? kind : []));

/** Does what is due until it is stopped. */
export interface DueWorker {
  wake(): void;
  /** Begins nothing more and lets what runs end. Never rejects. */
  stop(): Promise<void>;
}

const POLL_INTERVAL_MS = 1_000;
/** Milliseconds before work that failed in a workspace is tried there again; others have their turns meanwhile. */
const RETRY_DELAY_MS = 5_000;

/** Workspaces where work of a kind has failed, and until when they wait (ms of `performance.now`). */
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

/** Some of each kind, of the workspace that has waited longest. @returns how much */
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
    // The next workspace has its turn at once.
    return 1;
  }
}

async function createWorkspaceCtx(runtime: Runtime, id: number): Promise<Ctx> {
  const workspace = await loadWorkspace(runtime, id);
  return createCtx(runtime, { workspace, principal: null, channel: 'job', requestId: 'due' }).system();
}
