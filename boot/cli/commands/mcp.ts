import type { Command } from 'commander';
import type { Done } from '../done.ts';
import { examples } from '../example.ts';

const actions = () => import('../actions/mcp.ts');

export function addMcpCommands(program: Command, done: Done): void {
  const mcp = program.command('mcp').description('MCP access for agents.');
  examples(
    mcp
      .command('enable')
      .description('Turn on MCP for a workspace.')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async ({ workspace }: { workspace: string }) =>
        done(await (await actions()).mcpSet(workspace, true)),
      ),
    'mcp enable --workspace main',
  );
  examples(
    mcp
      .command('disable')
      .description('Turn off MCP for a workspace. Takes effect immediately.')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async ({ workspace }: { workspace: string }) =>
        done(await (await actions()).mcpSet(workspace, false)),
      ),
    'mcp disable --workspace main',
  );
}
