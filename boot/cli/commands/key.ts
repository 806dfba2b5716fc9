import type { Command } from 'commander';
import type { KeyOptions } from '../actions/key.ts';
import type { Done } from '../done.ts';

const actions = () => import('../actions/key.ts');

export function addKeyCommands(program: Command, done: Done): void {
  const key = program.command('key').description('API keys of users and of workspaces.');
  key
    .command('create')
    .description('Create a key for a user (--user) or the workspace (--team). It is shown once.')
    .requiredOption('--workspace <slug>', 'the workspace')
    .option('--user <login>', 'the user whose key it is')
    .option('--team', 'make it a key of the workspace itself, for the email REST API')
    .option('--name <name>', 'what the key is called')
    .option('--expires <days>', 'after how many days it expires; never by default')
    .option('--read-only', 'a key that only reads')
    .option('--sending', 'a key that only sends email')
    .option('--domain <name>', 'bind a key of the workspace to one sending domain')
    .action(async (options: KeyOptions) => done(await (await actions()).keyCreate(options)));
  key
    .command('list')
    .description('List keys with their permission and domain, without their values.')
    .option('--workspace <slug>', 'the keys of one workspace only')
    .action(async ({ workspace }: { workspace?: string }) =>
      done(await (await actions()).keyList(workspace)),
    );
  key
    .command('revoke')
    .description('Revoke a key. Takes effect immediately.')
    .argument('<id>', 'the id of the key, as `key list` shows it')
    .action(async (id: string) => done(await (await actions()).keyRevoke(id)));
}
