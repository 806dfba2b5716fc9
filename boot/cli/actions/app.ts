import { type AppRow, loadApp, loadApps } from '../../../schema/base/apps/app-shape.ts';
import { installApp, upgradeApp } from '../../../schema/base/apps/install.ts';
import { beginRemoval, runRemoval } from '../../../schema/base/apps/removal.ts';
import { loadSystemCtx } from '../../../src/engine/ctx/system-ctx.ts';
import { runOnRuntime } from '../run-on-runtime.ts';
import { runInWorkspace } from './run-in-workspace.ts';

const toAppView = ({ name, label, state, version, installedVersion, changes }: AppRow) => ({
  name,
  label,
  state,
  version,
  installed: installedVersion,
  changes,
});

export const runAppList = (workspace: string) =>
  runOnRuntime(async (runtime) => (await loadApps(await loadSystemCtx(runtime, workspace))).map(toAppView));

export const runAppInstall = (workspace: string, name: string) =>
  runInWorkspace(workspace, 'app.install', { name }, async (ctx) => {
    const changed = await installApp(ctx, name);
    return { ...toAppView(await loadApp(ctx, name)), changed };
  });

export const runAppUpgrade = (workspace: string, name: string) =>
  runInWorkspace(workspace, 'app.upgrade', { name }, async (ctx) => {
    const changed = (await upgradeApp(ctx, name)).map((item) => item.name);
    return { ...toAppView(await loadApp(ctx, name)), changed };
  });

/** Ignores APP_UNINSTALL, because the operator decides. Returns when all rows are deleted. */
export const runAppRemove = (workspace: string, name: string) =>
  runInWorkspace(
    workspace,
    'app.uninstall',
    { name },
    async (ctx) => {
      const { removal, apps: changed } = await beginRemoval(ctx, name);
      await runRemoval(ctx.runtime.db, removal);
      return { ...toAppView(await loadApp(ctx, name)), changed };
    },
    false,
  );
