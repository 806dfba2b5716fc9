import { type Command, InvalidArgumentError } from 'commander';
import type { KeyOptions } from '../actions/key.ts';
import { addExamples } from '../example.ts';
import type { FinishCommand } from '../finish-command.ts';

const loadActions = () => import('../actions/key.ts');

export function addKeyCommands(program: Command, done: FinishCommand): void {
  const key = program.command('key').description('API keys of users and of workspaces.');
  addExamples(
    key
      .command('create')
      .description('Create a key for a user (--user) or the workspace (--team). It is shown once.')
      .requiredOption('--workspace <slug>', 'the workspace')
      .option('--user <login>', 'login of the user who owns the key')
      .option('--team', 'create a team key, for the email REST API')
      .option('--name <name>', 'name shown in the list of keys')
      .option('--expires <days>', 'days until the key expires; never by default')
      .option('--read-only', 'allow reading only')
      .option('--sending', 'allow sending email only')
      .option('--domain <name>', 'bind a team key to one sending domain')
      .option('--groups <names>', 'open these groups of MCP tools only: data,schema,mail,live,website')
      .option('--calls-per-day <count>', 'calls of MCP tools in a day')
      .option('--sends-per-day <count>', 'messages that an agent may send in a day')
      .option('--changes-per-day <count>', 'records that an agent may change in a day')
      .action(async (options: KeyOptions) => {
        checkExclusive(options);
        done(await (await loadActions()).runKeyCreate(options));
      }),
    'key create --workspace main --user admin --expires 30',
    'key create --workspace main --team --sending --domain mail.example.com',
    'key create --workspace main --user bob --groups data,mail --sends-per-day 20',
  );
  addExamples(
    key
      .command('list')
      .description('List keys with their permission, domain and last use, without their values.')
      .option('--workspace <slug>', 'the keys of one workspace only')
      .action(async ({ workspace }: { workspace?: string }) =>
        done(await (await loadActions()).runKeyList(workspace)),
      ),
    'key list --workspace main',
  );
  addExamples(
    key
      .command('revoke')
      .description('Revoke a key. Takes effect immediately.')
      .argument('<id>', 'the id of the key, as `key list` shows it')
      .option('--workspace <slug>', 'whose key it is, where several workspaces have one with this id')
      .action(async (id: string, { workspace }: { workspace?: string }) =>
        done(await (await loadActions()).runKeyRevoke(id, workspace)),
      ),
    'key revoke 3 --workspace main',
  );
  addExamples(
    key
      .command('rotate')
      .description(
        'Replace a key by a new one with the same owner and rights. The old one goes on for some hours.',
      )
      .argument('<id>', 'the id of the key, as `key list` shows it')
      .option('--overlap <hours>', 'how long the old key goes on working', '24')
      .option('--workspace <slug>', 'whose key it is, where several workspaces have one with this id')
      .action(async (id: string, { overlap, workspace }: { overlap: string; workspace?: string }) =>
        done(await (await loadActions()).runKeyRotate(id, overlap, workspace)),
      ),
    'key rotate 3 --workspace main --overlap 48',
  );
}

/** @throws InvalidArgumentError for conflicting or missing options */
function checkExclusive({ user, team, readOnly, sending }: KeyOptions): void {
  if (Boolean(team) === Boolean(user))
    throw new InvalidArgumentError('Pass either --user <login> or --team.');
  if (readOnly && sending) throw new InvalidArgumentError('Pass either --read-only or --sending.');
}
