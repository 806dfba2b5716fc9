import { errors } from '../errors.ts';
import type { Ctx, Principal } from './ctx.ts';
import { and, type Node, or, parseDomain } from './domain.ts';
import type { Field, Model, Operation } from './model.ts';

const LETTERS: Record<Operation, string> = { create: 'c', read: 'r', write: 'w', unlink: 'u' };
const VERBS: Record<Operation, string> = {
  create: 'create',
  read: 'access',
  write: 'modify',
  unlink: 'delete',
};

/** Whether the principal's groups give it `operation` on the whole model. */
export function mayModel(ctx: Ctx, model: Model, operation: Operation): boolean {
  if (ctx.sudo) return true;
  const groups = ctx.principal?.groups;
  if (!groups) return false;
  return Object.entries(model.options.access).some(
    ([group, can]) => can.includes(LETTERS[operation]) && groups.has(group),
  );
}

/** @throws ACCESS_ERROR when no group of the principal gives it the operation */
export function checkModel(ctx: Ctx, model: Model, operation: Operation): void {
  if (mayModel(ctx, model, operation)) return;
  const groups = Object.entries(model.options.access)
    .filter(([, can]) => can.includes(LETTERS[operation]))
    .map(([group]) => group);
  throw errors.modelAccess(VERBS[operation], model.label, model.name, groups);
}

export function mayField(ctx: Ctx, field: Field): boolean {
  return (
    ctx.sudo || field.groups.length === 0 || field.groups.some((group) => ctx.principal?.groups.has(group))
  );
}

/** @throws ACCESS_ERROR when a field group keeps the principal out */
export function checkField(ctx: Ctx, model: Model, field: Field, operation: Operation): void {
  if (!mayField(ctx, field)) throw errors.fieldAccess(field.name, model.label, model.name, operation);
}

/**
 * The tree that binds the principal on `model`: all rules without a group, and one of the rules of its groups.
 * null when nothing binds it.
 */
export function ruleOf(ctx: Ctx, model: Model, operation: Operation): Node | null {
  const { principal } = ctx;
  if (ctx.sudo || !principal || !model.options.rules) return null;
  const cache = model.ruleCache.get(principal) ?? {};
  if (cache[operation] === undefined) {
    cache[operation] = buildRule(ctx, principal, model, operation);
    model.ruleCache.set(principal, cache);
  }
  return cache[operation];
}

function buildRule(ctx: Ctx, principal: Principal, model: Model, operation: Operation): Node | null {
  const rules = model.options.rules!.filter(
    (rule) => !rule.operations || rule.operations.includes(operation),
  );
  const tree = (rule: (typeof rules)[number]) =>
    parseDomain(rule.domain(principal), model, ctx.runtime.registry).node;
  const everybody = rules.filter((rule) => !rule.group).map(tree);
  const mine = rules.filter((rule) => rule.group && principal.groups.has(rule.group)).map(tree);
  const node = and([...everybody, ...(mine.length ? [or(mine)] : [])]);
  return node.kind === 'const' && node.value ? null : node;
}
