import { afterAll, beforeAll, expect, test } from 'vitest';
import { emit, onEvent, startDispatch } from '../../src/engine/events.ts';
import { createJobs, defineJob } from '../../src/engine/jobs.ts';
import { type App, startApp } from '../harness/app.ts';

let app: App;
const done: unknown[] = [];
const heard: string[] = [];
let failures = 1;

defineJob({
  name: 'test-job',
  run: async (_host, data) => {
    done.push(data);
  },
});
onEvent('test.happened', async (event) => {
  if (event.payload.flaky && failures-- > 0) throw new Error('not this time');
  heard.push(String(event.payload.name));
});

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const until = async (check: () => boolean) => {
  for (let i = 0; i < 200 && !check(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
};

const undone = (fn: Parameters<App['main']['ctx']['tx']>[0]) =>
  app.main.ctx
    .tx(async (tx) => {
      await fn(tx);
      throw new Error('undo');
    })
    .catch(() => undefined);

test('a job exists when, and only when, the transaction it was put in commits, and a worker hears of it at once', async () => {
  const worker = createJobs(app.runtime);
  await worker.start(true);
  await undone((tx) => app.runtime.jobs.enqueue(tx, 'test-job', { n: 'undone' }));
  const started = performance.now();
  await app.main.ctx.tx((tx) => app.runtime.jobs.enqueue(tx, 'test-job', { n: 'kept' }));
  await until(() => done.length > 0);
  const waited = performance.now() - started;
  await worker.stop();
  expect(done).toEqual([{ n: 'kept' }]);
  expect(waited).toBeLessThan(1500);
});

test('an event is told after its transaction committed, in order, and again when a subscriber failed', async () => {
  const dispatch = await startDispatch(app.runtime.db, app.runtime.log);
  await undone((tx) => emit(tx, 'test.happened', { name: 'undone' }));
  await app.main.ctx.tx(async (tx) => {
    await emit(tx, 'test.happened', { name: 'first' });
    await emit(tx, 'test.happened', { name: 'second' });
  });
  await emit(app.main.ctx, 'test.happened', { name: 'flaky', flaky: true });
  await until(() => heard.length >= 3);
  await dispatch.stop();
  expect(heard).toEqual(['first', 'second', 'flaky']);
});
