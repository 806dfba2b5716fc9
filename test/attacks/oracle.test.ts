import { describe, expect, test } from 'vitest';
import { createDice } from './dice.ts';
import { findFaults, type ShotResponse } from './oracle.ts';
import type { Attacker, PlantedWord } from './world.ts';

// Proves that the checks in the random attacks can fail.

const attacker: Attacker = {
  ...{ name: 'x', workspace: 'here', key: 'uk', uid: 1, cookie: null, isDead: false },
  sees: ['everybody'],
};
const response: ShotResponse = { status: 200, text: '{}', ms: 1, busyMs: 1, unexpected: [] };
const word = 'mk0123456789abcdef';
const buildPlanted = (change: Partial<PlantedWord> = {}): PlantedWord => ({
  ...{ word, sight: 'everybody', workspace: 'here' },
  ...change,
});
const findShotFaults = (
  change: Partial<ShotResponse>,
  plantedWord = buildPlanted(),
  by: Partial<Attacker> = {},
  facade = 'json2',
) =>
  findFaults(
    { ...attacker, ...by },
    { facade, method: 'POST', path: '/', headers: {}, body: null },
    { ...response, ...change },
    [plantedWord],
  );

describe('responses accepted by the oracle', () => {
  test('contain no planted words except those that the caller may see', () => {
    expect(findShotFaults({})).toEqual([]);
    expect(findShotFaults({ text: word })).toEqual([]);
    expect(findShotFaults({ status: 403, text: 'You may not' })).toEqual([]);
  });
});

describe('leaks detected by the oracle', () => {
  test.each([
    ['a word of another workspace', buildPlanted({ workspace: 'there' })],
    ['a word hidden by a rule', buildPlanted({ sight: 'nobody' })],
    ['a word for other users', buildPlanted({ sight: 'administrators' })],
  ])('include %s, in plain text and inside base64 data', (_what, plantedWord) => {
    expect(findShotFaults({ text: `"${word}"` }, plantedWord)).toHaveLength(1);
    for (const before of ['', 'a', 'ab', 'abc'])
      expect(
        findShotFaults({ text: Buffer.from(`${before}${word} and more`).toString('base64') }, plantedWord),
      ).toHaveLength(1);
  });

  test('include a config parameter in an MCP response', () => {
    const by: Partial<Attacker> = { sees: ['parameter'] };
    expect(findShotFaults({ text: word }, buildPlanted({ sight: 'parameter' }), by)).toEqual([]);
    expect(findShotFaults({ text: word }, buildPlanted({ sight: 'parameter' }), by, 'mcp')).toHaveLength(1);
  });

  test.each<[string, Partial<ShotResponse>]>([
    ['a failure', { status: 500 }],
    ['an aborted connection', { status: 0 }],
    ['a failure with status 200', { text: 'Something went wrong on our side. Reference: x' }],
    ['a logged failure', { unexpected: [[{ err: new Error('x') }, 'unexpected error']] }],
    ['a request that blocks others', { busyMs: 1_500 }],
    ['a stored password', { text: 'scrypt$abc$def' }],
    ['internal details', { text: 'at async /app/src/engine/read/records.ts' }],
  ])('include %s', (_what, change) => {
    expect(findShotFaults(change)).toHaveLength(1);
  });

  test('include any response to a revoked key, and any response with a planted word', () => {
    expect(findShotFaults({ text: word }, buildPlanted(), { isDead: true })).toHaveLength(2);
  });
});

test('generates the same attacks from the same seed', () => {
  const drawMarks = (seed: number) => Array.from({ length: 5 }, createDice(seed).mark);
  expect(drawMarks(7)).toEqual(drawMarks(7));
  expect(drawMarks(7)).not.toEqual(drawMarks(8));
});
