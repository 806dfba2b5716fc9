import { randomBytes } from 'node:crypto';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { addDomain } from '../../email/domains/domains.ts';
import { createKey } from '../keys/keys.ts';
import { addUser, createWorkspace } from './create-workspace.ts';

export interface Credentials {
  login: string;
  password: string;
  userKey: string;
  teamKey: string;
  /** Sending domain. Null if the transport requires verification. */
  domain: string | null;
}

/**
 * Atomically creates the workspace `main` with the administrator `admin`, keys and, for the local transport, a domain.
 * @returns the credentials to show once, or null if a workspace `main` exists
 */
export async function seedFirstWorkspace(runtime: Runtime): Promise<Credentials | null> {
  const [existingWorkspace] = await runtime.db.rows(sql`select 1 from workspace where slug = 'main'`);
  if (existingWorkspace) return null;
  let credentials: Credentials | null = null;
  try {
    await createWorkspace(runtime, 'main', 'Main', async (ctx) => {
      credentials = await provisionFirstWorkspace(ctx);
    });
    return credentials;
  } catch (error) {
    // Another process that started with the same empty database has created the workspace.
    if ((error as { kind?: string }).kind === 'NOT_UNIQUE') return null;
    throw error;
  }
}

async function provisionFirstWorkspace(ctx: Ctx): Promise<Credentials> {
  const password = randomBytes(12).toString('base64url');
  const userId = await addUser(ctx, { login: 'admin', name: 'Administrator', password, admin: true });
  const user = await createKey(ctx, { name: 'First user key', userId, scopes: [], days: null });
  const team = await createKey(ctx, { name: 'First team key', userId: null, scopes: [], days: null });
  const local = ctx.runtime.config.mailTransport === 'local';
  const domain = local ? 'main.localhost' : null;
  if (domain) await addDomain(ctx, domain);
  return { login: 'admin', password, userKey: user.key, teamKey: team.key, domain };
}
