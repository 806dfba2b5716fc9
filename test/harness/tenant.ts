import { createKey } from '../../schema/base/keys/keys.ts';
import { addUser, createWorkspace } from '../../schema/base/workspace/create-workspace.ts';
import { addDomain } from '../../schema/email/domains/domains.ts';
import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { loadSystemCtx } from '../../src/engine/ctx/system-ctx.ts';

/** The users of a test workspace, one of each kind, with their keys. */
export interface People {
  admin: { id: number; login: string; password: string; key: string };
  /** A normal user, who reads contacts but cannot write them. */
  user: { id: number; login: string; password: string; key: string };
  readOnlyKey: string;
  teamKey: string;
}

export interface Tenant extends People {
  slug: string;
  /** The platform's own context in the workspace, without access checks. */
  ctx: Ctx;
  domain: string;
}

export const SECRET_KEY = 'a secret key for the tests, 32 long';

/** Cheap password hashing. Production parameters would dominate the run time of many tests. */
export const CHEAP_PASSWORD_COST = { N: 1024, r: 8, p: 1 };

export async function createTenant(runtime: Runtime, slug: string): Promise<Tenant> {
  const people = await createPeople(runtime, slug);
  return openTenant(runtime, slug, people);
}

/** Runs `run` with ids that start at 10,000 on the first call, and 10,000 higher on each further call. */
export async function withApartIds<T>(runtime: Runtime, run: () => Promise<T>): Promise<T> {
  const { idAllocator } = runtime.db;
  const { begin } = idAllocator;
  const tables = new Set(['ir_record', ...[...runtime.registry.values()].map((model) => model.table)]);
  lastOffset += 10_000;
  idAllocator.begin = (workspaceId) => {
    const allocation = begin(workspaceId);
    for (const table of tables) void idAllocator.allocate(workspaceId, table, lastOffset);
    return allocation;
  };
  try {
    return await run();
  } finally {
    idAllocator.begin = begin;
  }
}

let lastOffset = 0;

/** Adopts a workspace whose users come from the database template. */
export async function adoptTenant(runtime: Runtime, slug: string, people: People): Promise<Tenant> {
  const workspace = await runtime.identity.workspace(slug);
  await runtime.db.rows(
    sql`update ir_config_parameter set value = ${runtime.config.publicUrl}
     where workspace_id = ${workspace!.id} and key = 'web.base.url'`,
  );
  return openTenant(runtime, slug, people);
}

export async function createPeople(runtime: Runtime, slug: string): Promise<People> {
  const ctx = await createWorkspace(runtime, slug);
  const admin = await createTenantUser(ctx, 'admin', true);
  const user = await createTenantUser(ctx, 'user', false);
  const readOnly = await createKey(ctx, {
    name: 'read only',
    userId: admin.id,
    scopes: ['read'],
    days: null,
  });
  const team = await createKey(ctx, { name: 'team', userId: null, scopes: [], days: null });
  return { admin, user, readOnlyKey: readOnly.key, teamKey: team.key };
}

async function createTenantUser(ctx: Ctx, login: string, admin: boolean) {
  const password = `${login} password of ${ctx.workspace.slug}`;
  const id = await addUser(ctx, { login, name: login, password, admin });
  const { key } = await createKey(ctx, { name: login, userId: id, scopes: [], days: null });
  return { id, login, password, key };
}

/** Adds the domain here and not in the template, because the application's transport verifies it. */
async function openTenant(runtime: Runtime, slug: string, people: People): Promise<Tenant> {
  const ctx = await loadSystemCtx(runtime, slug);
  const domain = `${slug}.test`;
  await addDomain(ctx, domain);
  return { slug, ctx, domain, ...people };
}
