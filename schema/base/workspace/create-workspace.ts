import { sql } from '../../../src/db/sql.ts';
import { announceCatalogChange } from '../../../src/engine/ctx/announce-catalog-change.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createBareCtx, createEmptyWorkspace, createSystemCtx } from '../../../src/engine/ctx/system-ctx.ts';
import type { Workspace } from '../../../src/engine/ctx/workspace.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { search } from '../../../src/engine/read/records.ts';
import { buildSweepInsertSql } from '../../../src/engine/work/sweep.ts';
import { create } from '../../../src/engine/write/write.ts';
import { createOwnMailboxes } from '../../mailbox/accounts/own-mailbox.ts';
import { addFirstWebsite } from '../../website/first-website.ts';
import { getApp, listWithDependencies } from '../apps/get-app.ts';
import { addModules, getDefaultApps } from '../apps/module-rows.ts';
import { addDiscussionTypes } from '../discussion/first-records.ts';
import { buildAppRegistry, loadCatalog } from '../ir/catalog-load.ts';
import { addFirstRecordNames } from '../ir/first-names.ts';
import { addInitialRights } from '../ir/initial-rights.ts';
import { addParameters } from '../ir/parameter.ts';
import { addFirstActions } from '../ir/window-action.ts';
import { addReferenceData } from '../partners/reference-rows.ts';
import { addGroups, listGroups } from '../users/groups.ts';
import { createUser, type NewUser } from '../users/user-create.ts';
import { checkSlug, createSlugTakenError, WORKSPACE_FEATURES } from './workspace.ts';

/**
 * Atomically creates a workspace with its groups, its company, the selected apps and their dependencies, and the
 * records that `more` adds.
 * @throws BAD_REQUEST if the slug is invalid, NOT_UNIQUE if it is taken
 */
export async function createWorkspace(
  runtime: Runtime,
  slug: string,
  name = slug,
  more: (ctx: Ctx) => Promise<void> = async () => undefined,
  selectedApps: readonly string[] = getDefaultApps(),
): Promise<Ctx> {
  checkSlug(slug);
  for (const app of selectedApps) getApp(app);
  const workspace = await createSystemCtx(runtime, createEmptyWorkspace(runtime)).tx(async (tx) => {
    const createdWorkspace = await insertWorkspace(tx, slug, name);
    const allocation = tx.db.idAllocator.begin(createdWorkspace.id);
    await tx.afterEnd(async () => allocation.end());
    const installed = await addModules(tx.with({ workspace: createdWorkspace }), selectedApps);
    const registry = buildAppRegistry(runtime.registry, installed);
    const ctx = tx.with({
      workspace: { ...createdWorkspace, catalog: { ...createdWorkspace.catalog, registry } },
    });
    await provisionRecords(ctx, installed, [...registry.values()]);
    await more(ctx);
    await addFirstRecordNames(ctx);
    await allocation.keep(ctx.db);
    return createdWorkspace;
  });
  return createSystemCtx(runtime, { ...workspace, catalog: await runtime.catalogs.get(workspace.id) });
}

/**
 * Atomically adds the groups, access rights and initial records of models that are newer than the workspace's version.
 * @returns true if models were missing
 */
export const provisionWorkspace = (runtime: Runtime, workspaceId: number): Promise<boolean> =>
  createBareCtx(runtime, workspaceId).tx(async (tx) => {
    const { version } = runtime.catalogs.provisioning!;
    const [row] = await tx.db.rows<Pick<Workspace, 'slug' | 'name'> & { models: string[] }>(
      sql`select w.slug, w.name, array(
         select model from ir_model_stock where since > w.equipped and since <= ${version}) as models
       from workspace w where w.id = ${workspaceId} and w.equipped < ${version} for no key update`,
    );
    if (!row) return false;
    const { slug, name, models } = row;
    const workspace = { ...createEmptyWorkspace(runtime), id: workspaceId, slug, name };
    const installed = await addModules(tx.with({ workspace }));
    const catalog = await loadCatalog(tx.db, runtime.registry, workspaceId);
    const ctx = tx.with({ workspace: { ...workspace, catalog } });
    await provisionRecords(
      ctx,
      installed,
      models.flatMap((model) => ctx.catalog.registry.get(model) ?? []),
    );
    await addFirstRecordNames(ctx);
    await tx.db.rows(sql`update workspace set equipped = ${version} where id = ${workspaceId}`);
    announceCatalogChange(ctx);
    return true;
  });

/**
 * Adds the missing groups, reference data and initial records of the platform and its apps, and the access rights of
 * `models`.
 */
async function provisionRecords(ctx: Ctx, installed: string[], models: Model[]): Promise<void> {
  const apps = listWithDependencies(installed);
  await addGroups(ctx, listGroups(apps));
  await addInitialRights(ctx, models);
  await addReferenceData(ctx);
  await addCompany(ctx);
  await addParameters(ctx);
  await addDiscussionTypes(ctx);
  await createOwnMailboxes(ctx);
  await addFirstActions(ctx);
  await addFirstWebsite(ctx);
  for (const app of apps) await app.initialData(ctx);
}

async function addCompany(ctx: Ctx): Promise<void> {
  const [existingWorkspace] = await ctx.db.rows(
    sql`select 1 from res_company where workspace_id = ${ctx.workspace.id} limit 1`,
  );
  if (existingWorkspace) return;
  const { name } = ctx.workspace;
  const [partner] = await create(ctx, 'res.partner', [{ name, is_company: true }]);
  await create(ctx, 'res.company', [{ name, partner_id: partner, currency_id: await findEuroId(ctx) }]);
}

async function findEuroId(ctx: Ctx): Promise<number> {
  const [id] = await search(ctx, 'res.currency', [['name', '=', 'EUR']], { limit: 1 });
  return id!;
}

async function insertWorkspace(ctx: Ctx, slug: string, name: string): Promise<Workspace> {
  const { version } = ctx.runtime.catalogs.provisioning!;
  const features = Object.keys(WORKSPACE_FEATURES).filter((key) => WORKSPACE_FEATURES[key]);
  const [row] = await ctx.db.rows<{ id: number }>(
    sql`insert into workspace (slug, name, features, equipped) values (${slug}, ${name}, ${features}, ${version})
     on conflict (slug) do nothing returning id`,
  );
  if (!row) throw createSlugTakenError(slug);
  await ctx.db.rows(buildSweepInsertSql(row.id));
  return { id: row.id, slug, name, features: new Set(features), catalog: ctx.catalog };
}

/** Adds a user to the workspace's company. Does not check permissions. */
export async function addUser(ctx: Ctx, user: Omit<NewUser, 'companyId'>): Promise<number> {
  const companyId = await ctx.db.value<number>(
    sql`select id from res_company where workspace_id = ${ctx.workspace.id} order by sequence, id limit 1`,
  );
  return ctx.tx((tx) => createUser(tx, { ...user, companyId }));
}
