import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { SqlContext } from '../../../src/engine/model/field.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import {
  buildConvertedSql,
  buildMainCompanySql,
  type CurrencyExchange,
} from '../../../src/engine/sql/money-sql.ts';
import { errors } from '../../../src/errors.ts';

export const currencyAccess = {
  'base.group_user': 'r',
  'base.group_portal': 'r',
  'base.group_system': 'crwu',
};

const buildTodayExchange = (context: SqlContext): CurrencyExchange => ({
  workspace: context.workspace,
  company: buildMainCompanySql(context.workspace, context.company()),
  day: context.today(),
});

const buildCurrencySql = (company: Sql, context: SqlContext): Sql => {
  const row = context.alias();
  return sql`(select ${row}.currency_id from ${context.table('res.company')} ${row}
    where ${row}.workspace_id = ${context.workspace} and ${row}.id = ${company})`;
};

defineModel('res.currency', {
  group: 'data',
  graph: { type: 'Currency', one: 'currency', many: 'currencies' },
  searchNames: ['name', 'full_name'],
  order: 'active desc, name, id',
  access: currencyAccess,
  computed: {
    rate: {
      type: 'float',
      label: 'Current Rate',
      help: "Units of this currency per unit of the company's currency, today.",
      sql: (row, context) =>
        buildConvertedSql(
          buildTodayExchange(context),
          sql`1::float8`,
          buildCurrencySql(context.company(), context),
          sql`${row}.id`,
        ),
    },
    inverse_rate: {
      type: 'float',
      label: 'Inverse Rate',
      help: "Value of one unit of this currency in the company's currency, today.",
      sql: (row, context) =>
        buildConvertedSql(
          buildTodayExchange(context),
          sql`1::float8`,
          sql`${row}.id`,
          buildCurrencySql(context.company(), context),
        ),
    },
    decimal_places: {
      type: 'integer',
      label: 'Decimal Places',
      sql: (row) =>
        sql`case when ${row}.rounding > 0 and ${row}.rounding < 1 then ceil(-log(${row}.rounding::numeric))::int
          else 0 end`,
    },
  },
  prepare: (_ctx, list) => {
    for (const { rounding } of list)
      if (rounding !== undefined && !(Number(rounding) > 0))
        throw errors.validation('The rounding factor must be greater than 0 (rounding).');
  },
  beforeWrite: async (ctx, values, ids) => {
    if (values.active === false) await rejectUsedCurrencies(ctx, ids);
  },
});

async function rejectUsedCurrencies(ctx: Ctx, ids: number[]): Promise<void> {
  const [company] = await ctx.db.rows<{ name: string }>(
    sql`select name from res_company
     where workspace_id = ${ctx.workspace.id} and active and currency_id = any(${ids}) limit 1`,
  );
  if (company)
    throw errors.user(
      `This currency is set on a company and therefore cannot be deactivated: ${company.name}.`,
    );
}
