import type { Command } from 'commander';
import type { DeleteOptions } from '../actions/workspace.ts';
import { addExamples } from '../example.ts';
import type { FinishCommand } from '../finish-command.ts';

const loadActions = () => import('../actions/workspace.ts');

export function addWorkspaceCommands(program: Command, done: FinishCommand): void {
  const workspace = program.command('workspace').description('Workspaces, the tenants of the installation.');
  addExamples(
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
        done(await (await loadActions()).runWorkspaceCreate(slug, name, apps)),
      ),
    'workspace create acme --name "Acme Ltd"',
    'workspace create acme --apps crm,project',
  );
  addExamples(
    workspace
      .command('list')
      .description('List workspaces and their enabled features.')
      .action(async () => done(await (await loadActions()).runWorkspaceList())),
    'workspace list',
  );
  addExamples(
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
        done(await (await loadActions()).runWorkspaceRename(slug, name ?? null, options.slug ?? null)),
      ),
    'workspace rename acme "Acme Holding"',
    'workspace rename acme --slug acme-holding',
  );
  addExamples(
    workspace
      .command('seats')
      .description('Set how many users a workspace may have. Service accounts and portal users take no seat.')
      .argument('<slug>', 'the workspace')
      .argument('<seats>', 'a number, or none for any')
      .action(async (slug: string, seats: string) =>
        done(await (await loadActions()).runWorkspaceSeats(slug, seats)),
      ),
    'workspace seats acme 25',
    'workspace seats acme none',
  );
  addExamples(
    workspace
      .command('export')
      .description(
        'Write all that a workspace holds into an archive, while it is in use. EXPORT_PASSPHRASE seals passwords and ' +
          'secrets into it; without one they are left out.',
      )
      .argument('<slug>', 'the workspace')
      .argument('<file>', 'where to write it, such as acme.tar.gz')
      .action(async (slug: string, file: string) =>
        done(await (await loadActions()).runWorkspaceExport(slug, file)),
      ),
    'workspace export acme acme.tar.gz',
  );
  addExamples(
    workspace
      .command('import')
      .description(
        'Make a workspace of an archive, of the same version of Atrium. Emails that wait are cancelled, and domains ' +
          'are to be verified again. EXPORT_PASSPHRASE opens passwords and secrets.',
      )
      .argument('<file>', 'the archive')
      .option('--slug <slug>', 'slug of the new workspace; that of the archive by default')
      .option('--keys', 'keep API keys, which takes the same SECRET_KEY; without it they are revoked')
      .action(async (file: string, options: { slug?: string; keys?: boolean }) =>
        done(await (await loadActions()).runWorkspaceImport(file, options)),
      ),
    'workspace import acme.tar.gz --slug acme-copy',
  );
  addExamples(
    workspace
      .command('delete')
      .description(
        'Close a workspace, and delete it with all it holds and its sending domains at the provider some days later. ' +
          'Until then it is closed: no sign-in, no mail, and it can be restored. Asks for the slug once more.',
      )
      .argument('<slug>', 'the workspace')
      .option('--confirm <slug>', 'the slug once more, in place of being asked')
      .option('--days <count>', 'days until it is deleted; 30 by default')
      .option('--now', 'delete it at once; only a backup brings it back. If it was interrupted, run it again')
      .action(async (slug: string, options: DeleteOptions) =>
        done(await (await loadActions()).runWorkspaceDelete(slug, options)),
      ),
    'workspace delete acme',
    'workspace delete acme --now --confirm acme',
  );
  addExamples(
    workspace
      .command('restore')
      .description('Open a workspace again that is about to be deleted.')
      .argument('<slug>', 'the workspace')
      .action(async (slug: string) => done(await (await loadActions()).runWorkspaceRestore(slug))),
    'workspace restore acme',
  );
}
