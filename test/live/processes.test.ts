import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import { pause, until } from '../harness/wait.ts';
import { subscribe } from './listen.ts';

const app = setUpApp();
const admin = createJsonClient(app);
let otherProcess: AppProcess;

const start = (): Promise<AppProcess> => startProcess({ ROLE: 'web', ...app.env });

beforeAll(async () => {
  otherProcess = await start();
});

afterAll(() => otherProcess?.end('SIGKILL'));

const TAGS = `subscription Tags($after: String) {
  crmTagChanged(after: $after) { kind id cursor record { name } }
}`;
const follow = (url: string, after: string | null = null) =>
  subscribe(url, { key: app.main.admin.key, query: TAGS, variables: { after } });
const createTag = (name: string) => admin.create('crm.tag', { name });

it('delivers a change made in another process', async () => {
  const subscription = await follow(otherProcess.url);
  await createTag('Of the first');
  expect(await subscription.waitForEvents(1)).toMatchObject([
    { kind: 'CREATED', record: { name: 'Of the first' } },
  ]);
  subscription.close();
});

it('resumes on another server without missing changes after its server is killed', async () => {
  const subscription = await follow(otherProcess.url);
  await createTag('Before the kill');
  const [last] = await subscription.waitForEvents(1);
  await otherProcess.end('SIGKILL');
  await until(() => subscription.ended !== null, 'the connection to break');
  const missedId = await createTag('While it was down');
  const resumedSubscription = await follow(app.url, last!.cursor);
  expect(await resumedSubscription.waitForEvents(1)).toMatchObject([
    { kind: 'CREATED', id: String(missedId) },
  ]);
  await createTag('Afterwards');
  expect((await resumedSubscription.waitForEvents(2))[1]).toMatchObject({ record: { name: 'Afterwards' } });
  resumedSubscription.close();
  otherProcess = await start();
});

it('loses no change when database connections are lost', async () => {
  const subscription = await follow(app.url);
  await createTag('Before the loss');
  await subscription.waitForEvents(1);
  await app.runtime.db.rows(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await pause(100);
  await until(() => createTag('After the loss'), 'a write');
  expect((await subscription.waitForEvents(2)).slice(-1)).toMatchObject([
    { record: { name: 'After the loss' } },
  ]);
  expect(subscription.ended).toBe(null);
  subscription.close();
});

it('ends streams on shutdown without `complete`, so that clients reconnect elsewhere', async () => {
  const subscription = await follow(otherProcess.url);
  const startTime = performance.now();
  await otherProcess.end('SIGTERM');
  expect(performance.now() - startTime).toBeLessThan(10_000);
  await until(() => subscription.ended !== null, 'the stream to end');
  // The stream must not end with `complete`, so that the client reconnects to another server.
  expect(subscription.ended).not.toBe('complete');
});
