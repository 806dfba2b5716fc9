import { createCache, perOwner } from '../../../src/cache.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createRush, type Rush } from '../../../src/engine/ctx/rush.ts';
import type { AgentCall } from '../../../src/engine/verb/agent.ts';
import { limits } from '../../../src/limits.ts';
import type { AgentCounts } from './count.ts';

/** What a process knows of the calls of an agent between two statements that count them (docs/adr/0033-rush.md). */
export interface CallTally {
  /**
   * Lets a call through before it is counted: in a rush of calls that only read, while much of the budget is left.
   * @param count counts, soon, what has been let through
   * @returns what the last count said; null when the call is to be counted first
   */
  letThrough(call: AgentCall, count: () => Promise<unknown>): AgentCounts | null;
  /** How many a statement is to count along that begins now. */
  take(): number;
  /** They were not counted. */
  putBack(calls: number): void;
  /** What a statement said that has counted. @param started when it began (ms of `performance.now`) */
  learn(counted: AgentCounts, client: string | null, started: number): void;
}

interface Known {
  counted: AgentCounts;
  client: string | null;
  until: number;
}

export function createCallTally(
  rush: Rush = createRush(),
  now: () => number = () => performance.now(),
): CallTally {
  let known: Known | null = null;
  let uncounted = 0;
  let timer: NodeJS.Timeout | undefined;

  const isBelieved = ({ counted, client, until }: Known, call: AgentCall): boolean =>
    now() < until &&
    client === call.client &&
    counted.verdict === '' &&
    leftOf(counted) - uncounted > limits.agent.rushLeft;

  return {
    letThrough(call, count) {
      const isRush = rush.note();
      if (!isRush || !call.isRead || !isPlain(call) || uncounted >= limits.agent.rushMost) return null;
      if (!known || !isBelieved(known, call)) return null;
      uncounted++;
      // What cannot be counted now is counted along with the next call.
      timer ??= setTimeout(() => count().catch(() => undefined), limits.agent.rushDelay);
      return known.counted;
    },
    take() {
      const calls = uncounted;
      uncounted = 0;
      clearTimeout(timer);
      timer = undefined;
      return calls;
    },
    putBack(calls) {
      uncounted += calls;
      known = null;
    },
    learn(counted, client, started) {
      const left = Math.min(limits.agent.rushBelieved, counted.minute_left * 1000, counted.day_left * 1000);
      known = { counted, client, until: started + left };
    },
  };
}

/** Whether only its number is counted. */
export const isPlain = ({ sends, changes, perMinute }: AgentCall): boolean =>
  sends === 0 && changes === 0 && perMinute === null;

/** Calls that no bound refuses yet. */
const leftOf = ({ calls, minute, most_calls: day, most_minute }: AgentCounts): number =>
  Math.min((day ?? limits.agent.budget) - calls, most_minute - minute);

/** By agent. */
export const talliesOf = perOwner((_runtime: Runtime) =>
  createCache<string, CallTally>({ entries: limits.agent.counted }),
);
