import { sql } from '../../src/db/sql.ts';
import {
  canAccessModel,
  findGroupsWithAccess,
  getRuleTree,
  selectRules,
} from '../../src/engine/access/access.ts';
import { createStatement, getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { getModelLabel, getRequestedLanguage, labelsArgument } from '../../src/engine/describe/labels.ts';
import type { AccessKind } from '../../src/engine/model/access-kind.ts';
import type { Model } from '../../src/engine/model/model.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { buildSourceSql } from '../../src/engine/sql/columns.ts';
import { getMainSource } from '../../src/engine/sql/statement.ts';
import { buildWhereSql } from '../../src/engine/sql/where.ts';
import { errors } from '../../src/errors.ts';
import { type AccessGrant, ModelAccessOverview, UserAccessOverview } from './access-overview-types.ts';

// Lists the users who can access a model or record, and the models that a user can access, for access rights
// administrators.

/** Maximum number of users or models per page. */
const MAX_ACCESS_ROWS = 50;

const policy: Policy = { auth: ['USER'], scope: 'read', access: ['ir.model.access', 'write'] };

export const accessOfModel = defineOperation('accessOfModel', {
  effects: ['reads'],
  policy,
  description:
    "Returns each active user's access to a model's records, or to one record: the groups that grant it, " +
    'the rules that limit it, and the reason if it is denied. Only access rights administrators can call ' +
    'it.',
  args: (arg) => ({
    model: arg.string({ required: true, description: 'Technical name of the model.' }),
    id: arg.recordId({
      description: 'A record of the model. If omitted, access to the model as a whole is returned.',
    }),
    first: arg.int({ description: `Users per page. The default and maximum is ${MAX_ACCESS_ROWS}.` }),
    after: arg.id({ description: 'Value of `next` on the previous page.' }),
  }),
  type: ModelAccessOverview.ref,
  async run(ctx, { model: name, id, first, after }) {
    checkAccessAdministrator(ctx);
    const model = getModel(ctx, name);
    const pageSize = parsePageSize(first);
    const last = /^\d{1,9}$/.test(String(after ?? 0)) ? Number(after ?? 0) : 0;
    const userRows = await ctx.db.rows<{ id: number }>(
      sql`select u.id from res_users u where u.workspace_id = ${ctx.workspace.id} and u.active and u.id > ${last}
       order by u.id limit ${pageSize + 1}`,
    );
    const page = userRows.slice(0, pageSize);
    const users = [];
    for (const { id: userId } of page) {
      const userCtx = await createUserCtx(ctx, userId);
      if (userCtx)
        users.push({
          userId,
          ...getUserNames(userCtx),
          grants: await computeGrants(userCtx, model, id ?? null),
        });
    }
    return {
      model: name,
      recordId: id ?? null,
      users,
      next: userRows.length > pageSize ? page.at(-1)!.id : null,
    };
  },
});

export const accessOfUser = defineOperation('accessOfUser', {
  effects: ['reads'],
  policy,
  description:
    "Returns a user's access to the records of each model: the groups that grant it, the rules that limit " +
    'it, and the reason if it is denied. Only access rights administrators can call it.',
  args: (arg) => ({
    userId: arg.recordId({ required: true, description: 'User whose access is returned.' }),
    first: arg.int({ description: `Models per page. The default and maximum is ${MAX_ACCESS_ROWS}.` }),
    after: arg.id({ description: 'Value of `next` on the previous page.' }),
    lang: arg.string(labelsArgument),
  }),
  type: UserAccessOverview.ref,
  async run(ctx, { userId, first, after, lang }) {
    checkAccessAdministrator(ctx);
    const userCtx = await createUserCtx(ctx, userId);
    if (!userCtx) throw errors.missing('res.users', [userId]);
    const pageSize = parsePageSize(first);
    const names = [...ctx.catalog.registry.keys()].sort().filter((name) => name > String(after ?? ''));
    const page = names.slice(0, pageSize);
    const language = getRequestedLanguage(ctx, lang);
    const models = [];
    for (const name of page) {
      const model = getModel(ctx, name);
      models.push({
        model: name,
        label: getModelLabel(model, language),
        grants: await computeGrants(userCtx, model, null),
      });
    }
    return { userId, ...getUserNames(userCtx), models, next: names.length > pageSize ? page.at(-1)! : null };
  },
});

const ACCESS_GROUP = 'base.group_erp_manager';

function checkAccessAdministrator({ principal }: Ctx): void {
  if (!principal?.groups.has(ACCESS_GROUP))
    throw errors.notAllowed("Only access rights administrators can view users' access.");
}

function parsePageSize(first: number | null | undefined): number {
  const pageSize = first ?? MAX_ACCESS_ROWS;
  if (pageSize < 1 || pageSize > MAX_ACCESS_ROWS)
    throw errors.badValue(`first: must be from 1 to ${MAX_ACCESS_ROWS}`);
  return pageSize;
}

/** Returns null if the user is not active. */
async function createUserCtx(ctx: Ctx, userId: number): Promise<Ctx | null> {
  const principal = await ctx.runtime.identity.principal(ctx.workspace.id, userId);
  return principal && ctx.with({ principal });
}

const getUserNames = ({ principal }: Ctx) => ({ login: principal!.login, name: principal!.name });

const OPERATIONS: readonly AccessKind[] = ['read', 'create', 'write', 'unlink'];

/** Returns the access of the context's user. @throws MISSING if the record does not exist */
async function computeGrants(ctx: Ctx, model: Model, id: number | null): Promise<AccessGrant[]> {
  const passes = id === null ? null : await checkRecordAccess(ctx, model, id);
  return OPERATIONS.map((operation) => {
    const rights = (ctx.catalog.rights.get(model.name) ?? []).filter((right) =>
      right.operations.has(operation),
    );
    const groups = rights
      .filter(({ group }) => group === null || ctx.principal!.groups.has(group))
      .map(({ group }) => (group === null ? null : getGroupName(ctx, group)));
    const hasRight = canAccessModel(ctx, model, operation);
    const isLimited = hasRight && getRuleTree(ctx, model, operation) !== null;
    const rules = isLimited ? getRuleNames(ctx, model, operation) : [];
    const isAllowed = hasRight && (passes === null || passes[operation]);
    return {
      operation,
      allowed: isAllowed,
      isLimited,
      groups: [...new Set(groups.filter((group) => group !== null))],
      isForEverybody: groups.includes(null),
      rules,
      why: isAllowed ? null : findDenialReason(ctx, model, operation, { may: hasRight, rules }),
    };
  });
}

function findDenialReason(
  ctx: Ctx,
  model: Model,
  operation: AccessKind,
  { may: hasRight, rules }: { may: boolean; rules: string[] },
): string {
  if (hasRight)
    return rules.length > 0
      ? `Record rules hide the record from the user: ${rules.join(', ')}.`
      : 'The record belongs to another record that the user may not access.';
  const grantingGroups = findGroupsWithAccess(ctx, model, operation).map((group) => getGroupName(ctx, group));
  const help = grantingGroups.length > 0 ? `; these would: ${grantingGroups.join(', ')}` : '';
  return `None of the user's groups grants ${operation} on ${model.name}${help}.`;
}

function getRuleNames(ctx: Ctx, model: Model, operation: AccessKind): string[] {
  const { everybody, ownRules } = selectRules(
    ctx.catalog.rules.get(model.name) ?? [],
    ctx.principal!,
    operation,
  );
  return [...everybody, ...ownRules].map(({ name }) => name);
}

const getGroupName = (ctx: Ctx, group: string): string => ctx.catalog.groupNames.get(group) ?? group;

/** Determines which operations the record rules allow on a record. @throws MISSING */
async function checkRecordAccess(ctx: Ctx, model: Model, id: number): Promise<Record<AccessKind, boolean>> {
  const statement = createStatement(ctx);
  const source = getMainSource(model);
  const from = buildSourceSql(statement, source);
  const columns = OPERATIONS.map((operation) => {
    const tree = getRuleTree(ctx, model, operation);
    return sql`((${tree ? buildWhereSql(statement, source, tree) : sql`true`}) is true) as ${sql.id(operation)}`;
  });
  const [row] = await ctx.db.rows<Record<AccessKind, boolean>>(
    sql`select ${sql.join(columns)} from ${from} and t.id = ${id}`,
  );
  if (!row) throw errors.missing(model.name, [id]);
  return row;
}
