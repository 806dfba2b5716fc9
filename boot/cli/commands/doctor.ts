import type { Command } from 'commander';
import { type CommandFinisher, formatExamples } from '../command.ts';

export function addDoctorCommand(program: Command, finish: CommandFinisher): void {
  program
    .command('doctor')
    .description(
      'Check settings, disk, email provider, database, secret key, clock and DNS, and suggest fixes. Changes ' +
        'nothing. The exit code is 1 if a check fails.',
    )
    .addHelpText('after', formatExamples('doctor'))
    .action(async () => {
      const { runDoctor } = await import('../actions/doctor.ts');
      const findings = await runDoctor();
      finish(
        findings,
        findings.some(({ state }) => state === 'failure'),
      );
    });
}
