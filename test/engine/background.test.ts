import { expect, test } from 'vitest';
import { emitEvent, onEvent, startDispatch } from '../../src/engine/work/events.ts';
import { createJobs, defineJob } from '../../src/engine/work/jobs.ts';
import { type App, setUpApp } from '../harness/app.ts';
import { until } from '../harness/wait.ts';

const app = setUpApp();
const result: unknown[] = [];
const received: string[] = [];
let failures = 1;

defineJob({
  name: 'test-job',
  run: async (_host, data) => {
    result.push(data);
  },
});
onEvent('test.happened', async (event) => {
  if (event.payload.flaky && failures-- > 0) throw new Error('not this time');
  received.push(String(event.payload.name));
});

const runAndRollback = (fn: Parameters<App['main']['ctx']['tx']>[0]) =>
  app.main.ctx
    .tx(async (tx) => {
      await fn(tx);
      throw new Error('undo');
    })
    .catch(() => undefined);

test('creates a job only if its transaction commits and notifies a worker immediately', async () => {
  const worker = createJobs(app.runtime);
  await worker.start(true);
  await runAndRollback((tx) => app.runtime.jobs.enqueue(tx, 'test-job', { n: 'undone' }));
  const payloads = Array.from({ length: 8 }, (_, n) => ({ n: `kept ${n}` }));
  const waits: number[] = [];
  for (const [index, data] of payloads.entries()) {
    const startTime = performance.now();
    await app.main.ctx.tx((tx) => app.runtime.jobs.enqueue(tx, 'test-job', data));
    await until(() => result.length > index, 'the job is done');
    waits.push(performance.now() - startTime);
  }
  await worker.stop();
  expect(result).toEqual(payloads);
  // With polling alone, each job would wait up to two seconds.
  expect(Math.min(...waits.slice(1))).toBeLessThan(1500);
});

test('delivers events in order after the commit, and again if a subscriber fails', async () => {
  const dispatch = await startDispatch(app.runtime.db, app.runtime.log);
  await runAndRollback((tx) => emitEvent(tx, 'test.happened', { name: 'undone' }));
  await app.main.ctx.tx(async (tx) => {
    await emitEvent(tx, 'test.happened', { name: 'first' });
    await emitEvent(tx, 'test.happened', { name: 'second' });
  });
  await emitEvent(app.main.ctx, 'test.happened', { name: 'flaky', flaky: true });
  await until(() => received.length >= 3, 'three events are heard');
  await dispatch.stop();
  expect(received).toEqual(['first', 'second', 'flaky']);
});
