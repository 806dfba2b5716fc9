import { type Sql, sql } from '../../db/sql.ts';
import { newStatement } from '../access/reader.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { roleOf } from '../model/roles.ts';
import { columnSql, scopeSql, sourceSql } from '../sql/columns.ts';
import { roundedSql } from '../sql/money-sql.ts';
import { otherRows, rowsOf, type Statement } from '../sql/statement.ts';
import type { Row } from './row.ts';

// An amount is kept as exactly as its currency counts; without a currency, as it was given.

const isFraction = (field: Field | undefined, value: unknown): boolean =>
  field?.type === 'monetary' &&
  field.currency !== undefined &&
  typeof value === 'number' &&
  !Number.isInteger(value);

/** Rounds the amounts of the rows that were just written, half away from zero. */
export async function roundMoney(ctx: Ctx, model: Model, ids: number[], rows: Row[]): Promise<void> {
  for (const field of model.fields.values()) {
    const currency = field.currency ? model.fields.get(field.currency) : undefined;
    if (
      field.type !== 'monetary' ||
      field.related ||
      field.computed ||
      currency?.relation !== roleOf('currency')
    )
      continue;
    const isWritten = rows.some(({ columns, custom }) =>
      isFraction(field, columns.get(field) ?? custom[field.name]),
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
  const statement = newStatement(ctx);
  const source = rowsOf(model);
  const value = columnSql(statement, source, field);
  const rounded = roundedSql(value, stepSql(statement, columnSql(statement, source, currency)));
  const set = field.custom
    ? sql`custom = jsonb_set(t.custom, array[${sql.literal(field.name)}], (${rounded})::text::jsonb)`
    : sql`${sql.id(field.name)} = ${rounded}`;
  await ctx.db.rows(
    sql`update ${sql.id(model.table)} t set ${set}
     where ${scopeSql(statement, source)} and t.id = any(${ids}) and ${rounded} <> ${value}`,
  );
}

/** The smallest amount of the currency behind `link`; null without one. */
function stepSql(statement: Statement, link: Sql): Sql {
  const currency = otherRows(statement, statement.registry.get(roleOf('currency'))!);
  const step = columnSql(statement, currency, currency.model.fields.get('rounding')!);
  return sql`(select ${step} from ${sourceSql(statement, currency)} and ${currency.row}.id = ${link})`;
}
