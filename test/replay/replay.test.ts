import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { EXCUSED_KEYS } from './exceptions.ts';
import { type Exchange, GROUPS, type Group, loadExchanges } from './fixture.ts';
import {
  computeShare,
  findIdleExceptions,
  formatTable,
  listMismatches,
  type ReplayOutcome,
  toPercent,
} from './report.ts';
import { BETWEEN_STEPS, seedWorld } from './seed.ts';
import { sendExchange } from './send.ts';
import { compareResponse, type ReplayResponse } from './verdict.ts';
import { createWorld, type World } from './world.ts';

const BAR = 98;

const app = setUpApp({ PUBLIC_URL: 'http://localhost' });
let world: World;
let notSeeded: string[] = [];
const outcomes: ReplayOutcome[] = [];

beforeAll(async () => {
  world = await createWorld(app);
  notSeeded = await seedWorld(world);
});

afterAll(async () => {
  const lines = [...formatTable(outcomes), '', ...listMismatches(outcomes)];
  const unused = findIdleExceptions(outcomes);
  const notes = [`not seeded: ${notSeeded.join('\n  ') || 'nothing'}`, `idle exceptions: ${unused}`];
  if (process.env.REPLAY_REPORT)
    writeFileSync(process.env.REPLAY_REPORT, [...notes, '', ...lines].join('\n'));
  console.log(formatTable(outcomes).join('\n'));
});

for (const group of GROUPS) {
  test(`${group}: replays the recorded exchanges`, { timeout: 300_000 }, async () => {
    const exchanges = loadExchanges(group);
    expect(exchanges.length).toBeGreaterThan(0);
    for (const exchange of exchanges) outcomes.push(await replay(group, exchange));
    expect(outcomes.filter((outcome) => outcome.group === group)).toHaveLength(exchanges.length);
  });
}

test(`at least ${BAR}% of the recorded exchanges match in status, keys, types and values`, () => {
  const { counted, agreeing } = computeShare(outcomes);
  expect(
    toPercent(agreeing, counted),
    listMismatches(outcomes).slice(0, 60).join('\n'),
  ).toBeGreaterThanOrEqual(BAR);
});

test('creates every record that the requests refer to', () => {
  expect(notSeeded).toEqual([]);
});

test('every listed exception still differs', () => {
  expect(findIdleExceptions(outcomes)).toEqual([]);
});

async function replay(group: Group, exchange: Exchange): Promise<ReplayOutcome> {
  await BETWEEN_STEPS[exchange.id]?.(world).catch((error: Error) =>
    notSeeded.push(`${exchange.id}: ${error.message}`),
  );
  // This group was recorded on a server with several databases, which corresponds to a bare host name.
  const sender = group === 'multidb' ? { ...world, host: 'localhost' } : world;
  const excused = new Set(EXCUSED_KEYS.map(({ key }) => key));
  let response: ReplayResponse | null = null;
  try {
    if (exchange.raw !== undefined) throw new Error('not an HTTP request');
    response = await sendExchange(exchange, sender);
    const differences = compareResponse(exchange, response, { ids: world.ids, excused });
    return { group, exchange, answer: response, differences };
  } catch (error) {
    return {
      group,
      exchange,
      answer: response,
      differences: [{ at: 'failure', expected: '', actual: String(error) }],
    };
  }
}
