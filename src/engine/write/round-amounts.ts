import { type Sql, sql } from '../../db/sql.ts';
import { createStatement } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { getRole } from '../model/roles.ts';
import { buildColumnSql, buildScopeSql, buildSourceSql } from '../sql/columns.ts';
import { buildRoundedSql } from '../sql/money-sql.ts';
import { addSource, getMainSource, type Statement } from '../sql/statement.ts';
import type { WritableRow } from './row.ts';

// Amounts are stored with the precision of their currency, or as given if they have no currency.

const isFractionalAmount = (field: Field | undefined, value: unknown): boolean =>
  field?.type === 'monetary' &&
  field.currency !== undefined &&
  typeof value === 'number' &&
  !Number.isInteger(value);

export async function roundAmounts(
  ctx: Ctx,
  model: Model,
  ids: number[],
  rows: WritableRow[],
): Promise<void> {
  for (const field of model.fields.values()) {
    const currency = field.currency ? model.fields.get(field.currency) : undefined;
    if (
      field.type !== 'monetary' ||
      field.related ||
      field.computed ||
      currency?.relation !== getRole('currency')
    )
      continue;
    const isWritten = rows.some(({ columns, custom }) =>
      isFractionalAmount(field, columns.get(field) ?? custom[field.name]),
    );
    if (isWritten) await roundField(ctx, model, field, currency, ids);
  }
}

async function roundField(
  ctx: Ctx,
  model: Model,
  field: Field,
  currency: Field,
  ids: number[],
): Promise<void> {
  const statement = createStatement(ctx);
  const source = getMainSource(model);
  const value = buildColumnSql(statement, source, field);
  const roundedSql = buildRoundedSql(
    value,
    buildRoundingStepSql(statement, buildColumnSql(statement, source, currency)),
  );
  const set = field.custom
    ? sql`custom = jsonb_set(t.custom, array[${sql.literal(field.name)}], (${roundedSql})::text::jsonb)`
    : sql`${sql.id(field.name)} = ${roundedSql}`;
  await ctx.db.rows(
    sql`update ${sql.id(model.table)} t set ${set}
     where ${buildScopeSql(statement, source)} and t.id = any(${ids}) and ${roundedSql} <> ${value}`,
  );
}

/** Builds SQL for the smallest unit of the currency that `link` references. Null if there is no currency. */
function buildRoundingStepSql(statement: Statement, link: Sql): Sql {
  const currency = addSource(statement, statement.registry.get(getRole('currency'))!);
  const step = buildColumnSql(statement, currency, currency.model.fields.get('rounding')!);
  return sql`(select ${step} from ${buildSourceSql(statement, currency)} and ${currency.row}.id = ${link})`;
}
