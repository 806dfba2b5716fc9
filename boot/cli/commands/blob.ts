import { Option } from 'commander';
import type { CliCommand } from '../command.ts';

const loadActions = () => import('../actions/blob.ts');

export function addBlobCommands(program: CliCommand): void {
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
    .allowWorkspace()
    .examples('blob move --to s3', 'blob move --to pg --workspace acme')
    .runs(async ({ to, workspace }: { to: 'pg' | 's3'; workspace?: string }) =>
      (await loadActions()).runBlobMove(to, workspace),
    );
  blob
    .command('check')
    .description('Read all file contents, and report how many are missing or corrupt.')
    .allowWorkspace()
    .examples('blob check', 'blob check --workspace acme')
    .runs(async ({ workspace }: { workspace?: string }) => (await loadActions()).runBlobCheck(workspace));
}
