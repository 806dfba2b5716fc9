import { type Command, Option } from 'commander';
import { type CommandFinisher, formatExamples } from '../command.ts';

const loadActions = () => import('../actions/blob.ts');

const WORKSPACE_OPTION = ['--workspace <slug>', 'limit to one workspace'] as const;

export function addBlobCommands(program: Command, finish: CommandFinisher): void {
  const blob = program
    .command('blob')
    .description(
      'Manage file contents, which are stored in PostgreSQL or in the bucket that BLOB_URL specifies.',
    );
  blob
    .command('move')
    .description(
      'Move file contents to another store. Each copy is read back and compared. During the move, files are read ' +
        'from both stores. Old copies are deleted a day later. If the command is interrupted, run it again.',
    )
    .addOption(new Option('--to <store>', 'target store').choices(['pg', 's3']).makeOptionMandatory())
    .option(...WORKSPACE_OPTION)
    .addHelpText('after', formatExamples('blob move --to s3', 'blob move --to pg --workspace acme'))
    .action(async ({ to, workspace }: { to: 'pg' | 's3'; workspace?: string }) =>
      finish(await (await loadActions()).runBlobMove(to, workspace)),
    );
  blob
    .command('check')
    .description('Read all file contents, and report how many are missing or corrupt.')
    .option(...WORKSPACE_OPTION)
    .addHelpText('after', formatExamples('blob check', 'blob check --workspace acme'))
    .action(async ({ workspace }: { workspace?: string }) =>
      finish(await (await loadActions()).runBlobCheck(workspace)),
    );
}
