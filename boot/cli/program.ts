import type { Command, OutputConfiguration } from 'commander';
import { version } from '../../src/version.ts';
import { CliCommand, COMMAND_NAME, type CommandFinisher } from './command.ts';
import { addAppCommands } from './commands/app.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addBlobCommands } from './commands/blob.ts';
import { addCitusCommands } from './commands/citus.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConfigCommand } from './commands/config.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addDomainCommands } from './commands/domain.ts';
import { addEmailCommands } from './commands/email.ts';
import { addJobCommands } from './commands/job.ts';
import { addKeyCommands } from './commands/key.ts';
import { addMailboxCommands } from './commands/mailbox.ts';
import { addMcpCommands } from './commands/mcp.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addReloadCommand } from './commands/reload.ts';
import { addSeedCommands } from './commands/seed.ts';
import { addUserCommands } from './commands/user.ts';
import { addWorkspaceCommands } from './commands/workspace.ts';

/**
 * Builds the operator's commands, one file per resource. A command file only declares help text and imports its action
 * on execution, so that help and usage errors appear immediately.
 */
export function buildProgram(finish: CommandFinisher, output: OutputConfiguration): Command {
  const program = new CliCommand(COMMAND_NAME, finish)
    .description('Operator commands, which work whether or not the server is running.')
    .version(`atrium ${version}`, '--version', "print Atrium's version")
    .option('--json', 'print the result as one line of JSON')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput(output)
    .helpCommand('help [command]', 'display help for command')
    .exitOverride()
    .hook('preAction', async (_program, command) => {
      if (WITHOUT_INSTALLATION.includes(getCommandPath(command))) return;
      // Checks for an installation before loading the platform, which takes a second.
      const { assertInstallationExists } = await import('./run-on-database.ts');
      assertInstallationExists();
    });
  addWorkspaceCommands(program);
  addAppCommands(program);
  addUserCommands(program);
  addKeyCommands(program);
  addDomainCommands(program);
  addEmailCommands(program);
  addMailboxCommands(program);
  addMcpCommands(program);
  addJobCommands(program);
  addAuditCommands(program);
  addMigrateCommand(program);
  addSeedCommands(program);
  addBackupCommands(program);
  addBlobCommands(program);
  addCitusCommands(program);
  addReloadCommand(program);
  addConfigCommand(program);
  addDoctorCommand(program);
  addCompletionCommand(program);
  return program;
}

/** Commands that work without an installation, or report its absence. */
const WITHOUT_INSTALLATION = ['restore', 'migrate', 'config', 'doctor', 'completion', 'mcp config'];

const getCommandPath = (command: Command): string =>
  command.parent?.parent ? `${getCommandPath(command.parent)} ${command.name()}` : command.name();

export function findCommand(program: Command, args: string[]): Command {
  const [word, ...rest] = args.filter((word) => !word.startsWith('-'));
  const next = program.commands.find((command) => command.name() === word);
  return next ? findCommand(next, rest) : program;
}

/** Returns the command as typed, such as `npm run -s cli -- key create`. */
export const formatCommandLine = (command: Command): string =>
  command.parent ? `${formatCommandLine(command.parent)} ${command.name()}` : command.name();
