import type { Command } from 'commander';
import type { FinishCommand } from '../done.ts';
import { addExamples } from '../example.ts';

export function addJobCommands(program: Command, done: FinishCommand): void {
  const job = program.command('job').description('Scheduled background jobs, which run for all workspaces.');
  addExamples(
    job
      .command('run')
      .description('Run a job now.')
      .argument('<name>', 'name of the job, such as audit-seal')
      .action(async (name: string) => {
        const { jobRun } = await import('../actions/job.ts');
        done(await jobRun(name));
      }),
    'job run audit-seal',
  );
}
