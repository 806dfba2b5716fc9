import { request } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoggedChange } from '../../src/engine/live/change-log.ts';
import type { StreamPosition } from '../../src/engine/live/cursor.ts';
import { DeliveryQueue, MAX_WAITING_CHANGES } from '../../src/engine/live/delivery-queue.ts';
import { openGroup, type StreamGroup } from '../../src/engine/live/group.ts';
import { KnownRecords } from '../../src/engine/live/known-records.ts';
import { MAX_STREAMS_PER_CALLER } from '../../src/engine/live/stream-budget.ts';
import { type LiveChange, LiveSource, type Topic } from '../../src/engine/live/topic.ts';
import { limits } from '../../src/limits.ts';
import { addMember } from '../apps/member.ts';
import { type App, startApp } from '../harness/app.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';
import { pause, until } from '../harness/wait.ts';
import { waitQuiet } from './listen.ts';

describe('delivery queue', () => {
  const buildPosition = (index: number): StreamPosition => ({ snapshot: `${index}:${index}:`, at: index });
  const buildChanges = (ids: number[]): LoggedChange[] => [
    { workspace_id: 1, topic: 'things', kind: 'U', ids, many: false },
  ];

  /** Creates a group with a slow renderer that records the changes it receives. */
  async function createSlowGroup(name: string, served: string[], ms: number) {
    const liveChanges: LiveChange[] = [];
    const topic: Topic = {
      source: 'things',
      isNarrow: false,
      isOpen: () => true,
      findReadable: async () => new Set(),
      reach: async () => [],
      read: async (_ctx, ids) => new Map(ids.map((id) => [id, { key: String(id), row: {} }])),
    };
    const seat = {
      ctx: async () => ({}) as never,
      send: () => undefined,
      sendHeartbeat: () => undefined,
      end: () => undefined,
    };
    const render = async (_ctx: unknown, changes: LiveChange[]) => {
      served.push(name);
      liveChanges.push(...changes);
      await pause(ms);
      return Buffer.from('');
    };
    const source = new LiveSource([topic], null);
    const subscription = { workspaceId: 1, caller: name, key: name, source, render, subscriber: seat };
    const group = await openGroup(subscription, buildPosition(0), () => 1_000);
    group.subscribers.add(seat);
    return { group, heard: liveChanges };
  }

  const give = (turns: DeliveryQueue, group: StreamGroup, index: number, ids: number[]) =>
    turns.add(group, {
      logged: buildChanges(ids),
      from: buildPosition(index),
      to: buildPosition(index + 1),
      isLost: false,
    });

  it('serves groups round-robin, in time slices', async () => {
    const served: string[] = [];
    const turns = new DeliveryQueue(pino({ level: 'silent' }));
    const names = Array.from({ length: 30 }, (_, i) => `g${i}`);
    const groups = await Promise.all(names.map((name) => createSlowGroup(name, served, 40)));
    for (let index = 1; served.length < names.length; index++) {
      for (const { group } of groups) give(turns, group, index, [index]);
      const before = served.length;
      await turns.serve();
      expect(served.length - before).toBeGreaterThan(0);
      expect(served.length - before).toBeLessThan(names.length);
    }
    expect(new Set(served.slice(0, names.length))).toEqual(new Set(names));
    for (const { heard } of groups) expect(heard.map(({ key }) => key)[0]).toBe('1');
  });

  it('tells a group to reload if its backlog is too large, and then delivers changes again', async () => {
    const served: string[] = [];
    const turns = new DeliveryQueue(pino({ level: 'silent' }));
    const { group, heard } = await createSlowGroup('late', served, 0);
    const ids = Array.from({ length: MAX_WAITING_CHANGES }, (_, i) => i + 1);
    give(turns, group, 1, ids);
    give(turns, group, 2, [MAX_WAITING_CHANGES + 1]);
    await turns.serve();
    expect(heard.map(({ kind }) => kind)).toEqual(['RESYNC']);
    give(turns, group, 3, [1]);
    await turns.serve();
    expect(heard.map(({ kind }) => kind)).toEqual(['RESYNC', 'UPDATED']);
    turns.add(group, { logged: [], from: buildPosition(4), to: buildPosition(5), isLost: true });
    give(turns, group, 5, [2]);
    await turns.serve();
    expect(heard).toHaveLength(2);
    group.resynced -= limits.live.resyncPause;
    give(turns, group, 6, [3]);
    await turns.serve();
    expect(heard.map(({ kind }) => kind)).toEqual(['RESYNC', 'UPDATED', 'RESYNC']);
  });
});

describe('known records', () => {
  it('can be removed and added, with or without a public id', () => {
    const records = new KnownRecords([
      [2, null],
      [5, 'five'],
      [9, null],
    ]);
    expect([records.leave(2), records.leave(2), records.leave(5), records.leave(7)]).toEqual([
      '2',
      undefined,
      'five',
      undefined,
    ]);
    records.add(2, '2');
    records.add(7, 'seven');
    expect(records.size).toBe(3);
    expect([records.leave(2), records.leave(7), records.leave(9)]).toEqual(['2', 'seven', '9']);
    expect([records.size, records.isComplete]).toEqual([0, true]);
  });

  it('stay within the capacity', () => {
    const records = new KnownRecords([[1, null]], true, 1);
    expect(records.isComplete).toBe(true);
    records.add(2, '2');
    expect([records.size, records.isComplete, records.leave(2)]).toEqual([1, false, undefined]);
  });
});

describe('hundreds of distinct subscriptions', () => {
  const USERS = 6;
  const WRITES = 40;
  let app: App;
  let admin: JsonClient;
  beforeAll(async () => {
    app = await startApp();
    admin = createJsonClient(app);
  });
  afterAll(() => app.close());

  it('deliver each change or a reload request to every subscriber, while the server stays responsive', {
    tags: 'slow',
  }, async () => {
    const ids = await admin.value('crm.tag/create', {
      vals_list: Array.from({ length: 60 }, (_, i) => ({ name: `Tag ${i}` })),
    });
    const open: ReturnType<typeof openStream>[] = [];
    for (let i = 0; i < USERS; i++) {
      const { key } = await addMember(app, app.main, `many${i}`, ['sales_team.group_sale_salesman']);
      for (let j = 0; j < MAX_STREAMS_PER_CALLER; j++) open.push(openStream(app, key, j));
      await until(() => open.every((item) => item.begun), 'all to begin');
    }
    for (let i = 0; i < WRITES; i++) {
      await admin.value('crm.tag/write', { ids, vals: { color: i % 10 } });
      await pause(50);
    }
    const startTime = performance.now();
    await admin.value('crm.tag/write', { ids: [ids[0]], vals: { name: 'Last' } });
    await until(
      () => open.every((item) => item.last > 0 || item.resynced > startTime),
      'all to be up to date',
    );
    const seconds = (performance.now() - startTime) / 1000 + WRITES * 0.1;
    for (const item of open)
      expect(item.resyncs).toBeLessThanOrEqual(2 + (seconds * 1000) / limits.live.resyncPause);
    await waitQuiet();
    for (const item of open) item.last = 0;
    await admin.value('crm.tag/write', { ids: [ids[1]], vals: { name: 'Last one' } });
    await until(() => open.every((item) => item.last > 0), 'all to go on');
    for (const item of open) item.close();
  });
});

function openStream(app: App, key: string, kind: number) {
  const query = `subscription { crmTagChanged(where: { name: { ne: "None ${kind}" } }) { kind record { name color } } }`;
  const received = { begun: false, last: 0, resynced: 0, resyncs: 0, close: () => call.destroy() };
  const headers = {
    accept: 'text/event-stream',
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
  };
  const call = request({
    host: '127.0.0.1',
    port: app.port,
    method: 'POST',
    path: '/graphql',
    headers,
    agent: false,
  });
  call.on('response', (response) => {
    let rest = '';
    response.on('data', (part: Buffer) => {
      received.begun = true;
      const text = rest + part.toString('latin1');
      const end = text.lastIndexOf('\n\n') + 2;
      const completeText = text.slice(0, end);
      rest = text.slice(end);
      if (completeText.includes('"Last')) received.last = performance.now();
      const resyncCount = completeText.split('"RESYNC"').length - 1;
      received.resyncs += resyncCount;
      if (resyncCount > 0) received.resynced = performance.now();
    });
  });
  call.on('error', () => undefined);
  call.end(JSON.stringify({ query }));
  return received;
}
