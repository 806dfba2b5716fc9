import type { EmailOptions } from '../actions/email.ts';
import type { CliCommand } from '../command.ts';

export function addEmailCommands(program: CliCommand): void {
  const email = program.command('email').description('Send emails.');
  email
    .command('send')
    .description('Send a test email, and wait up to ten seconds for its status.')
    .requireWorkspace()
    .requiredOption('--from <address>', 'sender address on a verified domain')
    .requiredOption('--to <address>', 'recipient address')
    .option('--subject <text>', 'subject (default: `Test mail`)')
    .option('--text <text>', 'plain text (default: one sentence)')
    .examples('email send --workspace main --from hello@mail.example.com --to ann@example.org')
    .runs(async (options: EmailOptions) => (await import('../actions/email.ts')).runEmailSend(options));
}
