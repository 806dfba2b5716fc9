// biome-ignore-all lint/suspicious/noExplicitAny: responses of any method; the comparison inspects their shape

import { createKey } from '../../schema/base/keys/keys.ts';
import { addUser, createWorkspace } from '../../schema/base/workspace/create-workspace.ts';
import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { type App, post } from '../harness/app.ts';
import { createIds, translate } from './ids.ts';
import type { Sender } from './send.ts';

export interface World extends Sender {
  ctx: Ctx;
  /**
   * Calls a method as the administrator.
   * @throws Error with the response text if the status is not 200
   */
  call(model: string, method: string, body: object): Promise<any>;
  addPerson(person: Person): Promise<number>;
}

export interface Person {
  login: string;
  name: string;
  /** Recorded ids of the user and the user's contact. */
  user: number;
  partner: number;
  key: string;
}

const ADMIN = { login: 'admin', name: 'Mitchell Admin', user: 2, partner: 3, key: 'ADMIN_KEY' };

/** Creates `acme` with its administrator and further keys, and the unused workspace `bench`. */
export async function createWorld(app: App): Promise<World> {
  const ctx = await createWorkspace(app.runtime, 'acme', 'YourCompany');
  await createWorkspace(app.runtime, 'bench');
  const ids = createIds();
  const secrets: Record<string, string> = {
    SESSION: 'no session of ours',
    ADMIN_PASSWORD: getPassword('admin'),
  };
  const call = async (model: string, method: string, body: object) => {
    const address = `${app.url}/json/2/${model}/${method}`;
    const answer = await post(address, translate(body, ids, secrets), secrets.ADMIN_KEY);
    if (answer.status !== 200)
      throw new Error(`${model}.${method} ${answer.status}: ${answer.text.slice(0, 300)}`);
    return answer.json();
  };
  const addPerson = async (person: Person) => {
    const userId = await addUser(ctx, {
      login: person.login,
      name: person.name,
      password: getPassword(person.login),
      admin: person === ADMIN,
    });
    secrets[person.key] = (await createWorldKey(ctx, userId, person.login)).key;
    const [{ partner_id: partner }] = await call('res.users', 'read', {
      ids: [userId],
      fields: ['partner_id'],
    });
    ids.bind('res.users', person.user, userId);
    ids.bind('res.partner', person.partner, partner[0]);
    return userId;
  };
  const world: World = { port: app.port, host: 'acme.localhost', ids, secrets, ctx, call, addPerson };
  const admin = await addPerson(ADMIN);
  await addOddKeys(ctx, admin, secrets);
  return world;
}

const getPassword = (login: string): string => `${login} of acme`;

const createWorldKey = (ctx: Ctx, userId: number | null, name: string) =>
  createKey(ctx, { name, userId, scopes: [], days: null });

async function addOddKeys(ctx: Ctx, userId: number, secrets: Record<string, string>): Promise<void> {
  secrets.ADMIN_GLOBAL_KEY = (await createWorldKey(ctx, userId, 'global')).key;
  secrets.ADMIN_OTHERSCOPE_KEY = (await createWorldKey(ctx, null, 'for e-mail')).key;
  const expired = await createWorldKey(ctx, userId, 'expired');
  secrets.ADMIN_EXPIRED_KEY = expired.key;
  await ctx.db.rows(
    sql`update svc_api_key set expires_at = now() - interval '1 day' where workspace_id = ${ctx.workspace.id} and id = ${expired.id}`,
  );
}
