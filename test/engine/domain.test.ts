import { describe, expect, test, vi } from 'vitest';
import { search, searchCount } from '../../src/engine/read/records.ts';
import { AppError } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { setUp } from '../harness/set-up.ts';
import { domainCases } from './domain-cases.ts';
import { openLab } from './lab.ts';

const lab = setUp(openLab);

/** Returns the codes of the matching records, or the kind of the error. */
async function trySearch(domain: unknown, ctx = lab.ctx): Promise<string> {
  try {
    return await lab.find(domain, ctx);
  } catch (error) {
    if (error instanceof AppError) return error.kind === 'BAD_VALUE' ? 'refused' : error.kind;
    throw error;
  }
}

test('selects the same records as Odoo 19 for every domain', async () => {
  const brussels = lab.as({ tz: 'Europe/Brussels' });
  const responses: [unknown, string][] = [];
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z'), toFake: ['Date'] });
  try {
    for (const [domain] of domainCases) responses.push([domain, await trySearch(domain, brussels)]);
  } finally {
    vi.useRealTimers();
  }
  expect(responses).toEqual(domainCases);
  expect(domainCases.length).toBeGreaterThan(150);
});

describe('unset values', () => {
  test.each<[unknown, string]>([
    [[['name', '=', false]], 'EF'],
    [[['name', '=', null]], 'EF'],
    [[['name', '=', '']], 'EF'],
    [[['name', '!=', 'Alpha']], 'BCDEF'],
    [[['name', 'not ilike', 'alpha']], 'CDEF'],
    [[['name', 'not ilike', '']], ''],
    [[['name', '=like', '']], 'EF'],
    [[['name', '<', 'A']], 'DEF'],
    [[[true, '=', true]], 'ABCDEF'],
    [[[false, '=', true]], ''],
    [[['int', '=', false]], 'AEF'],
    [[['int', '<', 1]], 'ACEF'],
    [[['int', '>', -1]], 'ABDEF'],
    [['!', ['int', '<', 1]], 'BD'],
    [
      [
        ['int', '<', 5.5],
        ['int', '>=', 4.5],
      ],
      'B',
    ],
    [
      [
        ['int', '>', 4.5],
        ['int', '<=', '5.9'],
      ],
      'B',
    ],
    [[['int', '<', 99999999999]], 'ABCDEF'],
    [[['float', '>=', 0]], 'ABDEF'],
    [[['mon', 'not in', [0, 5]]], 'A'],
    [[['bool', '=', false]], 'BDEF'],
    [[['bool', '!=', true]], 'BDEF'],
    [[['bool', 'in', [true, false]]], 'ABCDEF'],
    [[['date', '!=', '2026-01-31']], 'BCDEF'],
    [[['date', '<', '2026-01-31']], 'C'],
    [['!', ['date', '<', '2026-01-31']], 'ABDEF'],
    [[['date', '>', false]], ''],
    [[['parent_id', '=', false]], 'AEF'],
    [[['parent_id', '!=', false]], 'BCD'],
    [[['parent_id', 'ilike', '']], 'BCD'],
    [[['parent_id', 'not ilike', '']], 'AEF'],
    [[['country_id', 'not ilike', 'belg']], 'BDEF'],
    [[['country_id.code', '!=', 'BE']], 'B'],
    [[['country_id.code', '=', false]], ''],
    [['!', ['country_id.code', '=', 'BE']], 'BDEF'],
    [[['country_code', 'in', ['BE', 'XX']]], 'AC'],
    [[['tag_ids', '=', false]], 'DEF'],
    [[['tag_ids', '!=', false]], 'ABC'],
    [[['tag_ids', 'not in', [9]]], 'CDEF'],
    [[['sel', 'not in', ['a', false]]], 'BC'],
  ])('%j finds %s', async (domain, codes) => {
    expect(await trySearch(domain)).toBe(codes);
  });
});

// The "null semantics" table of the domain language: one condition per row with its meaning.
describe('values that count as unset', () => {
  test.each<[unknown, string, string]>([
    [[['name', '=', false]], 'EF', 'unset text and empty text are one'],
    [[['name', '=', '']], 'EF', 'in either spelling'],
    [[['name', '!=', 'Alpha']], 'BCDEF', 'it is different from any text'],
    [[['name', 'not ilike', 'alpha']], 'CDEF', 'and contains none'],
    [[['name', 'ilike', '']], 'ABCDEF', 'everything contains the empty text'],
    [[['name', 'not ilike', '']], '', 'so nothing does not'],
    [[['name', '=like', '']], 'EF', 'an empty pattern is unset'],
    [[['int', '=', 0]], 'AEF', 'an unset number is zero'],
    [[['int', '=', false]], 'AEF', 'and false is too'],
    [[['int', '<', 1]], 'ACEF', 'below 1'],
    [[['int', '>', -1]], 'ABDEF', 'and above -1'],
    [[['bool', '=', false]], 'BDEF', 'an unset boolean is false'],
    [[['bool', '!=', true]], 'BDEF', 'and not true'],
    [[['bool', 'in', [true, false]]], 'ABCDEF', 'it is one of both'],
    [[['date', '!=', '2026-01-31']], 'BCDEF', 'no date is different from any'],
    [[['date', '<', '2026-02-01']], 'AC', 'but not before it'],
    [['!', ['date', '<', '2026-02-01']], 'BDEF', 'so it is among those not before'],
    [[['parent_id', '=', false]], 'AEF', 'a relation may be unset'],
    [[['parent_id', '!=', false]], 'BCD', 'or set'],
    [[['parent_id', 'ilike', '']], 'BCD', 'every name contains the empty text'],
    [[['parent_id', 'not ilike', '']], 'AEF', 'no record has no name'],
    [[['tag_ids', '=', false]], 'DEF', 'a list without links'],
    [[['tag_ids', '!=', false]], 'ABC', 'a list with any'],
    [[['tag_ids', 'in', [8, 10]]], 'AC', 'with one of some'],
    [[['tag_ids', 'not in', [9]]], 'CDEF', 'without one, as an empty list is'],
  ])('%j finds %s: %s', async (domain, codes) => {
    expect(await trySearch(domain)).toBe(codes);
  });
});

describe('connectors, paths and sub-domains', () => {
  test.each<[unknown, string]>([
    [['|', '|', ['code', '=', 'A'], ['code', '=', 'a'], ['int', '=', 100]], 'ABD'],
    [['&', '!', ['bool', '=', true], '|', ['int', '=', 5], ['int', '=', 100]], 'BD'],
    [['!', '&', ['bool', '=', true], ['int', '=', 0]], 'BCDEF'],
    [['!', '|', ['bool', '=', true], ['int', '>', 50]], 'BEF'],
    [[['parent_id.parent_id.name', '=', 'Alpha']], 'D'],
    [[['child_ids.child_ids.int', '=', 100]], 'A'],
    [[['country_id.state_ids.name', '=ilike', 'ant%']], 'AC'],
    [[['line_ids.qty', '>', 1]], 'AB'],
    [
      [
        [
          'line_ids',
          'any',
          [
            ['qty', '=', 1],
            ['name', '=', 'l2'],
          ],
        ],
      ],
      '',
    ],
    [
      [
        ['line_ids.qty', '=', 1],
        ['line_ids.name', '=', 'l2'],
      ],
      'A',
    ],
    [[['line_ids', 'not any', [['qty', '>', 2]]]], 'ACDEF'],
    [[['parent_id', 'any', [['country_id.code', '=', 'FR']]]], 'D'],
    [[['parent_id', 'not any', [['country_id', '!=', false]]]], 'AEF'],
    [[['id', 'any', [['int', '>', 4]]]], 'BD'],
    [[['display_name', 'ilike', 'alpha']], 'AB'],
    [[['display_name', 'not in', ['Alpha', 'alpha beta']]], 'CDEF'],
    [[['parent_id', '=', 'Alpha']], 'BC'],
    [[['parent_id', 'in', ['Alpha', 2]]], 'BCD'],
    [[['tag_ids', 'ilike', 'two']], 'AB'],
    [[['tag_ids.name', 'not ilike', 'two']], 'AC'],
    [[['labels', '=', 'green']], 'AB'],
    [[['labels', 'in', ['red', 'blue']]], 'A'],
    [[['labels', '!=', 'red']], 'BCDEF'],
    [[['labels', '=', false]], 'CDEF'],
    [[['labels', 'ilike', 'RE']], 'AB'],
    [
      [
        ['text', '=?', false],
        ['int', '=?', 5],
      ],
      'B',
    ],
    [true, 'ABCDEF'],
    [false, ''],
  ])('%j finds %s', async (domain, codes) => {
    expect(await trySearch(domain)).toBe(codes);
  });
});

describe('dates and times', () => {
  test.each<[unknown, string, string]>([
    [[['dt', '>', '2026-01-31']], 'UTC', 'B'],
    [[['dt', '<=', '2026-01-31']], 'UTC', 'AC'],
    [[['dt', '>=', '2026-01-31']], 'UTC', 'AB'],
    [[['dt', '<', '2026-02-01']], 'UTC', 'AC'],
    [[['dt', '>=', '2026-02-01']], 'Europe/Brussels', 'AB'],
    [[['dt', '<=', '2025-12-31']], 'Europe/Brussels', 'C'],
    [
      [
        ['dt', '>=', '2026-01-31'],
        ['dt', '<=', '2026-01-31'],
      ],
      'America/New_York',
      'AB',
    ],
    [[['dt', '=', '2026-02-01']], 'UTC', 'B'],
    [[['dt', '=', '2026-01-31']], 'UTC', ''],
    [[['dt', '=', '2026-01-31 23:30:00']], 'UTC', 'A'],
    [[['dt', '=', '2026-01-31 23:30:00.9']], 'UTC', 'A'],
    [[['dt', '>', '2026-01-31 23:30:00']], 'UTC', 'B'],
    [[['dt', '<=', '2026-01-31 23:30:00']], 'UTC', 'AC'],
    [[['dt', '!=', '2026-01-31T23:30']], 'UTC', 'BCDEF'],
    [[['dt', '>', '2026-01-31']], 'Not/AZone', 'B'],
    [[['date', '=', '2026-01-31 10:00:00']], 'UTC', 'A'],
  ])('%j in %s finds %s', async (domain, tz, codes) => {
    expect(await trySearch(domain, lab.as({ tz }))).toBe(codes);
  });
});

test.each<[string, unknown]>([
  ['an unknown field', [['nope', '=', 1]]],
  ['an unknown field after a path', [['parent_id.nope', '=', 1]]],
  ['a path through a non-relational field', [['name.x', '=', 1]]],
  ['an empty step of a path', [['parent_id..name', '=', 1]]],
  ['an unknown operator', [['name', 'has', 'x']]],
  ['an operator that is not a string', [['name', 5, 'x']]],
  ['the internal operator any!', [['parent_id', 'any!', []]]],
  ['a condition of two elements', [['name', '=']]],
  ['a condition of four elements', [['name', '=', 1, 2]]],
  ['a connector without an operand', ['|', ['name', '=', 'x']]],
  ['a single !', ['!']],
  ['an unknown connector', ['^', ['name', '=', 'x']]],
  ['an object', { name: 'x' }],
  ['a string', 'name = x'],
  ['a nested list', [[['name', '=', 'x']]]],
  ['an object as a value', [['name', '=', { a: 1 }]]],
  ['lists among the values', [['name', 'in', [['x']]]]],
  ['a comparison with a list', [['int', '<', [1]]]],
  ['a pattern on a boolean', [['bool', 'like', 't']]],
  ['a comparison of booleans', [['bool', '>', false]]],
  ['a comparison with a list of strings', [['labels', '<', 'x']]],
  ['a secret field', [['hush', '=', 'psst']]],
  ['a json field', [['data', '=', 1]]],
  ['binary content', [['file', '=', 'eA==']]],
  ['an invalid number', [['int', '=', 'abc']]],
  ['a hexadecimal number', [['int', '=', '0x10']]],
  ['an empty string as a number', [['int', '=', '']]],
  ['true as an id', [['id', '=', true]]],
  ['true as a relation', [['parent_id', 'in', [true]]]],
  ['text as an id', [['id', '=', 'abc']]],
  ['a day that does not exist', [['date', '=', '2026-02-30']]],
  ['a month that does not exist', [['dt', '>', '2026-13-01']]],
  ['an hour that does not exist', [['dt', '>', '2026-01-01 25:00:00']]],
  ['a time with an offset', [['dt', '=', '2026-01-31T23:30:00Z']]],
  ['a day in reverse order', [['date', '=', '31/01/2026']]],
  ['a number as a day', [['dt', '=', 1769902200]]],
  ['a sub-domain for a value field', [['name', 'any', []]]],
  ['an invalid sub-domain', [['parent_id', 'any', 'x']]],
  ['a relation compared with text', [['parent_id', '<', 'x']]],
])('rejects %s as an invalid value', async (_what, domain) => {
  expect(await trySearch(domain)).toBe('refused');
});

test('limits the number of conditions, the nesting depth and the number of values', async () => {
  const leaf = ['int', '=', 5];
  const buildNested = (levels: number): unknown =>
    levels ? [['parent_id', 'any', buildNested(levels - 1)]] : [leaf];
  const buildLeaves = (n: number) => [...Array(n - 1).fill('|'), ...Array(n).fill(leaf)];
  expect(await trySearch(buildLeaves(limits.domain.conditions))).toBe('B');
  expect(await trySearch(buildLeaves(limits.domain.conditions + 1))).toBe('refused');
  expect(await trySearch(buildNested(limits.domain.depth))).toBe('');
  expect(await trySearch(buildNested(limits.domain.depth + 1))).toBe('refused');
  expect(await trySearch(Array(400).fill(['parent_id.name', '=', 'Alpha']))).toBe('BC');
  expect(await trySearch([[`${'parent_id.'.repeat(limits.domain.depth + 2)}int`, '=', 5]])).toBe('refused');
  expect(await trySearch([['id', 'in', Array.from({ length: 50_000 }, (_, i) => i + 2)]])).toBe('BCDEF');
  expect(await trySearch([['id', 'in', Array(limits.domain.values + 1).fill(1)]])).toBe('refused');
  expect(await trySearch(Array(10_000).fill('!').concat([leaf]))).toBe('B');
});

test('passes values as parameters, never as SQL text', async () => {
  for (const text of ["' or 1=1 --", "'; drop table lab; --", '$1', '\\', '"', '%s']) {
    expect(await trySearch([['name', '=', text]])).toBe('');
    expect(await trySearch([['parent_id', 'ilike', text]])).toBe('');
  }
  expect(await trySearch([['name"; drop table lab; --', '=', 1]])).toBe('refused');
  expect(await trySearch([])).toBe('ABCDEF');
});

test('treats ids beyond the column range as missing', async () => {
  expect(await trySearch([['id', '=', 99999999999]])).toBe('');
  expect(await trySearch([['parent_id', 'in', [1, -99999999999]]])).toBe('BC');
});

test('omits archived records unless the domain or the context includes them', async () => {
  const readTags = (domain: unknown, activeTest = true) =>
    search(lab.ctx.with({ context: { ...lab.ctx.context, activeTest } }), 'lab.tag', domain, { order: 'id' });
  expect(await readTags([])).toEqual([8, 9, 10]);
  expect(await readTags([], false)).toEqual([8, 9, 10, 11]);
  expect(await readTags([['active', '=', false]])).toEqual([11]);
  expect(await readTags([['active', 'in', [true, false]]])).toEqual([8, 9, 10, 11]);
  expect(await readTags(['|', ['active', '=', true], ['name', '=', 'ZZ old']])).toEqual([8, 9, 10, 11]);
  expect(await readTags([['id', 'in', [8, 11]]])).toEqual([8]);
});

test('ignores archived lines in paths but counts their links', async () => {
  await lab.db.pool.query(
    `insert into lab_line (workspace_id, id, name, qty, active, lab_id) values (1, 30, 'old', 9, false, 4)`,
  );
  expect(await trySearch([['line_ids.qty', '=', 9]])).toBe('');
  expect(await trySearch([['line_ids', 'any', [['name', '=', 'old']]]])).toBe('');
  expect(await trySearch([['line_ids.active', '=', false]])).toBe('D');
  expect(await trySearch([['line_ids', 'any', [['active', '=', false]]]])).toBe('D');
  expect(await trySearch([['line_ids', 'in', [30]]])).toBe('D');
  expect(await trySearch([['line_ids', '=', false]])).toBe('CEF');
});

test('counts as many records as a search finds, up to the limit', async () => {
  for (const [domain, codes] of domainCases
    .filter(([, expectedIds]) => expectedIds !== 'refused')
    .slice(0, 60)) {
    expect(await searchCount(lab.ctx, 'lab', domain)).toBe(codes.length);
  }
  expect(await searchCount(lab.ctx, 'lab', [], 4)).toBe(4);
  expect(await searchCount(lab.ctx, 'lab', [], 100)).toBe(6);
});
