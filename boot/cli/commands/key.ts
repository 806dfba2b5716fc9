import { InvalidArgumentError } from 'commander';
import type { KeyOptions } from '../actions/key.ts';
import type { CliCommand } from '../command.ts';

const loadActions = () => import('../actions/key.ts');

export function addKeyCommands(program: CliCommand): void {
  const key = program.command('key').description('Manage the API keys of users and workspaces.');
  addCreateCommand(key);
  key
    .command('list')
    .description('List keys with their permissions, domain and last use. The keys themselves are not shown.')
    .allowWorkspace()
    .examples('key list --workspace main')
    .runs(async ({ workspace }: { workspace?: string }) => (await loadActions()).runKeyList(workspace));
  key
    .command('revoke')
    .description('Revoke a key. Takes effect immediately.')
    .argument('<id>', 'id of the key in `key list`')
    .option(
      '--workspace <slug>',
      'workspace of the key, required if several workspaces have a key with this id',
    )
    .examples('key revoke 3 --workspace main')
    .runs(async (id: string, { workspace }: { workspace?: string }) =>
      (await loadActions()).runKeyRevoke(id, workspace),
    );
  key
    .command('rotate')
    .description(
      'Replace a key with a new one that has the same owner and permissions. The old key stays valid for some hours.',
    )
    .argument('<id>', 'id of the key in `key list`')
    .option('--overlap <hours>', 'number of hours for which the old key stays valid', '24')
    .option(
      '--workspace <slug>',
      'workspace of the key, required if several workspaces have a key with this id',
    )
    .examples('key rotate 3 --workspace main --overlap 48')
    .runs(async (id: string, { overlap, workspace }: { overlap: string; workspace?: string }) =>
      (await loadActions()).runKeyRotate(id, overlap, workspace),
    );
}

function addCreateCommand(key: CliCommand): void {
  key
    .command('create')
    .description(
      'Create a key for a user (--user) or for the workspace (--team). The key is shown only once.',
    )
    .requireWorkspace()
    .option('--user <login>', 'login of the owner')
    .option('--team', 'create a team key for the email REST API and SMTP')
    .option('--name <name>', 'name shown in the list of keys')
    .option('--expires <days>', 'number of days until the key expires (default: never)')
    .option('--read-only', 'only allow reading')
    .option('--sending', 'only allow sending emails')
    .option('--domain <name>', 'restrict a team key to one sending domain')
    .option(
      '--groups <names>',
      'only allow these groups of MCP tools, separated by commas: data, schema, mail, live, website',
    )
    .option('--calls-per-day <count>', 'maximum number of MCP tool calls per day')
    .option('--sends-per-day <count>', 'maximum number of messages that an agent can send per day')
    .option('--changes-per-day <count>', 'maximum number of records that an agent can change per day')
    .examples(
      'key create --workspace main --user admin --expires 30',
      'key create --workspace main --team --sending --domain mail.example.com',
      'key create --workspace main --user bob --groups data,mail --sends-per-day 20',
    )
    .runs(async (options: KeyOptions) => {
      checkExclusive(options);
      return (await loadActions()).runKeyCreate(options);
    });
}

/** @throws InvalidArgumentError for conflicting or missing options */
function checkExclusive({ user, team, readOnly, sending }: KeyOptions): void {
  if (Boolean(team) === Boolean(user))
    throw new InvalidArgumentError('Pass either --user <login> or --team.');
  if (readOnly && sending) throw new InvalidArgumentError('Pass only one of --read-only and --sending.');
}
