import { type Command, Option } from 'commander';
import { addExamples } from '../example.ts';
import type { FinishCommand } from '../finish-command.ts';

const loadActions = () => import('../actions/blob.ts');

const ONE = ['--workspace <slug>', 'of this workspace only'] as const;

export function addBlobCommands(program: Command, done: FinishCommand): void {
  const blob = program
    .command('blob')
    .description('Contents of files, which are kept in PostgreSQL or in the bucket of BLOB_URL.');
  addExamples(
    blob
      .command('move')
      .description(
        'Move contents to the other store: each is copied, read back and compared first. Both stores are read ' +
          'meanwhile; old copies are deleted a day later. If it was interrupted, run it again.',
      )
      .addOption(new Option('--to <store>', 'where to').choices(['pg', 's3']).makeOptionMandatory())
      .option(...ONE)
      .action(async ({ to, workspace }: { to: 'pg' | 's3'; workspace?: string }) =>
        done(await (await loadActions()).blobMove(to, workspace)),
      ),
    'blob move --to s3',
    'blob move --to pg --workspace acme',
  );
  addExamples(
    blob
      .command('check')
      .description('Read all contents, and count those that are missing or not what was put.')
      .option(...ONE)
      .action(async ({ workspace }: { workspace?: string }) =>
        done(await (await loadActions()).blobCheck(workspace)),
      ),
    'blob check',
    'blob check --workspace acme',
  );
}
