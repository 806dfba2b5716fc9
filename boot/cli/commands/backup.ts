import type { CliCommand } from '../command.ts';

const loadActions = () => import('../actions/backup.ts');

export function addBackupCommands(program: CliCommand): void {
  program
    .command('backup')
    .description('Back up all data to a file. The server can keep running.')
    .argument('<file>', 'path of the new backup file')
    .option('--without-key', 'omit the secret key, which is otherwise encrypted with BACKUP_PASSPHRASE')
    .examples('backup atrium.backup', 'backup atrium.backup --without-key')
    .runs(async (file: string, { withoutKey }: { withoutKey?: boolean }) =>
      (await loadActions()).backup(file, !withoutKey),
    );
  program
    .command('restore')
    .description(
      'Restore a backup into an empty database. BACKUP_PASSPHRASE decrypts the secret key in the backup.',
    )
    .argument('<file>', 'path of a file created by `backup`')
    .examples('restore atrium.backup')
    .runs(async (file: string) => (await loadActions()).restoreBackup(file));
}
