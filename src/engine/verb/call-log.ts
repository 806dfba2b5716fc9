import type { Logger } from 'pino';
import { perOwner } from '../../cache.ts';
import type { Db } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { isObject } from '../../json.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Runtime } from '../ctx/runtime.ts';
import { createRush, type Rush } from '../ctx/rush.ts';
import { masksOf } from '../model/model.ts';
import { INT_MAX } from '../value/number.ts';
import { redact } from '../value/redact.ts';

/** One line of svc.mcp.log. Contract, "Audit". */
export interface CallLine {
  workspaceId: number;
  userId: number | null;
  tool: string;
  modelName: string | null;
  method: string | null;
  success: boolean;
  error: string | null;
  summary: string;
  recordCount: number;
  durationMs: number;
  requestId: string;
  agentId: number | null;
  clientName: string | null;
  revision: string | null;
  outcome: CallOutcome;
  undoToken: string | null;
  /** Of a call that may have changed something: its line is on disk before it is answered. */
  durable: boolean;
}

/** What became of a call: it was done, it waits for a confirmation, a person decides about it, or it was refused. */
export type CallOutcome = 'done' | 'asked' | 'held' | 'refused';

/** What is said of a call; who called is in the ctx. Texts may be the caller's own and of any length. */
interface CallFacts
  extends Pick<CallLine, 'agentId' | 'clientName' | 'revision' | 'outcome' | 'undoToken' | 'durable'> {
  tool: string;
  modelName: string | null;
  method: string | null;
  /** Message of the refusal or failure; null for success. */
  error: string | null;
  arguments: unknown;
  /** Whether of texts in the arguments only the type and the length are kept. */
  textless: boolean;
  recordCount: number;
  durationMs: number;
}

export interface CallLog {
  /**
   * Resolves when the line is in the table, and in a rush, for a call that has only read, before it is. Rejects when it
   * could not be written.
   */
  write(line: CallLine): Promise<void>;
  /** Resolves when no line waits to be written. */
  settled(): Promise<void>;
}

const NAME_LENGTH = 200;
const TEXT_LENGTH = 4_000;
/** Where a refusal repeats a condition: its operand may be a secret, and the summary has the rest. */
const OPERANDS = / (in condition|not a condition:) .*/s;

/** The line of a call: arguments redacted, texts cut and free of what Postgres cannot keep. Pure. */
export function callLine(ctx: Ctx, facts: CallFacts): CallLine {
  const isSecret = masksOf(ctx.catalog.registry.get(facts.modelName ?? ''));
  const { agentId, clientName, revision, outcome, undoToken, durable } = facts;
  return {
    workspaceId: ctx.workspace.id,
    userId: ctx.principal?.userId ?? null,
    tool: kept(facts.tool, NAME_LENGTH),
    modelName: facts.modelName && kept(facts.modelName, NAME_LENGTH),
    method: facts.method && kept(facts.method, NAME_LENGTH),
    success: facts.error === null,
    error: facts.error && kept(facts.error.replace(OPERANDS, ' $1 …'), TEXT_LENGTH),
    summary: kept(JSON.stringify(redacted(facts, isSecret)) ?? '', TEXT_LENGTH),
    recordCount: Math.min(facts.recordCount, INT_MAX),
    durationMs: Math.round(facts.durationMs),
    requestId: ctx.requestId,
    ...{ agentId, outcome, undoToken, durable },
    clientName: clientName && kept(clientName, NAME_LENGTH),
    revision: revision && kept(revision, NAME_LENGTH),
  };
}

/** What is no object has no names to say what is secret in it. */
function redacted({ arguments: given, textless }: CallFacts, isSecret: (name: string) => boolean): unknown {
  if (isObject(given)) return redact(given, isSecret, textless);
  return given === undefined ? undefined : `[${Array.isArray(given) ? 'list' : typeof given}]`;
}

const kept = (text: string, most: number): string => text.slice(0, most).replaceAll('\u0000', '\uFFFD');

const MOST_LINES = 500;

/** The log of a process: its doors write lines, and it is settled before the database is closed. */
export const callLogOf = perOwner(({ db, log }: Runtime) => createCallLog(db, log));

/**
 * A log of calls that are done. Lines that arrive while an INSERT runs go together into the next one, so the cost of a
 * commit is shared, yet every call waits for its own line. In a rush those that have only read do not wait, unless the
 * last line could not be written (docs/adr/0033-rush.md).
 */
export function createCallLog(db: Db, log: Pick<Logger, 'error'>, rush: Rush = createRush()): CallLog {
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isWritable = true;

  async function writeWaiting(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    do {
      const batch = waiting.slice(0, MOST_LINES);
      waiting = waiting.slice(MOST_LINES);
      isWritable = await writeAll(db, batch);
    } while (waiting.some(({ isAwaited }) => isAwaited));
    running = null;
    if (waiting.length > 0) later();
  }

  function begin(): Promise<void> {
    running ??= writeWaiting();
    return running;
  }

  function later(): void {
    timer ??= setTimeout(begin, limits.agent.rushDelay);
  }

  return {
    write(line) {
      const isRush = rush.note() && isWritable && waiting.length < limits.agent.rushMost;
      if (isRush && !line.durable && line.outcome === 'done') {
        // Then it stands at least in the log of the process.
        const reject = (err: unknown) =>
          log.error({ err, line }, 'a line of the tool log could not be written');
        waiting.push({ line, isAwaited: false, resolve: () => undefined, reject });
        if (!running) later();
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        waiting.push({ line, isAwaited: true, resolve, reject });
        void begin();
      });
    },
    async settled() {
      while (running || waiting.length > 0) await begin();
    },
  };
}

interface Waiting {
  line: CallLine;
  isAwaited: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * A line that cannot be written must fail its own call alone: after a failure each is tried by itself.
 * @returns whether the last one was written
 */
async function writeAll(db: Db, batch: Waiting[]): Promise<boolean> {
  try {
    const lines = batch.map(({ line }) => line);
    await db.rows(insertSql(lines, await numbersOf(db, lines)));
    for (const { resolve } of batch) resolve();
    return true;
  } catch (error) {
    if (batch.length === 1) {
      batch[0]!.reject(error);
      return false;
    }
    let isWritten = false;
    for (const one of batch) isWritten = await writeAll(db, [one]);
    return isWritten;
  }
}

const numbersOf = async ({ numbers }: Db, lines: CallLine[]): Promise<number[]> =>
  (await Promise.all(lines.map(({ workspaceId }) => numbers.take(workspaceId, 'svc_mcp_log', 1)))).flat();

/** For reads it does not wait for the disk: a crash of the database may lose the lines of the last moments. */
function insertSql(lines: CallLine[], ids: number[]): Sql {
  const all = <K extends keyof CallLine>(key: K): CallLine[K][] => lines.map((line) => line[key]);
  const relaxed = lines.some(({ durable }) => durable)
    ? sql.empty
    : sql`, (select set_config('synchronous_commit', 'off', true)) relaxed`;
  return sql`insert into svc_mcp_log
    (workspace_id, id, user_id, tool, model_name, method, success, error, summary, record_count, duration_ms,
      request_id, agent_id, client_name, revision, outcome, undo_token)
    select l.* from unnest(${all('workspaceId')}::int[], ${ids}::int8[], ${all('userId')}::int[],
      ${all('tool')}::text[],
      ${all('modelName')}::text[], ${all('method')}::text[], ${all('success')}::bool[], ${all('error')}::text[],
      ${all('summary')}::text[], ${all('recordCount')}::int[], ${all('durationMs')}::int[],
      ${all('requestId')}::text[], ${all('agentId')}::int[], ${all('clientName')}::text[],
      ${all('revision')}::text[], ${all('outcome')}::text[], ${all('undoToken')}::text[]) l${relaxed}`;
}
