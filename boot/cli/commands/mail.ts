import type { Command } from 'commander';
import type { ExportOptions, ImportOptions } from '../actions/mail.ts';
import { addExamples } from '../example.ts';
import type { FinishCommand } from '../finish-command.ts';

const loadActions = () => import('../actions/mail.ts');

export function addMailCommands(program: Command, done: FinishCommand): void {
  const mail = program.command('mail').description('Messages of mailboxes: files of them in and out.');
  addExamples(
    mail
      .command('import')
      .description(
        'File the messages of an mbox file into a mailbox, as read. A Message-ID that the mailbox has already is not ' +
          'filed again, so an import that was interrupted can be run again; --skip makes that quick.',
      )
      .argument('<file>', 'an mbox file of any kind, or one message in a file named .eml')
      .requiredOption('--workspace <slug>', 'the workspace')
      .requiredOption('--mailbox <address>', 'an address of the mailbox')
      .option('--folder <name>', 'a folder, which is created if there is none', 'Inbox')
      .option('--skip <count>', 'messages at the beginning of the file to leave out')
      .action(async (file: string, options: ImportOptions) =>
        done(await (await loadActions()).importMbox(file, options)),
      ),
    'mail import takeout.mbox --workspace main --mailbox ann@example.com',
    'mail import takeout.mbox --workspace main --mailbox ann@example.com --folder Old --skip 5000',
  );
  addExamples(
    mail
      .command('export')
      .description('Write the messages of a folder to an mbox file, in the order they were filed.')
      .argument('<file>', 'the mbox file, which must not exist')
      .requiredOption('--workspace <slug>', 'the workspace')
      .requiredOption('--mailbox <address>', 'an address of the mailbox')
      .option('--folder <name>', 'the folder', 'Inbox')
      .action(async (file: string, options: ExportOptions) =>
        done(await (await loadActions()).exportMbox(file, options)),
      ),
    'mail export ann.mbox --workspace main --mailbox ann@example.com --folder Archive',
  );
  addExamples(
    mail
      .command('reparse')
      .description(
        'Read kept messages again, and renew what is shown and searched of them: those that an earlier version read, ' +
          'and those that could not be read. Mail comes and goes meanwhile. If it was interrupted, run it again.',
      )
      .requiredOption('--workspace <slug>', 'the workspace')
      .option('--all', 'all messages')
      .option('--after <id>', 'with --all, go on behind this message')
      .action(async ({ workspace, all, after }: { workspace: string; all?: boolean; after?: string }) =>
        done(await (await loadActions()).reparseMail(workspace, all === true, after)),
      ),
    'mail reparse --workspace main',
    'mail reparse --workspace main --all',
  );
}
