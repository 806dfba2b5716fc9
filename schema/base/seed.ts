import { randomBytes } from 'node:crypto';
import type { Runtime } from '../../src/engine/runtime.ts';
import type { Credentials } from '../../src/welcome.ts';
import { addDomain } from '../send/domains.ts';
import { addUser, foundWorkspace } from './found.ts';
import { createKey } from './keys.ts';

export type Seeded = Credentials;

/** The workspace `main` with its administrator `admin`, keys and, with the local transport, a domain. null when it exists. */
export async function firstSeed(runtime: Runtime): Promise<Seeded | null> {
  const [existing] = await runtime.db.rows(`select 1 from workspace limit 1`);
  if (existing) return null;
  const ctx = await foundWorkspace(runtime, 'main', 'Main');
  const password = randomBytes(12).toString('base64url');
  const userId = await addUser(ctx, { login: 'admin', name: 'Administrator', password, admin: true });
  const user = await createKey(ctx, { name: 'First user key', userId, scopes: [], days: null });
  const team = await createKey(ctx, { name: 'First team key', userId: null, scopes: [], days: null });
  const domain = 'main.localhost';
  await addDomain(ctx, domain);
  return { login: 'admin', password, userKey: user.key, teamKey: team.key, domain };
}
