import type { Logger } from 'pino';
import { memoizePerObject } from '../../cache.ts';
import type { Db } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { isObject } from '../../json.ts';
import { type BurstDetector, createBurstDetector } from '../ctx/burst-detector.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Runtime } from '../ctx/runtime.ts';
import { createMaskTest } from '../model/model.ts';
import { INT_MAX } from '../value/number.ts';
import { redact } from '../value/redact.ts';

const DEFERRED_WRITE_MS = 20;
export const MAX_UNWRITTEN_LINES = 500;

/** An entry in svc.mcp.log (docs/contract.md, "Audit"). */
export interface CallLogEntry {
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
  /** True for calls that may have changed data. Their lines are written to disk before the response is sent. */
  durable: boolean;
}

/** Result of a call: done, waiting for a confirmation, held for a person's decision, or refused. */
export type CallOutcome = 'done' | 'asked' | 'held' | 'refused';

/** Details of a call. The ctx identifies the caller. Strings may come from the caller and have any length. */
interface CallDetails
  extends Pick<CallLogEntry, 'agentId' | 'clientName' | 'revision' | 'outcome' | 'undoToken' | 'durable'> {
  tool: string;
  modelName: string | null;
  method: string | null;
  /** Null if the call succeeded. */
  error: string | null;
  arguments: unknown;
  /** True to replace strings in the arguments with their length. */
  textless: boolean;
  recordCount: number;
  durationMs: number;
}

export interface CallLog {
  /**
   * Resolves when the line is in the table, or earlier for a read-only call during a burst. Rejects if the line cannot
   * be written.
   */
  write(line: CallLogEntry): Promise<void>;
  /** Resolves when no line is waiting. */
  waitUntilWritten(): Promise<void>;
}

const MAX_NAME_LENGTH = 200;
const MAX_TEXT_LENGTH = 4_000;
/**
 * Matches the part of an error message that repeats a condition. This part is removed, because the operand may be
 * secret.
 */
const OPERAND_PATTERN = / (in condition|not a condition:) .*/s;

/** Redacts arguments, truncates strings and replaces characters that PostgreSQL cannot store. */
export function buildCallLogEntry(ctx: Ctx, facts: CallDetails): CallLogEntry {
  const isSecret = createMaskTest(ctx.catalog.registry.get(facts.modelName ?? ''));
  const { agentId, clientName, revision, outcome, undoToken, durable } = facts;
  return {
    workspaceId: ctx.workspace.id,
    userId: ctx.principal?.userId ?? null,
    tool: truncateText(facts.tool, MAX_NAME_LENGTH),
    modelName: facts.modelName && truncateText(facts.modelName, MAX_NAME_LENGTH),
    method: facts.method && truncateText(facts.method, MAX_NAME_LENGTH),
    success: facts.error === null,
    error: facts.error && truncateText(facts.error.replace(OPERAND_PATTERN, ' $1 …'), MAX_TEXT_LENGTH),
    summary: truncateText(JSON.stringify(redactArguments(facts, isSecret)) ?? '', MAX_TEXT_LENGTH),
    recordCount: Math.min(facts.recordCount, INT_MAX),
    durationMs: Math.round(facts.durationMs),
    requestId: ctx.requestId,
    ...{ agentId, outcome, undoToken, durable },
    clientName: clientName && truncateText(clientName, MAX_NAME_LENGTH),
    revision: revision && truncateText(revision, MAX_NAME_LENGTH),
  };
}

/** A value that is not an object has no keys that could identify secrets, so only its type is recorded. */
function redactArguments(
  { arguments: args, textless }: CallDetails,
  isSecret: (name: string) => boolean,
): unknown {
  if (isObject(args)) return redact(args, isSecret, textless);
  return args === undefined ? undefined : `[${Array.isArray(args) ? 'list' : typeof args}]`;
}

const truncateText = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replaceAll('\u0000', '\uFFFD');

const MAX_BATCH_LINES = 500;

/** Returns the process's call log, which must be flushed before the database is closed. */
export const getCallLog = memoizePerObject(({ db, log }: Runtime) => createCallLog(db, log));

/**
 * Creates a log of finished calls. Lines that arrive during an INSERT share the next one and its commit, but every call
 * waits for its own line. During a burst, read-only calls do not wait, unless the last line could not be written
 * (docs/adr/0033-log-batching.md).
 */
export function createCallLog(
  db: Db,
  log: Pick<Logger, 'error'>,
  burstDetector: BurstDetector = createBurstDetector(),
): CallLog {
  let waitingLines: PendingLine[] = [];
  let pendingWrite: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isWritable = true;

  async function writeWaiting(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    do {
      const batch = waitingLines.slice(0, MAX_BATCH_LINES);
      waitingLines = waitingLines.slice(MAX_BATCH_LINES);
      isWritable = await writeBatch(db, batch);
    } while (waitingLines.some(({ isAwaited }) => isAwaited));
    pendingWrite = null;
    if (waitingLines.length > 0) scheduleWriting();
  }

  function startWriting(): Promise<void> {
    pendingWrite ??= writeWaiting();
    return pendingWrite;
  }

  function scheduleWriting(): void {
    timer ??= setTimeout(startWriting, DEFERRED_WRITE_MS);
  }

  return {
    write(line) {
      const isRush = burstDetector.record() && isWritable && waitingLines.length < MAX_UNWRITTEN_LINES;
      if (isRush && !line.durable && line.outcome === 'done') {
        // No call waits for this line, so a failure goes to the process log.
        const reject = (err: unknown) => log.error({ err, line }, 'could not write a tool log entry');
        waitingLines.push({ line, isAwaited: false, resolve: () => undefined, reject });
        if (!pendingWrite) scheduleWriting();
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        waitingLines.push({ line, isAwaited: true, resolve, reject });
        void startWriting();
      });
    },
    async waitUntilWritten() {
      while (pendingWrite || waitingLines.length > 0) await startWriting();
    },
  };
}

interface PendingLine {
  line: CallLogEntry;
  isAwaited: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Writes a batch. If it fails, writes each line separately, so that only the call with the invalid line fails.
 * @returns true if the last line was written
 */
async function writeBatch(db: Db, batch: PendingLine[]): Promise<boolean> {
  try {
    const lines = batch.map(({ line }) => line);
    await db.rows(buildInsertSql(lines, await allocateLineIds(db, lines)));
    for (const { resolve } of batch) resolve();
    return true;
  } catch (error) {
    if (batch.length === 1) {
      batch[0]!.reject(error);
      return false;
    }
    let isWritten = false;
    for (const item of batch) isWritten = await writeBatch(db, [item]);
    return isWritten;
  }
}

const allocateLineIds = async ({ idAllocator: numbers }: Db, lines: CallLogEntry[]): Promise<number[]> =>
  (await Promise.all(lines.map(({ workspaceId }) => numbers.allocate(workspaceId, 'svc_mcp_log', 1)))).flat();

/**
 * If no call may have changed data, the commit does not wait for the disk. A database crash may then lose the last few
 * lines. Lines of one workspace are inserted by joining its counter, so that Citus runs the statement on its node.
 */
function buildInsertSql(lines: CallLogEntry[], ids: number[]): Sql {
  const all = <K extends keyof CallLogEntry>(key: K): CallLogEntry[K][] => lines.map((line) => line[key]);
  const relaxedSql = lines.some(({ durable }) => durable)
    ? sql.empty
    : sql`, (select set_config('synchronous_commit', 'off', true)) relaxed`;
  const [workspaceId, ...others] = new Set(all('workspaceId'));
  const columns = sql`id, user_id, tool, model_name, method, success, error, summary, record_count, duration_ms,
      request_id, agent_id, client_name, revision, outcome, undo_token`;
  const isShared = others.length > 0;
  const workspaceSql = isShared
    ? sql.empty
    : sql`join workspace_counter w on w.workspace_id = ${workspaceId} and w.name = 'svc_mcp_log'`;
  return sql`insert into svc_mcp_log (workspace_id, ${columns})
    select ${isShared ? sql`l.workspace_id` : sql`w.workspace_id`}, ${columns}
    from unnest(${all('workspaceId')}::int[], ${ids}::int8[], ${all('userId')}::int[],
      ${all('tool')}::text[],
      ${all('modelName')}::text[], ${all('method')}::text[], ${all('success')}::bool[], ${all('error')}::text[],
      ${all('summary')}::text[], ${all('recordCount')}::int[], ${all('durationMs')}::int[],
      ${all('requestId')}::text[], ${all('agentId')}::int[], ${all('clientName')}::text[],
      ${all('revision')}::text[], ${all('outcome')}::text[], ${all('undoToken')}::text[])
      l(workspace_id, ${columns}) ${workspaceSql}${relaxedSql}`;
}
