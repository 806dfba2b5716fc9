import { type Command, InvalidArgumentError } from 'commander';
import { type CommandFinisher, formatExamples } from '../command.ts';

export function addCitusCommands(program: Command, finish: CommandFinisher): void {
  const citus = program.command('citus').description('Manage a Citus cluster.');
  citus
    .command('distribute')
    .description(
      'Distribute the workspaces across the worker nodes of the cluster. Stop all processes first. You can run ' +
        'the command again at any time.',
    )
    .option('--shards <count>', 'number of shards', parseCount, 32)
    .addHelpText('after', formatExamples('citus distribute --shards 32'))
    .action(async ({ shards }: { shards: number }) => {
      const { runCitusDistribute } = await import('../actions/citus.ts');
      finish(await runCitusDistribute(shards));
    });
}

function parseCount(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= MAX_SHARDS) return value;
  throw new InvalidArgumentError(`Must be a whole number from 1 to ${MAX_SHARDS}.`);
}

/** Each shard adds about 300 tables and indexes to PostgreSQL. */
const MAX_SHARDS = 256;
