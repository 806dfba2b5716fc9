import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCache, createLoadingCache, memoizePerObject } from '../../src/cache.ts';
import { FOLDERS, listFiles, readText } from '../harness/imports.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

type Step = ['set', string, number?] | ['get', string] | ['wait', number] | ['forget', number] | ['clear'];

/** Returns the keys from a to f that remain after the steps. The value of an entry is its weight. */
function runSteps(options: { entries: number; most?: number; age?: number }, steps: Step[]): string {
  const cache = createCache<string, number>({
    entries: options.entries,
    age: options.age,
    ...(options.most && { weight: { max: options.most, measure: (value) => value } }),
  });
  for (const [label, key, value] of steps) {
    if (label === 'set') cache.set(key, value ?? 1);
    if (label === 'get') cache.get(key);
    if (label === 'wait') vi.advanceTimersByTime(key);
    if (label === 'forget') cache.deleteWhere((item) => item === key);
    if (label === 'clear') cache.clear();
  }
  return [...'abcdef'].filter((key) => cache.get(key) !== undefined).join('');
}

describe('a cache', () => {
  it.each<[string, Parameters<typeof runSteps>[0], Step[], string]>([
    [
      'stores a value',
      { entries: 3 },
      [
        ['set', 'a'],
        ['set', 'b'],
      ],
      'ab',
    ],
    [
      'evicts the oldest entry',
      { entries: 2 },
      [
        ['set', 'a'],
        ['set', 'b'],
        ['set', 'c'],
      ],
      'bc',
    ],
    [
      'renews an entry that is read',
      { entries: 2 },
      [
        ['set', 'a'],
        ['set', 'b'],
        ['get', 'a'],
        ['set', 'c'],
      ],
      'ac',
    ],
    [
      'stores a key once',
      { entries: 2 },
      [
        ['set', 'a'],
        ['set', 'b'],
        ['set', 'a'],
        ['set', 'b'],
      ],
      'ab',
    ],
    ['stores nothing with a limit of zero', { entries: 0 }, [['set', 'a']], ''],
    [
      'limits the total weight',
      { entries: 9, most: 5 },
      [
        ['set', 'a', 3],
        ['set', 'b', 2],
        ['set', 'c', 2],
      ],
      'bc',
    ],
    [
      'does not store a value above the weight limit',
      { entries: 9, most: 5 },
      [
        ['set', 'b', 1],
        ['set', 'a', 6],
      ],
      'b',
    ],
    [
      'counts the weight of a replaced value once',
      { entries: 9, most: 5 },
      [
        ['set', 'a', 4],
        ['set', 'a', 4],
        ['set', 'b'],
      ],
      'ab',
    ],
    [
      'subtracts the weight of a deleted entry',
      { entries: 9, most: 5 },
      [
        ['set', 'a', 4],
        ['forget', 4],
        ['set', 'b', 5],
      ],
      'b',
    ],
    [
      'is empty after it is cleared',
      { entries: 9, most: 5 },
      [['set', 'a', 5], ['clear'], ['set', 'b', 5]],
      'b',
    ],
    [
      'returns a value up to its maximum age',
      { entries: 9, age: 10 },
      [
        ['set', 'a'],
        ['wait', 9],
        ['set', 'b'],
      ],
      'ab',
    ],
    [
      'expires a value, even if it is read',
      { entries: 9, age: 10 },
      [
        ['set', 'a'],
        ['wait', 9],
        ['get', 'a'],
        ['wait', 1],
      ],
      '',
    ],
    [
      'deletes the given key',
      { entries: 9 },
      [
        ['set', 'a', 1],
        ['set', 'b', 2],
        ['forget', 1],
      ],
      'b',
    ],
  ])('%s', (_name, options, steps, expected) => {
    expect(runSteps(options, steps)).toBe(expected);
  });

  it('creates a value once, even if it is null, and accepts a maximum age for each value', () => {
    let creations = 0;
    const cache = createCache<string, null>({ entries: 2, age: 100 });
    const make = () => {
      creations += 1;
      return null;
    };
    expect([cache.getOrCreate('a', make), cache.getOrCreate('a', make), creations]).toEqual([null, null, 1]);
    cache.set('b', null, 5);
    vi.advanceTimersByTime(5);
    expect([cache.get('a'), cache.get('b'), cache.size()]).toEqual([null, undefined, 1]);
  });
});

describe('a loading cache', () => {
  const response = { value: 'yes', expires: Number.POSITIVE_INFINITY };

  function createCounted(value: typeof response | null = response) {
    const load = async () => {
      load.times += 1;
      await Promise.resolve();
      return value;
    };
    load.times = 0;
    return load;
  }

  it('loads once for concurrent requests for a key, and for every request while disabled', async () => {
    const cache = createLoadingCache<string, string>({ entries: 9 });
    const load = createCounted();
    expect(await Promise.all([cache.get('a', load), cache.get('a', load)])).toEqual(['yes', 'yes']);
    expect(load.times).toBe(1);
    await cache.get('a', load);
    expect(load.times).toBe(2);
    cache.setEnabled(true);
    await cache.get('a', load);
    await cache.get('a', load);
    expect(load.times).toBe(3);
  });

  it('stores neither missing values nor failures', async () => {
    const cache = createLoadingCache<string, string>({ entries: 9 });
    cache.setEnabled(true);
    const load = createCounted(null);
    expect([await cache.get('a', load), await cache.get('a', load), load.times]).toEqual([null, null, 2]);
    await expect(cache.get('b', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await cache.get('b', createCounted())).toBe('yes');
  });

  it('drops a value that was requested before a change', async () => {
    const cache = createLoadingCache<string, string>({ entries: 9 });
    cache.setEnabled(true);
    const load = createCounted();
    const early = cache.get('a', load);
    cache.invalidate((value) => value === 'no');
    const lateValue = cache.get('a', load);
    expect([await early, await lateValue, load.times]).toEqual(['yes', 'yes', 2]);
    expect(await cache.get('a', load)).toBe('yes');
    expect(load.times).toBe(2);
    cache.invalidate((_, key) => key === 'a');
    await cache.get('a', load);
    expect(load.times).toBe(3);
  });

  it('keeps a value until the earlier of its expiry and the maximum age', async () => {
    const cache = createLoadingCache<string, string>({ entries: 9, age: 10 });
    cache.setEnabled(true);
    const load = createCounted({ value: 'yes', expires: 5 });
    await cache.get('a', load);
    vi.advanceTimersByTime(4);
    await cache.get('a', load);
    expect(load.times).toBe(1);
    vi.advanceTimersByTime(1);
    await cache.get('a', load);
    expect(load.times).toBe(2);
  });
});

it('stores one value per object', () => {
  let creations = 0;
  const numberOf = memoizePerObject((_owner: object) => ++creations);
  const [a, b] = [{}, {}];
  expect([numberOf(a), numberOf(b), numberOf(a)]).toEqual([1, 2, 1]);
});

/** Caches of types and shapes, filled while the schema is built. */
const AT_START = new Set([
  // Current waiters, removed after their turn.
  'src/engine/operation/expensive-calls.ts',
  'src/engine/operation/record-ref.ts',
  'src/engine/operation/shape.ts',
  'schema/settings/resource.ts',
  'schema/settings/resources.ts',
  'schema/graph/read/foreign-rows.ts',
  'facades/rest/shape-references.ts',
]);

it('lets only the cache module add to collections after startup', () => {
  const collectionPattern =
    /^(?:export )?const \w+(?:: (?!Readonly)[^=]+)? = new (?:Map|Set)(?:<[^(]*>)?\(\)/m;
  const declares = /^export function (?:verb|define[A-Z]\w*|on[A-Z]\w*)\b/m;
  const files = FOLDERS.flatMap(listFiles).filter((file) => collectionPattern.test(readText(file)));
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((file) => !declares.test(readText(file)) && !AT_START.has(file))).toEqual([]);
});
