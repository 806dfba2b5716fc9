import { randomBytes } from 'node:crypto';
import { createKey, permissionOf, revokeKey, SCOPES } from '../schema/base/users/keys.ts';
import { addUser, foundWorkspace, systemCtx } from '../schema/base/workspace/create-workspace.ts';
import { demoData } from '../schema/base/workspace/demo.ts';
import { setFeature } from '../schema/base/workspace/workspace.ts';
import { verifyDomain } from '../schema/send/domains/domain-verify.ts';
import { addDomain, domainName } from '../schema/send/domains/domains.ts';
import { sql } from '../src/db/sql.ts';
import { audited } from '../src/engine/ctx/audit.ts';
import type { Ctx } from '../src/engine/ctx/ctx.ts';
import type { Runtime } from '../src/engine/ctx/runtime.ts';
import { errors } from '../src/errors.ts';

/** A command of the operator. Its right is the access to the machine; what it changes goes to the audit trail. */
export interface Command {
  words: string;
  args?: string[];
  /** As the usage shows them. */
  options?: string;
  /** Options that must be there. */
  needs?: string[];
  about: string;
  run(runtime: Runtime, args: string[], options: Options): Promise<unknown>;
}

type Options = Record<string, unknown>;

const text = (options: Options, name: string): string | undefined => options[name] as string | undefined;

const inWorkspace = async <T extends object>(
  runtime: Runtime,
  options: Options,
  event: string,
  args: object,
  fn: (ctx: Ctx) => Promise<T>,
  whole?: boolean,
): Promise<T> => audited(await systemCtx(runtime, text(options, 'workspace')!), event, args, fn, whole);

export const commands: Command[] = [
  {
    words: 'workspace create',
    args: ['slug'],
    options: '[--name <name>]',
    about: 'found a workspace',
    run: async (runtime, [slug], options) => {
      const ctx = await foundWorkspace(runtime, slug!, text(options, 'name'));
      return { id: ctx.workspace.id, slug };
    },
  },
  {
    words: 'workspace list',
    about: 'list the workspaces with the features that are on',
    run: (runtime) =>
      runtime.db.rows(sql`select id, slug, name, features, created_at as created from workspace order by id`),
  },
  {
    words: 'user create',
    args: ['login'],
    options:
      '--workspace <slug> [--admin] [--group <external id>]... [--name <name>] [--password <password>]',
    needs: ['workspace'],
    about: 'add a user; a password that is not given is made and shown once',
    run: (runtime, [login], options) =>
      inWorkspace(runtime, options, 'user.create', { login }, async (ctx) => {
        const password = text(options, 'password') ?? randomBytes(12).toString('base64url');
        const groups = options.group as string[] | undefined;
        const name = text(options, 'name');
        const user = { login: login!, name, password, admin: Boolean(options.admin), groups };
        return { id: await addUser(ctx, user), login, ...(options.password === undefined && { password }) };
      }),
  },
  {
    words: 'key create',
    options:
      '--workspace <slug> (--user <login> | --team) [--name <name>] [--expires <days>] [--read-only | --sending] [--domain <name>]',
    needs: ['workspace'],
    about: "make a user's or the workspace's own key; shown once",
    run: (runtime, _args, options) =>
      inWorkspace(runtime, options, 'key.create', keyOptions(options), (ctx) => makeKey(ctx, options)),
  },
  {
    words: 'key list',
    options: '[--workspace <slug>]',
    about: 'list the keys, without their values, with what they may do and the domain they are bound to',
    run: async (runtime, _args, options) => listKeys(runtime, await workspaceAsked(runtime, options)),
  },
  {
    words: 'key revoke',
    args: ['id'],
    about: 'revoke a key at once, on every process',
    run: async (runtime, [id]) => {
      const [row] = await runtime.db.rows<{ slug: string }>(
        sql`select w.slug from svc_api_key k join workspace w on w.id = k.workspace_id
         where k.id = ${wholeNumber(id!, 'id')}`,
      );
      if (!row) throw errors.notFound(`Key ${id}`);
      return inWorkspace(runtime, { workspace: row.slug }, 'key.revoke', { id }, async (ctx) => {
        await revokeKey(ctx, Number(id), null);
        return { id: Number(id), revoked: true };
      });
    },
  },
  {
    words: 'domain add',
    args: ['name'],
    options: '--workspace <slug>',
    needs: ['workspace'],
    about: 'add a sending domain',
    run: (runtime, [name], options) =>
      inWorkspace(
        runtime,
        options,
        'domain.add',
        { name },
        async (ctx) => ({ id: await addDomain(ctx, name!), name: domainName(name!) }),
        false,
      ),
  },
  {
    words: 'domain list',
    options: '[--workspace <slug>]',
    about: 'list the sending domains with their status',
    run: async (runtime, _args, options) =>
      runtime.db.rows(
        sql`select d.id, w.slug as workspace, d.name, d.status, d.region, d.create_date as created,
           d.error_message as error
         from svc_domain d join workspace w on w.id = d.workspace_id
         where ${await workspaceAsked(runtime, options)}::int is null
           or w.id = ${await workspaceAsked(runtime, options)} order by w.id, d.id`,
      ),
  },
  {
    words: 'domain verify',
    args: ['name'],
    options: '--workspace <slug>',
    needs: ['workspace'],
    about: 'ask the provider about a sending domain, or vouch for it where there is nobody to ask (smtp)',
    run: (runtime, [name], options) =>
      inWorkspace(runtime, options, 'domain.verify', { name }, (ctx) => verifyDomain(ctx, name!), false),
  },
  {
    words: 'mcp enable',
    options: '--workspace <slug>',
    needs: ['workspace'],
    about: 'open the MCP door of a workspace',
    run: (runtime, _args, options) =>
      inWorkspace(runtime, options, 'feature.set', { key: 'mcp', on: true }, async (ctx) => {
        await setFeature(ctx, 'mcp', true);
        return { workspace: ctx.workspace.slug, mcp: true };
      }),
  },
  {
    words: 'migrate',
    about: 'bring the database to the state of this version',
    run: async () => ({}),
  },
  {
    words: 'seed demo',
    options: '[--workspace <slug>]',
    about: 'add contacts, leads, projects, products and orders to look at (workspace main unless told)',
    run: (runtime, _args, options) =>
      inWorkspace(runtime, { workspace: 'main', ...options }, 'seed.demo', {}, demoData),
  },
];

function keyOptions(options: Options): object {
  return { user: options.user ?? null, team: Boolean(options.team), expires: options.expires ?? null };
}

async function makeKey(ctx: Ctx, options: Options) {
  if (Boolean(options.team) === Boolean(options.user))
    throw errors.badRequest('Give either --user <login> or --team.');
  if (options['read-only'] && options.sending)
    throw errors.badRequest('Give either --read-only or --sending.');
  const userId = options.team ? null : await userByLogin(ctx, text(options, 'user')!);
  const days = options.expires === undefined ? null : wholeNumber(text(options, 'expires')!, '--expires');
  const name = text(options, 'name') ?? 'made by the operator';
  const may = options['read-only'] ? 'READ' : options.sending ? 'SENDING' : 'FULL';
  const domain = text(options, 'domain');
  const domainId = domain === undefined ? null : await domainByName(ctx, domain);
  return createKey(ctx, { name, userId, scopes: SCOPES[may], domainId, days });
}

async function domainByName(ctx: Ctx, name: string): Promise<number> {
  const [row] = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_domain where workspace_id = ${ctx.workspace.id} and name = ${name}`,
  );
  if (!row) throw errors.notFound(`Domain ${name}`);
  return row.id;
}

async function userByLogin(ctx: Ctx, login: string): Promise<number> {
  const [row] = await ctx.db.rows<{ id: number }>(
    sql`select id from res_users where workspace_id = ${ctx.workspace.id} and login = ${login}`,
  );
  if (!row) throw errors.notFound(`User ${login}`);
  return row.id;
}

function wholeNumber(value: string, what: string): number {
  if (!/^\d{1,9}$/.test(value)) throw errors.badRequest(`${what} is a whole number.`);
  return Number(value);
}

/** Id of the workspace that a list is asked of; null for all. @throws NOT_FOUND */
async function workspaceAsked(runtime: Runtime, options: Options): Promise<number | null> {
  const slug = text(options, 'workspace');
  return slug === undefined ? null : (await systemCtx(runtime, slug)).workspace.id;
}

async function listKeys(runtime: Runtime, workspaceId: number | null): Promise<object[]> {
  const rows = await runtime.db.rows<{ permission: string[] }>(
    sql`select k.id, w.slug as workspace, u.login as user, k.name, k.prefix, k.scopes as permission, d.name as domain,
       k.create_date as created,
       k.expires_at as expires, k.revoked_at as revoked
     from svc_api_key k join workspace w on w.id = k.workspace_id
     left join res_users u on u.workspace_id = k.workspace_id and u.id = k.user_id
     left join svc_domain d on d.workspace_id = k.workspace_id and d.id = k.domain_id
     where ${workspaceId}::int is null or w.id = ${workspaceId} order by k.id`,
  );
  return rows.map((key) => ({ ...key, permission: permissionOf(key.permission) }));
}
