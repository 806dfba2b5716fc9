import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { getPlacement } from '../../src/db/citus/placement.ts';
import { getPrismaModels, toTableName } from '../../src/db/tripwire.ts';
import type { Schema } from './lint.ts';
import { FOLDER_ENV, type RecordedStatement } from './record.ts';
import { findMistakes } from './verdict.ts';

/**
 * Runs once if PostgreSQL is available. Every process of the run records its statements (record.ts), which are linted
 * at the end.
 */
export async function setup(project: TestProject): Promise<(() => void) | undefined> {
  const { adminUrl } = project.getProvidedContext();
  if (!adminUrl) return;
  const schema = await readSchema(adminUrl);
  const folder = mkdtempSync(join(tmpdir(), 'atrium-statements-'));
  process.env[FOLDER_ENV] = folder;
  const { NODE_OPTIONS = '' } = process.env;
  process.env.NODE_OPTIONS = `${NODE_OPTIONS} --import ${new URL('record.ts', import.meta.url)}`;
  return () => {
    const recordedStatements = readdirSync(folder).flatMap((file) =>
      parseLines(readFileSync(join(folder, file), 'utf8')),
    );
    rmSync(folder, { recursive: true, force: true });
    const mistakes = findMistakes(recordedStatements, schema, isFullRun(process.argv.slice(2)));
    if (mistakes.length > 0)
      throw new Error(
        `${mistakes.length} statements that Citus refuses (see docs/STYLE.md):\n\n${mistakes.join('\n\n')}`,
      );
  };
}

/** A killed process may have left an incomplete last line. */
const parseLines = (text: string): RecordedStatement[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RecordedStatement);

/** Returns true for a complete `npm test` run, in which every exception must be used. */
const isFullRun = (args: string[]): boolean =>
  ['unit', 'integration', 'isolated', '!slow && !soak'].every((arg) => args.includes(arg)) &&
  !args.some((arg) => arg.includes('.test.ts') || arg.startsWith('--shard'));

async function readSchema(url: string): Promise<Schema> {
  const tables = Object.entries(getPrismaModels());
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; volatile: boolean }>(
      `select proname as name, bool_and(provolatile = 'v') as volatile
       from pg_proc group by proname having bool_and(provolatile <> 'i')`,
    );
    const listFunctions = (isVolatile: boolean) =>
      new Set(rows.filter((row) => row.volatile === isVolatile).map(({ name }) => name));
    return {
      tenants: new Set(tables.filter(isDistributedModel).map(([name]) => toTableName(name))),
      locals: new Set(tables.map(([name]) => toTableName(name)).filter(isLocalTable)),
      times: new Set(
        tables.flatMap(([, { fields }]) =>
          fields.filter(({ type }) => type === 'DateTime').map(({ name }) => name),
        ),
      ),
      volatile: listFunctions(true),
      stable: listFunctions(false),
    };
  } finally {
    await client.end();
  }
}

const isLocalTable = (table: string): boolean => getPlacement(table, true) === 'local';

type Model = ReturnType<typeof getPrismaModels>[string];

const isDistributedModel = ([name, { fields }]: [string, Model]): boolean =>
  fields.some((field) => field.name === 'workspace_id' && field.isRequired) &&
  getPlacement(toTableName(name), true) === 'distributed';
