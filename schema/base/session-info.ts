import { createHash } from 'node:crypto';
import type { Ctx, Principal } from '../../src/engine/ctx.ts';
import { ADMIN_GROUP, type Policy } from '../../src/engine/policy.ts';
import { searchRead } from '../../src/engine/records.ts';
import { verb } from '../../src/engine/verb.ts';

// What a client with a session asks about itself. Key names are those of classic RPC (Odoo 19).

const policy: Policy = { auth: ['USER'], scope: 'read' };

verb('sessionInfo', {
  kind: 'query',
  policy,
  description: 'The calling user, the companies it may work in and the currencies of the workspace.',
  args: () => ({}),
  run: async (ctx) => {
    const user = ctx.principal as Principal;
    return {
      ...userInfo(ctx, user),
      ...(await partnerInfo(ctx, user)),
      currencies: await currencies(ctx),
      user_companies: await companies(ctx, user),
    };
  },
});

verb('sessionLanguages', {
  kind: 'query',
  policy,
  description: 'Pairs of code and name of the languages of the workspace.',
  args: () => ({}),
  run: async (ctx) => {
    const rows = await rowsOf(ctx, 'res.lang', [], { code: 'en_US', name: 'English (US)' });
    const known = rows.length ? rows : [{ code: 'en_US', name: 'English (US)' }];
    return known.map(({ code, name }) => [code, name]);
  },
});

verb('sessionModules', {
  kind: 'query',
  policy,
  description: 'Names of the modules that are installed in the workspace.',
  args: () => ({}),
  run: async (ctx) => {
    const rows = await rowsOf(ctx, 'ir.module.module', [['state', '=', 'installed']], { name: '' });
    return rows.length ? rows.map(({ name }) => name) : ['base'];
  },
});

const EXPORT_GROUP = 'base.group_allow_export';

function userInfo({ workspace, catalog }: Ctx, { userId, login, name, lang, tz, groups }: Principal) {
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

async function partnerInfo(ctx: Ctx, { partnerId }: Principal) {
  const empty = { display_name: '', write_date: false };
  const [partner] = await rowsOf(ctx, 'res.partner', [['id', '=', partnerId]], empty);
  return {
    partner_id: partnerId,
    partner_display_name: partner?.display_name ?? '',
    partner_write_date: partner?.write_date ?? false,
  };
}

const COMPANY = { name: '', sequence: 10, child_ids: [], parent_id: false, currency_id: false };

async function companies(ctx: Ctx, { companyId, companyIds }: Principal) {
  const rows = await rowsOf(ctx, 'res.company', [['id', 'in', companyIds]], COMPANY);
  return {
    current_company: companyId,
    allowed_companies: Object.fromEntries(rows.map((row) => [row.id, row])),
    disallowed_ancestor_companies: {},
  };
}

const CURRENCY = { name: '', symbol: '', position: 'after', decimal_places: 2 };

/** `digits` are those of Odoo's clients: significant ones, and those after the point. */
async function currencies(ctx: Ctx) {
  const rows = await rowsOf(ctx, 'res.currency', [], CURRENCY);
  return Object.fromEntries(
    rows.map(({ id, name, symbol, position, decimal_places: places }) => [
      id,
      { name, symbol, position, digits: [69, places] },
    ]),
  );
}

/**
 * Rows of a model with the fields that `empty` names, in its order; a field the model does not have is as in `empty`,
 * and of a model there is none of there are no rows. The rules are not asked: it is the caller's own session.
 */
async function rowsOf<T extends object>(
  ctx: Ctx,
  model: string,
  domain: unknown[],
  empty: T,
): Promise<({ id: number } & T)[]> {
  const shape = ctx.catalog.registry.get(model);
  if (!shape) return [];
  const fields = Object.keys(empty).filter((name) => shape.fields.has(name));
  const rows = await searchRead(ctx.system(), model, domain, fields, {}, 'ids');
  return (await rows.value<({ id: number } & T)[]>()).map((row) => Object.assign({ id: row.id }, empty, row));
}
