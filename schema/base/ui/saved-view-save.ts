import { NOW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { assertVersion, describeExpectedVersion } from '../../../src/engine/write/versions.ts';
import { errors } from '../../../src/errors.ts';
import { isObject, toStorableJson } from '../../../src/json.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { checkColumns, checkListArgument, MAX_VIEW_COLUMNS } from './view-parts.ts';

const MAX_VIEWS_PER_USER = 500;
const MAX_VIEW_NAME_CHARS = 200;
/** Applies separately to a view's conditions, sort order, groups and client data. */
const MAX_VIEW_PART_BYTES = 16 * 1024;

const VIEW_KINDS = {
  LIST: { value: 'list', description: 'Records as rows of a table.' },
  KANBAN: { value: 'kanban', description: 'Records as cards, with a column for each group.' },
  CALENDAR: { value: 'calendar', description: 'Records in a calendar.' },
  PIVOT: { value: 'pivot', description: 'Aggregates in a table, with groups as rows and columns.' },
  CHART: { value: 'chart', description: 'Aggregates as a chart.' },
} as const;

const SavedViewInputType = builder.inputType('SavedViewInput', {
  description: 'A saved view with all its settings.',
  fields: (t) => ({
    name: t.string({ required: true, description: `Name, up to ${MAX_VIEW_NAME_CHARS} characters.` }),
    model: t.string({ required: true, description: 'Technical name of the model, such as `res.partner`.' }),
    kind: t.field({
      type: builder.enumType('ViewKind', { description: 'Layout of the records.', values: VIEW_KINDS }),
      required: true,
      description: 'Layout of the records.',
    }),
    where: t.field({
      type: 'JSON',
      description: "Conditions, in the format of the `where` argument of the model's list query.",
    }),
    orderBy: t.field({
      type: 'JSON',
      description: "Sort order, in the format of the `orderBy` argument of the model's list query.",
    }),
    groupBy: t.field({
      type: 'JSON',
      description: "Groups, in the format of the `groupBy` argument of the model's group query.",
    }),
    columns: t.stringList({
      required: true,
      description:
        `Columns of the view, in order: up to ${MAX_VIEW_COLUMNS} fields of the record type. A path such as ` +
        '`country.name` refers to a field of a related record.',
    }),
    state: t.field({
      type: 'JSON',
      description:
        'Other client data stored with the view, such as calendar settings: any object of up to ' +
        `${MAX_VIEW_PART_BYTES} bytes. It is returned unchanged.`,
    }),
    isShared: t.boolean({
      defaultValue: false,
      description: 'True if every user of the workspace can see the view.',
    }),
    isDefault: t.boolean({
      defaultValue: false,
      description:
        "True if the model's lists open with this view. A shared default applies to users without their " +
        'own default view, and only administrators can set it.',
    }),
  }),
});

const returnSavedView = returnRecord('svc.saved.view', facadeResult.id, (id: number) => id);

export const savedViewSave = defineOperation('savedViewSave', {
  effects: ['writes'],
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Saves a new view of a model, or replaces one of your views. Conditions, sort order, groups and ' +
    'columns can only use fields that you can access. Administrators can also replace any shared view.',
  args: (arg) => ({
    id: arg.recordId({ description: 'View to replace. By default, a new view is created.' }),
    input: arg({ type: SavedViewInputType, required: true, description: 'The view.' }),
    expectedVersion: arg.int({ description: describeExpectedVersion('view') }),
  }),
  ...returnSavedView,
  run: (ctx, { id, input, expectedVersion }) =>
    ctx.tx((tx) => save(tx, id ?? null, input, expectedVersion ?? null)),
});

export const savedViewDelete = defineOperation('savedViewDelete', {
  effects: ['writes', 'deletes'],
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Deletes one of your views. Administrators can delete any shared view, and only they can delete the ' +
    'default view of all users.',
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'View.' }) }),
  type: 'Boolean',
  run: (ctx, { id }) =>
    ctx.tx(async (tx) => {
      await lockSavedViews(tx);
      await checkViewOwner(tx, id);
      await tx.db.rows(
        sql`delete from svc_saved_view where workspace_id = ${tx.workspace.id} and id = ${id} returning id`,
      );
      return true;
    }),
});

type SavedViewInput = typeof SavedViewInputType.$inferInput;

async function save(
  ctx: Ctx,
  id: number | null,
  input: SavedViewInput,
  expectedVersion: number | null,
): Promise<number> {
  assertModelAccess(ctx, getModel(ctx, 'svc.saved.view'), 'read');
  const view = await validateView(ctx, input);
  if (view.isShared && view.isDefault && !isAdmin(ctx))
    throw errors.notAllowed('Only an administrator can set the default view for all users.');
  await lockSavedViews(ctx);
  const owner = id === null ? ctx.principal!.userId! : await checkViewOwner(ctx, id, expectedVersion);
  if (id === null) await rejectTooManyViews(ctx);
  const workspace = sql.param(ctx.workspace.id);
  const { name, model, kind, where, orderBy, groupBy, columns, state, isShared, isDefault } = view;
  if (isDefault)
    await ctx.db.rows(
      sql`update svc_saved_view set is_default = false, row_version = row_version + 1
       where workspace_id = ${workspace} and model = ${model} and is_default and is_shared = ${isShared}
         and (is_shared or user_id = ${owner}) and id is distinct from ${id}`,
    );
  const number = id ?? (await allocateId(ctx, 'svc_saved_view'));
  await ctx.db.rows(
    sql`insert into svc_saved_view (workspace_id, id, user_id, name, model, kind, "where", order_by, group_by, columns,
       state, is_shared, is_default, write_date)
     values (${workspace}, ${number}, ${owner}, ${name}, ${model}, ${kind}, ${where}::jsonb, ${orderBy}::jsonb,
       ${groupBy}::jsonb, ${columns}::text[], ${state}::jsonb, ${isShared}, ${isDefault}, ${NOW})
     on conflict (workspace_id, id) do update set name = excluded.name, model = excluded.model, kind = excluded.kind,
       "where" = excluded."where", order_by = excluded.order_by, group_by = excluded.group_by,
       columns = excluded.columns, state = excluded.state, is_shared = excluded.is_shared,
       is_default = excluded.is_default, write_date = excluded.write_date,
       row_version = svc_saved_view.row_version + 1`,
  );
  return number;
}

/** @throws BAD_VALUE that names the invalid part */
async function validateView(ctx: Ctx, input: SavedViewInput) {
  const name = input.name.trim().replaceAll('\0', '\uFFFD').toWellFormed();
  if (name === '' || name.length > MAX_VIEW_NAME_CHARS)
    throw errors.badValue(`name: must have 1 to ${MAX_VIEW_NAME_CHARS} characters`);
  checkColumns(ctx, input.model, input.columns);
  const part = async (key: 'where' | 'orderBy' | 'groupBy') => {
    const value = input[key] ?? null;
    if (value === null) return null;
    await checkListArgument(ctx, input.model, key, value);
    return serializePart(key, key === 'where' ? value : [value].flat());
  };
  const state = input.state ?? null;
  if (state !== null && !isObject(state)) throw errors.badValue('state: must be an object');
  return {
    name,
    model: input.model,
    kind: input.kind,
    where: await part('where'),
    orderBy: await part('orderBy'),
    groupBy: await part('groupBy'),
    columns: [...input.columns],
    state: state && serializePart('state', state),
    isShared: input.isShared === true,
    isDefault: input.isDefault === true,
  };
}

function serializePart(key: string, value: unknown): string {
  const text = toStorableJson(value);
  if (Buffer.byteLength(text) > MAX_VIEW_PART_BYTES)
    throw errors.badValue(`${key}: must be at most ${MAX_VIEW_PART_BYTES} bytes`);
  return text;
}

/**
 * Returns the owner of a view that the caller may change.
 * @throws NOT_FOUND for any other view, FORBIDDEN if only administrators may change it, because it is the default of
 * all users, STALE
 */
async function checkViewOwner(ctx: Ctx, id: number, expectedVersion: number | null = null): Promise<number> {
  const [view] = await ctx.db.rows<{ user_id: number; isChosen: boolean; version: number }>(
    sql`select user_id, is_shared and is_default as "isChosen", row_version as version from svc_saved_view
     where workspace_id = ${ctx.workspace.id} and id = ${id}
       and (user_id = ${ctx.principal!.userId} or (is_shared and ${isAdmin(ctx)}::boolean))`,
  );
  if (!view) throw errors.notFound('Saved view');
  if (view.isChosen && !isAdmin(ctx))
    throw errors.notAllowed(
      'Only an administrator can change the default view for all users. Save another view instead.',
    );
  assertVersion('view', view.version, expectedVersion);
  return view.user_id;
}

/** Serializes changes in a workspace, so that concurrent changes cannot exceed the limit or set two defaults. */
const lockSavedViews = (ctx: Ctx): Promise<unknown> =>
  ctx.db.rows(sql`select pg_advisory_xact_lock(hashtext('saved views'), ${ctx.workspace.id}::int)`);

async function rejectTooManyViews(ctx: Ctx): Promise<void> {
  const count = await ctx.db.value<number>(
    sql`select count(*)::int from svc_saved_view
     where workspace_id = ${ctx.workspace.id} and user_id = ${ctx.principal!.userId}`,
  );
  if (count >= MAX_VIEWS_PER_USER)
    throw errors.user(`A user can save at most ${MAX_VIEWS_PER_USER} views. Delete some first.`);
}

const isAdmin = ({ principal }: Ctx): boolean => principal!.groups.has(ADMIN_GROUP);
