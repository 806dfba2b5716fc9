import type { Command } from 'commander';
import { addExamples } from '../example.ts';
import type { CommandFinisher } from '../finish-command.ts';

const loadActions = () => import('../actions/backup.ts');

export function addBackupCommands(program: Command, finish: CommandFinisher): void {
  addExamples(
    program
      .command('backup')
      .description('Back up all data to a file. The server can keep running.')
      .argument('<file>', 'path of the new backup file')
      .option('--without-key', 'omit the secret key, which is otherwise encrypted with BACKUP_PASSPHRASE')
      .action(async (file: string, { withoutKey }: { withoutKey?: boolean }) =>
        finish(await (await loadActions()).backup(file, !withoutKey)),
      ),
    'backup atrium.backup',
    'backup atrium.backup --without-key',
  );
  addExamples(
    program
      .command('restore')
      .description(
        'Restore a backup into an empty database. BACKUP_PASSPHRASE decrypts the secret key in the backup.',
      )
      .argument('<file>', 'path of a file created by `backup`')
      .action(async (file: string) => finish(await (await loadActions()).restoreBackup(file))),
    'restore atrium.backup',
  );
}
