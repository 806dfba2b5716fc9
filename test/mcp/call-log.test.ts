import { expect, test } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import type { Sql } from '../../src/db/sql.ts';
import {
  type CallLogEntry,
  createCallLog,
  MAX_UNWRITTEN_LINES,
} from '../../src/engine/operation/call-log.ts';

const buildLine = (tool: string): CallLogEntry => ({
  workspaceId: 1,
  userId: 1,
  tool,
  modelName: null,
  method: null,
  success: true,
  error: null,
  summary: '{}',
  recordCount: 0,
  durationMs: 0,
  requestId: 'r',
  agentId: null,
  clientName: null,
  revision: null,
  outcome: 'done',
  undoToken: null,
  durable: false,
});

const noLog: Parameters<typeof createCallLog>[1] = { error: () => undefined };

function createSlowDb(refuses: (tools: string[]) => boolean = () => false) {
  const statements: string[][] = [];
  let runningCount = 0;
  const readRows = async (statement: Sql) => {
    expect(++runningCount).toBe(1);
    const tools = statement.render().params[3] as string[];
    statements.push(tools);
    await new Promise((resolve) => setTimeout(resolve, 5));
    runningCount--;
    if (refuses(tools)) throw new Error(`no room for ${tools}`);
    return [];
  };
  let id = 0;
  const idAllocator = { allocate: async () => [++id] };
  return { statements, db: { rows: readRows, idAllocator } as unknown as Db };
}

test('writes entries that arrive during a write as one batch, in order', async () => {
  const { statements, db } = createSlowDb();
  const log = createCallLog(db, noLog);
  await Promise.all(['a', 'b', 'c', 'd'].map((tool) => log.write(buildLine(tool))));
  expect(statements).toEqual([['a'], ['b', 'c', 'd']]);
  await log.write(buildLine('e'));
  expect(statements.at(-1)).toEqual(['e']);
});

test('confirms an entry only after the statement that contains it', async () => {
  const { statements, db } = createSlowDb();
  const log = createCallLog(db, noLog);
  const result: string[] = [];
  const write = (tool: string) =>
    log.write(buildLine(tool)).then(() => result.push(`${tool} after ${statements.length}`));
  await Promise.all([write('a'), write('b')]);
  expect(result).toEqual(['a after 1', 'b after 2']);
});

test('fails only the entry that cannot be written', async () => {
  const { statements, db } = createSlowDb((tools) => tools.includes('bad'));
  const log = createCallLog(db, noLog);
  const outcomes = await Promise.allSettled(['a', 'b', 'bad', 'c'].map((tool) => log.write(buildLine(tool))));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(statements).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']]);
});

test('writes at most 500 entries per statement', async () => {
  const { statements, db } = createSlowDb();
  const log = createCallLog(db, noLog);
  await Promise.all(Array.from({ length: 1_002 }, (_, n) => log.write(buildLine(String(n)))));
  expect(statements.map((tools) => tools.length)).toEqual([1, 500, 500, 1]);
});

const RUSH = { record: () => true };

test("does not wait for a read's entry during a burst, and writes it shortly afterwards", async () => {
  const { statements, db } = createSlowDb();
  const log = createCallLog(db, noLog, RUSH);
  for (const tool of ['a', 'b', 'c']) await log.write(buildLine(tool));
  expect(statements).toEqual([]);
  await expect.poll(() => statements).toEqual([['a', 'b', 'c']]);
});

test.for<[string, Partial<CallLogEntry>]>([
  ['that may have changed something', { durable: true }],
  ['that was refused', { outcome: 'refused' }],
  ['that waits for a confirmation', { outcome: 'asked' }],
])(
  'waits for the entry of a call %s during a burst, and writes pending entries with it',
  async ([, nextCalls]) => {
    const { statements, db } = createSlowDb();
    const log = createCallLog(db, noLog, RUSH);
    await log.write(buildLine('read'));
    await log.write({ ...buildLine('other'), ...nextCalls });
    expect(statements).toEqual([['read', 'other']]);
  },
);

test('copies an entry to the process log if its write fails and no call waits for it', async () => {
  const { statements, db } = createSlowDb((tools) => tools.includes('bad'));
  const messages: unknown[] = [];
  const log = createCallLog(db, { error: (facts: unknown) => messages.push(facts) }, RUSH);
  await log.write(buildLine('bad'));
  await log.waitUntilWritten();
  expect(messages).toMatchObject([{ line: { tool: 'bad' }, err: { message: 'no room for bad' } }]);
  // After a failed write, calls wait for their own log entries again.
  await expect(log.write(buildLine('bad'))).rejects.toThrow('no room for bad');
  await log.write(buildLine('good'));
  expect(statements).toEqual([['bad'], ['bad'], ['good']]);
});

test('waits for a write once too many entries are unwritten', async () => {
  const { statements, db } = createSlowDb();
  const log = createCallLog(db, noLog, RUSH);
  for (let n = 0; n < MAX_UNWRITTEN_LINES; n++) await log.write(buildLine(String(n)));
  expect(statements).toEqual([]);
  await log.write(buildLine('last'));
  expect(statements.flat()).toHaveLength(MAX_UNWRITTEN_LINES + 1);
});

test('waitUntilWritten returns once every entry is written', async () => {
  const { statements, db } = createSlowDb();
  const log = createCallLog(db, noLog, RUSH);
  await log.write(buildLine('a'));
  await log.waitUntilWritten();
  expect(statements).toEqual([['a']]);
  await log.waitUntilWritten();
});
