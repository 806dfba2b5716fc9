import { parseArgs } from 'node:util';
import { buildProduct } from '../schema/index.ts';
import { ConfigError, loadConfig } from '../src/config.ts';
import { findRunning, startEmbedded } from '../src/db/embedded/embedded.ts';
import { migrate } from '../src/db/migrations/migrate.ts';
import { AppError } from '../src/errors.ts';
import { createLog } from '../src/log.ts';
import { reasonOf } from '../src/reason.ts';
import { type Command, commands } from './commands.ts';
import { createRuntime } from './server.ts';

class UsageError extends Error {}

const OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  workspace: { type: 'string' },
  user: { type: 'string' },
  team: { type: 'boolean' },
  admin: { type: 'boolean' },
  group: { type: 'string', multiple: true },
  name: { type: 'string' },
  password: { type: 'string' },
  expires: { type: 'string' },
  'read-only': { type: 'boolean' },
  sending: { type: 'boolean' },
  domain: { type: 'string' },
} as const;

/**
 * Runs one command. Its result goes to stdout, with `--json` as one line of JSON and nothing else; all talk goes to stderr.
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage
 */
export async function run(words: string[]): Promise<number> {
  try {
    const { values, positionals } = parse(words);
    if (values.help || positionals.length === 0) {
      process.stdout.write(usage());
      return 0;
    }
    const { command, args } = find(positionals);
    for (const name of command.needs ?? [])
      if (!values[name as keyof typeof values]) throw new UsageError(`${command.words} needs --${name}`);
    const result = await carryOut(command, args, values);
    process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : human(result));
    return 0;
  } catch (error) {
    return failed(error, words.includes('--json'));
  }
}

function parse(words: string[]) {
  try {
    return parseArgs({ args: words, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n')[0]);
  }
}

function find(positionals: string[]): { command: Command; args: string[] } {
  const command = commands.find((c) => c.words.split(' ').every((word, i) => positionals[i] === word));
  if (!command) throw new UsageError(`there is no command "${positionals.join(' ')}"`);
  const args = positionals.slice(command.words.split(' ').length);
  const wanted = command.args ?? [];
  if (args.length !== wanted.length)
    throw new UsageError(`usage: ${command.words} ${wanted.map((a) => `<${a}>`).join(' ')}`);
  return { command, args };
}

/** Works beside a running server: its embedded Postgres is used, or one is started for the time of the command. */
async function carryOut(command: Command, args: string[], values: Record<string, unknown>): Promise<unknown> {
  const config = loadConfig({ ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' });
  const running = config.databaseUrl ?? (await findRunning(config.dataDir));
  const embedded = running ? null : await startEmbedded(config.dataDir);
  const url = running ?? embedded!.url;
  try {
    const applied = await migrate(url);
    if (command.words === 'migrate') return { applied };
    const runtime = await createRuntime(config, url, buildProduct, createLog(config.logLevel, 2));
    try {
      return await command.run(runtime, args, values);
    } finally {
      await runtime.db.close();
    }
  } finally {
    await embedded?.stop();
  }
}

function failed(error: unknown, json: boolean): number {
  const wrongUsage = error instanceof UsageError;
  const expected = wrongUsage || error instanceof AppError || error instanceof ConfigError;
  const message = expected ? (error as Error).message : reasonOf(error);
  process.stderr.write(json ? `${JSON.stringify({ error: message })}\n` : `${message}\n`);
  if (wrongUsage && !json) process.stderr.write('See: npm run -s cli -- --help\n');
  return wrongUsage ? 2 : 1;
}

function usage(): string {
  const lines = commands.map(
    (c) =>
      `  ${[c.words, ...(c.args ?? []).map((a) => `<${a}>`), c.options ?? ''].join(' ').padEnd(78)} ${c.about}`,
  );
  return `Usage: npm run -s cli -- <command> [--json]\n\n${lines.join('\n')}\n`;
}

function human(result: unknown): string {
  if (Array.isArray(result)) return result.length ? result.map((row) => `${line(row)}\n`).join('') : 'none\n';
  return `${line(result)}\n`;
}

function line(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([key, inner]) => `${key}: ${Array.isArray(inner) ? inner.join(', ') || '-' : (inner ?? '-')}`)
    .join('   ');
}
