import { catalogChanged } from '../../src/engine/catalog.ts';
import type { Ctx } from '../../src/engine/ctx.ts';
import { defineModel, type Values } from '../../src/engine/model.ts';
import { create, write } from '../../src/engine/write.ts';
import { errors } from '../../src/errors.ts';

/** What a company has of its contact, by the name there. */
const OF_PARTNER: Record<string, { name: string; label: string }> = {
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

defineModel('res.company', {
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
    Object.entries(OF_PARTNER).map(([field, { name, label }]) => [
      field,
      { path: `partner_id.${name}`, label },
    ]),
  ),
  graph: { type: 'Company', one: 'company', many: 'companies' },
  audited: true,
  beforeCreate: completeNew,
  afterCreate: admitCreator,
  beforeWrite: async (ctx, values, ids) => {
    await writeThrough(ctx, values, ids);
    if (values.active === false) await refuseInUse(ctx, ids);
  },
  afterWrite: async (ctx, ids, values) => {
    catalogChanged(ctx);
    if (values.parent_id) await refuseLoops(ctx, ids);
  },
});

const ofPartner = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(OF_PARTNER)
      .filter(([field]) => values[field] !== undefined)
      .map(([field, { name }]) => [name, values[field]]),
  );

/** A company has a contact of its own, and the currency of its country, else that of the caller's company. */
async function completeNew(ctx: Ctx, list: Values[]): Promise<void> {
  for (const values of list) {
    if (!values.partner_id && values.name) {
      const partner = { name: values.name, is_company: true, ...ofPartner(values) };
      [values.partner_id] = await create(ctx.system(), 'res.partner', [partner]);
    }
    values.currency_id ||= await currencyFor(ctx, values.country_id);
  }
}

async function currencyFor(ctx: Ctx, country: unknown): Promise<number | false> {
  const [row] = await ctx.db.rows<{ id: number | null }>(
    `select coalesce((select currency_id from res_country where workspace_id = $1 and id = $2),
       (select currency_id from res_company where workspace_id = $1 and ($3::int is null or id = $3) order by sequence, id limit 1)) as id`,
    [ctx.workspace.id, typeof country === 'number' ? country : null, ctx.principal?.companyId ?? null],
  );
  return row!.id ?? false;
}

/** Who makes a company may work in it. */
async function admitCreator(ctx: Ctx, ids: number[]): Promise<void> {
  const user = ctx.principal?.userId;
  if (!user) return;
  await ctx.db.rows(
    `insert into res_company_users_rel (workspace_id, user_id, cid) select $1, $2, unnest($3::int[]) on conflict do nothing`,
    [ctx.workspace.id, user, ids],
  );
  ctx.afterCommit(() => ctx.runtime.identity.forget(ctx.workspace.id));
}

/** Name, address and the like live on the company's contact. */
async function writeThrough(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  const change = { ...ofPartner(values), ...(values.name !== undefined && { name: values.name }) };
  if (Object.keys(change).length === 0) return;
  const rows = await ctx.db.rows<{ id: number }>(
    `select partner_id as id from res_company where workspace_id = $1 and id = any($2) and partner_id is not null`,
    [ctx.workspace.id, ids],
  );
  await write(
    ctx.system(),
    'res.partner',
    rows.map((row) => row.id),
    change,
  );
}

async function refuseInUse(ctx: Ctx, ids: number[]): Promise<void> {
  const [user] = await ctx.db.rows<{ login: string }>(
    `select login from res_users where workspace_id = $1 and active and company_id = any($2) limit 1`,
    [ctx.workspace.id, ids],
  );
  if (user)
    throw errors.validation(
      `The company cannot be archived: it is the default company of the user ${user.login}.`,
    );
}

async function refuseLoops(ctx: Ctx, ids: number[]): Promise<void> {
  const [loop] = await ctx.db.rows(
    `with recursive up(start, id) as (
       select id, parent_id from res_company where workspace_id = $1 and id = any($2)
       union
       select up.start, c.parent_id from res_company c join up on up.id = c.id where c.workspace_id = $1 and up.id <> up.start
     ) select 1 from up where id = start`,
    [ctx.workspace.id, ids],
  );
  if (loop) throw errors.validation('A company cannot be its own branch, directly or through others.');
}
