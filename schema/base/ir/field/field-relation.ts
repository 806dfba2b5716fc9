import { sql } from '../../../../src/db/sql.ts';
import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../../src/errors.ts';
import { loadWorkspaceRows } from '../code-records.ts';

interface RelationFieldRow {
  model: string;
  name: string;
  ttype: string;
  relation: string | null;
  relation_field: string | null;
  related: string | null;
  currency_field: string | null;
}

/** Checks that the models and fields named by a field exist. They may have been added in the same transaction. */
export async function checkRelations(ctx: Ctx, ids: number[]): Promise<void> {
  const columns = sql`model, name, ttype, relation, relation_field, related, currency_field`;
  for (const field of await loadWorkspaceRows<RelationFieldRow>(ctx, 'ir_model_fields', columns, ids)) {
    if (field.relation && !(await hasModel(ctx, field.relation)))
      throw errors.validation(
        `The 'relation' of the field ${field.name} must be an existing model, not ${field.relation}.`,
      );
    if (field.ttype === 'one2many') await checkInverse(ctx, field);
    if (field.related) await checkRelated(ctx, field, field.related);
    if (field.currency_field) await checkCurrency(ctx, field, field.currency_field);
  }
}

async function checkInverse(
  ctx: Ctx,
  { model, name, relation, relation_field: inverse }: RelationFieldRow,
): Promise<void> {
  const field = inverse ? await findField(ctx, relation!, inverse) : undefined;
  if (field?.ttype === 'many2one' && field.relation === model) return;
  throw errors.user(
    `The 'relation_field' of the field ${name} must be a many2one field of ${relation} that refers to ${model}, ` +
      `but it is ${inverse || 'empty'}.`,
  );
}

const LIST_TYPES = ['one2many', 'many2many'];

async function checkRelated(ctx: Ctx, field: RelationFieldRow, path: string): Promise<void> {
  const [link, target, ...rest] = path.split('.');
  const linkField = await findField(ctx, field.model, link!);
  const targetField =
    linkField?.ttype === 'many2one' &&
    target &&
    !rest.length &&
    (await findField(ctx, linkField.relation!, target));
  if (!targetField)
    throw errors.validation(
      `The 'related' path of the field ${field.name} must consist of a many2one field and a field of its model, ` +
        'such as partner_id.name.',
    );
  if (targetField.secret)
    throw errors.validation(
      `The 'related' path of the field ${field.name} ends with ${target}, which cannot be read.`,
    );
  if (
    targetField.ttype !== field.ttype ||
    LIST_TYPES.includes(targetField.ttype) ||
    (targetField.relation ?? null) !== (field.relation ?? null)
  )
    throw errors.validation(
      `The field ${field.name} must have the same type as its related field, which cannot be a list.`,
    );
}

async function checkCurrency(
  ctx: Ctx,
  { model, name, ttype }: RelationFieldRow,
  currency: string,
): Promise<void> {
  const field = ttype === 'monetary' ? await findField(ctx, model, currency) : undefined;
  if (field?.relation !== 'res.currency')
    throw errors.validation(
      `The 'currency_field' of the field ${name} must be a many2one field of the same model that refers to ` +
        'res.currency.',
    );
}

async function hasModel(ctx: Ctx, model: string): Promise<boolean> {
  if (ctx.catalog.registry.has(model)) return true;
  const rows = await ctx.db.rows(
    sql`select 1 from ir_model where workspace_id = ${ctx.workspace.id} and model = ${model}`,
  );
  return rows.length > 0;
}

interface KnownField {
  ttype: string;
  relation?: string | null;
  secret?: boolean;
}

async function findField(ctx: Ctx, model: string, name: string): Promise<KnownField | undefined> {
  const targetField = ctx.catalog.registry.get(model)?.fields.get(name);
  if (targetField)
    return { ttype: targetField.type, relation: targetField.relation, secret: targetField.secret };
  const [row] = await ctx.db.rows<KnownField>(
    sql`select ttype, relation from ir_model_fields
     where workspace_id = ${ctx.workspace.id} and model = ${model} and name = ${name}`,
  );
  return row;
}
