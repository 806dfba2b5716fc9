import type { Command } from 'commander';
import { type CommandFinisher, formatExamples } from '../command.ts';

const loadActions = () => import('../actions/backup.ts');

export function addBackupCommands(program: Command, finish: CommandFinisher): void {
  program
    .command('backup')
    .description('Back up all data to a file. The server can keep running.')
    .argument('<file>', 'path of the new backup file')
    .option('--without-key', 'omit the secret key, which is otherwise encrypted with BACKUP_PASSPHRASE')
    .addHelpText('after', formatExamples('backup atrium.backup', 'backup atrium.backup --without-key'))
    .action(async (file: string, { withoutKey }: { withoutKey?: boolean }) =>
      finish(await (await loadActions()).backup(file, !withoutKey)),
    );
  program
    .command('restore')
    .description(
      'Restore a backup into an empty database. BACKUP_PASSPHRASE decrypts the secret key in the backup.',
    )
    .argument('<file>', 'path of a file created by `backup`')
    .addHelpText('after', formatExamples('restore atrium.backup'))
    .action(async (file: string) => finish(await (await loadActions()).restoreBackup(file)));
}
