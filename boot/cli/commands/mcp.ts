import type { Command } from 'commander';
import type { McpConfigOptions } from '../actions/mcp-config.ts';
import { addExamples } from '../example.ts';
import type { FinishCommand } from '../finish-command.ts';

const loadActions = () => import('../actions/mcp.ts');

export function addMcpCommands(program: Command, done: FinishCommand): void {
  const mcp = program.command('mcp').description('MCP access for agents.');
  addExamples(
    mcp
      .command('enable')
      .description('Turn on MCP for a workspace.')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async ({ workspace }: { workspace: string }) =>
        done(await (await loadActions()).mcpSet(workspace, true)),
      ),
    'mcp enable --workspace main',
  );
  addExamples(
    mcp
      .command('disable')
      .description('Turn off MCP for a workspace. Takes effect immediately.')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async ({ workspace }: { workspace: string }) =>
        done(await (await loadActions()).mcpSet(workspace, false)),
      ),
    'mcp disable --workspace main',
  );
  addExamples(
    mcp
      .command('config')
      .description('Print what a client is configured with, to copy. Opens no database.')
      .requiredOption(
        '--client <client>',
        'claude-code, claude-desktop, cursor, vscode, codex, gemini-cli or windsurf',
      )
      .option('--workspace <slug>', 'the workspace; main by default')
      .option('--key', 'call with an API key instead of signing in with the browser')
      .option('--groups <names>', 'show these groups of tools only: data,schema,mail,live,website')
      .option('--read-only', 'show tools that read only')
      .action(async (options: McpConfigOptions) =>
        done((await import('../actions/mcp-config.ts')).mcpConfig(options)),
      ),
    'mcp config --client claude-code',
    'mcp config --client cursor --key --groups data,mail --read-only',
  );
}
