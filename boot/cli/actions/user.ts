import { randomBytes } from 'node:crypto';
import { revokeKey } from '../../../schema/base/keys/keys.ts';
import { setServiceAccount } from '../../../schema/base/users/service-account.ts';
import { addUser } from '../../../schema/base/workspace/create-workspace.ts';
import { loadSystemCtx } from '../../../src/engine/ctx/system-ctx.ts';
import { search, searchRead } from '../../../src/engine/read/records.ts';
import { write } from '../../../src/engine/write/write.ts';
import { formatInstantFields } from '../instant.ts';
import { runOnRuntime } from '../run-on-runtime.ts';
import { runInWorkspace } from './run-in-workspace.ts';
import { getUserIdByLogin } from './user-by-login.ts';

export interface UserOptions {
  workspace: string;
  admin?: boolean;
  group?: string[];
  name?: string;
  password?: string;
  service?: boolean;
}

export const runUserCreate = (login: string, options: UserOptions) =>
  runInWorkspace(options.workspace, 'user.create', { login }, async (ctx) => {
    const { name, group: groups, admin = false, service: isService = false } = options;
    const password = options.password ?? (isService ? null : createPassword());
    const id = await addUser(ctx, { login, name, password, admin, groups, isService });
    if (isService) return { id, login, service: true };
    return { id, login, ...(options.password === undefined && { password }) };
  });

const createPassword = (): string => randomBytes(12).toString('base64url');

/** Sets the user's password and ends all of their sessions. */
export const setUserPassword = (login: string, { workspace, password: newPassword }: UserOptions) =>
  runInWorkspace(workspace, 'user.password', { login }, async (ctx) => {
    const id = await getUserIdByLogin(ctx, login);
    const password = newPassword ?? createPassword();
    await write(ctx, 'res.users', [id], { password });
    return { id, login, ...(newPassword === undefined && { password }) };
  });

/** Revokes the user's keys, which would otherwise work again after a restore. */
export const runUserArchive = (login: string, { workspace }: UserOptions) =>
  runInWorkspace(workspace, 'user.archive', { login }, async (ctx) => {
    const id = await getUserIdByLogin(ctx, login);
    await write(ctx, 'res.users', [id], { active: false });
    const keys = await search(ctx, 'svc.api.key', [
      ['user_id', '=', id],
      ['revoked_at', '=', false],
    ]);
    for (const key of keys) await revokeKey(ctx, key, null);
    return { id, login, active: false, keys_revoked: keys.length };
  });

/** Turns a user into a service account, or back into an ordinary user. No facade can do this. */
export const runUserService = (login: string, { workspace, off = false }: UserOptions & { off?: boolean }) =>
  runInWorkspace(workspace, 'user.service', { login, service: !off }, async (ctx) => {
    const id = await getUserIdByLogin(ctx, login);
    await setServiceAccount(ctx, id, !off);
    return { id, login, service: !off };
  });

interface UserRow {
  id: number;
  login: string;
  name: string;
  role: string | false;
  active: boolean;
  login_date: string | false;
  is_svc_agent: boolean;
}

/** Users such as customers have no role. */
const ROLES: Record<string, string> = { group_user: 'user', group_system: 'administrator' };

export const runUserList = ({ workspace }: UserOptions) =>
  runOnRuntime(async (runtime) => {
    const users = await searchRead(await loadSystemCtx(runtime, workspace), {
      model: 'res.users',
      domain: [['active', 'in', [true, false]]],
      fields: ['id', 'login', 'name', 'role', 'active', 'login_date', 'is_svc_agent'],
    });
    return users
      .value<UserRow[]>()
      .map(({ role, login_date, is_svc_agent: service, ...user }) =>
        formatInstantFields(
          { ...user, role: ROLES[role || ''] ?? null, service, last_login: login_date || null },
          'last_login',
        ),
      );
  });
