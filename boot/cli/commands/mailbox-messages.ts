import type { Command } from 'commander';
import type { ExportOptions, ImportOptions } from '../actions/mailbox-messages.ts';
import { type CommandFinisher, formatExamples } from '../command.ts';

const loadActions = () => import('../actions/mailbox-messages.ts');

export function addMessageCommands(mailbox: Command, finish: CommandFinisher): void {
  mailbox
    .command('import')
    .description(
      'Import an mbox file into a mailbox and mark its messages as read. Messages whose Message-ID is already in ' +
        'the mailbox are skipped, so you can run an interrupted import again. To speed this up, use --skip.',
    )
    .argument('<file>', 'an mbox file of any variant, or a single message in an .eml file')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .requiredOption('--mailbox <address>', 'address of the mailbox')
    .option('--folder <name>', 'target folder, created if it does not exist', 'Inbox')
    .option('--skip <count>', 'number of messages to skip at the beginning of the file')
    .addHelpText(
      'after',
      formatExamples(
        'mailbox import takeout.mbox --workspace main --mailbox ann@example.com',
        'mailbox import takeout.mbox --workspace main --mailbox ann@example.com --folder Old --skip 5000',
      ),
    )
    .action(async (file: string, options: ImportOptions) =>
      finish(await (await loadActions()).importMbox(file, options)),
    );
  mailbox
    .command('export')
    .description("Export a folder's messages to an mbox file, in the order in which they were filed.")
    .argument('<file>', 'path of the new mbox file')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .requiredOption('--mailbox <address>', 'address of the mailbox')
    .option('--folder <name>', 'name of the folder', 'Inbox')
    .addHelpText(
      'after',
      formatExamples('mailbox export ann.mbox --workspace main --mailbox ann@example.com --folder Archive'),
    )
    .action(async (file: string, options: ExportOptions) =>
      finish(await (await loadActions()).exportMbox(file, options)),
    );
  mailbox
    .command('reparse')
    .description(
      'Parse stored messages again and update their displayed content and search index. By default, this applies ' +
        'to messages that an earlier version parsed or failed to parse. The server can keep running. If the ' +
        'command is interrupted, run it again.',
    )
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .option('--all', 'parse all messages')
    .option('--after <id>', 'with --all, start after this message')
    .addHelpText(
      'after',
      formatExamples('mailbox reparse --workspace main', 'mailbox reparse --workspace main --all'),
    )
    .action(async ({ workspace, all, after }: { workspace: string; all?: boolean; after?: string }) =>
      finish(await (await loadActions()).reparseMail(workspace, all === true, after)),
    );
}
