import type { CliCommand } from '../command.ts';

export function addReloadCommand(program: CliCommand): void {
  program
    .command('reload')
    .description(
      'Make all running processes reload users, keys and permissions after manual changes to the database.',
    )
    .examples('reload')
    .runs(async () => (await import('../actions/invalidate-caches.ts')).invalidateAllCaches());
}
