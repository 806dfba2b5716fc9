import type { Command } from 'commander';
import { type CommandFinisher, formatExamples } from '../command.ts';

const loadActions = () => import('../actions/app.ts');

interface AppCommandOptions {
  workspace: string;
}

const WORKSPACE_OPTION = ['--workspace <slug>', 'slug of the workspace'] as const;

export function addAppCommands(program: Command, finish: CommandFinisher): void {
  const app = program.command('app').description("Manage a workspace's apps.");
  app
    .command('list')
    .description('List the available apps and whether they are installed in the workspace.')
    .requiredOption(...WORKSPACE_OPTION)
    .addHelpText('after', formatExamples('app list --workspace main'))
    .action(async ({ workspace }: AppCommandOptions) =>
      finish(await (await loadActions()).runAppList(workspace)),
    );
  app
    .command('install')
    .description('Install an app and its dependencies.')
    .argument('<name>', 'technical name, such as crm')
    .requiredOption(...WORKSPACE_OPTION)
    .addHelpText('after', formatExamples('app install project --workspace acme'))
    .action(async (name: string, { workspace }: AppCommandOptions) =>
      finish(await (await loadActions()).runAppInstall(workspace, name)),
    );
  app
    .command('upgrade')
    .description("Upgrade an app to the version in the server's code. To undo this, restore a backup.")
    .argument('<name>', 'technical name, such as crm')
    .requiredOption(...WORKSPACE_OPTION)
    .addHelpText('after', formatExamples('app upgrade project --workspace acme'))
    .action(async (name: string, { workspace }: AppCommandOptions) =>
      finish(await (await loadActions()).runAppUpgrade(workspace, name)),
    );
  app
    .command('remove')
    .description(
      'Remove an app, all its data and the apps that depend on it. If the command is interrupted, the server ' +
        'finishes the removal. To undo this, restore a backup.',
    )
    .argument('<name>', 'technical name, such as crm')
    .requiredOption(...WORKSPACE_OPTION)
    .addHelpText('after', formatExamples('app remove project --workspace acme'))
    .action(async (name: string, { workspace }: AppCommandOptions) =>
      finish(await (await loadActions()).runAppRemove(workspace, name)),
    );
}
