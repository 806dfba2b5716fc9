import type { Command } from 'commander';
import type { Done } from '../done.ts';
import { examples } from '../example.ts';

const actions = () => import('../actions/workspace.ts');

export function addWorkspaceCommands(program: Command, done: Done): void {
  const workspace = program.command('workspace').description('Workspaces, the tenants of the installation.');
  examples(
    workspace
      .command('create')
      .description('Create a workspace.')
      .argument('<slug>', 'its name in URLs and commands: a-z, digits and inner hyphens')
      .option('--name <name>', 'display name; the slug by default')
      .option(
        '--apps <names>',
        'apps it begins with, separated by commas, or none; all but optional ones by default',
      )
      .action(async (slug: string, { name, apps }: { name?: string; apps?: string }) =>
        done(await (await actions()).workspaceCreate(slug, name, apps)),
      ),
    'workspace create acme --name "Acme Ltd"',
    'workspace create acme --apps crm,project',
  );
  examples(
    workspace
      .command('list')
      .description('List workspaces and their enabled features.')
      .action(async () => done(await (await actions()).workspaceList())),
    'workspace list',
  );
  examples(
    workspace
      .command('rename')
      .description(
        'Change the display name of a workspace, its slug, or both. Addresses, classic clients and links with the ' +
          'old slug stop working; keys go on. The slug main stays.',
      )
      .argument('<slug>', 'the workspace')
      .argument('[name]', 'the new display name')
      .option('--slug <slug>', 'the new slug')
      .action(async (slug: string, name: string | undefined, options: { slug?: string }) =>
        done(await (await actions()).workspaceRename(slug, name ?? null, options.slug ?? null)),
      ),
    'workspace rename acme "Acme Holding"',
    'workspace rename acme --slug acme-holding',
  );
  examples(
    workspace
      .command('delete')
      .description(
        'Delete a workspace with all it holds, and its sending domains at the provider. Asks for the slug once ' +
          'more. If it was interrupted, run it again. Only a backup brings the workspace back.',
      )
      .argument('<slug>', 'the workspace')
      .option('--confirm <slug>', 'the slug once more, in place of being asked')
      .action(async (slug: string, { confirm }: { confirm?: string }) =>
        done(await (await actions()).workspaceDelete(slug, confirm ?? null)),
      ),
    'workspace delete acme',
    'workspace delete acme --confirm acme',
  );
}
