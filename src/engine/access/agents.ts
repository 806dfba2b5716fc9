import { errors } from '../../errors.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { OperationEffect } from '../model/effects.ts';
import type { AccessKind, Model, Values } from '../model/model.ts';
import { excludeIds } from '../value/exclude-ids.ts';
import { canReachModel } from './access.ts';

/**
 * Restrictions on agents, independent of the role of the user they act for. The restrictions apply to direct input of
 * `mcp` callers, not to calls that an operation makes on their behalf (`bounded: false`). Contract, "MCP refusals".
 */
interface AgentRestrictions {
  /** Models whose records agents cannot change. Agents can call only their read methods. */
  closedModels: ReadonlySet<string>;
  /** Finds the administrators and the groups that grant the role. */
  powers(ctx: Ctx): Promise<AdministratorPowers>;
}

/** Ids of everything that grants the Administrator role. */
export interface AdministratorPowers {
  /** Users, active or not. */
  users: readonly number[];
  /** Active users. Activating a user with the role counts as granting it. */
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
 * Checks a change of records with values from an agent.
 * @param list values of new records, or the written values
 * @throws FORBIDDEN for a closed model, and for a masked field such as a password
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
 * Checks an agent's call to the operation with this address.
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

/**
 * Checks a model before one of its methods changes data.
 * @throws FORBIDDEN for a closed model
 */
export function assertAgentModel(ctx: Ctx, name: string): void {
  if (!getRestrictions(ctx)?.closedModels.has(name)) return;
  throw errors.closedToAgents(ctx.catalog.registry.get(name)?.label ?? name, name);
}

/**
 * Runs an agent's change in a transaction, and rolls it back if it granted the Administrator role. Compares all grants
 * of the role before and after, so every way of granting it is covered.
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

/** Returns true if a user or group has gained the role. */
export const hasNewPowers = (before: AdministratorPowers, after: AdministratorPowers): boolean =>
  (['users', 'active', 'groups'] as const).some(
    (property) => excludeIds(after[property], before[property]).length > 0,
  );
