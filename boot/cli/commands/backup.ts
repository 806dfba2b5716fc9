import type { Command } from 'commander';
import { addExamples } from '../example.ts';
import type { FinishCommand } from '../finish-command.ts';

const loadActions = () => import('../actions/backup.ts');

export function addBackupCommands(program: Command, done: FinishCommand): void {
  addExamples(
    program
      .command('backup')
      .description('Write all data into one file, while the server runs or not.')
      .argument('<file>', 'a file that does not exist yet')
      .option('--without-key', 'leave the secret key out; otherwise it is sealed with BACKUP_PASSPHRASE')
      .action(async (file: string, { withoutKey }: { withoutKey?: boolean }) =>
        done(await (await loadActions()).backup(file, !withoutKey)),
      ),
    'backup atrium.backup',
    'backup atrium.backup --without-key',
  );
  addExamples(
    program
      .command('restore')
      .description('Fill an empty database from a backup. BACKUP_PASSPHRASE opens the secret key in it.')
      .argument('<file>', 'what `backup` has written')
      .action(async (file: string) => done(await (await loadActions()).restoreBackup(file))),
    'restore atrium.backup',
  );
}
