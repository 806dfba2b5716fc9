import { call } from '../../../../src/engine/verb/call.ts';
import { errors } from '../../../../src/errors.ts';
import { defineTool, needsConfirm, type ToolSpec, toolAnswer } from '../../tool.ts';
import { answers, CONFIRM, writes } from '../kit.ts';
import { type ModuleArgs, takesModule } from './module-argument.ts';

const common: Pick<
  ToolSpec<ModuleArgs>,
  'outputSchema' | 'annotations' | 'scope' | 'effects' | 'group' | 'role' | 'method' | 'isOurs'
> = {
  outputSchema: answers(),
  annotations: writes(),
  scope: 'write',
  effects: ['modules'],
  group: 'live',
  role: 'administrator',
  method: null,
  isOurs: true,
};

interface Changed {
  app: { name: string; state: string; installedVersion: string | null };
  changed: string[];
}

const answered = (what: string, { app, changed }: Changed) =>
  toolAnswer(
    { module: app.name, state: app.state, installed_version: app.installedVersion, [what]: changed },
    changed.length,
  );

export const moduleInstallTool = defineTool<ModuleArgs>({
  ...common,
  name: 'module_install',
  title: 'Install an app',
  description: 'Installs an app and those it builds on.',
  inputSchema: takesModule(),
  run: async ({ ctx, args }) => answered('installed', await call(ctx, 'appInstall', { name: args.module })),
});

export const moduleUpgradeTool = defineTool<ModuleArgs>({
  ...common,
  name: 'module_upgrade',
  title: 'Upgrade an app',
  description: 'Updates an installed app. It cannot be rolled back from here.',
  inputSchema: takesModule(),
  run: async ({ ctx, args }) => answered('upgraded', await call(ctx, 'appUpgrade', { name: args.module })),
});

export const moduleUninstallTool = defineTool<ModuleArgs>({
  ...common,
  effects: ['modules', 'deletes'],
  name: 'module_uninstall',
  title: 'Remove an app',
  description:
    'Removes an app with its data and that of apps built on it, for good. Off unless an operator has enabled it. ' +
    'Without confirm: true it only counts what would go.',
  inputSchema: takesModule({ confirm: CONFIRM }),
  waits: true,
  run: async ({ ctx, args, confirmed }) => {
    const { module: name } = args;
    if (confirmed) return answered('removed', await call(ctx, 'appUninstall', { name }));
    const preview = await call(ctx, 'appPreview', { name, change: 'uninstall' as never });
    const { apps, models, attached, fields, rows, isPossible } = preview;
    if (!isPossible)
      throw errors.user(`${name} cannot be removed: module_status says what can be done with it.`);
    return needsConfirm({
      message: `This would delete ${rows} rows of ${apps.join(', ')}. Send it again with confirm: true to do so.`,
      preview: { modules: apps, models, attached, fields, rows },
    });
  },
});
