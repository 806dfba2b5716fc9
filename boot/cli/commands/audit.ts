import type { Command } from 'commander';
import { type CommandFinisher, formatExamples } from '../command.ts';

export function addAuditCommands(program: Command, finish: CommandFinisher): void {
  const audit = program.command('audit').description('Manage the audit log and the log of MCP tool calls.');
  audit
    .command('verify')
    .description(
      'Verify the hash chains of both logs. If a log was changed, the command fails and reports the first changed ' +
        'block.',
    )
    .argument('[workspace]', 'slug of a workspace (default: all workspaces)')
    .addHelpText('after', formatExamples('audit verify', 'audit verify main'))
    .action(async (workspace?: string) => {
      const { runAuditVerify } = await import('../actions/audit.ts');
      finish(await runAuditVerify(workspace));
    });
}
