import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getRequestedLanguage, labelsArgument } from '../../../src/engine/describe/labels.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { type AppChange, AppShape, ChangeKind, loadApp, loadApps } from './app-shape.ts';
import { installApp, upgradeApp } from './install.ts';
import { AppPreviewShape, previewAppChange } from './preview.ts';
import { beginRemoval, runRemoval } from './removal.ts';

/** Maximum time that a request waits for an app's removal, which then continues in a worker. */
const MAX_REMOVAL_WAIT_MS = 5_000;

const reads: Policy = { auth: ['USER'], scope: 'read' };
const buildAppPolicy = (event: string): Policy => ({ auth: ['ADMIN'], scope: 'write', audit: event });

const APP_NAME_ARG = { required: true, description: 'Technical name, such as `crm`.' } as const;

export const appsOperation = defineOperation('apps', {
  kind: 'query',
  effects: ['reads'],
  policy: reads,
  description:
    'Lists the apps available on this server, each after its dependencies, with their state in the workspace.',
  args: (arg) => ({ lang: arg.string(labelsArgument) }),
  type: [AppShape.ref],
  run: (ctx, { lang }) => loadApps(ctx, null, getRequestedLanguage(ctx, lang)),
});

export const appOperation = defineOperation('app', {
  kind: 'query',
  effects: ['reads'],
  policy: reads,
  description: 'Returns an app by its technical name.',
  args: (arg) => ({ name: arg.string(APP_NAME_ARG), lang: arg.string(labelsArgument) }),
  type: AppShape.ref,
  run: (ctx, { name, lang }) => loadApp(ctx, name, getRequestedLanguage(ctx, lang)),
});

export const appPreview = defineOperation('appPreview', {
  kind: 'query',
  effects: ['reads'],
  policy: { auth: ['ADMIN'], scope: 'read' },
  description:
    'Previews a change to an app: the other apps that would change, and the number of records that would be deleted.',
  args: (arg) => ({
    name: arg.string(APP_NAME_ARG),
    change: arg({
      type: ChangeKind.ref as never,
      required: true,
      description: 'Change to preview.',
    }),
    lang: arg.string(labelsArgument),
  }),
  type: AppPreviewShape.ref,
  run: (ctx, { name, change, lang }) =>
    previewAppChange(ctx, name, change as AppChange, getRequestedLanguage(ctx, lang)),
});

const ChangedApp = defineTypedShape('AppChanged', 'An app after a change.', {
  app: { type: AppShape, description: 'The app after the change.' },
  changed: { type: ['String'], description: 'Technical names of all changed apps.' },
});

const buildAppChange = async (ctx: Ctx, name: string, names: string[]) => ({
  app: await loadApp(ctx, name),
  changed: names,
});

export const appInstall = defineOperation('appInstall', {
  kind: 'mutation',
  effects: ['writes', 'modules'],
  policy: buildAppPolicy('app.install'),
  description: 'Installs an app and its dependencies. Apps that are already installed are not changed.',
  args: (arg) => ({ name: arg.string(APP_NAME_ARG) }),
  type: ChangedApp.ref,
  run: async (ctx, { name }) => buildAppChange(ctx, name, await installApp(ctx, name)),
});

export const appUpgrade = defineOperation('appUpgrade', {
  kind: 'mutation',
  effects: ['writes', 'modules'],
  policy: buildAppPolicy('app.upgrade'),
  description:
    'Updates an installed app and its dependencies to the version available on this server. This can only ' +
    'be undone by restoring a backup.',
  args: (arg) => ({ name: arg.string(APP_NAME_ARG) }),
  type: ChangedApp.ref,
  run: async (ctx, { name }) => {
    const upgrades = await upgradeApp(ctx, name);
    const names = upgrades.map((upgrade) => upgrade.name);
    return buildAppChange(ctx, name, names);
  },
});

export const appUninstall = defineOperation('appUninstall', {
  kind: 'mutation',
  effects: ['writes', 'deletes', 'modules'],
  policy: { ...buildAppPolicy('app.uninstall'), waits: true },
  description:
    'Removes an app, the apps that depend on it, and their data. The operator must have enabled ' +
    'removal. Use `appPreview` to see what would be deleted. The apps become unavailable immediately. ' +
    "Large amounts of data are deleted in the background; the app's `removal` shows the progress.",
  args: (arg) => ({ name: arg.string(APP_NAME_ARG) }),
  type: ChangedApp.ref,
  run: async (ctx, { name }) => buildAppChange(ctx, name, await uninstallApp(ctx, name)),
});

/** @returns the names of the removed apps @throws USER_ERROR if the operator has not enabled removal */
export async function uninstallApp(ctx: Ctx, name: string): Promise<string[]> {
  if (!ctx.runtime.config.removesApps) throw errors.user(REMOVAL_DISABLED_ERROR);
  const { removal, apps } = await beginRemoval(ctx, name);
  await runRemoval(ctx.runtime.db, removal, MAX_REMOVAL_WAIT_MS);
  return apps;
}

const REMOVAL_DISABLED_ERROR =
  'Apps are not removed on this server: the operator has not enabled it (APP_UNINSTALL=on).';

/** Returns the modules' names in the order of `ids`. @throws MISSING */
export async function loadModuleNames(ctx: Ctx, ids: number[]): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: number; name: string }>(
    sql`select id, name from ir_module_module where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );
  const names = new Map(rows.map((row) => [row.id, row.name]));
  const missingIds = ids.filter((id) => !names.has(id));
  if (missingIds.length > 0)
    throw errors.missing('ir.module.module', missingIds, ctx.principal?.userId ?? null);
  return ids.map((id) => names.get(id)!);
}
