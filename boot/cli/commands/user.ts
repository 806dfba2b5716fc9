import type { UserOptions } from '../actions/user.ts';
import { appendValue, type CliCommand } from '../command.ts';

const loadActions = () => import('../actions/user.ts');

export function addUserCommands(program: CliCommand): void {
  const user = program.command('user').description("Manage a workspace's users.");
  addCreateCommand(user);
  user
    .command('list')
    .description("List a workspace's users, including archived ones.")
    .requireWorkspace()
    .examples('user list --workspace main')
    .runs(async (options: UserOptions) => (await loadActions()).runUserList(options));
  user
    .command('password')
    .description(
      'Set the password of a user and end their sessions. Without --password, a password is generated and shown ' +
        'once.',
    )
    .argument('<login>', 'login name')
    .requireWorkspace()
    .option('--password <password>', 'the new password')
    .examples('user password admin --workspace main')
    .runs(async (login: string, options: UserOptions) =>
      (await loadActions()).setUserPassword(login, options),
    );
  user
    .command('archive')
    .description('Archive a user, end their sessions and revoke their keys.')
    .argument('<login>', 'login name')
    .requireWorkspace()
    .examples('user archive bob --workspace main')
    .runs(async (login: string, options: UserOptions) =>
      (await loadActions()).runUserArchive(login, options),
    );
  user
    .command('service')
    .description(
      'Convert a user to a service account, which uses no seat and authenticates only with API keys. Deletes the ' +
        'password and ends all sessions.',
    )
    .argument('<login>', 'login name')
    .requireWorkspace()
    .option('--off', 'convert a service account back to a regular user')
    .examples('user service importer --workspace main', 'user service importer --workspace main --off')
    .runs(async (login: string, options: UserOptions & { off?: boolean }) =>
      (await loadActions()).runUserService(login, options),
    );
}

function addCreateCommand(user: CliCommand): void {
  user
    .command('create')
    .description('Create a user. Without --password, a password is generated and shown only once.')
    .argument('<login>', 'login name, usually an email address')
    .requireWorkspace()
    .option('--admin', 'make the user an administrator')
    .option('--group <external id>', 'add the user to a group; can be repeated', appendValue)
    .option('--name <name>', 'full name (default: the login)')
    .option('--password <password>', 'the password')
    .option(
      '--service',
      'create a service account, which uses no seat, has no password and cannot be an administrator',
    )
    .examples(
      'user create ann@example.com --workspace main --admin',
      'user create bob --workspace main --group sales_team.group_sale_salesman',
      'user create importer --workspace main --service',
    )
    .runs(async (login: string, options: UserOptions) => (await loadActions()).runUserCreate(login, options));
}
