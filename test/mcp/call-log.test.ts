import { expect, test } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import type { Sql } from '../../src/db/sql.ts';
import { type CallLine, createCallLog } from '../../src/engine/verb/call-log.ts';

const line = (tool: string): CallLine => ({
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

/** A database that notes the tools of each statement and takes a while for it. */
function slowDb(refuses: (tools: string[]) => boolean = () => false) {
  const statements: string[][] = [];
  let running = 0;
  const rows = async (statement: Sql) => {
    expect(++running).toBe(1);
    const tools = statement.render().params[3] as string[];
    statements.push(tools);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
    if (refuses(tools)) throw new Error(`no room for ${tools}`);
    return [];
  };
  let id = 0;
  const numbers = { take: async () => [++id] };
  return { statements, db: { rows, numbers } as unknown as Db };
}

test('lines that arrive while one is written are written together, in order', async () => {
  const { statements, db } = slowDb();
  const log = createCallLog(db);
  await Promise.all(['a', 'b', 'c', 'd'].map((tool) => log.write(line(tool))));
  expect(statements).toEqual([['a'], ['b', 'c', 'd']]);
  await log.write(line('e'));
  expect(statements.at(-1)).toEqual(['e']);
});

test('a line is answered only after its own statement', async () => {
  const { statements, db } = slowDb();
  const log = createCallLog(db);
  const done: string[] = [];
  const write = (tool: string) =>
    log.write(line(tool)).then(() => done.push(`${tool} after ${statements.length}`));
  await Promise.all([write('a'), write('b')]);
  expect(done).toEqual(['a after 1', 'b after 2']);
});

test('one line that cannot be written fails alone', async () => {
  const { statements, db } = slowDb((tools) => tools.includes('bad'));
  const log = createCallLog(db);
  const outcomes = await Promise.allSettled(['a', 'b', 'bad', 'c'].map((tool) => log.write(line(tool))));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(statements).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']]);
});

test('more than 500 lines take more than one statement', async () => {
  const { statements, db } = slowDb();
  const log = createCallLog(db);
  await Promise.all(Array.from({ length: 1_002 }, (_, n) => log.write(line(String(n)))));
  expect(statements.map((tools) => tools.length)).toEqual([1, 500, 500, 1]);
});
