import type { Ctx, Principal } from '../../src/engine/ctx.ts';
import { hashPassword } from '../../src/engine/keys.ts';
import { defineModel, type Values } from '../../src/engine/model.ts';
import { verb } from '../../src/engine/verb.ts';
import { create, write } from '../../src/engine/write.ts';
import { errors } from '../../src/errors.ts';

defineModel('res.users', {
  display: 'name',
  searchNames: ['name', 'login'],
  order: 'login',
  access: { 'base.group_user': 'r', 'base.group_erp_manager': 'crwu' },
  related: {
    name: { path: 'partner_id.name', label: 'Name' },
    email: { path: 'partner_id.email', label: 'Email' },
  },
  graph: { type: 'User', one: 'user', many: 'users' },
  audited: true,
  beforeSave: async (ctx, values, ids) => {
    if (ids === null) await completeNewUser(ctx, values);
    else await writeThrough(ctx, values, ids);
  },
});

/** A user without a contact gets one; a user without a company belongs to the caller's. */
async function completeNewUser(ctx: Ctx, values: Values): Promise<void> {
  const sudo = ctx.system();
  if (!values.partner_id) {
    const name = values.name ?? values.login;
    [values.partner_id] = await create(sudo, 'res.partner', [{ name, email: values.email ?? false }]);
  }
  values.company_id ??= ctx.principal?.companyId;
  values.company_ids ??= [[6, 0, [values.company_id]]];
  values.group_ids ??= [[6, 0, await groupIds(ctx, ['base.group_user'])]];
}

/** Name and email live on the user's contact. */
async function writeThrough(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  const { name, email } = values;
  if (name === undefined && email === undefined) return;
  const rows = await ctx.db.rows<{ partner_id: number }>(
    `select partner_id from res_users where workspace_id = $1 and id = any($2)`,
    [ctx.workspace.id, ids],
  );
  const change = { ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
  await write(
    ctx.system(),
    'res.partner',
    rows.map((row) => row.partner_id),
    change,
  );
}

/** Ids of groups by their external ids, in the ctx's workspace. */
async function groupIds(ctx: Ctx, externalIds: string[]): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    `select id from res_groups where workspace_id = $1 and external_id = any($2)`,
    [ctx.workspace.id, externalIds],
  );
  return rows.map((row) => row.id);
}

verb('userCreate', {
  kind: 'mutation',
  policy: { auth: ['ADMIN'], scope: 'write', audit: 'user.create' },
  description: 'Creates a user. Answers with its id. Without a password the user signs in with keys only.',
  args: (arg) => ({
    login: arg.string({ required: true }),
    name: arg.string(),
    password: arg.string(),
    admin: arg.boolean({ defaultValue: false }),
  }),
  type: 'Int',
  run: (ctx, args) => createUser(ctx, args),
});

const SHORTEST_PASSWORD = 8;

/** Creates a user; the caller's right to do so has been checked. @throws NOT_UNIQUE for a login that is taken */
export async function createUser(
  ctx: Ctx,
  user: {
    login: string;
    name?: string | null;
    password?: string | null;
    admin?: boolean | null;
    companyId?: number;
  },
): Promise<number> {
  const login = user.login.trim();
  if (!login || /\s/.test(login)) throw errors.badRequest('A login is a word without blanks.');
  if (user.password && user.password.length < SHORTEST_PASSWORD) {
    throw errors.badRequest(`A password has at least ${SHORTEST_PASSWORD} characters.`);
  }
  const [taken] = await ctx.db.rows(`select 1 from res_users where workspace_id = $1 and login = $2`, [
    ctx.workspace.id,
    login,
  ]);
  if (taken) throw errors.notUnique(`The login ${login} is taken in this workspace.`);
  const groups = user.admin ? ['base.group_system'] : ['base.group_user'];
  const [id] = await create(ctx.system(), 'res.users', [
    {
      login,
      name: user.name || login,
      email: login.includes('@') ? login : false,
      group_ids: [[6, 0, await groupIds(ctx, groups)]],
      ...(user.companyId && { company_id: user.companyId }),
      ...(user.password && { password: await hashPassword(user.password) }),
    },
  ]);
  return id!;
}

verb('contextGet', {
  kind: 'query',
  address: 'res.users/context_get',
  policy: { auth: ['USER'], scope: 'read' },
  description: 'Language, time zone and id of the calling user.',
  args: () => ({}),
  run: (ctx) => {
    const { lang, tz, userId } = ctx.principal as Principal;
    return { lang, tz, uid: userId };
  },
});
