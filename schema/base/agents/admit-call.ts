import { createCache, memoizePerObject } from '../../../src/cache.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import type { AgentCall, AgentTerms, ProgramName } from '../../../src/engine/operation/agent.ts';
import { createBatchingQueue } from '../../../src/engine/work/batching-queue.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { getAgent } from '../get-agent.ts';
import { type AgentCounts, count, updateAgentLastSeen } from './count-calls.ts';

/** Maximum number of entries in each per-process agent cache. */
const MAX_ADMITTED_AGENTS = 10_000;
const ADMITTED_TTL_MS = 10_000;
/** Minimum interval between two records of an agent's activity. */
const ACTIVITY_INTERVAL_MS = 60_000;

interface PendingCount {
  ctx: Ctx;
  call: AgentCall;
  agent: string;
}

const COUNT_BATCH_SIZE = 500;

/** Queues calls per agent. Calls that arrive while a batch is being counted form the next batch. */
const getCallCountQueue = memoizePerObject((_runtime: Runtime) =>
  createBatchingQueue<PendingCount, AgentTerms | AppError>({
    getKey: ({ agent }) => agent,
    async runBatch(items) {
      const { ctx, call } = items[0]!;
      const counts = await count(ctx, call, items.length);
      return items.map(
        (_, index) =>
          findRejection(ctx, subtractLaterCalls(counts, items.length - 1 - index)) ?? toAgentTerms(counts),
      );
    },
    concurrency: 1,
    maxSize: COUNT_BATCH_SIZE,
    // A call that sends, makes changes or has a per-tool limit fills a batch, so it is counted alone.
    getSize: ({ call }) => (isPlainCall(call) ? 1 : COUNT_BATCH_SIZE),
    isItemError: () => false,
  }),
);

const getAdmittedAgentCache = memoizePerObject((_runtime: Runtime) =>
  createCache<string, true>({ entries: MAX_ADMITTED_AGENTS, age: ADMITTED_TTL_MS }),
);

/**
 * Counts the agent's call against its limits.
 * @throws BUSY with the seconds to wait, FORBIDDEN if the agent is revoked
 */
export async function admitCall(ctx: Ctx, call: AgentCall): Promise<AgentTerms> {
  const agent = buildAgentKey(ctx);
  const outcome = await getCallCountQueue(ctx.runtime).add({ ctx, call, agent });
  if (outcome instanceof AppError) {
    getAdmittedAgentCache(ctx.runtime).delete(agent);
    throw outcome;
  }
  getAdmittedAgentCache(ctx.runtime).set(agent, true);
  return outcome;
}

/** Returns true if this process recently admitted a call from the agent and has not rejected one since. */
export const hasRemainingBudget = (ctx: Ctx): boolean =>
  getAdmittedAgentCache(ctx.runtime).get(buildAgentKey(ctx)) === true;

/** Caches the names that agents declared when they were last recorded. Empty if an agent declared none. */
const getAgentNameCache = memoizePerObject((_runtime: Runtime) =>
  createCache<string, string>({ entries: MAX_ADMITTED_AGENTS, age: ACTIVITY_INTERVAL_MS }),
);

/** Records the agent at most once a minute, but a new self-declared name immediately. */
export async function recordAgentActivity(ctx: Ctx, client: ProgramName | null): Promise<void> {
  const agent = buildAgentKey(ctx);
  const recordedNames = getAgentNameCache(ctx.runtime);
  const recordedName = recordedNames.get(agent);
  const clientName = client?.isDeclared ? client.text : (recordedName ?? '');
  if (recordedName === clientName) return;
  recordedNames.set(agent, clientName);
  await updateAgentLastSeen(ctx, client);
}

function buildAgentKey({ workspace, principal }: Ctx): string {
  const { kind, ref } = getAgent(principal!)!;
  return `${workspace.id} ${kind} ${ref}`;
}

const isPlainCall = ({ sends, changes, perMinute }: AgentCall): boolean =>
  sends === 0 && changes === 0 && perMinute === null;

/** Returns the counts at the time of a call that is followed by `laterCalls` calls in the same batch. */
function subtractLaterCalls(counts: AgentCounts, laterCalls: number): AgentCounts {
  if (laterCalls === 0 && counts.verdict !== 'calls' && counts.verdict !== 'minute') return counts;
  const [calls, minute] = [counts.calls - laterCalls, counts.minute - laterCalls];
  if (counts.verdict === 'revoked') return counts;
  if (counts.most_calls !== null && calls > counts.most_calls) return { ...counts, verdict: 'calls' };
  return { ...counts, verdict: minute > counts.most_minute ? 'minute' : '' };
}

const toAgentTerms = ({ id, confirmation, holds }: AgentCounts): AgentTerms => ({
  agentId: id,
  confirmation,
  holds,
});

function findRejection({ principal }: Ctx, counts: AgentCounts): AppError | null {
  const { verdict, day_left: day, minute_left: minute } = counts;
  const subject =
    getAgent(principal!)!.kind === 'oauth'
      ? 'Your connected agents have reached their'
      : 'This agent has reached its';
  switch (verdict) {
    case '':
      return null;
    case 'revoked':
      return errors.notAllowed('This agent has been revoked.');
    case 'calls':
      return errors.overLimit(`${subject} limit of ${counts.most_calls} calls per day.`, day);
    case 'minute':
      return errors.overLimit(`${subject} limit of ${counts.most_minute} calls per minute.`, minute);
    case 'tool':
      return errors.overLimit('This tool was called too many times in the last minute.', minute);
    case 'sends':
      return errors.overLimit(`${subject} limit of ${counts.most_sends} messages per day.`, day);
    case 'changes':
      return errors.overLimit(`${subject} limit of ${counts.most_changes} record changes per day.`, day);
  }
}
