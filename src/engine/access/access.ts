import { memoizePerObject } from '../../cache.ts';
import { errors } from '../../errors.ts';
import type { RecordRule } from '../ctx/catalog.ts';
import { type Ctx, requestReferenceRows } from '../ctx/ctx.ts';
import { and, type DomainNode, FALSE, or, TRUE } from '../domain/node.ts';
import { parseDomain } from '../domain/parse.ts';
import { removeIneffectiveCompanies } from '../domain/rule-companies.ts';
import { evaluateRule } from '../domain/rule-text.ts';
import type { AccessKind } from '../model/access-kind.ts';
import type { Field } from '../model/field.ts';
import type { ListOwnership, Model } from '../model/model.ts';
import { hasToolGroup, type Principal } from '../model/principal.ts';

const ACTION_WORDS: Record<AccessKind, string> = {
  create: 'create',
  read: 'access',
  write: 'modify',
  unlink: 'delete',
};

/** Returns true if an access right grants the principal `operation` on the model. Record rules are not checked. */
export function canAccessModel(ctx: Ctx, model: Model, operation: AccessKind): boolean {
  if (ctx.sudo) return true;
  const { principal } = ctx;
  if (!principal || !isInScope(principal, operation) || !canReachModel(principal, model)) return false;
  if (principal.kind === 'workspace') return canTeamAccess(model, operation);
  const rights = ctx.catalog.rights.get(model.name);
  return (
    rights?.some((right) => right.operations.has(operation) && isRightGranted(right.group, principal)) ??
    false
  );
}

/** A send-only key cannot read anything, not even the result of an operation. */
export const isInScope = ({ scopes }: Principal, operation: AccessKind): boolean =>
  operation !== 'read' || !scopes || scopes.includes('read') || scopes.includes('write');

/** Models in the `data` group are available to every agent, because all tools need them. */
export const canReachModel = (principal: Principal, { options: { group } }: Model): boolean =>
  group === 'data' || hasToolGroup(principal, group);

const canTeamAccess = ({ options: { team = '' } }: Model, operation: AccessKind): boolean =>
  team.includes(OPERATION_LETTERS[operation]);

const OPERATION_LETTERS: Record<AccessKind, string> = { create: 'c', read: 'r', write: 'w', unlink: 'u' };

/** A right without a group applies to all users. */
const isRightGranted = (group: string | null, principal: Principal): boolean =>
  group === null || principal.groups.has(group);

/** @throws ACCESS_ERROR if no right grants the operation to the principal */
export function assertModelAccess(ctx: Ctx, model: Model, operation: AccessKind): void {
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

export function findGroupsWithAccess(ctx: Ctx, model: Model, operation: AccessKind): string[] {
  const rights = ctx.catalog.rights.get(model.name) ?? [];
  const groups = rights.filter((right) => right.operations.has(operation)).map((right) => right.group);
  return [...new Set(groups.filter((group) => group !== null))];
}

/** Checks the field's groups, which limit both reading and writing. A field without groups is open to everyone. */
export function canAccessField(ctx: Ctx, field: Field): boolean {
  return (
    ctx.sudo || field.groups.length === 0 || field.groups.some((group) => ctx.principal?.groups.has(group))
  );
}

/** @throws ACCESS_ERROR if the field's groups exclude the principal */
export function assertFieldAccess(ctx: Ctx, model: Model, field: Field, operation: AccessKind): void {
  if (!canAccessField(ctx, field)) throw errors.fieldAccess(field.name, model.label, model.name, operation);
}

/**
 * Checks that the caller may filter, sort or group by the field. The result reveals the field's values, so this
 * requires read access.
 * @throws ACCESS_ERROR
 */
export function assertComparable(ctx: Ctx, model: Model, field: Field): void {
  assertFieldAccess(ctx, model, field, 'read');
  if (ctx.mask && field.masked && !ctx.sudo) throw errors.maskedField(field.label, field.name, model.name);
}

type RuleCache = WeakMap<Principal, Partial<Record<AccessKind, DomainNode | null>>>;

const getRuleCache = memoizePerObject((_model: Model): RuleCache => new WeakMap());

/**
 * Builds the condition on the records that the principal may access: every rule without a group, at least one rule from
 * the principal's groups, and the restrictions in the model's options. Null if access is unrestricted.
 */
export function getRuleTree(ctx: Ctx, model: Model, operation: AccessKind): DomainNode | null {
  const { principal } = ctx;
  if (ctx.sudo || !principal) return null;
  const rules = ctx.catalog.rules.get(model.name) ?? [];
  const { follows, own } = model.options;
  if (rules.length === 0 && !follows && !own && principal.domainId === null) return null;
  const cache = getRuleCache(model).get(principal) ?? {};
  if (cache[operation] === undefined) {
    const rule = buildRulesNode(ctx, principal, model, selectRules(rules, principal, operation));
    const parts = [
      buildSendingDomainNode(ctx, principal, model),
      follows ? buildFollowedRecordNode(ctx, principal, model, operation) : TRUE,
      own ? buildOwnershipNode(ctx, own(principal), model) : TRUE,
      rule ?? TRUE,
    ];
    cache[operation] = omitTrueNode(and(parts));
    getRuleCache(model).set(principal, cache);
  }
  return cache[operation];
}

const omitTrueNode = (node: DomainNode): DomainNode | null =>
  node.kind === 'const' && node.value ? null : node;

const buildOwnershipNode = ({ catalog }: Ctx, domain: unknown[] | false, model: Model): DomainNode =>
  domain ? parseDomain(domain, model, catalog.registry).node : FALSE;

/** Restricts a key that is bound to a sending domain to that domain's records. */
function buildSendingDomainNode({ catalog }: Ctx, { domainId }: Principal, model: Model): DomainNode {
  const { boundBy } = model.options;
  if (domainId === null || boundBy === null) return TRUE;
  if (boundBy === undefined) return FALSE;
  return parseDomain([[boundBy, '=', domainId]], model, catalog.registry).node;
}

/**
 * Builds the condition for records that inherit access from the record they follow: reading requires read access to
 * that record, and all other operations require write access. `also` matches additional records.
 */
function buildFollowedRecordNode(
  ctx: Ctx,
  principal: Principal,
  model: Model,
  operation: AccessKind,
): DomainNode {
  const { also, heldBy, ...fields } = model.options.follows!;
  const needed = operation === 'read' ? 'read' : 'write';
  const unrestrictedModels: string[] = [];
  const restrictedModels: { model: Model; rule: DomainNode }[] = [];
  for (const target of ctx.catalog.registry.values()) {
    if (target.options.follows || !canAccessModel(ctx, target, needed)) continue;
    const rule = getRuleTree(ctx, target, needed);
    if (rule) restrictedModels.push({ model: target, rule });
    else unrestrictedModels.push(target.name);
  }
  const node = parseDomain(also(principal, operation), model, ctx.catalog.registry).node;
  const holderNode = heldBy?.(principal);
  const followsNode: DomainNode = { kind: 'follows', fields, unrestrictedModels, restrictedModels };
  return or([
    node,
    holderNode ? and([followsNode, buildListOwnerNode(ctx, model, holderNode)]) : followsNode,
  ]);
}

/**
 * Matches records that are in the list field of a readable owner, and records that are in no list and match `loose`.
 */
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

export function selectRules(
  rules: RecordRule[],
  principal: Principal,
  operation: AccessKind,
): { everybody: RecordRule[]; ownRules: RecordRule[] } {
  const matchingRules = rules.filter((rule) => rule.operations.has(operation));
  return {
    everybody: matchingRules.filter((rule) => rule.groups.length === 0),
    ownRules: matchingRules.filter((rule) => rule.groups.some((group) => principal.groups.has(group))),
  };
}

function buildRulesNode(
  ctx: Ctx,
  principal: Principal,
  model: Model,
  { everybody, ownRules }: ReturnType<typeof selectRules>,
): DomainNode | null {
  const parseRuleNode = (rule: RecordRule) => parseRuleTree(ctx, principal, model, rule);
  const domain = and([
    ...everybody.map(parseRuleNode),
    ...(ownRules.length ? [or(ownRules.map(parseRuleNode))] : []),
  ]);
  return omitTrueNode(removeIneffectiveCompanies(domain, ctx.catalog.companies));
}

/** Parses a rule. An invalid rule, for example one on a deleted field, matches no records. */
export function parseRuleTree(ctx: Ctx, principal: Principal, model: Model, rule: RecordRule): DomainNode {
  try {
    return parseDomain(evaluateRule(rule.text, principal), model, ctx.catalog.registry).node;
  } catch (error) {
    ctx.log.warn({ err: error, rule: rule.id, model: model.name }, 'a record rule cannot be parsed');
    return FALSE;
  }
}
