import type { Command } from 'commander';
import { type CommandFinisher, formatExamples } from '../command.ts';

export function addJobCommands(program: Command, finish: CommandFinisher): void {
  const job = program.command('job').description('Manage background jobs, which run for all workspaces.');
  job
    .command('run')
    .description('Run a job now.')
    .argument('<name>', 'name of the job, such as audit-seal')
    .addHelpText('after', formatExamples('job run audit-seal'))
    .action(async (name: string) => {
      const { runScheduledJob } = await import('../actions/job.ts');
      finish(await runScheduledJob(name));
    });
}
