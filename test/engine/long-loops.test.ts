import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Fraction } from '../../src/engine/value/fraction.ts';
import { limits } from '../../src/limits.ts';
import {
  parseJsonYielding,
  replaceYielding,
  splitLines,
  stringifyLongValue,
} from '../../src/loop/json-yielding.ts';
import { forEachYielding, mapYielding } from '../../src/loop/yield.ts';

afterEach(() => vi.restoreAllMocks());

/** Ends the time slice at every check of the clock. */
const removeSlice = () => vi.spyOn(limits.call, 'slice', 'get').mockReturnValue(0 as never);
const numbers = Array.from({ length: 1_000 }, (_, i) => i);

describe('a loop that yields', () => {
  test('visits and maps all items in order', async () => {
    removeSlice();
    expect(await mapYielding(numbers, (item, index) => [item * 2, index])).toEqual(
      numbers.map((i) => [i * 2, i]),
    );
    expect(await mapYielding([], () => 1)).toEqual([]);
  });

  test('yields to the event loop while it runs', async () => {
    removeSlice();
    const items: number[] = [];
    let position = 0;
    let turns = 0;
    const count = (): void => {
      items.push(position);
      if (++turns < 5) setImmediate(count);
    };
    setImmediate(count);
    await forEachYielding(numbers, (_, index) => {
      position = index;
    });
    expect(items.length).toBe(5);
    expect(new Set(items).size).toBeGreaterThan(3);
  });

  test('alternates with another yielding loop', async () => {
    removeSlice();
    const order: string[] = [];
    const runLoop = (name: string) =>
      forEachYielding(numbers, () => {
        if (order.at(-1) !== name) order.push(name);
      });
    await Promise.all([runLoop('a'), runLoop('b'), runLoop('c')]);
    expect(order.join('').slice(0, 12)).toMatch(/^(abc){4}/);
  });

  test('throws an error from an item without affecting other loops', async () => {
    removeSlice();
    const fails = forEachYielding(numbers, (_, index) => {
      if (index === 500) throw new Error('no');
    });
    const goesOn = mapYielding(numbers, (item) => item);
    await expect(fails).rejects.toThrow('no');
    expect(await goesOn).toEqual(numbers);
  });

  test('runs without yielding while it is within its time budget', async () => {
    await sleep(5);
    let turns = 0;
    const turn = setImmediate(() => turns++);
    let lastItem = -1;
    await forEachYielding(numbers.slice(0, 200), () => {
      lastItem = turns;
    });
    clearImmediate(turn);
    expect(lastItem).toBe(0);
  });
});

const rows = Array.from({ length: 20_000 }, (_, id) => ({
  id,
  text: ['a, \n {', '],[', '"', '\\', 'é😀', '":null'][id % 6],
  lines: id % 7 === 0 ? [{ a: 1 }, { a: null }] : [],
}));
/** Formats a list of rows, or of lists of rows, like PostgreSQL. */
const formatList = (list: unknown[], inner = (item: unknown) => JSON.stringify(item)) =>
  `[${list.map(inner).join(', \n ')}]`;
const nested = formatList(rows, (row) => {
  const { lines, ...own } = row as (typeof rows)[number];
  return `${JSON.stringify(own).slice(0, -1)},"lines":${formatList(lines)}}`;
});

describe('yielding JSON functions', () => {
  test.each([
    ['a list of rows', formatList(rows)],
    ['rows with lists of rows', nested],
    ['one line', JSON.stringify(rows)],
    ['one row with a long list', `[{"lines":${formatList(rows)}}]`],
    ['an object', `{"records":${formatList(rows)}}`],
    ['a short list', formatList(rows.slice(0, 3))],
    ['no rows', '[]'],
    ['numbers', formatList(Array.from({ length: 200_000 }, (_, i) => i))],
    ['a string', JSON.stringify('x\n'.repeat(300_000))],
  ])('parse %s like JSON.parse', async (_name, json) => {
    removeSlice();
    expect(await parseJsonYielding(json)).toEqual(JSON.parse(json));
  });

  test.each([
    '[1,\n2',
    `[${'1,\n'.repeat(200_000)}`,
    `[${'1,\n'.repeat(200_000)}]`,
    `[\n${'"a'.repeat(200_000)}]`,
  ])('reject invalid JSON: %#', async (json) => {
    await expect(parseJsonYielding(json)).rejects.toThrow(SyntaxError);
  });

  test('split text after line breaks without losing any text', async () => {
    const parts = [...splitLines(nested)];
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.join('')).toBe(nested);
    expect(parts.slice(0, -1).every((part) => part.endsWith('\n'))).toBe(true);
  });

  test('replace text piece by piece with the same result as a single replacement', async () => {
    removeSlice();
    const replace = (json: string) => json.replace(/(?<!\\)":null/g, '":false');
    expect((await replaceYielding(nested, replace)).join('')).toBe(replace(nested));
  });

  test.each<[string, unknown]>([
    ['a list', rows],
    [
      'a list of values that JSON cannot represent',
      [...rows, undefined, () => 1, Number.NaN, new Date(0), null],
    ],
    [
      'an object with lists',
      { length: 3, none: undefined, fn: () => 1, first: rows, 'a"b': [1], last: [...rows, 'é😀'] },
    ],
    ['decimal numbers', [...rows, new Fraction(2), new Fraction(Number.NaN)]],
  ])('stringify %s like JSON.stringify', async (_name, value) => {
    removeSlice();
    expect(String(await stringifyLongValue(value))).toBe(JSON.stringify(value));
  });

  test.each<[unknown]>([[rows.slice(0, 10)], [{ rows: [] }], [null], ['text'], [new Map([[1, rows]])]])(
    'leave short values to JSON.stringify: %#',
    async (value) => {
      expect(await stringifyLongValue(value)).toBeNull();
    },
  );
});
