import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { schemaDiff, settingsOf, writeMigration } from './migration-diff.ts';
import { risksOf, warningsOf } from './migration-risks.ts';
import { addOppositeSides } from './opposite-sides.ts';

/** `npm run migration`: writes what the schema says and the migrations do not yet. @returns the exit code */
async function writeDiff(name: string, acceptsLoss: boolean): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  for (const line of [...addOppositeSides().values()].flat()) say(`added ${line}`);
  const sql = await schemaDiff();
  const risks = risksOf(sql);
  for (const line of warningsOf(risks)) say(line);
  if (risks.lost.length && !acceptsLoss) {
    say('no migration was written; add --accept-data-loss to write it all the same');
    return 1;
  }
  say(
    sql
      ? `wrote ${writeMigration(name, sql + settingsOf(sql))}`
      : 'the migrations already say what the schema says',
  );
  return generate();
}

/** The database client is generated last: the schema may lack an opposite side before, and Prisma refuses it then. */
function generate(): number {
  const setup = fileURLToPath(new URL('../../../scripts/setup.mjs', import.meta.url));
  return spawnSync(process.execPath, [setup, '--no-install'], { stdio: 'inherit' }).status ?? 1;
}

const options = { 'accept-data-loss': { type: 'boolean' } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true, strict: false });
const [name, more] = positionals;
const unknown = Object.keys(values).some((option) => !(option in options));
if (!name || more !== undefined || unknown) {
  process.stderr.write('usage: npm run migration -- <name> [--accept-data-loss]\n');
  process.exit(1);
}
process.exitCode = await writeDiff(name, Boolean(values['accept-data-loss']));
