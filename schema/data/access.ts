import { sql } from '../../src/db/sql.ts';
import {
  assertFieldAccess,
  assertModelAccess,
  canAccessField,
  canAccessModel,
} from '../../src/engine/access/access.ts';
import { getModel } from '../../src/engine/access/create-statement.ts';
import { assertRowsAllowed, filterReadableIds } from '../../src/engine/access/row-access.ts';
import { OPERATIONS } from '../../src/engine/ctx/catalog.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { AccessKind } from '../../src/engine/model/access-kind.ts';
import { isReturnedByDefault } from '../../src/engine/model/field.ts';
import type { Model } from '../../src/engine/model/model.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { facadeResult } from '../../src/engine/operation/record-result.ts';
import { AppError, errors } from '../../src/errors.ts';
import { selectMemberships } from '../base/memberships.ts';

// Access checks that clients make before an operation. Argument names and positions follow classic RPC (Odoo 19).

const reads: Policy = { auth: ['USER'], scope: 'read' };

export const recordHasAccess = defineOperation('recordHasAccess', {
  effects: ['reads'],
  address: '*/has_access',
  policy: reads,
  description: 'Checks whether the caller may perform an operation on a model, and on the given records.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    operation: arg.string({ required: true }),
  }),
  type: 'Boolean',
  run: (ctx, { model, ids, operation }) =>
    hasAccess(ctx, getModel(ctx, model), ids, parseOperation(operation)),
});

export const recordCheckAccessRights = defineOperation('recordCheckAccessRights', {
  effects: ['reads'],
  address: '*/check_access_rights',
  policy: reads,
  description:
    'Checks whether the caller may perform an operation on a model. Raises an error if not, unless ' +
    '`raise_exception` is false.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    operation: arg.string({ required: true }),
    raiseException: arg.boolean({
      defaultValue: true,
      description: 'True to raise an error instead of returning false.',
    }),
  }),
  type: 'Boolean',
  returns: facadeResult.null,
  run(ctx, { model: name, operation, raiseException: raises }) {
    const model = getModel(ctx, name);
    if (raises === false) return canAccessModel(ctx, model, parseOperation(operation));
    assertModelAccess(ctx, model, parseOperation(operation));
    return null;
  },
  answer: (_ctx, may) => may ?? true,
});

export const accessCheck = defineOperation('accessCheck', {
  effects: ['reads'],
  address: 'ir.model.access/check',
  policy: reads,
  description:
    'Checks whether the caller may perform an operation on a model. Raises an error if not, unless ' +
    '`raise_exception` is false.',
  args: (arg) => ({
    model: arg.string({ required: true, description: 'Technical name of the model.' }),
    mode: arg.string({ defaultValue: 'read', description: '`read`, `write`, `create` or `unlink`.' }),
    raiseException: arg.boolean({
      defaultValue: true,
      description: 'True to raise an error instead of returning false.',
    }),
  }),
  type: 'Boolean',
  run(ctx, { model: name, mode, raiseException: raises }) {
    const model = getModel(ctx, name);
    const operation = parseOperation(mode ?? 'read');
    if (raises !== false) assertModelAccess(ctx, model, operation);
    return canAccessModel(ctx, model, operation);
  },
});

export const recordCheckAccessRule = defineOperation('recordCheckAccessRule', {
  effects: ['reads'],
  address: '*/check_access_rule',
  policy: reads,
  description: 'Raises an error if a record rule forbids the operation on any of the given records.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    operation: arg.string({ required: true }),
  }),
  type: 'Boolean',
  returns: facadeResult.null,
  async run(ctx, { model, ids, operation }) {
    assertModelAccess(ctx, getModel(ctx, model), parseOperation(operation));
    await assertRowsAllowed(ctx, getModel(ctx, model), ids, parseOperation(operation));
    return null;
  },
  answer: (_ctx, may) => may ?? true,
});

export const recordCheckFieldAccess = defineOperation('recordCheckFieldAccess', {
  effects: ['reads'],
  address: '*/check_field_access_rights',
  policy: reads,
  description:
    'Returns the given fields, or by default all fields that the caller may access. Raises an error if the ' +
    'caller may not access one of `field_names`.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    operation: arg.string({ required: true }),
    fieldNames: arg.stringList({
      description: 'Fields to check. If empty, all accessible fields are returned.',
    }),
  }),
  type: ['String'],
  run: (ctx, { model, operation, fieldNames: names }) =>
    getAllowedFields(ctx, getModel(ctx, model), parseOperation(operation), names ?? []),
});

export const userHasGroup = defineOperation('userHasGroup', {
  effects: ['reads'],
  address: 'res.users/has_group',
  policy: reads,
  description: 'Checks whether a user is a member of a group, directly or through another group.',
  args: (arg) => ({
    ids: arg.recordIds({
      required: true,
      description: 'User to check. Pass one id, or an empty list for the calling user.',
    }),
    groupExtId: arg.string({
      required: true,
      description: 'External id of the group, such as `base.group_user`.',
    }),
  }),
  type: 'Boolean',
  run: (ctx, { ids, groupExtId: group }) => hasGroup(ctx, ids, group),
});

/** @throws BAD_VALUE unless `name` is one of the four access kinds */
export function parseOperation(name: string): AccessKind {
  const operation = OPERATIONS.find((operation) => operation === name);
  if (!operation) throw errors.badValue(`Invalid access mode: ${name.slice(0, 40)}`);
  return operation;
}

function getAllowedFields(ctx: Ctx, model: Model, operation: AccessKind, names: string[]): string[] {
  if (names.length === 0)
    return [...model.fields.values()]
      .filter((field) => isReturnedByDefault(field) && canAccessField(ctx, field))
      .map((field) => field.name);
  for (const name of names) {
    const field = model.fields.get(name);
    if (!field) throw errors.unknownField(name, model.name, 'on');
    assertFieldAccess(ctx, model, field, operation);
  }
  return names;
}

async function hasAccess(ctx: Ctx, model: Model, ids: number[], operation: AccessKind): Promise<boolean> {
  if (!canAccessModel(ctx, model, operation)) return false;
  if (ids.length === 0) return true;
  try {
    await assertRowsAllowed(ctx, model, ids, operation);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'ACCESS_ERROR') return false;
    throw error;
  }
}

async function hasGroup(ctx: Ctx, ids: number[], group: string): Promise<boolean> {
  if (ids.length > 1) throw errors.notSingle('res.users', ids);
  const id = ids[0] ?? ctx.principal!.userId;
  if (id === ctx.principal!.userId) return ctx.principal!.groups.has(group);
  assertModelAccess(ctx, getModel(ctx, 'res.users'), 'read');
  if ((await filterReadableIds(ctx, 'res.users', [id!])).length === 0) return false;
  return ctx.db.value<boolean>(
    sql`select exists (
       select 1 from (${selectMemberships(ctx.workspace.id, id)}) m
       join res_groups g on g.workspace_id = ${ctx.workspace.id} and g.id = m.gid where g.external_id = ${group}
     )`,
  );
}
