import type { Command } from 'commander';
import { addExamples } from '../example.ts';
import type { FinishCommand } from '../finish-command.ts';

export function addDoctorCommand(program: Command, done: FinishCommand): void {
  addExamples(
    program
      .command('doctor')
      .description(
        'Check settings, disk, provider, database, secret key, clock and DNS, and say what to do. Changes nothing, ' +
          'and ends with 1 when a check fails.',
      )
      .action(async () => {
        const { doctor } = await import('../actions/doctor.ts');
        const findings = await doctor();
        done(
          findings,
          findings.some(({ state }) => state === 'failure'),
        );
      }),
    'doctor',
  );
}
