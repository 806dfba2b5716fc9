import type { Command } from 'commander';
import { type CommandFinisher, formatExamples } from '../command.ts';

export function addReloadCommand(program: Command, finish: CommandFinisher): void {
  program
    .command('reload')
    .description(
      'Make all running processes reload users, keys and permissions after manual changes to the database.',
    )
    .addHelpText('after', formatExamples('reload'))
    .action(async () => {
      const { invalidateAllCaches } = await import('../actions/invalidate-caches.ts');
      finish(await invalidateAllCaches());
    });
}
