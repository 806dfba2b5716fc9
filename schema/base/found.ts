import { type Ctx, createCtx, type Workspace } from '../../src/engine/ctx.ts';
import type { Runtime } from '../../src/engine/runtime.ts';
import { create } from '../../src/engine/write.ts';
import { errors } from '../../src/errors.ts';
import { GROUPS } from './groups.ts';
import { createUser } from './users.ts';
import { FEATURES } from './workspace.ts';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A ctx of the platform itself in a workspace: commands and jobs, nobody's rights asked. */
export async function systemCtx(runtime: Runtime, slug: string): Promise<Ctx> {
  const workspace = await runtime.identity.workspace(slug);
  if (!workspace) throw errors.notFound(`Workspace ${slug}`);
  return systemCtxOf(runtime, workspace);
}

const systemCtxOf = (runtime: Runtime, workspace: Workspace): Ctx =>
  createCtx(runtime, { workspace, principal: null, channel: 'job', requestId: 'system' }).system();

const NOWHERE: Workspace = { id: 0, slug: '', name: '', features: new Set() };

/**
 * Creates a workspace with its groups, its company and what `more` adds, all or nothing.
 * @throws BAD_REQUEST for a slug that is none, NOT_UNIQUE when it is taken
 */
export async function foundWorkspace(
  runtime: Runtime,
  slug: string,
  name = slug,
  more: (ctx: Ctx) => Promise<void> = async () => undefined,
): Promise<Ctx> {
  if (!SLUG.test(slug)) throw errors.badRequest('A slug has 1 to 63 letters a-z, digits and inner hyphens.');
  const workspace = await systemCtxOf(runtime, NOWHERE).tx(async (tx) => {
    const founded = await insertWorkspace(tx, slug, name);
    const ctx = tx.with({ workspace: founded });
    await foundGroups(ctx);
    await create(ctx, 'res.company', [{ name }]);
    await more(ctx);
    return founded;
  });
  return systemCtxOf(runtime, workspace);
}

async function insertWorkspace(ctx: Ctx, slug: string, name: string): Promise<Workspace> {
  const features = Object.keys(FEATURES).filter((key) => FEATURES[key]);
  const [row] = await ctx.db.rows<{ id: number }>(
    `insert into workspace (slug, name, features) values ($1, $2, $3) on conflict (slug) do nothing returning id`,
    [slug, name, features],
  );
  if (!row) throw errors.notUnique(`The workspace ${slug} exists already.`);
  return { id: row.id, slug, name, features: new Set(features) };
}

async function foundGroups(ctx: Ctx): Promise<void> {
  const ids = new Map<string, number>();
  for (const group of GROUPS) {
    const [id] = await create(ctx, 'res.groups', [
      { name: group.name, external_id: group.id, share: group.share ?? false },
    ]);
    ids.set(group.id, id!);
  }
  for (const group of GROUPS) {
    for (const implied of group.implies) {
      await ctx.db.rows(`insert into res_groups_implied_rel (workspace_id, gid, hid) values ($1, $2, $3)`, [
        ctx.workspace.id,
        ids.get(group.id),
        ids.get(implied),
      ]);
    }
  }
}

/** Adds a user to the workspace's company; the caller of the command may do everything. */
export async function addUser(
  ctx: Ctx,
  user: { login: string; name?: string; password?: string; admin?: boolean },
): Promise<number> {
  const [company] = await ctx.db.rows<{ id: number }>(
    `select id from res_company where workspace_id = $1 order by sequence, id limit 1`,
    [ctx.workspace.id],
  );
  return ctx.tx((tx) => createUser(tx, { ...user, companyId: company!.id }));
}
