import type { CliCommand } from '../command.ts';

export function addAuditCommands(program: CliCommand): void {
  const audit = program.command('audit').description('Manage the audit log and the log of MCP tool calls.');
  audit
    .command('verify')
    .description(
      'Verify the hash chains of both logs. If a log was changed, the command fails and reports the first changed ' +
        'block.',
    )
    .argument('[workspace]', 'slug of a workspace (default: all workspaces)')
    .examples('audit verify', 'audit verify main')
    .runs(async (workspace?: string) => (await import('../actions/audit.ts')).runAuditVerify(workspace));
}
