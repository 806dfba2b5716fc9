import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkLedger, checkPromises, parseProof, parseRows, parseTestTitles } from './ledger.ts';

const files: Record<string, string> = {
  'test/a.test.ts': "test('it works', () => {});\ntest.skip('not yet', () => {});\n",
  'test/b.test.ts': 'it("holds; firmly", () => {});\n',
};
const buildPage = (...rows: string[]) => ['| id | behavior | proof |', '|---|---|---|', ...rows].join('\n');
const check = (frozen: string[], ...rows: string[]) =>
  checkLedger(buildPage(...rows), frozen, (file) => files[file]);

describe('contract ids', () => {
  test('are counted as proven, open or untestable if each has one row', () => {
    const verdict = check(
      ['X-A-01', 'X-A-02', 'X-A-03'],
      '| X-A-01 | one | open |',
      '| X-A-02 | two | `test/a.test.ts` › it works |',
      '| X-A-03 | three | nothing to test: only a remark |',
    );
    expect(verdict).toEqual({ mistakes: [], proven: 1, open: 1, nothing: 1 });
  });

  test('are reported if they have no row', () => {
    expect(check(['X-A-01', 'X-A-02'], '| X-A-01 | one | open |').mistakes).toEqual(['X-A-02 has no row']);
  });

  test('are reported if they have two rows', () => {
    const { mistakes } = check(['X-A-01'], '| X-A-01 | one | open |', '| X-A-01 | again | open |');
    expect(mistakes).toEqual(['line 4: X-A-01 is already on line 3']);
  });

  test.each(['X-A-99', 'x-a-01', 'X-A-1'])('are reported if unknown: %s', (id) => {
    const { mistakes } = check(['X-A-01'], '| X-A-01 | one | open |', `| ${id} | what | open |`);
    expect(mistakes).toEqual([`line 4: ${id} is not an id of the contract`]);
  });
});

describe('contract proofs', () => {
  test.each([
    ['', 'names no test in ""'],
    ['done', 'names no test in "done"'],
    ['Open', 'names no test in "Open"'],
    ['`test/a.test.ts`', 'names no test in "`test/a.test.ts`"'],
    ['nothing to test', 'gives no reason'],
    ['nothing to test: ', 'gives no reason'],
    ['`test/none.test.ts` › it works', 'names test/none.test.ts, which does not exist'],
    ['`src/a.ts` › it works', 'names src/a.ts, not a test file'],
    ['`../a.test.ts` › it works', 'names ../a.test.ts, not a test file'],
    ['`test/a.test.ts` › it work', 'finds no test "it work" in test/a.test.ts'],
    ['`test/a.test.ts` › not yet', 'names a skipped test: not yet'],
    ['`test/a.test.ts` › it works; `test/b.test.ts` › gone', 'finds no test "gone" in test/b.test.ts'],
  ])('are rejected if they prove nothing: "%s"', (proof, reason) => {
    const verdict = check(['X-A-01'], `| X-A-01 | one | ${proof} |`);
    expect(verdict.mistakes).toEqual([`line 3: X-A-01 ${reason}`]);
    expect(verdict.proven).toBe(0);
  });

  test('are separated by semicolons outside of titles', () => {
    const proof = '`test/b.test.ts` › holds; firmly; `test/a.test.ts` › it works';
    expect(parseProof(proof)).toEqual({
      kind: 'tests',
      tests: [
        { file: 'test/b.test.ts', title: 'holds; firmly' },
        { file: 'test/a.test.ts', title: 'it works' },
      ],
    });
    expect(check(['X-A-01'], `| X-A-01 | one | ${proof} |`).mistakes).toEqual([]);
  });
});

describe('contract rows', () => {
  test('are ignored in code fences, which must be closed', () => {
    expect(parseRows('```\n| X-A-01 | one | open |\n```\n').rows).toEqual([]);
    expect(parseRows('```\n| X-A-01 | one | open |\n').mistakes).toHaveLength(1);
  });

  test('preserve an escaped pipe inside its cell', () => {
    const row = { line: 1, id: 'X-A-01', behavior: 'a | b', proof: 'open' };
    expect(parseRows('| X-A-01 | a \\| b | open |')).toEqual({ rows: [row], mistakes: [] });
  });

  test('are reported if they have a missing or extra cell', () => {
    expect(parseRows('| X-A-01 | one |').mistakes).toEqual(['line 1: X-A-01 has 2 cells where 3 are needed']);
    expect(parseRows('| X-A-01 | one | open | more |').mistakes).toHaveLength(1);
  });

  test('are reported if they have no description', () => {
    expect(check(['X-A-01'], '| X-A-01 |  | open |').mistakes).toEqual(['line 3: X-A-01 has no description']);
  });
});

describe('test titles', () => {
  test.each([
    ["test('plain', () => {});", 'plain'],
    ['  it("nested", () => {});', 'nested'],
    ['test(`no holes`, () => {});', 'no holes'],
    ["test('it\\'s quoted', () => {});", "it's quoted"],
    ["test(\n  'on its own line',\n  () => {});", 'on its own line'],
    ["test.concurrent('beside others', () => {});", 'beside others'],
    ["test.each([\n  ['a', f(1)],\n])('row %s', () => {});", 'row %s'],
  ])('are found in %j', (source, title) => {
    expect([...parseTestTitles(source).runs]).toEqual([title]);
  });

  test.each([
    "// test('in a comment', () => {});",
    "/*\ntest('in a block', () => {});\n*/",
    'const s = "test(\'in a string\')";',
    ['test(`with $', "{'a'} hole`, () => {});"].join(''),
    "latest('of another name', () => {});",
    "bit('of another name', () => {});",
  ])('are not declared by %j', (source) => {
    expect(parseTestTitles(source)).toEqual({ runs: new Set(), skipped: new Set() });
  });

  test.each(['test.skip', 'it.todo', 'test.fails'])('count as skipped under %s', (call) => {
    expect(parseTestTitles(`${call}('later', () => {});`)).toEqual({
      runs: new Set(),
      skipped: new Set(['later']),
    });
  });

  test('count as skipped in a file with a skipped describe', () => {
    const source = "describe.skip('all', () => {\n  test('inside', () => {});\n});\n";
    expect([...parseTestTitles(source).runs]).toEqual([]);
  });
});

test.each<[string, string[]]>([
  ['| X-1 | one | `test/a.test.ts` › it works |', []],
  ['| X-1 | one | open |', ['line 3: X-1 has no test']],
  ['| X-1 | one | nothing to test: a remark |', ['line 3: X-1 has no test']],
  ['| X-1 | one | `test/a.test.ts` › gone |', ['line 3: X-1 finds no test "gone" in test/a.test.ts']],
  ['', ['promises nothing']],
])('requires a test for a promise: %j', (row, mistakes) => {
  expect(checkPromises(buildPage(row), (file) => files[file])).toEqual(mistakes);
});

test('the frozen list contains every id once', () => {
  const ids = readFileSync(join(import.meta.dirname, 'fixtures/ledger-ids.txt'), 'utf8')
    .trim()
    .split('\n');
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[EW]-[A-Z]+-\d\d$/.test(id))).toBe(true);
});
