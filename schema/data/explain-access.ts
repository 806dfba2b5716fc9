import { sql } from '../../src/db/sql.ts';
import {
  canAccessModel,
  findGroupsWithAccess,
  getRuleTree,
  parseRuleTree,
  selectRules,
} from '../../src/engine/access/access.ts';
import { createStatement, getModel } from '../../src/engine/access/create-statement.ts';
import type { RecordRule } from '../../src/engine/ctx/catalog.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { DomainNode } from '../../src/engine/domain/node.ts';
import { evaluateRule } from '../../src/engine/domain/rule-text.ts';
import type { AccessKind } from '../../src/engine/model/access-kind.ts';
import type { Model } from '../../src/engine/model/model.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { facadeResult } from '../../src/engine/operation/record-result.ts';
import { buildSourceSql } from '../../src/engine/sql/columns.ts';
import { getMainSource } from '../../src/engine/sql/statement.ts';
import { buildWhereSql } from '../../src/engine/sql/where.ts';
import { excludeIds } from '../../src/engine/value/exclude-ids.ts';
import { errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { parseOperation } from './access.ts';
import { AccessExplanation, type Explanation, type RuleExplanation } from './explain-types.ts';

export const explainAccess = defineOperation('explainAccess', {
  effects: ['reads'],
  address: '*/explain_access',
  policy: { auth: ['USER'], scope: 'read' },
  description:
    'Explains whether the caller may perform an operation on a model and on given records: the access ' +
    'right or record rule that decides, and the groups that would grant it. For records that the caller ' +
    'may not read, only the rule that hides them is named. Access administrators can explain another ' +
    "user's access and see all details.",
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    operation: arg.string({ defaultValue: 'read' }),
    userId: arg.recordId({ description: 'User whose access is explained. Defaults to the caller.' }),
  }),
  type: AccessExplanation,
  returns: facadeResult.json,
  async run(ctx, { model, ids, operation, userId }) {
    const kind = parseOperation(operation ?? 'read');
    return explainOperation(await createView(ctx, userId ?? null), getModel(ctx, model), ids, kind);
  },
});

/** The user whose access is explained. `all` is true if the caller may see the details of every record. */
interface ExplanationView {
  ctx: Ctx;
  all: boolean;
}

/**
 * @throws FORBIDDEN if the caller may not ask about other users, MISSING if the user does not exist or is not active
 */
async function createView(ctx: Ctx, userId: number | null): Promise<ExplanationView> {
  const mayAsk = ctx.sudo || (ctx.principal?.groups.has(ACCESS_GROUP) ?? false);
  if (userId === null) return { ctx, all: false };
  if (userId === ctx.principal?.userId) return { ctx, all: mayAsk };
  if (!mayAsk)
    throw errors.notAllowed("Only access rights administrators can explain another user's access (user_id).");
  const principal = await ctx.runtime.identity.principal(ctx.workspace.id, userId);
  if (!principal) throw errors.missing('res.users', [userId]);
  return { ctx: ctx.with({ principal }), all: true };
}

const ACCESS_GROUP = 'base.group_erp_manager';

async function explainOperation(
  { ctx, all }: ExplanationView,
  model: Model,
  recordIds: number[],
  operation: AccessKind,
): Promise<Explanation> {
  if (recordIds.length > limits.domain.values) throw errors.tooManyRecords(recordIds.length);
  const ids = [...new Set(recordIds)];
  const rights = (ctx.catalog.rights.get(model.name) ?? [])
    .filter((right) => right.operations.has(operation))
    .map(({ id, name, group }) => ({ id, name, group, grants: isCallerInGroup(ctx, group) }));
  const base = { operation, model: model.name, rights };
  if (!canAccessModel(ctx, model, operation)) return buildNoRightExplanation(ctx, model, base);
  const existingIds = await filterMatching(ctx, model, ids, null);
  const passedIds = await filterMatching(ctx, model, existingIds, getRuleTree(ctx, model, operation));
  const deniedIds = excludeIds(existingIds, passedIds);
  const visibleIds = all ? existingIds : await filterReadable(ctx, model, existingIds);
  const isShown = new Set(visibleIds);
  // The caller already knows that a record is unreadable, so the response may name the rules that hide it.
  const judgedIds = operation === 'read' ? existingIds : visibleIds;
  const rules = await explainRules(ctx, model, operation, judgedIds);
  const missingIds = excludeIds(ids, existingIds);
  return {
    allowed: deniedIds.length === 0,
    ...base,
    rules: rules.map((rule) => ({
      ...rule,
      passes: rule.passes.filter((id) => isShown.has(id)),
      refuses: rule.refuses.filter((id) => isShown.has(id)),
    })),
    missing: missingIds,
    refused: deniedIds,
    decided_by: findDecider(rights, rules, deniedIds, model),
    groups_that_would_help: deniedIds.length ? findUnrestrictedGroups(ctx, model, operation) : [],
    why: buildSentence(base, deniedIds.length, missingIds.length),
  };
}

const filterReadable = async (ctx: Ctx, model: Model, ids: number[]): Promise<number[]> =>
  canAccessModel(ctx, model, 'read') ? filterMatching(ctx, model, ids, getRuleTree(ctx, model, 'read')) : [];

const isCallerInGroup = ({ sudo, principal }: Ctx, group: string | null): boolean =>
  sudo || group === null || (principal?.groups.has(group) ?? false);

type ExplanationBase = Pick<Explanation, 'operation' | 'model' | 'rights'>;

const buildNoRightExplanation = (ctx: Ctx, model: Model, base: ExplanationBase): Explanation => ({
  allowed: false,
  ...base,
  rules: [],
  missing: [],
  refused: [],
  decided_by: { kind: 'right', ids: [] },
  groups_that_would_help: findGroupsWithAccess(ctx, model, base.operation).map((group) =>
    getGroupName(ctx, group),
  ),
  why: `None of the caller's access rights (ir.model.access) grants ${base.operation} on ${base.model}.`,
});

const getGroupName = (ctx: Ctx, group: string): string => ctx.catalog.groupNames.get(group) ?? group;

async function filterMatching(
  ctx: Ctx,
  model: Model,
  ids: number[],
  node: DomainNode | null,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const statement = createStatement(ctx);
  const source = getMainSource(model);
  const where = node ? sql` and ${buildWhereSql(statement, source, node)}` : sql.empty;
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select t.id from ${buildSourceSql(statement, source)} and t.id = any(${ids})${where}`,
  );
  const existingIds = new Set(rows.map((row) => row.id));
  return ids.filter((id) => existingIds.has(id));
}

async function explainRules(
  ctx: Ctx,
  model: Model,
  operation: AccessKind,
  ids: number[],
): Promise<RuleExplanation[]> {
  const { principal } = ctx;
  if (!principal || ctx.sudo) return [];
  const { everybody, ownRules } = selectRules(ctx.catalog.rules.get(model.name) ?? [], principal, operation);
  const explanations: RuleExplanation[] = [];
  for (const rule of [...everybody, ...ownRules]) {
    const passes = await filterMatching(ctx, model, ids, parseRuleTree(ctx, principal, model, rule));
    explanations.push({
      id: rule.id,
      name: rule.name,
      groups: rule.groups,
      domain: evaluateRule(rule.text, principal),
      passes,
      refuses: excludeIds(ids, passes),
    });
  }
  return explanations;
}

/**
 * Returns the deciding factor: the rights that grant access, the rules that deny it, or the document that the records
 * belong to.
 */
function findDecider(
  rights: Explanation['rights'],
  rules: RuleExplanation[],
  deniedIds: number[],
  model: Model,
): Explanation['decided_by'] {
  if (deniedIds.length === 0)
    return { kind: 'right', ids: rights.filter((right) => right.grants).map(({ id }) => id) };
  // One matching group rule suffices to allow a record.
  const helpedIds = new Set(rules.filter((rule) => rule.groups.length).flatMap((rule) => rule.passes));
  const deniedIdSet = new Set(deniedIds);
  const isDeciding = ({ refuses, groups }: RuleExplanation): boolean =>
    refuses.some((id) => deniedIdSet.has(id) && !(groups.length && helpedIds.has(id)));
  const decidingRules = rules.filter(isDeciding).map(({ id }) => id);
  return {
    kind: model.options.follows && decidingRules.length === 0 ? 'document' : 'rule',
    ids: decidingRules,
  };
}

/** Finds the groups whose rules allow all records, except the caller's own groups. */
function findUnrestrictedGroups(ctx: Ctx, model: Model, operation: AccessKind): string[] {
  const { principal } = ctx;
  if (!principal) return [];
  const isUnrestricted = (rule: RecordRule): boolean => {
    const tree = parseRuleTree(ctx, principal, model, rule);
    return rule.operations.has(operation) && tree.kind === 'const' && tree.value;
  };
  const groups = (ctx.catalog.rules.get(model.name) ?? [])
    .filter(isUnrestricted)
    .flatMap((rule) => rule.groups);
  return [...new Set(groups)]
    .filter((group) => !principal.groups.has(group))
    .map((group) => getGroupName(ctx, group));
}

function buildSentence({ operation, model }: ExplanationBase, deniedCount: number, missing: number): string {
  const missingNote = missing ? ` ${missing} of the records do not exist.` : '';
  if (deniedCount)
    return (
      `An access right grants ${operation} on ${model}, but record rules deny ${deniedCount} of the records to the ` +
      `caller.${missingNote}`
    );
  return `An access right grants ${operation} on ${model}, and no record rule denies it.${missingNote}`;
}
