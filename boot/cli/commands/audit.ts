import type { Command } from 'commander';
import { addExamples } from '../example.ts';
import type { FinishCommand } from '../finish-command.ts';

export function addAuditCommands(program: Command, done: FinishCommand): void {
  const audit = program.command('audit').description('The audit trail and the log of MCP tools.');
  addExamples(
    audit
      .command('verify')
      .description(
        'Compare both logs with their seals. Fails with the first block that was changed, if there is one.',
      )
      .argument('[workspace]', 'slug of one workspace; all without it')
      .action(async (workspace?: string) => {
        const { runAuditVerify } = await import('../actions/audit.ts');
        done(await runAuditVerify(workspace));
      }),
    'audit verify',
    'audit verify main',
  );
}
