import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/**
 * Loaded into every process of a run that `setup.ts` began: each statement that the application sends to PostgreSQL is
 * written down once a process, with the place that sent it.
 */

/** A statement as it was recorded. */
export interface RecordedStatement {
  text: string;
  /** File and line that sent it; empty where nobody is left to tell. */
  place: string;
}

/** Where a process of the run writes what it records. */
export const FOLDER_ENV = 'ATRIUM_RECORDED_STATEMENTS';

/** Enough to see beyond the queues that a statement waits in. */
const STACK_FRAMES = 60;

const folder = process.env[FOLDER_ENV];
if (folder) {
  const file = join(folder, `${process.pid}.jsonl`);
  const known = new Set<string>();
  recordCalls(pg.Client.prototype, note);
  recordCalls(pg.Pool.prototype, note);

  function note(text: string): void {
    if (known.has(text)) return;
    const place = findSender(captureStack());
    if (place === null) return;
    known.add(text);
    appendFileSync(file, `${JSON.stringify({ text, place } satisfies RecordedStatement)}\n`);
  }
}

function recordCalls(prototype: object, note: (text: string) => void): void {
  const its = prototype as { query(...given: unknown[]): unknown };
  const { query } = its;
  its.query = function (this: unknown, ...given) {
    for (const text of getTexts(given[0])) note(text);
    return query.apply(this, given);
  };
}

/** A statement comes as its text, or as an object that has it, also within the driver's cursor, or that has several. */
function getTexts(given: unknown): string[] {
  if (typeof given === 'string') return [given];
  const { text, steps } = (given ?? {}) as { text?: string; steps?: { text: string }[] };
  return steps?.map((step) => step.text) ?? (text ? [text] : []);
}

/** Without Vitest's source maps, which take longer than the statement; lines of code are kept without them. */
function captureStack(): string {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = STACK_FRAMES;
  Error.prepareStackTrace = (_error, sites) => sites.join('\n');
  const { stack = '' } = new Error();
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return stack;
}

/** What only passes statements on. */
const CARRIERS =
  /\/src\/db\/(?:pool|run|turns|request-db|cursor|gate|prisma|stoppable)\.ts|\/test\/statements\//;
/** Statements that no workspace's work consists of: of tests, of migrations, of backups, of the job queue. */
const EXCLUDED =
  /\/(?:test|bench|examples)\/|\/src\/db\/(?:backup|migrations|embedded)\/|\/node_modules\/pg-boss\//;
/** The pool hands its own calls to a client: they are known already. */
const POOL = /\/node_modules\/pg-pool\//;

/** The place in the application that sent a statement, out of a stack; null when it was not the application. */
export function findSender(stack: string): string | null {
  for (const line of stack.split('\n')) {
    if (POOL.test(line) || /\/node_modules\/pg-boss\//.test(line)) return null;
    const place = /\/((?:src|schema|apps|facades|boot|test|bench|examples)\/[\w./-]+\.ts:\d+)/.exec(line);
    if (!place || CARRIERS.test(line) || line.includes('/node_modules/')) continue;
    return EXCLUDED.test(line) ? null : place[1]!;
  }
  return '';
}
