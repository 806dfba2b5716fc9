import type { Command } from 'commander';
import type { UserOptions } from '../actions/user.ts';
import type { Done } from '../done.ts';
import { examples } from '../example.ts';

const actions = () => import('../actions/user.ts');

export function addUserCommands(program: Command, done: Done): void {
  const user = program.command('user').description('Users of a workspace.');
  examples(
    user
      .command('create')
      .description('Create a user. Without --password one is generated and shown once.')
      .argument('<login>', 'login name, usually an email address')
      .requiredOption('--workspace <slug>', 'the workspace')
      .option('--admin', 'make the user an administrator')
      .option('--group <external id>', 'add the user to a group; may be repeated', collect)
      .option('--name <name>', 'full name; the login by default')
      .option('--password <password>', 'the password')
      .action(async (login: string, options: UserOptions) =>
        done(await (await actions()).userCreate(login, options)),
      ),
    'user create ann@example.com --workspace main --admin',
    'user create bob --workspace main --group sales_team.group_sale_salesman',
  );
}

const collect = (value: string, before: string[] = []): string[] => [...before, value];
