import type { Command } from 'commander';
import type { Done } from '../done.ts';
import { examples } from '../example.ts';

const actions = () => import('../actions/app.ts');

interface Options {
  workspace: string;
}

const OF = ['--workspace <slug>', 'the workspace'] as const;

export function addAppCommands(program: Command, done: Done): void {
  const app = program.command('app').description('Apps of a workspace.');
  examples(
    app
      .command('list')
      .description('List the apps of this server, and which of them the workspace has.')
      .requiredOption(...OF)
      .action(async ({ workspace }: Options) => done(await (await actions()).appList(workspace))),
    'app list --workspace main',
  );
  examples(
    app
      .command('install')
      .description('Install an app and those it builds on.')
      .argument('<name>', 'technical name, such as crm')
      .requiredOption(...OF)
      .action(async (name: string, { workspace }: Options) =>
        done(await (await actions()).appInstall(workspace, name)),
      ),
    'app install project --workspace acme',
  );
  examples(
    app
      .command('upgrade')
      .description('Bring an app to the version of the code. Only a backup leads back.')
      .argument('<name>', 'technical name, such as crm')
      .requiredOption(...OF)
      .action(async (name: string, { workspace }: Options) =>
        done(await (await actions()).appUpgrade(workspace, name)),
      ),
    'app upgrade project --workspace acme',
  );
  examples(
    app
      .command('remove')
      .description(
        'Remove an app with all its data, and the apps that build on it. If it was interrupted, the server goes on. ' +
          'Only a backup brings the data back.',
      )
      .argument('<name>', 'technical name, such as crm')
      .requiredOption(...OF)
      .action(async (name: string, { workspace }: Options) =>
        done(await (await actions()).appRemove(workspace, name)),
      ),
    'app remove project --workspace acme',
  );
}
