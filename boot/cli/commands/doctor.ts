import type { CliCommand } from '../command.ts';

export function addDoctorCommand(program: CliCommand): void {
  program
    .command('doctor')
    .description(
      'Check settings, disk, email provider, database, secret key, clock and DNS, and suggest fixes. Changes ' +
        'nothing. The exit code is 1 if a check fails.',
    )
    .examples('doctor')
    .runs(
      async () => (await import('../actions/doctor.ts')).runDoctor(),
      (findings) => findings.some(({ state }) => state === 'failure'),
    );
}
