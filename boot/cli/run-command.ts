import { type Command, CommanderError } from 'commander';
import { ConfigError } from '../../src/config.ts';
import { isOutage } from '../../src/db/outage.ts';
import { describeFailure } from '../../src/describe-failure.ts';
import { AppError } from '../../src/errors.ts';
import { buildProgram, findCommand, formatCommandLine } from './program.ts';
import { formatCommandResult } from './result-text.ts';

/**
 * Runs one command. Writes its result and requested help to stdout, and everything else to stderr. With `--json`, the
 * result is a single line of JSON.
 * @returns the exit code: 0 for success, 1 for an error, 2 for a usage error
 */
export async function runCommand(args: string[]): Promise<number> {
  const json = args.includes('--json');
  let result: unknown;
  let code = 0;
  const program = buildProgram(
    (value, hasFailed = false) => {
      result = value;
      code = hasFailed ? 1 : 0;
    },
    // Errors are printed below, in the requested format.
    { writeErr: () => undefined, outputError: () => undefined },
  );
  try {
    await program.parseAsync(args.length ? args : ['--help'], { from: 'user' });
    process.stdout.write(
      json ? `${JSON.stringify(result)}\n` : formatCommandResult(result, process.stdout.columns ?? null),
    );
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(error, json);
    return error.exitCode === 0 ? 0 : reportMisuse(error, findCommand(program, args), json);
  }
}

function reportMisuse(error: CommanderError, command: Command, json: boolean): number {
  const operations = command.commands.map((command) => command.name()).join(', ');
  // Commander throws this code for a group name without a subcommand.
  const isResource = error.code === 'commander.help';
  const message = isResource ? `${command.name()} needs a command: ${operations}` : error.message;
  printError(simplifyMessage(message), json);
  if (!json) process.stderr.write(`See: ${formatCommandLine(command)} --help\n`);
  return 2;
}

/** Formats Commander's error message on one line, without its internal terms. */
const simplifyMessage = (message: string): string =>
  message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/^command-argument value '(.*?)' is invalid for argument '(.*?)'\./, "the $2 cannot be '$1'.");

function reportFailure(error: unknown, json: boolean): number {
  const expected = (error instanceof AppError && !isOutage(error)) || error instanceof ConfigError;
  printError(expected ? error.message : describeFailure(error), json);
  return 1;
}

const printError = (message: string, json: boolean): boolean =>
  process.stderr.write(json ? `${JSON.stringify({ error: message })}\n` : `${message}\n`);
