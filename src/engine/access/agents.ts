import { errors } from '../../errors.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { OperationEffect } from '../model/effects.ts';
import type { Model, Operation, Values } from '../model/model.ts';
import { excludeIds } from '../value/exclude-ids.ts';
import { canReachModel } from './access.ts';

/**
 * What agents may not do, whatever the role of the user they act for. It binds what a caller of the channel `mcp` gives
 * by itself; what a verb puts together on its behalf is not bound (`bounded: false`). Contract, "MCP refusals".
 */
export interface AgentRestrictions {
  /** Models whose records agents do not change: of their methods they call those that read. */
  closedModels: ReadonlySet<string>;
  /** Who is an administrator, and what makes one. */
  powers(ctx: Ctx): Promise<AdministratorPowers>;
}

/** Everything that gives the Administrator role, as ids. */
export interface AdministratorPowers {
  /** Users, active or not. */
  users: readonly number[];
  /** Those who are active: to activate one is to give the role to one more. */
  active: readonly number[];
  groups: readonly number[];
}

let restrictions: AgentRestrictions | undefined;

export function defineAgentRestrictions(bounds: AgentRestrictions): void {
  restrictions = bounds;
}

const getRestrictions = (ctx: Ctx): AgentRestrictions | null =>
  ctx.bounded && !ctx.sudo ? restrictions! : null;

/**
 * Before records are changed with what an agent gave.
 * @param list values of new records, or those written
 * @throws FORBIDDEN for a closed model, and for a masked field, such as a password
 */
export function assertAgentChange(
  ctx: Ctx,
  model: Model,
  operation: Exclude<Operation, 'read'>,
  list: readonly Values[],
): void {
  const bounds = getRestrictions(ctx);
  if (!bounds) return;
  assertAgentModel(ctx, model.name);
  const defaults = operation === 'create' ? ctx.context.defaults : {};
  for (const values of [...list, defaults])
    for (const name of Object.keys(values))
      if (model.fields.get(name)?.masked) throw errors.fieldOfNoAgent(name, model.name);
}

interface AddressedOperation {
  method: string | null;
  effects: readonly OperationEffect[];
  closedToAgents?: boolean;
}

/**
 * Before an agent calls an operation by its address.
 * @throws FORBIDDEN for one that is closed to agents or answers with a secret, and on a model out of the agent's reach
 */
export function assertAgentOperation(
  ctx: Ctx,
  model: Model,
  { method, effects, closedToAgents }: AddressedOperation,
): void {
  if (!getRestrictions(ctx)) return;
  if (closedToAgents || effects.includes('secret')) throw errors.methodOfNoAgent(model.name, method!);
  if (ctx.principal && !canReachModel(ctx.principal, model))
    throw errors.groupOfNoAgent(model.name, model.options.group);
}

/** Before a method of the model changes something. @throws FORBIDDEN for a closed model */
export function assertAgentModel(ctx: Ctx, name: string): void {
  if (!getRestrictions(ctx)?.closedModels.has(name)) return;
  throw errors.closedToAgents(ctx.catalog.registry.get(name)?.label ?? name, name);
}

/**
 * Runs what an agent changes, in one transaction, and undoes it where it has given anybody the Administrator role: what
 * gives the role is compared before and after, so it does not matter by which way.
 * @throws FORBIDDEN when it has
 */
export async function runWithoutNewPowers<T>(ctx: Ctx, change: (ctx: Ctx) => Promise<T>): Promise<T> {
  if (!ctx.bounded) return change(ctx);
  return ctx.tx(async (tx) => {
    const before = await restrictions!.powers(tx.system());
    const result = await change(tx);
    if (hasNewPowers(before, await restrictions!.powers(tx.system()))) throw errors.administratorByAgent();
    return result;
  });
}

/** Whether there is a user or a group with the role that was not there before. Pure. */
export const hasNewPowers = (before: AdministratorPowers, after: AdministratorPowers): boolean =>
  (['users', 'active', 'groups'] as const).some(
    (which) => excludeIds(after[which], before[which]).length > 0,
  );
