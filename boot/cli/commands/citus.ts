import { InvalidArgumentError } from 'commander';
import type { CliCommand } from '../command.ts';

export function addCitusCommands(program: CliCommand): void {
  const citus = program.command('citus').description('Manage a Citus cluster.');
  citus
    .command('distribute')
    .description(
      'Distribute the workspaces across the worker nodes of the cluster. Stop all processes first. You can run ' +
        'the command again at any time.',
    )
    .option('--shards <count>', 'number of shards', parseCount, 32)
    .examples('citus distribute --shards 32')
    .runs(async ({ shards }: { shards: number }) =>
      (await import('../actions/citus.ts')).runCitusDistribute(shards),
    );
}

function parseCount(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= MAX_SHARDS) return value;
  throw new InvalidArgumentError(`Must be a whole number from 1 to ${MAX_SHARDS}.`);
}

/** Each shard adds about 300 tables and indexes to PostgreSQL. */
const MAX_SHARDS = 256;
