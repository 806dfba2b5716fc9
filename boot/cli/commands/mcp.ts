import type { Command } from 'commander';
import type { McpConfigOptions } from '../actions/mcp-config.ts';
import { type CommandFinisher, formatExamples } from '../command.ts';

const loadActions = () => import('../actions/mcp.ts');

export function addMcpCommands(program: Command, finish: CommandFinisher): void {
  const mcp = program.command('mcp').description('Manage MCP access for agents.');
  mcp
    .command('enable')
    .description('Turn on MCP for a workspace.')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addHelpText('after', formatExamples('mcp enable --workspace main'))
    .action(async ({ workspace }: { workspace: string }) =>
      finish(await (await loadActions()).setMcpFeature(workspace, true)),
    );
  mcp
    .command('disable')
    .description('Turn off MCP for a workspace. Takes effect immediately.')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addHelpText('after', formatExamples('mcp disable --workspace main'))
    .action(async ({ workspace }: { workspace: string }) =>
      finish(await (await loadActions()).setMcpFeature(workspace, false)),
    );
  mcp
    .command('config')
    .description('Print the configuration for an MCP client. Does not connect to the database.')
    .requiredOption(
      '--client <client>',
      'claude-code, claude-desktop, cursor, vscode, codex, gemini-cli or windsurf',
    )
    .option('--workspace <slug>', 'slug of the workspace (default: main)')
    .option('--key', 'authenticate with an API key instead of signing in through the browser')
    .option(
      '--groups <names>',
      'only include these groups of tools, separated by commas: data, schema, mail, live, website',
    )
    .option('--read-only', 'only include read-only tools')
    .addHelpText(
      'after',
      formatExamples(
        'mcp config --client claude-code',
        'mcp config --client cursor --key --groups data,mail --read-only',
      ),
    )
    .action(async (options: McpConfigOptions) =>
      finish((await import('../actions/mcp-config.ts')).buildMcpConfig(options)),
    );
}
