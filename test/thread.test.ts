import { expect, test } from 'vitest';
import { runInThread } from '../src/thread.ts';
import { until } from './harness/wait.ts';

const buildModule = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

const THREAD_ID = buildModule(
  "import { threadId } from 'node:worker_threads'; export default () => threadId;",
);

test('replaces a thread that fails after its task has ended', async () => {
  const firstId = await runInThread<number>(THREAD_ID, null, 0);
  const failLate = buildModule(
    "export default () => { setTimeout(() => { throw new Error('late'); }, 20); return 'done'; }",
  );
  expect(await runInThread(failLate, null, 0)).toBe('done');
  const findThread = () => runInThread<number>(THREAD_ID, null, 0).catch(() => firstId);
  await until(async () => (await findThread()) !== firstId, 'a new thread');
});
