import { expect, test } from 'vitest';
import { createThrottle } from '../../src/engine/value/throttle.ts';

const wrong = async () => null;
const right = async () => 'in';

test('many attempts at once are no way around the limit', async () => {
  const throttle = createThrottle(5, 60_000);
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => throttle.attempt('x', wrong)));
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(5);
});

test('the pause ends, a success wipes the slate, and one thing does not pause another', async () => {
  let time = 0;
  const throttle = createThrottle(2, 1000, () => time);
  for (let i = 0; i < 2; i++) await throttle.attempt('x', wrong);
  await expect(throttle.attempt('x', right)).rejects.toThrow('Too many login failures');
  expect(await throttle.attempt('y', right)).toBe('in');
  time = 1000;
  expect(await throttle.attempt('x', right)).toBe('in');
  await throttle.attempt('x', wrong);
  expect(await throttle.attempt('x', right)).toBe('in');
});
