/** `userId` is 0 for anonymous callers. */
export interface QueueOwner {
  workspaceId: number;
  userId: number;
}

type WorkStarter = () => void;

/**
 * Runs one task at a time. Workspaces take turns, and so do the users of a workspace, so that one owner's many tasks do
 * not delay others.
 */
export function createFairQueue(): <T>(requester: QueueOwner, run: () => Promise<T>) => Promise<T> {
  /** Waiting tasks by workspace and user. The most recently served owner is last. */
  const waiting = new Map<number, Map<number, WorkStarter[]>>();
  let isBusy = false;

  function next(): WorkStarter | undefined {
    const [workspaceId, users] = waiting.entries().next().value ?? [];
    if (users === undefined) return undefined;
    const [userId, starts] = users.entries().next().value!;
    const start = starts.shift()!;
    moveToEnd(users, userId, starts, starts.length > 0);
    moveToEnd(waiting, workspaceId!, users, users.size > 0);
    return start;
  }

  function waitForStart({ workspaceId, userId }: QueueOwner): Promise<void> {
    const users = waiting.get(workspaceId) ?? new Map<number, WorkStarter[]>();
    const starts = users.get(userId) ?? [];
    waiting.set(workspaceId, users);
    users.set(userId, starts);
    return new Promise((start) => starts.push(start));
  }

  return async (requester, run) => {
    if (isBusy) await waitForStart(requester);
    isBusy = true;
    try {
      return await run();
    } finally {
      const start = next();
      if (start) start();
      else isBusy = false;
    }
  };
}

function moveToEnd<V>(map: Map<number, V>, key: number, value: V, isKept: boolean): void {
  map.delete(key);
  if (isKept) map.set(key, value);
}
