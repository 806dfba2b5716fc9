import { createHash } from 'node:crypto';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import type { Principal } from '../../../src/engine/model/principal.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { read, searchRead } from '../../../src/engine/read/records.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { SessionInfo, SessionLanguage } from './session-types.ts';

// Data about the client's session. Property names follow classic RPC (Odoo 19).

const policy: Policy = { auth: ['USER'], scope: 'read' };

export const sessionInfo = defineOperation('sessionInfo', {
  effects: ['reads'],
  policy,
  description:
    "Returns the calling user, the companies that the user may use and the workspace's currencies.",
  args: () => ({}),
  type: SessionInfo,
  run: async (ctx) => {
    const user = ctx.principal as Principal;
    return {
      ...buildUserInfo(ctx, user),
      ...(await loadPartnerInfo(ctx, user)),
      currencies: await loadCurrencies(ctx),
      user_companies: await loadCompanies(ctx, user),
    };
  },
});

export const sessionLanguages = defineOperation('sessionLanguages', {
  effects: ['reads'],
  policy,
  description: 'Returns the code and name of each language of the workspace.',
  args: () => ({}),
  type: [SessionLanguage],
  run: (ctx) => [...ctx.catalog.languages].sort(([, a], [, b]) => a.localeCompare(b, 'en')),
});

export const sessionModules = defineOperation('sessionModules', {
  effects: ['reads'],
  policy,
  description: 'Returns the names of the installed modules.',
  args: () => ({}),
  type: ['String'],
  run: async (ctx) => {
    const installed = [['state', '=', 'installed']];
    return (await loadRows<{ name: string }>(ctx, 'ir.module.module', installed, ['name'])).map(
      ({ name }) => name,
    );
  },
});

const EXPORT_GROUP = 'base.group_allow_export';

function buildUserInfo({ workspace, catalog }: Ctx, { userId, login, name, lang, tz, groups }: Principal) {
  const models = [...catalog.registry.keys()].join();
  return {
    uid: userId,
    is_system: groups.has(ADMIN_GROUP),
    is_admin: groups.has(ADMIN_GROUP) || groups.has('base.group_erp_manager'),
    is_public: false,
    is_internal_user: groups.has('base.group_user'),
    user_context: { lang, tz, uid: userId },
    db: workspace.slug,
    registry_hash: createHash('sha256').update(`${workspace.id} ${models}`).digest('hex'),
    user_settings: { id: userId, user_id: { id: userId } },
    name,
    username: login,
    groups: { [EXPORT_GROUP]: groups.has(EXPORT_GROUP) },
  };
}

async function loadPartnerInfo(ctx: Ctx, { partnerId }: Principal) {
  const fields = ['display_name', 'write_date'];
  const [partner] = (await read(ctx.system(), { model: 'res.partner', ids: [partnerId!], fields })).value<
    Values[]
  >();
  return {
    partner_id: partnerId,
    partner_display_name: partner!.display_name,
    partner_write_date: partner!.write_date,
  };
}

const COMPANY_FIELDS = ['name', 'sequence', 'child_ids', 'parent_id', 'currency_id'];

async function loadCompanies(ctx: Ctx, { companyId, companyIds }: Principal) {
  const rows = await loadRows<Values>(ctx, 'res.company', [['id', 'in', companyIds]], COMPANY_FIELDS);
  return {
    current_company: companyId,
    allowed_companies: Object.fromEntries(rows.map((row) => [row.id, row])),
    disallowed_ancestor_companies: {},
  };
}

const CURRENCY_FIELDS = ['name', 'symbol', 'position', 'decimal_places'];

/** `digits` contains the significant digits and the decimal places, as Odoo's clients expect. */
async function loadCurrencies(ctx: Ctx) {
  const rows = await loadRows<Values>(ctx, 'res.currency', [], CURRENCY_FIELDS);
  return Object.fromEntries(
    rows.map(({ id, name, symbol, position, decimal_places: places }) => [
      id,
      { name, symbol, position, digits: [69, places] },
    ]),
  );
}

/** Skips record rules, because the data describes the caller's session. */
async function loadRows<T extends object>(
  ctx: Ctx,
  model: string,
  domain: unknown[],
  fields: (keyof T & string)[],
): Promise<({ id: number } & T)[]> {
  return (await searchRead(ctx.system(), { model, domain, fields, page: {}, flavour: 'ids' })).value();
}
