import { sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { create, write } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { loadGroupIds } from '../ir/group-ids.ts';
import { selectMemberships } from '../memberships.ts';
import { checkLocale } from '../partners/locale.ts';
import { hashPasswordValues } from './user-password.ts';
import { replaceRoleGroups } from './user-role.ts';

/** Contact fields that anyone with write access to the user may change. */
export const PARTNER_FIELDS = ['name', 'email', 'phone'];

/** Returns the contact fields outside `PARTNER_FIELDS`, which require write access to the contact. */
export function pickInheritedValues(ctx: Ctx, values: Values): Values {
  const { fields } = getModel(ctx, 'res.users');
  return Object.fromEntries(Object.entries(values).filter(([name]) => fields.get(name)?.inherited));
}

export async function completeNewUsers(ctx: Ctx, list: Values[]): Promise<void> {
  for (const values of list) checkLocale(ctx, 'res.users', values);
  await rejectTakenLogins(ctx, list);
  await checkContacts(ctx, list);
  const partners = await createPartners(ctx, list);
  const standard = await loadGroupIds(ctx, ['base.group_user']);
  for (const values of list) {
    values.partner_id ||= partners.shift();
    const contactValues = pickInheritedValues(ctx, values);
    if (Object.keys(contactValues).length > 0)
      await write(ctx, 'res.partner', [values.partner_id as number], contactValues);
    values.company_id ??= ctx.principal?.companyId;
    values.company_ids ??= [[6, 0, [values.company_id]]];
    await replaceRoleGroups(ctx, values);
    values.group_ids ??= [[6, 0, [...standard.values()]]];
    await hashPasswordValues(ctx, values);
  }
}

/**
 * Requires write access to the chosen contacts, because a user takes on the contact's name and address.
 * @throws ACCESS_ERROR if the caller may not change a contact, MISSING if it does not exist
 */
export async function checkContacts(ctx: Ctx, list: Values[]): Promise<void> {
  const contactIds = list.map((values) => values.partner_id).filter((id) => typeof id === 'number');
  if (ctx.sudo || contactIds.length === 0) return;
  const contacts = getModel(ctx, 'res.partner');
  assertModelAccess(ctx, contacts, 'write');
  await assertRowsExist(ctx, contacts, [...new Set(contactIds)], 'write');
}

async function createPartners(ctx: Ctx, list: Values[]): Promise<number[]> {
  const usersWithoutPartner = list.filter((values) => !values.partner_id);
  return create(
    ctx.system(),
    'res.partner',
    usersWithoutPartner.map(({ name, login, email, phone, lang, tz }) => ({
      name: name || login,
      email: email ?? false,
      phone: phone ?? false,
      ...(lang !== undefined && { lang }),
      ...(tz !== undefined && { tz }),
    })),
  );
}

/** @throws VALIDATION if a login is taken */
export async function rejectTakenLogins(ctx: Ctx, list: Values[], excludedIds: number[] = []): Promise<void> {
  const logins = list.map((values) => values.login).filter((login) => typeof login === 'string');
  const [existingUser] = await ctx.db.rows(
    sql`select 1 from res_users
     where workspace_id = ${ctx.workspace.id} and login = any(${logins}) and not id = any(${excludedIds})`,
  );
  if (existingUser || new Set(logins).size < logins.length)
    throw errors.validation("You can not have two users with the same login: choose another 'login'.");
}

interface InvalidLogin {
  login: string;
  shared: boolean;
}

/**
 * Runs after users and their x2many values are written.
 * @throws VALIDATION if a user has several user types or is not allowed to use its company
 */
export async function checkUsers(ctx: Ctx, ids: number[]): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const [oddLogin] = await ctx.db.rows<InvalidLogin>(
    sql`select login, shared from (
       select u.login,
         (select count(*) from res_groups g
           where g.workspace_id = ${workspace} and g.id in (${selectMemberships(workspace, sql`u.id`)})
             and g.external_id in ('base.group_user', 'base.group_portal', 'base.group_public')) > 1 as shared,
         not exists (
           select 1 from res_company_users_rel r
           where r.workspace_id = ${workspace} and r.user_id = u.id and r.cid = u.company_id) as astray
       from res_users u where u.workspace_id = ${workspace} and u.id = any(${ids})
     ) x where shared or astray limit 1`,
  );
  if (!oddLogin) return;
  if (oddLogin.shared)
    throw errors.validation(
      `The user ${oddLogin.login} cannot have more than one user type: internal, portal or public.`,
    );
  throw errors.validation(
    `The company of the user ${oddLogin.login} is not in the allowed companies (company_ids).`,
  );
}
