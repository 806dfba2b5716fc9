import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from '../harness/app.ts';
import { EXCUSED_KEYS } from './exceptions.ts';
import { type Exchange, exchangesOf, GROUPS, type Group } from './fixture.ts';
import { idleExceptions, mismatches, type Outcome, percent, shareOf, table } from './report.ts';
import { BETWEEN, seed } from './seed.ts';
import { send } from './send.ts';
import { type Answer, judge } from './verdict.ts';
import { foundWorld, type World } from './world.ts';

const BAR = 98;

let app: App;
let world: World;
let notSeeded: string[] = [];
const outcomes: Outcome[] = [];

beforeAll(async () => {
  app = await startApp({ PUBLIC_URL: 'http://localhost' });
  world = await foundWorld(app);
  notSeeded = await seed(world);
});

afterAll(async () => {
  const lines = [...table(outcomes), '', ...mismatches(outcomes)];
  const unused = idleExceptions(outcomes);
  const notes = [`not seeded: ${notSeeded.join('\n  ') || 'nothing'}`, `idle exceptions: ${unused}`];
  if (process.env.REPLAY_REPORT)
    writeFileSync(process.env.REPLAY_REPORT, [...notes, '', ...lines].join('\n'));
  console.log(table(outcomes).join('\n'));
  await app?.close();
});

for (const group of GROUPS) {
  test(`${group}: the recorded exchanges are replayed`, { timeout: 300_000 }, async () => {
    const exchanges = exchangesOf(group);
    expect(exchanges.length).toBeGreaterThan(0);
    for (const exchange of exchanges) outcomes.push(await replay(group, exchange));
    expect(outcomes.filter((outcome) => outcome.group === group)).toHaveLength(exchanges.length);
  });
}

test(`at least ${BAR} % of the recorded exchanges agree in status, keys, types and values`, () => {
  const { counted, agreeing } = shareOf(outcomes);
  expect(percent(agreeing, counted), mismatches(outcomes).slice(0, 60).join('\n')).toBeGreaterThanOrEqual(
    BAR,
  );
});

test('what the requests name could be made', () => {
  expect(notSeeded).toEqual([]);
});

test('every exception still differs', () => {
  expect(idleExceptions(outcomes)).toEqual([]);
});

async function replay(group: Group, exchange: Exchange): Promise<Outcome> {
  await BETWEEN[exchange.id]?.(world).catch((error: Error) =>
    notSeeded.push(`${exchange.id}: ${error.message}`),
  );
  // The recording of this group was made on a server of several databases, which a bare host name is.
  const sender = group === 'multidb' ? { ...world, host: 'localhost' } : world;
  const excused = new Set(EXCUSED_KEYS.map(({ key }) => key));
  let answer: Answer | null = null;
  try {
    if (exchange.raw !== undefined) throw new Error('not an HTTP request');
    answer = await send(exchange, sender);
    const differences = judge(exchange, answer, { ids: world.ids, excused });
    return { group, exchange, answer, differences };
  } catch (error) {
    return { group, exchange, answer, differences: [{ at: 'failure', expected: '', got: String(error) }] };
  }
}
