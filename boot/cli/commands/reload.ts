import type { Command } from 'commander';
import { addExamples } from '../example.ts';
import type { CommandFinisher } from '../finish-command.ts';

export function addReloadCommand(program: Command, finish: CommandFinisher): void {
  addExamples(
    program
      .command('reload')
      .description(
        'Make all running processes reload users, keys and permissions after manual changes to the database.',
      )
      .action(async () => {
        const { invalidateAllCaches } = await import('../actions/invalidate-caches.ts');
        finish(await invalidateAllCaches());
      }),
    'reload',
  );
}
