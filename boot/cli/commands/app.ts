import type { Command } from 'commander';
import { addExamples } from '../example.ts';
import type { FinishCommand } from '../finish-command.ts';

const loadActions = () => import('../actions/app.ts');

interface AppCommandOptions {
  workspace: string;
}

const OF = ['--workspace <slug>', 'the workspace'] as const;

export function addAppCommands(program: Command, done: FinishCommand): void {
  const app = program.command('app').description('Apps of a workspace.');
  addExamples(
    app
      .command('list')
      .description('List the apps of this server, and which of them the workspace has.')
      .requiredOption(...OF)
      .action(async ({ workspace }: AppCommandOptions) =>
        done(await (await loadActions()).runAppList(workspace)),
      ),
    'app list --workspace main',
  );
  addExamples(
    app
      .command('install')
      .description('Install an app and those it builds on.')
      .argument('<name>', 'technical name, such as crm')
      .requiredOption(...OF)
      .action(async (name: string, { workspace }: AppCommandOptions) =>
        done(await (await loadActions()).runAppInstall(workspace, name)),
      ),
    'app install project --workspace acme',
  );
  addExamples(
    app
      .command('upgrade')
      .description('Bring an app to the version of the code. Only a backup leads back.')
      .argument('<name>', 'technical name, such as crm')
      .requiredOption(...OF)
      .action(async (name: string, { workspace }: AppCommandOptions) =>
        done(await (await loadActions()).runAppUpgrade(workspace, name)),
      ),
    'app upgrade project --workspace acme',
  );
  addExamples(
    app
      .command('remove')
      .description(
        'Remove an app with all its data, and the apps that build on it. If it was interrupted, the server goes on. ' +
          'Only a backup brings the data back.',
      )
      .argument('<name>', 'technical name, such as crm')
      .requiredOption(...OF)
      .action(async (name: string, { workspace }: AppCommandOptions) =>
        done(await (await loadActions()).runAppRemove(workspace, name)),
      ),
    'app remove project --workspace acme',
  );
}
