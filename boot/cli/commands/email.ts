import type { Command } from 'commander';
import type { EmailOptions } from '../actions/email.ts';
import { addExamples } from '../example.ts';
import type { FinishCommand } from '../finish-command.ts';

export function addEmailCommands(program: Command, done: FinishCommand): void {
  const email = program.command('email').description('Emails of a workspace.');
  addExamples(
    email
      .command('send')
      .description('Send a test mail, and show its status after at most ten seconds.')
      .requiredOption('--workspace <slug>', 'the workspace')
      .requiredOption('--from <address>', 'the sender; its domain must be verified')
      .requiredOption('--to <address>', 'the recipient')
      .option('--subject <text>', 'the subject; `Test mail` by default')
      .option('--text <text>', 'the text; one sentence by default')
      .action(async (options: EmailOptions) => {
        const { runEmailSend } = await import('../actions/email.ts');
        done(await runEmailSend(options));
      }),
    'email send --workspace main --from hello@mail.example.com --to ann@example.org',
  );
}
