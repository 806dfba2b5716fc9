import type { McpConfigOptions } from '../actions/mcp-config.ts';
import type { CliCommand, WorkspaceOption } from '../command.ts';

const loadActions = () => import('../actions/mcp.ts');

export function addMcpCommands(program: CliCommand): void {
  const mcp = program.command('mcp').description('Manage MCP access for agents.');
  mcp
    .command('enable')
    .description('Turn on MCP for a workspace.')
    .requireWorkspace()
    .examples('mcp enable --workspace main')
    .runs(async ({ workspace }: WorkspaceOption) => (await loadActions()).setMcpFeature(workspace, true));
  mcp
    .command('disable')
    .description('Turn off MCP for a workspace. Takes effect immediately.')
    .requireWorkspace()
    .examples('mcp disable --workspace main')
    .runs(async ({ workspace }: WorkspaceOption) => (await loadActions()).setMcpFeature(workspace, false));
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
    .examples(
      'mcp config --client claude-code',
      'mcp config --client cursor --key --groups data,mail --read-only',
    )
    .runs(async (options: McpConfigOptions) =>
      (await import('../actions/mcp-config.ts')).buildMcpConfig(options),
    );
}
