import { type Sql, sql } from '../../../src/db/sql.ts';
import { announceCatalogChange } from '../../../src/engine/ctx/announce-catalog-change.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { isLaterVersion } from '../../../src/version.ts';
import { loadCatalog } from '../ir/catalog-load.ts';
import { recordRuleFaults } from '../ir/field/rule-faults.ts';
import { addFirstRecordNames } from '../ir/first-names.ts';
import { addInitialRights } from '../ir/initial-rights.ts';
import { addGroups, listGroups } from '../users/groups.ts';
import type { Belongings } from './belongings.ts';
import { isLeft } from './end-removal.ts';
import { getApp, listWithDependencies, toAppVersion, toModuleVersion } from './get-app.ts';
import { addModules, loadAppStates, setModuleStates } from './module-rows.ts';

/**
 * Serializes changes to the workspace's apps until the transaction ends, and adds modules that are new in the code.
 * @returns the number of added modules
 */
export async function lockApps(ctx: Ctx): Promise<number> {
  await ctx.db.rows(buildAppsLock(ctx.workspace.id));
  const before = await loadAppStates(ctx);
  await addModules(ctx, []);
  const after = await loadAppStates(ctx);
  if (after.size > before.size) await addFirstRecordNames(ctx);
  return after.size - before.size;
}

export const buildAppsLock = (workspaceId: number): Sql =>
  sql`select 1 from ir_module_module where workspace_id = ${workspaceId} and name = 'base' for no key update`;

/** Returns a system context with a catalog that includes the transaction's changes. */
export async function reloadSystemCtx(tx: Ctx): Promise<Ctx> {
  const catalog = await loadCatalog(tx.db, tx.runtime.registry, tx.workspace.id);
  return tx.with({ workspace: { ...tx.workspace, catalog }, bounded: false, mask: false }).system();
}

/**
 * Installs an app and its dependencies atomically. Does nothing if they are installed.
 * @returns the names of the newly installed apps
 * @throws NOT_FOUND, or USER_ERROR if one of them is being removed
 */
export const installApp = (ctx: Ctx, name: string): Promise<string[]> =>
  ctx.tx(async (tx) => {
    getApp(name);
    await lockApps(tx);
    const names = await findMissingApps(tx, name);
    if (names.length === 0) return [];
    await setModuleStates(tx, names, 'installed');
    await provisionApps(tx, names);
    announceCatalogChange(tx);
    return names;
  });

async function findMissingApps(tx: Ctx, name: string): Promise<string[]> {
  const states = await loadAppStates(tx);
  const missingApps = listWithDependencies([name]).filter((app) => states.get(app.name) !== 'installed');
  for (const app of missingApps)
    if (states.get(app.name) === 'to remove' || !(await stopRemovalRecheck(tx, app.name)))
      throw errors.user(`${app.label} is being removed. Install it again once the removal is complete.`);
  return missingApps.map((app) => app.name);
}

/**
 * Stops rechecking the app's last removal.
 * @returns false if rows were added after the removal; installing the app would make them visible again
 */
async function stopRemovalRecheck({ db, workspace }: Ctx, name: string): Promise<boolean> {
  const removals = await db.rows<{ name: string; plan: Belongings }>(
    sql`select name, plan from svc_app_removal where workspace_id = ${workspace.id} and ${name} = any(apps)`,
  );
  for (const removal of removals) {
    if (await isLeft(db, workspace.id, removal.plan)) return false;
    await db.rows(
      sql`delete from svc_app_removal where workspace_id = ${workspace.id} and name = ${removal.name}`,
    );
  }
  return true;
}

async function provisionApps(tx: Ctx, names: string[]): Promise<void> {
  const system = await reloadSystemCtx(tx);
  const before = new Set(system.catalog.groupNames.keys());
  const states = await loadAppStates(tx);
  const installedApps = listWithDependencies(
    [...states].flatMap(([name, state]) => (state === 'installed' ? name : [])),
  );
  await addGroups(system, listGroups(installedApps));
  const { registry, rights, rules } = system.catalog;
  const isNewGroup = (group: string | null) => group !== null && !before.has(group);
  const hasNoRights = (model: string) => !rights.has(model) && !rules.has(model);
  await addInitialRights(
    system,
    [...registry.values()],
    ({ module, name }, group) => isNewGroup(group) || (names.includes(module ?? '') && hasNoRights(name)),
  );
  for (const app of installedApps) if (names.includes(app.name)) await app.initialData(system);
  await recordRuleFaults(system);
}

interface AppUpgrade {
  name: string;
  /** Null if the upgrade installed the app as a new dependency. */
  from: string | null;
  to: string;
}

/**
 * Atomically upgrades an app and its dependencies to the code's version, and installs missing dependencies. Cannot be
 * undone.
 * @throws NOT_FOUND, or USER_ERROR if the app is not installed or a missing dependency is being removed
 */
export const upgradeApp = (ctx: Ctx, name: string): Promise<AppUpgrade[]> =>
  ctx.tx(async (tx) => {
    const app = getApp(name);
    await lockApps(tx);
    const versions = await loadInstalledVersions(tx);
    if (!versions.has(name)) throw errors.user(`${app.label} is not installed.`);
    const missingApps = await findMissingApps(tx, name);
    await setModuleStates(tx, missingApps, 'installed');
    await provisionApps(tx, missingApps);
    const changedUpgrades = listWithDependencies([name]).flatMap(
      ({ name: item, version: to }): AppUpgrade[] => {
        const from = versions.get(item) ?? null;
        return from === null || isLaterVersion(to, from) ? [{ name: item, from, to }] : [];
      },
    );
    const outdated = changedUpgrades.flatMap(({ name: item, from }) =>
      from === null ? [] : { name: item, from },
    );
    const system = await reloadSystemCtx(tx);
    for (const { name: item, from } of outdated)
      for (const migration of getApp(item).migrations)
        if (isLaterVersion(migration.version, from)) await migration.run(system);
    const names = outdated.map((item) => item.name);
    await setModuleStates(tx, names, 'installed');
    await provisionApps(tx, names);
    announceCatalogChange(tx);
    return changedUpgrades;
  });

export async function loadInstalledVersions({
  db,
  workspace,
}: Pick<Ctx, 'db' | 'workspace'>): Promise<Map<string, string>> {
  const rows = await db.rows<{ name: string; version: string | null }>(
    sql`select name, latest_version as version from ir_module_module
     where workspace_id = ${workspace.id} and state = 'installed'`,
  );
  return new Map(rows.map(({ name, version }) => [name, toAppVersion(version ?? toModuleVersion('0'))]));
}
