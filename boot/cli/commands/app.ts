import type { CliCommand } from '../command.ts';

const loadActions = () => import('../actions/app.ts');

export function addAppCommands(program: CliCommand): void {
  const app = program.command('app').description("Manage a workspace's apps.");
  app
    .command('list')
    .description('List the available apps and whether they are installed in the workspace.')
    .requireWorkspace()
    .examples('app list --workspace main')
    .runsInWorkspace(async () => (await loadActions()).runAppList);
  app
    .command('install')
    .description('Install an app and its dependencies.')
    .argument('<name>', 'technical name, such as crm')
    .requireWorkspace()
    .examples('app install project --workspace acme')
    .runsInWorkspace(async () => (await loadActions()).runAppInstall);
  app
    .command('upgrade')
    .description("Upgrade an app to the version in the server's code. To undo this, restore a backup.")
    .argument('<name>', 'technical name, such as crm')
    .requireWorkspace()
    .examples('app upgrade project --workspace acme')
    .runsInWorkspace(async () => (await loadActions()).runAppUpgrade);
  app
    .command('remove')
    .description(
      'Remove an app, all its data and the apps that depend on it. If the command is interrupted, the server ' +
        'finishes the removal. To undo this, restore a backup.',
    )
    .argument('<name>', 'technical name, such as crm')
    .requireWorkspace()
    .examples('app remove project --workspace acme')
    .runsInWorkspace(async () => (await loadActions()).runAppRemove);
}
