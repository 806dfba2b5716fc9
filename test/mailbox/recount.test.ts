import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import { callMailOk, createSharedMailbox, fileMessage, loadMailbox, type Mailbox } from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const app = setUpApp();
let mailbox: Mailbox;
let sharedMailbox: Mailbox;
let process_: AppProcess | null = null;

beforeAll(async () => {
  const { ctx, user, admin } = app.main;
  mailbox = await loadMailbox(ctx, user.id);
  sharedMailbox = await createSharedMailbox(ctx, [user.id, admin.id]);
});
afterAll(() => process_?.end('SIGKILL'));

function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

interface World {
  entries: number[];
  labels: number[];
  folders: number[];
}

function makeStep(world: World, roll: (sides: number) => number): [string, object] {
  const pickSome = (list: number[]) => list.filter(() => roll(3) === 0).slice(0, 20);
  const entry_ids = pickSome(world.entries);
  const vals = [
    { is_read: roll(2) === 0 },
    { is_starred: roll(2) === 0, trash: true },
    { untrash: true },
    { archive: true, is_read: true },
    { unarchive: true },
  ][roll(5)]!;
  const kinds: [string, object][] = [
    ['set_flags', { entry_ids, vals }],
    ['set_flags', { entry_ids, vals }],
    ['move_entries', { entry_ids, folder_id: world.folders[roll(world.folders.length)] }],
    [
      'set_labels',
      { entry_ids, add_label_ids: [world.labels[roll(2)]], remove_label_ids: [world.labels[2]] },
    ],
    ['set_labels', { entry_ids, add_label_ids: [world.labels[2]], remove_label_ids: [world.labels[0]] }],
    ['delete_forever', { entry_ids: entry_ids.slice(0, 1) }],
  ];
  return kinds[roll(kinds.length)]!;
}

async function createWorld(box: Mailbox, count: number): Promise<World> {
  const { ctx } = app.main;
  const labels: number[] = [];
  for (const name of ['a', 'b', 'c'])
    labels.push((await callMailOk(app, 'create_label', { account_id: box.id, name })).label_id);
  const { folder_id } = await callMailOk(app, 'create_folder', { account_id: box.id, name: 'Own' });
  const entries: number[] = [];
  for (let index = 0; index < count; index++) {
    const date = new Date(Date.UTC(2026, 0, 1 + (index % 5)));
    entries.push((await fileMessage(ctx, box.id, box.folders.inbox, { date, isRead: index % 3 === 0 })).id);
  }
  const { inbox, spam, sent, trash } = box.folders;
  return { entries, labels, folders: [inbox, spam, sent, trash, folder_id] };
}

test('counters stay correct under concurrent random changes', async () => {
  const worlds = [await createWorld(mailbox, 20), await createWorld(sharedMailbox, 20)];
  const runWriter = async (seed: number) => {
    const roll = createDice(seed);
    for (let index = 0; index < 12; index++) {
      const [method, args] = makeStep(worlds[roll(2)]!, roll);
      // Another writer may have deleted the record, which returns 403.
      await callMailOk(app, method, args).catch((error) => expect(String(error)).toContain(': 403 '));
    }
  };
  await Promise.all([1, 2, 3, 4].map((seed) => runWriter(seed * 7_919)));
  expect(await findMiscounts(app)).toEqual([]);
});

test('counters stay correct if the process is killed during changes', async () => {
  const box = await createSharedMailbox(app.main.ctx, [app.main.user.id], 'killed');
  const world = await createWorld(box, 30);
  for (let round = 0; round < 2; round++) {
    process_ = await startProcess(app.env);
    const roll = createDice(round + 5);
    let doneCount = 0;
    const otherApp = { ...app, url: process_.url };
    const writers = Array.from({ length: 4 }, async () => {
      for (;;) {
        const [method, args] = makeStep(world, roll);
        if (method === 'delete_forever') continue;
        await callMailOk(otherApp, method, args);
        doneCount++;
      }
    });
    const settled = Promise.allSettled(writers);
    await expect.poll(() => doneCount, { interval: 5 }).toBeGreaterThan(15);
    await process_.end('SIGKILL');
    await settled;
    await expect.poll(() => findMiscounts(app), { timeout: 20_000 }).toEqual([]);
  }
});
