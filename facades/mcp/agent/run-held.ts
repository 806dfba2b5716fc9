import { defineApprovedRunner, getAgentGuard } from '../../../src/engine/operation/agent.ts';
import type { CallLog } from '../../../src/engine/operation/call-log.ts';
import { errors } from '../../../src/errors.ts';
import { checkCaller, withCallLog } from '../call-tool.ts';
import { RpcError } from '../protocol/rpc-error.ts';
import type { McpRegistry } from '../registry.ts';
import { validateArguments } from '../tool.ts';
import { computeExpectedUsage, getCallEffects } from './expected-usage.ts';
import { runTool, withCountedUsage } from './guard.ts';

/**
 * Registers a runner for approved actions. It executes them as normal tool calls, with the same caller and argument
 * checks, the same limits, and a log entry.
 */
export function registerHeldRunner(registry: McpRegistry, log: CallLog): void {
  defineApprovedRunner(async ({ ctx, agentId, tool: name, arguments: heldArguments }) => {
    const tool = registry.byName.get(name);
    const session = { ctx, log, registry, revision: null, userAgent: null, notify: () => {} };
    const outcome = await withCallLog(session, tool, { name, arguments: heldArguments }, async (met) => {
      met(agentId);
      if (!tool) throw errors.user(`Unknown tool ${name}.`);
      checkCaller(ctx, tool);
      const args = validateArguments(tool, heldArguments);
      const expected = computeExpectedUsage(tool, getCallEffects(ctx, { tool, args }));
      await getAgentGuard().charge(ctx, agentId, expected);
      return withCountedUsage(ctx, agentId, expected, () =>
        runTool({ session, tool, args, params: {}, counted: { agentId, expected } }, true),
      );
    });
    if (outcome instanceof RpcError) throw errors.notAllowed(outcome.message);
    if (outcome instanceof Error) throw outcome;
    return outcome.count;
  });
}
