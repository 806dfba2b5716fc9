import { type Command, InvalidArgumentError } from 'commander';
import type { Done } from '../done.ts';
import { examples } from '../example.ts';

export function addCitusCommands(program: Command, done: Done): void {
  const citus = program.command('citus').description('A Citus cluster as the database.');
  examples(
    citus
      .command('distribute')
      .description(
        'Spread the workspaces over the workers of the cluster. Stop all processes first. You can run it ' +
          'again at any time.',
      )
      .option('--shards <count>', 'pieces the workspaces are divided into', count, 32)
      .action(async ({ shards }: { shards: number }) => {
        const { citusDistribute } = await import('../actions/citus.ts');
        done(await citusDistribute(shards));
      }),
    'citus distribute --shards 32',
  );
}

function count(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= MOST_SHARDS) return value;
  throw new InvalidArgumentError(`It is a whole number from 1 to ${MOST_SHARDS}.`);
}

/** Each is some 300 tables and indexes of PostgreSQL. */
const MOST_SHARDS = 256;
