import type { Command } from 'commander';
import type { FinishCommand } from '../done.ts';
import { addExamples } from '../example.ts';

export function addNewsCommand(program: Command, done: FinishCommand): void {
  addExamples(
    program
      .command('news')
      .description(
        'Make every running process reload users, keys and rights, after rows were changed by hand.',
      )
      .action(async () => {
        const { invalidateAllCaches } = await import('../actions/news.ts');
        done(await invalidateAllCaches());
      }),
    'news',
  );
}
