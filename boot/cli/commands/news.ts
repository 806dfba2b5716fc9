import type { Command } from 'commander';
import type { Done } from '../done.ts';
import { examples } from '../example.ts';

export function addNewsCommand(program: Command, done: Done): void {
  examples(
    program
      .command('news')
      .description(
        'Make every running process reload users, keys and rights, after rows were changed by hand.',
      )
      .action(async () => {
        const { announceAll } = await import('../actions/news.ts');
        done(await announceAll());
      }),
    'news',
  );
}
