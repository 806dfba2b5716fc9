import { errors } from '../../errors.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Effect } from '../model/effects.ts';
import type { Model, Operation, Values } from '../model/model.ts';
import { idsWithout } from '../value/ids-without.ts';
import { reachesModel } from './access.ts';

/**
 * What agents may not do, whatever the role of the user they act for. It binds what a caller of the channel `mcp` gives
 * by itself; what a verb puts together on its behalf is not bound (`bounded: false`). Contract, "MCP refusals".
 */
export interface AgentRefusals {
  /** Models whose records agents do not change: of their methods they call those that read. */
  closed: ReadonlySet<string>;
  /** Who is an administrator, and what makes one. */
  powers(ctx: Ctx): Promise<Powers>;
}

/** Everything that gives the Administrator role, as ids. */
export interface Powers {
  /** Users, active or not. */
  users: readonly number[];
  /** Those who are active: to activate one is to give the role to one more. */
  active: readonly number[];
  groups: readonly number[];
}

let defined: AgentRefusals | undefined;

export function defineAgentRefusals(bounds: AgentRefusals): void {
  defined = bounds;
}

const boundsOf = (ctx: Ctx): AgentRefusals | null => (ctx.bounded && !ctx.sudo ? defined! : null);

/**
 * Before records are changed with what an agent gave.
 * @param list values of new records, or those written
 * @throws FORBIDDEN for a closed model, and for a masked field, such as a password
 */
export function checkAgentChange(
  ctx: Ctx,
  model: Model,
  operation: Exclude<Operation, 'read'>,
  list: readonly Values[],
): void {
  const bounds = boundsOf(ctx);
  if (!bounds) return;
  checkAgentModel(ctx, model.name);
  const defaults = operation === 'create' ? ctx.context.defaults : {};
  for (const values of [...list, defaults])
    for (const name of Object.keys(values))
      if (model.fields.get(name)?.masked) throw errors.fieldOfNoAgent(name, model.name);
}

interface Addressed {
  method: string | null;
  effects: readonly Effect[];
  closedToAgents?: boolean;
}

/**
 * Before an agent calls an operation by its address.
 * @throws FORBIDDEN for one that is closed to agents or answers with a secret, and on a model out of the agent's reach
 */
export function checkAgentOperation(
  ctx: Ctx,
  model: Model,
  { method, effects, closedToAgents }: Addressed,
): void {
  if (!boundsOf(ctx)) return;
  if (closedToAgents || effects.includes('secret')) throw errors.methodOfNoAgent(model.name, method!);
  if (ctx.principal && !reachesModel(ctx.principal, model))
    throw errors.groupOfNoAgent(model.name, model.options.group);
}

/** Before a method of the model changes something. @throws FORBIDDEN for a closed model */
export function checkAgentModel(ctx: Ctx, name: string): void {
  if (!boundsOf(ctx)?.closed.has(name)) return;
  throw errors.closedToAgents(ctx.catalog.registry.get(name)?.label ?? name, name);
}

/**
 * Runs what an agent changes, in one transaction, and undoes it where it has given anybody the Administrator role: what
 * gives the role is compared before and after, so it does not matter by which way.
 * @throws FORBIDDEN when it has
 */
export async function withoutNewPowers<T>(ctx: Ctx, change: (ctx: Ctx) => Promise<T>): Promise<T> {
  if (!ctx.bounded) return change(ctx);
  return ctx.tx(async (tx) => {
    const before = await defined!.powers(tx.system());
    const result = await change(tx);
    if (haveGrown(before, await defined!.powers(tx.system()))) throw errors.administratorByAgent();
    return result;
  });
}

/** Whether there is a user or a group with the role that was not there before. Pure. */
export const haveGrown = (before: Powers, after: Powers): boolean =>
  (['users', 'active', 'groups'] as const).some(
    (which) => idsWithout(after[which], before[which]).length > 0,
  );
