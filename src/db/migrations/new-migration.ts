import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findAppsFolder } from './apps-folder.ts';
import { buildTableSettings, computeSchemaDiff, writeMigration } from './migration-diff.ts';
import { getAppMigrationsFolder } from './migration-files.ts';
import { findMigrationRisks, formatWarnings } from './migration-risks.ts';
import { addOppositeFields } from './opposite-sides.ts';

/**
 * Writes a migration for the difference between the schema and the existing migrations.
 * @param app app in APPS_DIR that the migration belongs to; null for the product
 * @returns the exit code
 */
async function writeDiff(name: string, acceptsLoss: boolean, app: string | null): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (app === null) for (const line of [...addOppositeFields().values()].flat()) say(`added ${line}`);
  else await import('./compose-schema.ts');
  const sql = await computeSchemaDiff();
  const risks = findMigrationRisks(sql);
  for (const line of formatWarnings(risks)) say(line);
  if (risks.lost.length && !acceptsLoss) {
    say('no migration was written; add --accept-data-loss to write it all the same');
    return 1;
  }
  const folder = app === null ? undefined : getAppMigrationsFolder(app);
  say(
    sql
      ? `wrote ${writeMigration(name, sql + buildTableSettings(sql), folder)}`
      : 'the migrations already say what the schema says',
  );
  return generateClient();
}

/** Must run last, because Prisma rejects a schema that still lacks an opposite side. */
function generateClient(): number {
  const setup = fileURLToPath(new URL('../../../scripts/setup.mjs', import.meta.url));
  return spawnSync(process.execPath, [setup, '--no-install', '--no-build'], { stdio: 'inherit' }).status ?? 1;
}

const options = { 'accept-data-loss': { type: 'boolean' }, app: { type: 'string' } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true, strict: false });
const [name, more] = positionals;
const hasUnknownOption = Object.keys(values).some((option) => !(option in options));
if (!name || more !== undefined || hasUnknownOption) {
  process.stderr.write('usage: npm run migration -- <name> [--app <name>] [--accept-data-loss]\n');
  process.exit(1);
}
const app = typeof values.app === 'string' ? values.app : null;
if ((app === null) !== (findAppsFolder() === null)) {
  const reason = app === null ? 'with APPS_DIR, say whose it is with --app <name>' : '--app needs APPS_DIR';
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
if (app !== null) getAppMigrationsFolder(app);
process.exitCode = await writeDiff(name, Boolean(values['accept-data-loss']), app);
