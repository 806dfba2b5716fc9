import { perOwner } from '../../../src/cache.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import type { AgentCall, AgentTerms } from '../../../src/engine/verb/agent.ts';
import { createGathering } from '../../../src/engine/work/gather.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { agentOf } from '../agent-of.ts';
import { type AgentCounts, count } from './count.ts';
import { createCallTally, isPlain, talliesOf } from './tally.ts';

/** A call that waits to be counted, or none: what has been let through is counted along with either. */
interface Counting {
  ctx: Ctx;
  call: AgentCall;
  agent: string;
  calls: 0 | 1;
}

/** Calls that one statement counts. */
const TOGETHER = 500;

/** Of an agent: calls that come while others are counted are counted together. */
const counting = perOwner((_runtime: Runtime) =>
  createGathering<Counting, AgentTerms | AppError>({
    keyOf: ({ agent }) => agent,
    async together(items) {
      const counted = await countAll(items);
      let later = items.reduce((sum, { calls }) => sum + calls, 0);
      return items.map(({ calls }) => {
        later -= calls;
        return refusalOf(asOf(counted, later)) ?? termsOf(counted);
      });
    },
    atOnce: 1,
    most: TOGETHER,
    // One of which more than its number is counted goes alone.
    sizeOf: ({ call }) => (isPlain(call) ? 1 : TOGETHER),
    isOfOne: () => false,
  }),
);

/**
 * Counts a call of the ctx's agent.
 * @throws BUSY with the seconds to wait
 */
export async function admitCall(ctx: Ctx, call: AgentCall): Promise<AgentTerms> {
  const { kind, ref } = agentOf(ctx.principal!)!;
  const agent = `${ctx.workspace.id} ${kind} ${ref}`;
  const { give } = counting(ctx.runtime);
  const counted = tallyOf(ctx, agent).letThrough(call, () => give({ ctx, call, agent, calls: 0 }));
  if (counted) return termsOf(counted);
  const outcome = await give({ ctx, call, agent, calls: 1 });
  if (outcome instanceof AppError) throw outcome;
  return outcome;
}

const tallyOf = ({ runtime }: Ctx, agent: string) =>
  talliesOf(runtime).remember(agent, () => createCallTally());

/** Counts the calls of an agent, and what has been let through before. */
async function countAll(items: readonly Counting[]): Promise<AgentCounts> {
  const { ctx, call, agent } = items[0]!;
  const tally = tallyOf(ctx, agent);
  const before = tally.take();
  const started = performance.now();
  try {
    const calls = items.reduce((sum, each) => sum + each.calls, before);
    const counted = await count(ctx, call, calls);
    tally.learn(counted, call.client, started);
    return counted;
  } catch (error) {
    tally.putBack(before);
    throw error;
  }
}

/** The counts as they were before the last `later` calls that were counted along. */
function asOf(counted: AgentCounts, later: number): AgentCounts {
  if (later === 0 && counted.verdict !== 'calls' && counted.verdict !== 'minute') return counted;
  const [calls, minute] = [counted.calls - later, counted.minute - later];
  if (counted.verdict === 'revoked') return counted;
  if (counted.most_calls !== null && calls > counted.most_calls) return { ...counted, verdict: 'calls' };
  return { ...counted, verdict: minute > counted.most_minute ? 'minute' : '' };
}

const termsOf = ({ id, confirmation, holds }: AgentCounts): AgentTerms => ({
  agentId: id,
  confirmation,
  holds,
});

function refusalOf(counted: AgentCounts): AppError | null {
  const { verdict, day_left: day, minute_left: minute } = counted;
  switch (verdict) {
    case '':
      return null;
    case 'revoked':
      return errors.notAllowed('This agent has been revoked.');
    case 'calls':
      return errors.overLimit(`This agent may make ${counted.most_calls} calls a day.`, day);
    case 'minute':
      return errors.overLimit(`This agent may make ${counted.most_minute} calls a minute.`, minute);
    case 'tool':
      return errors.overLimit('This tool has been called too often in this minute.', minute);
    case 'sends':
      return errors.overLimit(`This agent may send ${counted.most_sends} messages a day.`, day);
    case 'changes':
      return errors.overLimit(`This agent may change ${counted.most_changes} records a day.`, day);
  }
}
