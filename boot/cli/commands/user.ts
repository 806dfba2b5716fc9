import type { Command } from 'commander';
import type { UserOptions } from '../actions/user.ts';
import { appendValue, type CommandFinisher, formatExamples } from '../command.ts';

const loadActions = () => import('../actions/user.ts');

export function addUserCommands(program: Command, finish: CommandFinisher): void {
  const user = program.command('user').description("Manage a workspace's users.");
  addCreateCommand(user, finish);
  user
    .command('list')
    .description("List a workspace's users, including archived ones.")
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addHelpText('after', formatExamples('user list --workspace main'))
    .action(async (options: UserOptions) => finish(await (await loadActions()).runUserList(options)));
  user
    .command('password')
    .description(
      'Set the password of a user and end their sessions. Without --password, a password is generated and shown ' +
        'once.',
    )
    .argument('<login>', 'login name')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .option('--password <password>', 'the new password')
    .addHelpText('after', formatExamples('user password admin --workspace main'))
    .action(async (login: string, options: UserOptions) =>
      finish(await (await loadActions()).setUserPassword(login, options)),
    );
  user
    .command('archive')
    .description('Archive a user, end their sessions and revoke their keys.')
    .argument('<login>', 'login name')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addHelpText('after', formatExamples('user archive bob --workspace main'))
    .action(async (login: string, options: UserOptions) =>
      finish(await (await loadActions()).runUserArchive(login, options)),
    );
  user
    .command('service')
    .description(
      'Convert a user to a service account, which uses no seat and authenticates only with API keys. Deletes the ' +
        'password and ends all sessions.',
    )
    .argument('<login>', 'login name')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .option('--off', 'convert a service account back to a regular user')
    .addHelpText(
      'after',
      formatExamples(
        'user service importer --workspace main',
        'user service importer --workspace main --off',
      ),
    )
    .action(async (login: string, options: UserOptions & { off?: boolean }) =>
      finish(await (await loadActions()).runUserService(login, options)),
    );
}

function addCreateCommand(user: Command, finish: CommandFinisher): void {
  user
    .command('create')
    .description('Create a user. Without --password, a password is generated and shown only once.')
    .argument('<login>', 'login name, usually an email address')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .option('--admin', 'make the user an administrator')
    .option('--group <external id>', 'add the user to a group; can be repeated', appendValue)
    .option('--name <name>', 'full name (default: the login)')
    .option('--password <password>', 'the password')
    .option(
      '--service',
      'create a service account, which uses no seat, has no password and cannot be an administrator',
    )
    .addHelpText(
      'after',
      formatExamples(
        'user create ann@example.com --workspace main --admin',
        'user create bob --workspace main --group sales_team.group_sale_salesman',
        'user create importer --workspace main --service',
      ),
    )
    .action(async (login: string, options: UserOptions) =>
      finish(await (await loadActions()).runUserCreate(login, options)),
    );
}
