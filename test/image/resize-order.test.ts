import { expect, test } from 'vitest';
import { createFairQueue } from '../../src/fair-queue.ts';

/** Requests work for each `workspace.user` while the first request is running, and returns the order of execution. */
async function recordOrder(requesters: string[]): Promise<string[]> {
  const inTurn = createFairQueue();
  const result: string[] = [];
  let atOnce = 0;
  await Promise.all(
    requesters.map((requester) => {
      const [workspaceId, userId] = requester.split('.').map(Number) as [number, number];
      return inTurn({ workspaceId, userId }, async () => {
        expect(++atOnce).toBe(1);
        await Promise.resolve();
        result.push(requester);
        atOnce--;
        if (requester.endsWith('.13')) throw new Error('work may fail');
      }).catch(() => undefined);
    }),
  );
  return result;
}

test.each([
  ['alternates between workspaces', '1.1 1.1 1.1 1.1 2.1', '1.1 1.1 2.1 1.1 1.1'],
  ['alternates between users of a workspace', '1.1 1.1 1.1 1.1 1.2 1.3', '1.1 1.1 1.2 1.3 1.1 1.1'],
  ['grants a workspace no more turns for more users', '1.1 1.1 1.2 1.3 2.1 2.1', '1.1 1.1 2.1 1.2 2.1 1.3'],
  ['passes the turn on after failed work', '1.13 1.13 2.1', '1.13 1.13 2.1'],
])('%s', async (_what, turns, done) => {
  expect((await recordOrder(turns.split(' '))).join(' ')).toBe(done);
});
