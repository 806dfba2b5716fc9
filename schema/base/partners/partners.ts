import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLabelLanguage, getOptionLabel } from '../../../src/engine/describe/labels.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { errors } from '../../../src/errors.ts';
import { forEachYielding } from '../../../src/loop/yield.ts';
import { checkLocale } from './locale.ts';
import { partnerComputedFields, partnerNameModifiers } from './partner-computed.ts';
import {
  ADDRESS_FIELDS,
  COMMERCIAL_FIELDS,
  shareChangedValues,
  shareNewContacts,
} from './partner-sharing.ts';
import { updateNewPartners, updatePartnerTree } from './partner-tree.ts';

defineModel('res.partner', {
  group: 'data',
  display: 'complete_name',
  searchNames: ['complete_name', 'email', 'ref', 'vat', 'company_registry'],
  order: 'complete_name, id desc',
  access: {
    'base.group_user': 'r',
    'base.group_portal': 'r',
    'base.group_partner_manager': 'crwu',
  },
  rules: [
    {
      name: 'of the own companies, or of none',
      domain: "['|', ('company_id', '=', False), ('company_id', 'in', company_ids)]",
    },
    { name: 'oneself', group: 'base.group_portal', domain: "[('id', '=', user.partner_id.id)]" },
  ],
  related: {
    country_code: { path: 'country_id.code', label: 'Country Code' },
    parent_name: { path: 'parent_id.name', label: 'Parent name' },
  },
  mixins: ['mail.thread', 'mail.activity'],
  tree: {
    parent: 'parent_id',
    loop: 'A contact cannot be its own company, directly or through others.',
  },
  computed: partnerComputedFields,
  namedWith: partnerNameModifiers,
  accepts: ['company_type'],
  graph: { type: 'Partner', one: 'partner', many: 'partners' },
  beforeCreate: (ctx, list) =>
    forEachYielding(list, (values) => {
      checkLocale(ctx, 'res.partner', values);
      setIsCompany(values);
      nameAddress(ctx, values);
    }),
  beforeWrite: async (ctx, values, ids) => {
    checkLocale(ctx, 'res.partner', values);
    setIsCompany(values);
    if (values.active === false) await rejectArchivingUsers(ctx, ids);
  },
  preview: {
    follows: {
      parent_id: [...ADDRESS_FIELDS, ...COMMERCIAL_FIELDS],
      is_company: ['company_type'],
      company_type: ['is_company'],
    },
    adjust: adjustAddress,
  },
  afterCreate: async (ctx, ids, list) => {
    await updateNewPartners(ctx, ids);
    await shareNewContacts(ctx, ids, list);
  },
  afterWrite: async (ctx, ids, values) => {
    if (NAME_FIELDS.some((name) => name in values)) await updatePartnerTree(ctx, ids);
    await shareChangedValues(ctx, ids, values);
  },
});

/** Fields that determine the names of a contact and its descendants. */
const NAME_FIELDS = ['name', 'parent_id', 'is_company', 'company_name'];

/** `company_type` is an alias of `is_company`. @throws BAD_VALUE */
function setIsCompany(values: Values): void {
  const { company_type: type } = values;
  delete values.company_type;
  if (type === undefined || type === false) return;
  if (type !== 'company' && type !== 'person') throw errors.wrongValue('res.partner', 'company_type', type);
  values.is_company = type === 'company';
}

/** Names an unnamed address after its type, such as `Delivery Address`, because only contacts require a name. */
function nameAddress(ctx: Ctx, values: Values): void {
  const { name, type } = values;
  if (name || !type || type === 'contact') return;
  const model = ctx.catalog.registry.get('res.partner')!;
  const label = getOptionLabel(model, model.fields.get('type')!, String(type), getLabelLanguage(ctx));
  if (label) values.name = label;
}

async function rejectArchivingUsers(ctx: Ctx, ids: number[]): Promise<void> {
  const [user] = await ctx.db.rows<{ login: string }>(
    sql`select login from res_users
     where workspace_id = ${ctx.workspace.id} and active and partner_id = any(${ids}) limit 1`,
  );
  if (user)
    throw errors.user(
      `You cannot archive contacts linked to an active user. Archive the user ${user.login} first.`,
    );
}

/** Sets the country of a new state, and clears a state that is not in the new country (as in Odoo 19). */
async function adjustAddress(ctx: Ctx, values: Values, changed: string[]): Promise<Values> {
  const { state_id: state, country_id: country } = values;
  if (typeof state !== 'number' || !(changed.includes('state_id') || changed.includes('country_id')))
    return {};
  const [row] = await ctx.db.rows<{ country_id: number }>(
    sql`select country_id from res_country_state where workspace_id = ${ctx.workspace.id} and id = ${state}`,
  );
  if (!row || row.country_id === country) return {};
  if (changed.includes('state_id')) return { country_id: row.country_id };
  return country ? { state_id: false } : {};
}
