import type { Command } from 'commander';
import type { Done } from '../done.ts';

const actions = () => import('../actions/mcp.ts');

export function addMcpCommands(program: Command, done: Done): void {
  const mcp = program.command('mcp').description('MCP access for agents.');
  mcp
    .command('enable')
    .description('Turn on MCP for a workspace.')
    .requiredOption('--workspace <slug>', 'the workspace')
    .action(async ({ workspace }: { workspace: string }) =>
      done(await (await actions()).mcpEnable(workspace)),
    );
}
