import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/**
 * Loaded into every process of a run started by `setup.ts`. Records each statement that the application sends to
 * PostgreSQL once per process, with its source location.
 */

export interface RecordedStatement {
  text: string;
  /** File and line that sent the statement. Empty if unknown. */
  place: string;
}

export const FOLDER_ENV = 'ATRIUM_RECORDED_STATEMENTS';

/** Enough frames to see past the queues that a statement waits in. */
const MAX_STACK_FRAMES = 60;

const folder = process.env[FOLDER_ENV];
if (folder) {
  const file = join(folder, `${process.pid}.jsonl`);
  const texts = new Set<string>();
  recordCalls(pg.Client.prototype, recordStatement);
  recordCalls(pg.Pool.prototype, recordStatement);

  function recordStatement(text: string): void {
    if (texts.has(text)) return;
    const place = findSender(captureStack());
    if (place === null) return;
    texts.add(text);
    appendFileSync(file, `${JSON.stringify({ text, place } satisfies RecordedStatement)}\n`);
  }
}

function recordCalls(prototype: object, recordStatement: (text: string) => void): void {
  const queryable = prototype as { query(...args: unknown[]): unknown };
  const { query } = queryable;
  queryable.query = function (this: unknown, ...args) {
    for (const text of getTexts(args[0])) recordStatement(text);
    return query.apply(this, args);
  };
}

/**
 * Returns the texts of a statement, which is a string, an object with a text (also inside the driver's cursor), or an
 * object with several steps.
 */
function getTexts(query: unknown): string[] {
  if (typeof query === 'string') return [query];
  const { text, steps } = (query ?? {}) as { text?: string; steps?: { text: string }[] };
  return steps?.map((step) => step.text) ?? (text ? [text] : []);
}

/**
 * Captures the stack without Vitest's source maps, which would take longer than the statement itself. Line numbers are
 * correct without them.
 */
function captureStack(): string {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = MAX_STACK_FRAMES;
  Error.prepareStackTrace = (_error, sites) => sites.join('\n');
  const { stack = '' } = new Error();
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return stack;
}

const CARRIERS =
  /\/src\/db\/(?:db|pool|request-db|(?:statement|transaction)-runner|cursor|connection-limiter|prisma|stoppable)\.ts|\/test\/statements\//;
/** Statements that are not part of a workspace's work: tests, migrations, backups and the job queue. */
const EXCLUDED =
  /\/(?:test|bench|examples)\/|\/src\/db\/(?:backup|migrations|embedded)\/|\/node_modules\/pg-boss\//;
/** Calls that the pool forwards to a client have already been recorded. */
const POOL = /\/node_modules\/pg-pool\//;

/** Returns the application's source location from a stack. Null if the statement was not sent by the application. */
export function findSender(stack: string): string | null {
  for (const line of stack.split('\n')) {
    if (POOL.test(line) || /\/node_modules\/pg-boss\//.test(line)) return null;
    const match = /\/((?:src|schema|apps|facades|boot|test|bench|examples)\/[\w./-]+\.ts:\d+)/.exec(line);
    if (!match || CARRIERS.test(line) || line.includes('/node_modules/')) continue;
    return EXCLUDED.test(line) ? null : match[1]!;
  }
  return '';
}
