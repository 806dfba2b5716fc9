import { type AppRow, appRow, appRows } from '../../../schema/base/apps/app-shape.ts';
import { installApp, upgradeApp } from '../../../schema/base/apps/install.ts';
import { beginRemoval, carryOutRemoval } from '../../../schema/base/apps/removal.ts';
import { systemCtx } from '../../../schema/base/workspace/create-workspace.ts';
import { onRuntime } from '../on-runtime.ts';
import { inWorkspace } from './in-workspace.ts';

const shown = ({ name, label, state, version, installedVersion, changes }: AppRow) => ({
  name,
  label,
  state,
  version,
  installed: installedVersion,
  changes,
});

export const appList = (workspace: string) =>
  onRuntime(async (runtime) => (await appRows(await systemCtx(runtime, workspace))).map(shown));

export const appInstall = (workspace: string, name: string) =>
  inWorkspace(workspace, 'app.install', { name }, async (ctx) => {
    const changed = await installApp(ctx, name);
    return { ...shown(await appRow(ctx, name)), changed };
  });

export const appUpgrade = (workspace: string, name: string) =>
  inWorkspace(workspace, 'app.upgrade', { name }, async (ctx) => {
    const changed = (await upgradeApp(ctx, name)).map((each) => each.name);
    return { ...shown(await appRow(ctx, name)), changed };
  });

/** Whether or not administrators may: the operator decides. Ends when all rows are gone. */
export const appRemove = (workspace: string, name: string) =>
  inWorkspace(
    workspace,
    'app.uninstall',
    { name },
    async (ctx) => {
      const { removal, apps: changed } = await beginRemoval(ctx, name);
      await carryOutRemoval(ctx.runtime.db, removal);
      return { ...shown(await appRow(ctx, name)), changed };
    },
    false,
  );
