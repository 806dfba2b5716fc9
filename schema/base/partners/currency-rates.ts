import { type Sql, sql } from '../../../src/db/sql.ts';
import { getToday } from '../../../src/engine/ctx/call-context.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { SqlContext } from '../../../src/engine/model/field.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { buildExchangeRateSql, buildMainCompanySql } from '../../../src/engine/sql/money-sql.ts';
import { errors } from '../../../src/errors.ts';
import { currencyAccess } from './currencies.ts';

const MODEL = 'res.currency.rate';

defineModel(MODEL, {
  group: 'data',
  order: 'name desc, id',
  access: currencyAccess,
  defaults: { company_id: findMainCompany, name: getToday },
  computed: {
    company_rate: {
      type: 'float',
      label: 'Company Rate',
      help: "Units of this currency per unit of the company's currency, on that day.",
      aggregator: 'avg',
      sql: (row, context) => sql`${row}.rate / ${buildOwnRateSql(row, context)}`,
    },
    inverse_company_rate: {
      type: 'float',
      label: 'Inverse Company Rate',
      help: "Value of one unit of this currency in the company's currency, on that day.",
      aggregator: 'avg',
      sql: (row, context) => sql`${buildOwnRateSql(row, context)} / ${row}.rate`,
    },
    company_currency_id: {
      type: 'many2one',
      relation: 'res.currency',
      label: 'Company Currency',
      sql: (row, context) => buildOwnCurrencySql(context.workspace, getCompany(row, context)),
    },
  },
  accepts: ['company_rate', 'inverse_company_rate'],
  preview: {
    follows: {
      rate: ['company_rate', 'inverse_company_rate'],
      company_rate: ['rate', 'inverse_company_rate'],
      inverse_company_rate: ['rate', 'company_rate'],
    },
  },
  prepare: setRates,
  afterCreate: checkRates,
  afterWrite: checkRates,
});

const getCompany = (row: Sql, context: SqlContext): Sql =>
  sql`coalesce(${row}.company_id, ${buildMainCompanySql(context.workspace, context.company())})`;

const buildOwnCurrencySql = (workspace: unknown, company: Sql): Sql =>
  sql`(select c.currency_id from res_company c where c.workspace_id = ${workspace} and c.id = ${company})`;

const buildOwnRateSql = (row: Sql, context: SqlContext): Sql => {
  const company = getCompany(row, context);
  return buildExchangeRateSql(
    { workspace: context.workspace, company, day: sql`${row}.name` },
    buildOwnCurrencySql(context.workspace, company),
  );
};

/** Returns the topmost parent of the caller's company, because rates belong to main companies. */
async function findMainCompany(ctx: Ctx): Promise<number | false> {
  const company = ctx.principal?.companyId ?? null;
  const [row] = await ctx.db.rows<{ id: number | null }>(
    sql`select ${buildMainCompanySql(ctx.workspace.id, sql`${company}::int`)} as id`,
  );
  return row?.id ?? false;
}

/** Sets `rate` from `company_rate`, or else from `inverse_company_rate`. A given `rate` takes precedence. */
async function setRates(ctx: Ctx, list: Values[], ids: number[] | null): Promise<void> {
  for (const values of list) {
    const { company_rate: ofCompany, inverse_company_rate: inverse } = values;
    delete values.company_rate;
    delete values.inverse_company_rate;
    if (values.rate !== undefined || (ofCompany === undefined && inverse === undefined)) continue;
    const rate = ofCompany === undefined ? 1 / parseNumber('inverse_company_rate', inverse) : ofCompany;
    values.rate = parseNumber('company_rate', rate) * (await computeFactor(ctx, values, ids));
  }
}

function parseNumber(name: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw errors.wrongValue(MODEL, name, value);
  return value;
}

/** Returns the rate of the company's currency on the day in `values`, or else on the stored day. */
async function computeFactor(ctx: Ctx, values: Values, ids: number[] | null): Promise<number> {
  const { id } = ctx.workspace;
  const companyId = (await findMainCompany(ctx)) || null;
  const day = typeof values.name === 'string' ? values.name.slice(0, 10) : null;
  const company = values.company_id === undefined ? undefined : values.company_id || companyId;
  const rows = await ctx.db.rows<{ factor: number }>(
    sql`select distinct ${buildExchangeRateSql(
      { workspace: id, company: sql`x.company`, day: sql`x.day` },
      buildOwnCurrencySql(id, sql`x.company`),
    )} as factor
     from (select coalesce(${day}::date, t.name) as day,
         ${company === undefined ? sql`coalesce(t.company_id, ${companyId}::int)` : sql`${company}::int`} as company
       from ${buildRateRowsSql(id, ids)} t) x`,
  );
  if (rows.length > 1)
    throw errors.user(
      'The rates of several days or companies cannot be changed together. Change one at a time (company_rate).',
    );
  return rows[0]?.factor ?? 1;
}

/** Selects the rows to write, or the default values of a new row. */
const buildRateRowsSql = (workspace: number, ids: number[] | null): Sql =>
  ids === null
    ? sql`(select (now() at time zone 'UTC')::date as name, null::int as company_id)`
    : sql`(select name, company_id from res_currency_rate where workspace_id = ${workspace} and id = any(${ids}))`;

async function checkRates(ctx: Ctx, ids: number[]): Promise<void> {
  const { id } = ctx.workspace;
  const [violation] = await ctx.db.rows<{ low: boolean; branch: boolean }>(
    sql`select not r.rate > 0 as low, c.parent_id is not null as branch
     from res_currency_rate r left join res_company c on c.workspace_id = ${id} and c.id = r.company_id
     where r.workspace_id = ${id} and r.id = any(${ids}) and (not r.rate > 0 or c.parent_id is not null) limit 1`,
  );
  if (violation?.low) throw errors.validation("The field 'rate' must be strictly positive.");
  if (violation)
    throw errors.validation(
      'Currency rates belong to main companies. Select the main company of the branch (company_id).',
    );
}
