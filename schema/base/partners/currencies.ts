import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { SqlWords } from '../../../src/engine/model/field.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { errors } from '../../../src/errors.ts';

const access = { 'base.group_user': 'r', 'base.group_portal': 'r', 'base.group_system': 'crwu' };

/** Today's rate, preferably the one for all companies; 1 if there is none. */
const rateSql = (row: Sql, words: SqlWords): Sql =>
  sql`coalesce((select r.rate from ${words.table('res.currency.rate')} r
     where r.workspace_id = ${words.workspace} and r.currency_id = ${row}.id
       and r.name <= (now() at time zone 'UTC')::date
     order by r.company_id is null desc, r.name desc, r.id desc limit 1), 1)`;

defineModel('res.currency', {
  group: 'data',
  graph: { type: 'Currency', one: 'currency', many: 'currencies' },
  searchNames: ['name', 'full_name'],
  order: 'active desc, name, id',
  access,
  computed: {
    rate: {
      type: 'float',
      label: 'Current Rate',
      help: 'Units of this currency per unit of the currency with rate 1.',
      sql: rateSql,
    },
    inverse_rate: {
      type: 'float',
      label: 'Inverse Rate',
      help: 'Value of one unit of this currency in the currency with rate 1.',
      sql: (row, words) => sql`1 / ${rateSql(row, words)}`,
    },
    decimal_places: {
      type: 'integer',
      label: 'Decimal Places',
      sql: (row) =>
        sql`case when ${row}.rounding > 0 and ${row}.rounding < 1 then ceil(-log(${row}.rounding::numeric))::int
          else 0 end`,
    },
  },
  beforeWrite: async (ctx, values, ids) => {
    if (values.active === false) await refuseInUse(ctx, ids);
  },
});

async function refuseInUse(ctx: Ctx, ids: number[]): Promise<void> {
  const [company] = await ctx.db.rows<{ name: string }>(
    sql`select name from res_company
     where workspace_id = ${ctx.workspace.id} and active and currency_id = any(${ids}) limit 1`,
  );
  if (company)
    throw errors.user(
      `This currency is set on a company and therefore cannot be deactivated: ${company.name}.`,
    );
}

defineModel('res.currency.rate', {
  group: 'data',
  order: 'name desc, id',
  access,
  afterCreate: checkRates,
  afterWrite: checkRates,
});

async function checkRates(ctx: Ctx, ids: number[]): Promise<void> {
  const [wrong] = await ctx.db.rows(
    sql`select 1 from res_currency_rate where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and not rate > 0`,
  );
  if (wrong) throw errors.validation("The field 'rate' must be strictly positive.");
}
