import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { call } from '../../../../src/engine/operation/call.ts';
import { errors } from '../../../../src/errors.ts';
import {
  buildConfirmationRequest,
  defineTool,
  type ToolResult,
  type ToolSpec,
  toToolResult,
} from '../../tool.ts';
import { CONFIRM_ARGUMENT, WRITING_TOOL } from '../kit.ts';
import { buildModuleInputSchema } from './module-argument.ts';

const MODULE_CHANGE_DEFAULTS = {
  ...WRITING_TOOL,
  effects: ['modules'],
  group: 'live',
  role: 'administrator',
  method: null,
  isOurs: true,
} as const satisfies Partial<ToolSpec<never>>;

interface ModuleChange {
  app: { name: string; state: string };
  changed: string[];
}

/** Reads the version with `moduleStatus`, because it begins with the series of the data API. */
async function toChangeResult(ctx: Ctx, verb: string, { app, changed }: ModuleChange): Promise<ToolResult> {
  const { installedVersion } = await call(ctx, 'moduleStatus', { name: app.name });
  return toToolResult(
    { module: app.name, state: app.state, installed_version: installedVersion, [verb]: changed },
    changed.length,
  );
}

export const moduleInstallTool = defineTool({
  ...MODULE_CHANGE_DEFAULTS,
  name: 'module_install',
  title: 'Install an app',
  description: 'Installs an app and its dependencies.',
  inputSchema: buildModuleInputSchema(),
  run: async ({ ctx, args }) =>
    toChangeResult(ctx, 'installed', await call(ctx, 'appInstall', { name: args.module })),
});

export const moduleUpgradeTool = defineTool({
  ...MODULE_CHANGE_DEFAULTS,
  name: 'module_upgrade',
  title: 'Upgrade an app',
  description: 'Updates an installed app. No tool can undo the update.',
  inputSchema: buildModuleInputSchema(),
  run: async ({ ctx, args }) =>
    toChangeResult(ctx, 'upgraded', await call(ctx, 'appUpgrade', { name: args.module })),
});

export const moduleUninstallTool = defineTool({
  ...MODULE_CHANGE_DEFAULTS,
  effects: ['modules', 'deletes'],
  name: 'module_uninstall',
  title: 'Remove an app',
  description:
    'Permanently removes an app, the apps that depend on it, and all of their data. The operator ' +
    'must have enabled removal. Without confirm: true, only counts what would be deleted.',
  inputSchema: buildModuleInputSchema({ confirm: CONFIRM_ARGUMENT }),
  waits: true,
  run: async ({ ctx, args, confirmed }) => {
    const { module: name } = args;
    if (confirmed) return toChangeResult(ctx, 'removed', await call(ctx, 'appUninstall', { name }));
    const preview = await call(ctx, 'appPreview', { name, change: 'uninstall' as never });
    const { apps, models, attached, fields, rows, isPossible } = preview;
    if (!isPossible)
      throw errors.user(`${name} cannot be removed. module_status shows which changes are possible.`);
    return buildConfirmationRequest(
      { preview: { modules: apps, models, attached, fields, rows } },
      `delete ${rows} rows of ${apps.join(', ')}`,
    );
  },
});
