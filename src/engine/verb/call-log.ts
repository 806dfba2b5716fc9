import type { Db } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { isObject } from '../../json.ts';
import type { Ctx } from '../ctx/ctx.ts';
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
  /** Resolves when the line is in the table. Rejects when it could not be written. */
  write(line: CallLine): Promise<void>;
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

/**
 * A log of calls that are done. Lines that arrive while an INSERT runs go together into the next one, so the cost of a
 * commit is shared, yet every call waits for its own line.
 */
export function createCallLog(db: Db): CallLog {
  let waiting: Waiting[] = [];
  let running = false;

  async function flush(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_LINES);
      waiting = waiting.slice(MOST_LINES);
      await writeAll(db, batch);
    }
    running = false;
  }

  return {
    write: (line) =>
      new Promise((resolve, reject) => {
        waiting.push({ line, resolve, reject });
        if (!running) void flush();
      }),
  };
}

interface Waiting {
  line: CallLine;
  resolve(): void;
  reject(error: unknown): void;
}

/** A line that cannot be written must fail its own call alone: after a failure each is tried by itself. */
async function writeAll(db: Db, batch: Waiting[]): Promise<void> {
  try {
    const lines = batch.map(({ line }) => line);
    await db.rows(insertSql(lines, await numbersOf(db, lines)));
    for (const { resolve } of batch) resolve();
  } catch (error) {
    if (batch.length === 1) return batch[0]!.reject(error);
    for (const one of batch) await writeAll(db, [one]);
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
