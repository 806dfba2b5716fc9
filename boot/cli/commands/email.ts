import type { Command } from 'commander';
import type { EmailOptions } from '../actions/email.ts';
import { type CommandFinisher, formatExamples } from '../command.ts';

export function addEmailCommands(program: Command, finish: CommandFinisher): void {
  const email = program.command('email').description('Send emails.');
  email
    .command('send')
    .description('Send a test email, and wait up to ten seconds for its status.')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .requiredOption('--from <address>', 'sender address on a verified domain')
    .requiredOption('--to <address>', 'recipient address')
    .option('--subject <text>', 'subject (default: `Test mail`)')
    .option('--text <text>', 'plain text (default: one sentence)')
    .addHelpText(
      'after',
      formatExamples('email send --workspace main --from hello@mail.example.com --to ann@example.org'),
    )
    .action(async (options: EmailOptions) => {
      const { runEmailSend } = await import('../actions/email.ts');
      finish(await runEmailSend(options));
    });
}
