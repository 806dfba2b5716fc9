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
        done(await (await actions()).mcpEnable(workspace)),
      ),
    'mcp enable --workspace main',
  );
}
