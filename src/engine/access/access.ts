import { memoizePerObject } from '../../cache.ts';
import { errors } from '../../errors.ts';
import type { RecordRule } from '../ctx/catalog.ts';
import { type Ctx, requestReferenceRows } from '../ctx/ctx.ts';
import { and, type DomainNode, FALSE, or, TRUE } from '../domain/node.ts';
import { parseDomain } from '../domain/parse.ts';
import { removeIdleCompanies } from '../domain/rule-companies.ts';
import { evaluateRule } from '../domain/rule-text.ts';
import type { Field } from '../model/field.ts';
import type { ListOwnership, Model, Operation } from '../model/model.ts';
import type { Principal } from '../model/principal.ts';

const ACTION_WORDS: Record<Operation, string> = {
  create: 'create',
  read: 'access',
  write: 'modify',
  unlink: 'delete',
};

/** Whether a right of the workspace gives the principal `operation` on the whole model. */
export function canAccessModel(ctx: Ctx, model: Model, operation: Operation): boolean {
  if (ctx.sudo) return true;
  const { principal } = ctx;
  if (!principal || !isInScope(principal, operation) || !canReachModel(principal, model)) return false;
  if (principal.kind === 'workspace') return canTeamAccess(model, operation);
  const rights = ctx.catalog.rights.get(model.name);
  return (
    rights?.some((right) => right.operations.has(operation) && isRightFor(right.group, principal)) ?? false
  );
}

/** A key for sending alone reads nothing, not even by way of what a verb returns. */
export const isInScope = ({ scopes }: Principal, operation: Operation): boolean =>
  operation !== 'read' || !scopes || scopes.includes('read') || scopes.includes('write');

/**
 * Whether an agent that is bound to groups of tools reaches the records of the model. Those of `data` are in reach of
 * all groups, whose tools need them.
 */
export function canReachModel({ agentKey, opens }: Principal, { options: { group } }: Model): boolean {
  if (group === 'data') return true;
  return (opens?.has(group) ?? true) && (agentKey?.groups?.includes(group) ?? true);
}

const canTeamAccess = ({ options: { team = '' } }: Model, operation: Operation): boolean =>
  team.includes(OPERATION_LETTERS[operation]);

const OPERATION_LETTERS: Record<Operation, string> = { create: 'c', read: 'r', write: 'w', unlink: 'u' };

/** A right without a group is everybody's. */
const isRightFor = (group: string | null, principal: Principal): boolean =>
  group === null || principal.groups.has(group);

/** @throws ACCESS_ERROR when no right of the principal gives it the operation */
export function assertModelAccess(ctx: Ctx, model: Model, operation: Operation): void {
  if (canAccessModel(ctx, model, operation)) {
    requestReferenceRows(ctx, model);
    return;
  }
  throw errors.modelAccess(
    ACTION_WORDS[operation],
    model.label,
    model.name,
    findGroupsWithAccess(ctx, model, operation).map((group) => ctx.catalog.groupNames.get(group) ?? group),
  );
}

/** Identifiers of the groups that have the right to `operation`, each once. */
export function findGroupsWithAccess(ctx: Ctx, model: Model, operation: Operation): string[] {
  const rights = ctx.catalog.rights.get(model.name) ?? [];
  const groups = rights.filter((right) => right.operations.has(operation)).map((right) => right.group);
  return [...new Set(groups.filter((group) => group !== null))];
}

/** Whether the groups of a field let the principal see and set it; a field without groups is everybody's. */
export function canAccessField(ctx: Ctx, field: Field): boolean {
  return (
    ctx.sudo || field.groups.length === 0 || field.groups.some((group) => ctx.principal?.groups.has(group))
  );
}

/** @throws ACCESS_ERROR when a field group keeps the principal out */
export function assertFieldAccess(ctx: Ctx, model: Model, field: Field, operation: Operation): void {
  if (!canAccessField(ctx, field)) throw errors.fieldAccess(field.name, model.label, model.name, operation);
}

/**
 * The answer reveals what a caller compares, sorts or groups by, so it must be allowed to see the values.
 * @throws ACCESS_ERROR
 */
export function assertComparable(ctx: Ctx, model: Model, field: Field): void {
  assertFieldAccess(ctx, model, field, 'read');
  if (ctx.mask && field.masked && !ctx.sudo) throw errors.maskedField(field.label, field.name, model.name);
}

type RuleCache = WeakMap<Principal, Partial<Record<Operation, DomainNode | null>>>;

/** Rule trees, by model and principal. */
const getRuleCache = memoizePerObject((_model: Model): RuleCache => new WeakMap());

/**
 * The tree that binds the principal on `model`: all rules without a group, one of the rules of its groups, and the
 * domain its key is bound to. null when nothing binds it.
 */
export function getRuleTree(ctx: Ctx, model: Model, operation: Operation): DomainNode | null {
  const { principal } = ctx;
  if (ctx.sudo || !principal) return null;
  const rules = ctx.catalog.rules.get(model.name) ?? [];
  const { follows, own } = model.options;
  if (rules.length === 0 && !follows && !own && principal.domainId === null) return null;
  const cache = getRuleCache(model).get(principal) ?? {};
  if (cache[operation] === undefined) {
    const rule = buildRule(ctx, principal, model, selectRules(rules, principal, operation));
    const parts = [
      buildBoundNode(ctx, principal, model),
      follows ? buildFollowedNode(ctx, principal, model, operation) : TRUE,
      own ? buildOwnNode(ctx, own(principal), model) : TRUE,
      rule ?? TRUE,
    ];
    cache[operation] = nullIfTrue(and(parts));
    getRuleCache(model).set(principal, cache);
  }
  return cache[operation];
}

const nullIfTrue = (node: DomainNode): DomainNode | null =>
  node.kind === 'const' && node.value ? null : node;

const buildOwnNode = ({ catalog }: Ctx, domain: unknown[] | false, model: Model): DomainNode =>
  domain ? parseDomain(domain, model, catalog.registry).node : FALSE;

/** The records of the domain that the principal's key is bound to. */
function buildBoundNode({ catalog }: Ctx, { domainId }: Principal, model: Model): DomainNode {
  const { boundBy } = model.options;
  if (domainId === null || boundBy === null) return TRUE;
  if (boundBy === undefined) return FALSE;
  return parseDomain([[boundBy, '=', domainId]], model, catalog.registry).node;
}

/**
 * A record that follows another is accessible if that one is: readable to read it, otherwise writable. `also` adds
 * further records.
 */
function buildFollowedNode(ctx: Ctx, principal: Principal, model: Model, operation: Operation): DomainNode {
  const { also, heldBy, ...fields } = model.options.follows!;
  const needed = operation === 'read' ? 'read' : 'write';
  const open: string[] = [];
  const ruled: { model: Model; rule: DomainNode }[] = [];
  for (const target of ctx.catalog.registry.values()) {
    if (target.options.follows || !canAccessModel(ctx, target, needed)) continue;
    const rule = getRuleTree(ctx, target, needed);
    if (rule) ruled.push({ model: target, rule });
    else open.push(target.name);
  }
  const more = parseDomain(also(principal, operation), model, ctx.catalog.registry).node;
  const held = heldBy?.(principal);
  const along: DomainNode = { kind: 'follows', fields, open, ruled };
  return or([more, held ? and([along, buildListOwnerNode(ctx, model, held)]) : along]);
}

/** In the list of a record that the principal may read. */
function buildListOwnerNode(ctx: Ctx, model: Model, { model: name, list, loose }: ListOwnership): DomainNode {
  const { registry } = ctx.catalog;
  const owner = registry.get(name)!;
  return {
    kind: 'held',
    model: owner,
    list: owner.fields.get(list)!,
    rule: canAccessModel(ctx, owner, 'read') ? (getRuleTree(ctx, owner, 'read') ?? TRUE) : FALSE,
    loose: parseDomain(loose, model, registry).node,
  };
}

/** The rules that have a say in `operation` of the principal: those of everybody, and those of its groups. */
export function selectRules(
  rules: RecordRule[],
  principal: Principal,
  operation: Operation,
): { everybody: RecordRule[]; mine: RecordRule[] } {
  const asked = rules.filter((rule) => rule.operations.has(operation));
  return {
    everybody: asked.filter((rule) => rule.groups.length === 0),
    mine: asked.filter((rule) => rule.groups.some((group) => principal.groups.has(group))),
  };
}

function buildRule(
  ctx: Ctx,
  principal: Principal,
  model: Model,
  { everybody, mine }: ReturnType<typeof selectRules>,
): DomainNode | null {
  const tree = (rule: RecordRule) => parseRuleTree(ctx, principal, model, rule);
  const asked = and([...everybody.map(tree), ...(mine.length ? [or(mine.map(tree))] : [])]);
  return nullIfTrue(removeIdleCompanies(asked, ctx.catalog.companies));
}

/** A rule that has become senseless, such as one on a field that is gone, lets nothing through. */
export function parseRuleTree(ctx: Ctx, principal: Principal, model: Model, rule: RecordRule): DomainNode {
  try {
    return parseDomain(evaluateRule(rule.text, principal), model, ctx.catalog.registry).node;
  } catch (error) {
    ctx.log.warn({ err: error, rule: rule.id, model: model.name }, 'a record rule cannot be parsed');
    return FALSE;
  }
}
