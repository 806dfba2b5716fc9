import { errors } from '../../errors.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { AccessKind } from '../model/access-kind.ts';
import type { OperationEffect } from '../model/effects.ts';
import type { Model, Values } from '../model/model.ts';
import { excludeIds } from '../value/exclude-ids.ts';
import { canReachModel } from './access.ts';

/**
 * Restrictions on agents, independent of the user's role. They apply to direct input from `mcp` callers, but not to
 * calls that an operation makes internally (`bounded: false`). See the contract, "MCP refusals".
 */
interface AgentRestrictions {
  /** Models that agents cannot change. Their read methods are allowed. */
  closedModels: ReadonlySet<string>;
  powers(ctx: Ctx): Promise<AdministratorPowers>;
}

/** Ids of the users who have the Administrator role, and of the groups that grant it. */
export interface AdministratorPowers {
  users: readonly number[];
  /** Active users who have the role. Activating a user who has the role counts as granting it. */
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
 * Checks a change by an agent.
 * @param list values of the new records, or the values to write
 * @throws FORBIDDEN for a closed model, or for a masked field such as a password
 */
export function assertAgentChange(
  ctx: Ctx,
  model: Model,
  operation: Exclude<AccessKind, 'read'>,
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
 * @throws FORBIDDEN if the operation is closed to agents or returns a secret, or if the agent cannot reach the model
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

/** @throws FORBIDDEN if the caller is an agent and the model is closed to agents */
export function assertAgentModel(ctx: Ctx, name: string): void {
  if (!getRestrictions(ctx)?.closedModels.has(name)) return;
  throw errors.closedToAgents(ctx.catalog.registry.get(name)?.label ?? name, name);
}

/**
 * Runs an agent's change in a transaction, and rolls it back if it granted the Administrator role. Compares the role's
 * holders before and after the change, so it covers every way of granting the role.
 * @throws FORBIDDEN if the role was granted
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

export const hasNewPowers = (before: AdministratorPowers, after: AdministratorPowers): boolean =>
  (['users', 'active', 'groups'] as const).some(
    (property) => excludeIds(after[property], before[property]).length > 0,
  );
