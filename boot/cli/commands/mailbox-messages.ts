import type { ExportOptions, ImportOptions } from '../actions/mailbox-messages.ts';
import type { CliCommand } from '../command.ts';

const loadActions = () => import('../actions/mailbox-messages.ts');

export function addMessageCommands(mailbox: CliCommand): void {
  mailbox
    .command('import')
    .description(
      'Import an mbox file into a mailbox and mark its messages as read. Messages whose Message-ID is already in ' +
        'the mailbox are skipped, so you can run an interrupted import again. To speed this up, use --skip.',
    )
    .argument('<file>', 'an mbox file of any variant, or a single message in an .eml file')
    .requireWorkspace()
    .requiredOption('--mailbox <address>', 'address of the mailbox')
    .option('--folder <name>', 'target folder, created if it does not exist', 'Inbox')
    .option('--skip <count>', 'number of messages to skip at the beginning of the file')
    .examples(
      'mailbox import takeout.mbox --workspace main --mailbox ann@example.com',
      'mailbox import takeout.mbox --workspace main --mailbox ann@example.com --folder Old --skip 5000',
    )
    .runs(async (file: string, options: ImportOptions) => (await loadActions()).importMbox(file, options));
  mailbox
    .command('export')
    .description("Export a folder's messages to an mbox file, in the order in which they were filed.")
    .argument('<file>', 'path of the new mbox file')
    .requireWorkspace()
    .requiredOption('--mailbox <address>', 'address of the mailbox')
    .option('--folder <name>', 'name of the folder', 'Inbox')
    .examples('mailbox export ann.mbox --workspace main --mailbox ann@example.com --folder Archive')
    .runs(async (file: string, options: ExportOptions) => (await loadActions()).exportMbox(file, options));
  mailbox
    .command('reparse')
    .description(
      'Parse stored messages again and update their displayed content and search index. By default, this applies ' +
        'to messages that an earlier version parsed or failed to parse. The server can keep running. If the ' +
        'command is interrupted, run it again.',
    )
    .requireWorkspace()
    .option('--all', 'parse all messages')
    .option('--after <id>', 'with --all, start after this message')
    .examples('mailbox reparse --workspace main', 'mailbox reparse --workspace main --all')
    .runs(async ({ workspace, all, after }: { workspace: string; all?: boolean; after?: string }) =>
      (await loadActions()).reparseMail(workspace, all === true, after),
    );
}
