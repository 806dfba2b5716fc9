import { randomBytes } from 'node:crypto';
import { addUser } from '../../../schema/base/workspace/create-workspace.ts';
import { inWorkspace } from './in-workspace.ts';

export interface UserOptions {
  workspace: string;
  admin?: boolean;
  group?: string[];
  name?: string;
  password?: string;
}

export const userCreate = (login: string, options: UserOptions) =>
  inWorkspace(options.workspace, 'user.create', { login }, async (ctx) => {
    const password = options.password ?? randomBytes(12).toString('base64url');
    const { name, group: groups, admin = false } = options;
    const id = await addUser(ctx, { login, name, password, admin, groups });
    return { id, login, ...(options.password === undefined && { password }) };
  });
