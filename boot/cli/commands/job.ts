import type { Command } from 'commander';
import type { Done } from '../done.ts';
import { examples } from '../example.ts';

export function addJobCommands(program: Command, done: Done): void {
  const job = program.command('job').description('Jobs that run by the clock, for all workspaces together.');
  examples(
    job
      .command('run')
      .description('Run a job now.')
      .argument('<name>', 'the code of the scheduled action, such as audit-seal')
      .action(async (name: string) => {
        const { jobRun } = await import('../actions/job.ts');
        done(await jobRun(name));
      }),
    'job run audit-seal',
  );
}
