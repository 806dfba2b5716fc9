import { setTimeout as pause } from 'node:timers/promises';
import { type Ctx, createCtx } from '../ctx/ctx.ts';
import type { Runtime } from '../ctx/runtime.ts';
import { type Due, findDue } from './due.ts';
import { workspaceById } from './workspace-by-id.ts';

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
  run(ctx: Ctx, due: Due): Promise<number>;
}

const declared: DueWork[] = [];

/** Declares work. Every worker process does it; any number may do so together. */
export function defineDueWork(work: DueWork): void {
  declared.push(work);
}

/** The kinds of the work of these apps. */
export const dueKindsOf = (apps: readonly string[]): string[] =>
  declared.flatMap(({ kind, app }) => (apps.includes(app) ? kind : []));

/** Does what is due until it is stopped. */
export interface DueWorker {
  wake(): void;
  /** Begins nothing more and lets what runs end. Never rejects. */
  stop(): Promise<void>;
}

const POLL = 1_000;
/** Milliseconds before work that failed in a workspace is tried there again; others have their turns meanwhile. */
const RETRY = 5_000;

/** Workspaces where work of a kind has failed, and until when they wait (ms of `performance.now`). */
type Resting = Map<string, Map<number, number>>;

export function startDueWork(runtime: Runtime): DueWorker {
  let stopping = false;
  let sleep = new AbortController();
  const resting: Resting = new Map();
  const serve = async (): Promise<void> => {
    while (!stopping) {
      const { signal } = sleep;
      const done = await doAll(runtime, resting);
      if (done === 0 && !stopping) await pause(POLL, null, { signal }).catch(() => undefined);
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
async function doAll(runtime: Runtime, resting: Resting): Promise<number> {
  let done = 0;
  for (const work of declared)
    try {
      done += await doOne(runtime, work, resting);
    } catch (error) {
      runtime.log.warn({ err: error, kind: work.kind }, 'work that is due could not be found');
    }
  return done;
}

async function doOne(runtime: Runtime, { kind, run }: DueWork, resting: Resting): Promise<number> {
  const now = performance.now();
  const failed = new Map([...(resting.get(kind) ?? [])].filter(([, until]) => until > now));
  resting.set(kind, failed);
  const [due] = await findDue(runtime.db, kind, 1, [...failed.keys()]);
  if (!due) return 0;
  try {
    return await run(await ctxOfWorkspace(runtime, due.workspace_id), due);
  } catch (error) {
    failed.set(due.workspace_id, now + RETRY);
    const place = { err: error, kind, workspace: due.workspace_id };
    runtime.log.warn(place, 'work that is due failed and is tried again');
    // The next workspace has its turn at once.
    return 1;
  }
}

async function ctxOfWorkspace(runtime: Runtime, id: number): Promise<Ctx> {
  const workspace = await workspaceById(runtime, id);
  return createCtx(runtime, { workspace, principal: null, channel: 'job', requestId: 'due' }).system();
}
