import { type Sql, sql } from '../../../src/db/sql.ts';
import { announceCatalogChange } from '../../../src/engine/ctx/announce-catalog-change.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { SqlContext } from '../../../src/engine/model/field.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { create } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { writeLinkedPartners } from './linked-partners.ts';

/** Company fields stored on the company's contact, with the contact's field names. */
const PARTNER_FIELDS_BY_COMPANY_FIELD: Record<string, { name: string; label: string }> = {
  email: { name: 'email', label: 'Email' },
  phone: { name: 'phone', label: 'Phone' },
  website: { name: 'website', label: 'Website Link' },
  vat: { name: 'vat', label: 'Tax ID' },
  company_registry: { name: 'company_registry', label: 'Company ID' },
  street: { name: 'street', label: 'Street' },
  street2: { name: 'street2', label: 'Street2' },
  zip: { name: 'zip', label: 'Zip' },
  city: { name: 'city', label: 'City' },
  state_id: { name: 'state_id', label: 'Fed. State' },
  country_id: { name: 'country_id', label: 'Country' },
  logo: { name: 'image_1920', label: 'Company Logo' },
};

/** Builds SQL for the path of ids from the main company to the company, such as `1/4/`. */
const buildPathSql = (row: Sql, context: SqlContext): Sql =>
  sql`(with recursive up(id, parent_id, path) as (
      select ${row}.id, ${row}.parent_id, ${row}.id || '/'
      union all
      select c.id, c.parent_id, c.id || '/' || up.path from up
      join ${context.table('res.company')} c on c.workspace_id = ${context.workspace} and c.id = up.parent_id
    ) select path from up where parent_id is null limit 1)`;

defineModel('res.company', {
  group: 'data',
  order: 'sequence, name',
  access: { 'base.group_user': 'r', 'base.group_portal': 'r', 'base.group_erp_manager': 'crwu' },
  rules: [
    ...['base.group_user', 'base.group_portal'].map((group) => ({
      name: 'own companies',
      group,
      operations: ['read' as const],
      domain: "[('id', 'in', company_ids)]",
    })),
    { name: 'every company', group: 'base.group_erp_manager', domain: '[]' },
  ],
  related: Object.fromEntries(
    Object.entries(PARTNER_FIELDS_BY_COMPANY_FIELD).map(([field, { name, label }]) => [
      field,
      { path: `partner_id.${name}`, label },
    ]),
  ),
  tree: {
    parent: 'parent_id',
    loop: 'A company cannot be its own branch, directly or through others.',
  },
  computed: { parent_path: { type: 'char', label: 'Parent Path', sql: buildPathSql } },
  completes: ['currency_id'],
  graph: { type: 'Company', one: 'company', many: 'companies' },
  audited: true,
  beforeCreate: prepareNewCompanies,
  afterCreate: addCreatorToCompanies,
  beforeWrite: async (ctx, values, ids) => {
    await writeLinkedPartners(ctx.system(), 'res_company', ids, pickPartnerValues(values));
    if (values.active === false) await rejectUsedCompanies(ctx, ids);
  },
  afterWrite: announceCatalogChange,
});

function pickPartnerValues(values: Values): Values {
  const change: Values = values.name === undefined ? {} : { name: values.name };
  for (const [field, { name }] of Object.entries(PARTNER_FIELDS_BY_COMPANY_FIELD))
    if (values[field] !== undefined) change[name] = values[field];
  return change;
}

/** Creates the companies' contacts. The currency defaults to the country's, or else to that of the caller's company. */
async function prepareNewCompanies(ctx: Ctx, list: Values[]): Promise<void> {
  for (const values of list) {
    if (!values.partner_id && values.name) {
      const partner = { is_company: true, ...pickPartnerValues(values) };
      [values.partner_id] = await create(ctx.system(), 'res.partner', [partner]);
    }
    values.currency_id ||= await findCurrency(ctx, values.country_id);
  }
}

async function findCurrency(ctx: Ctx, country: unknown): Promise<number | false> {
  const companyId = ctx.principal?.companyId ?? null;
  const [row] = await ctx.db.rows<{ id: number | null }>(
    sql`select coalesce(
       (select currency_id from res_country
        where workspace_id = ${ctx.workspace.id} and id = ${typeof country === 'number' ? country : null}),
       (select currency_id from res_company
        where workspace_id = ${ctx.workspace.id} and (${companyId}::int is null or id = ${companyId})
        order by sequence, id limit 1)) as id`,
  );
  return row!.id ?? false;
}

async function addCreatorToCompanies(ctx: Ctx, ids: number[]): Promise<void> {
  const user = ctx.principal?.userId;
  if (!user) return;
  await ctx.db.rows(
    sql`insert into res_company_users_rel (workspace_id, user_id, cid)
     select c.workspace_id, ${user}, c.id from res_company c
     where c.workspace_id = ${ctx.workspace.id} and c.id = any(${ids}) on conflict do nothing`,
  );
  ctx.afterCommit(() => ctx.runtime.identity.invalidate(ctx.workspace.id));
}

async function rejectUsedCompanies(ctx: Ctx, ids: number[]): Promise<void> {
  const [user] = await ctx.db.rows<{ login: string }>(
    sql`select login from res_users
     where workspace_id = ${ctx.workspace.id} and active and company_id = any(${ids}) limit 1`,
  );
  if (user)
    throw errors.validation(
      `The company cannot be archived: it is the default company of the user ${user.login}.`,
    );
}
