import type { CliCommand } from '../command.ts';

export function addJobCommands(program: CliCommand): void {
  const job = program.command('job').description('Manage background jobs, which run for all workspaces.');
  job
    .command('run')
    .description('Run a job now.')
    .argument('<name>', 'name of the job, such as audit-seal')
    .examples('job run audit-seal')
    .runs(async (name: string) => (await import('../actions/job.ts')).runScheduledJob(name));
}
