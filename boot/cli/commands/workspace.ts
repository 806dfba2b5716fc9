import type { DeleteOptions } from '../actions/workspace.ts';
import type { CliCommand } from '../command.ts';

const loadActions = () => import('../actions/workspace.ts');

export function addWorkspaceCommands(program: CliCommand): void {
  const workspace = program
    .command('workspace')
    .description('Manage workspaces, the tenants of the installation.');
  addBasicCommands(workspace);
  addArchiveCommands(workspace);
  addDeletionCommands(workspace);
}

function addBasicCommands(workspace: CliCommand): void {
  workspace
    .command('create')
    .description('Create a workspace.')
    .argument('<slug>', 'name in URLs and commands: lowercase letters, digits, and hyphens in between')
    .option('--name <name>', 'display name (default: the slug)')
    .option(
      '--apps <names>',
      'apps to install, separated by commas, or none (default: all except optional ones)',
    )
    .examples('workspace create acme --name "Acme Ltd"', 'workspace create acme --apps crm,project')
    .runs(async (slug: string, { name, apps }: { name?: string; apps?: string }) =>
      (await loadActions()).runWorkspaceCreate(slug, name, apps),
    );
  workspace
    .command('list')
    .description('List workspaces and their enabled features.')
    .examples('workspace list')
    .runs(async () => (await loadActions()).runWorkspaceList());
  workspace
    .command('rename')
    .description(
      'Change the display name or the slug of a workspace. Addresses, Odoo clients and links with the old slug ' +
        'stop working. Keys stay valid. The slug main cannot be changed.',
    )
    .argument('<slug>', 'slug of the workspace')
    .argument('[name]', 'the new display name')
    .option('--slug <slug>', 'the new slug')
    .examples('workspace rename acme "Acme Holding"', 'workspace rename acme --slug acme-holding')
    .runs(async (slug: string, name: string | undefined, options: { slug?: string }) =>
      (await loadActions()).runWorkspaceRename(slug, name ?? null, options.slug ?? null),
    );
  workspace
    .command('seats')
    .description('Set the maximum number of users. Service accounts and portal users do not count.')
    .argument('<slug>', 'slug of the workspace')
    .argument('<seats>', 'maximum number of users, or none for unlimited')
    .examples('workspace seats acme 25', 'workspace seats acme none')
    .runs(async (slug: string, seats: string) => (await loadActions()).setWorkspaceSeats(slug, seats));
}

function addArchiveCommands(workspace: CliCommand): void {
  workspace
    .command('export')
    .description(
      'Export a workspace to an archive. The workspace can stay in use. The archive includes passwords and ' +
        'secrets only if EXPORT_PASSPHRASE is set, which encrypts them.',
    )
    .argument('<slug>', 'slug of the workspace')
    .argument('<file>', 'path of the new archive, such as acme.tar.gz')
    .examples('workspace export acme acme.tar.gz')
    .runs(async (slug: string, file: string) => (await loadActions()).runWorkspaceExport(slug, file));
  workspace
    .command('import')
    .description(
      'Create a workspace from an archive of the same version of Atrium. Queued emails are cancelled, and domains ' +
        'must be verified again. EXPORT_PASSPHRASE decrypts passwords and secrets.',
    )
    .argument('<file>', 'path of the archive')
    .option('--slug <slug>', 'slug of the new workspace (default: the slug in the archive)')
    .option('--keys', 'keep API keys, which requires the same SECRET_KEY (default: revoke them)')
    .examples('workspace import acme.tar.gz --slug acme-copy')
    .runs(async (file: string, options: { slug?: string; keys?: boolean }) =>
      (await loadActions()).runWorkspaceImport(file, options),
    );
}

function addDeletionCommands(workspace: CliCommand): void {
  workspace
    .command('delete')
    .description(
      'Close a workspace and schedule its deletion. Its sending domains are also deleted at the email provider. ' +
        'Users cannot sign in and no mail is sent or received. Until the deletion, the workspace can be restored. ' +
        'Prompts for the slug to confirm.',
    )
    .argument('<slug>', 'slug of the workspace')
    .option('--confirm <slug>', 'slug of the workspace, to skip the prompt')
    .option('--days <count>', 'number of days until the deletion (default: 30)')
    .option('--now', 'delete the workspace immediately. If the command is interrupted, run it again')
    .examples('workspace delete acme', 'workspace delete acme --now --confirm acme')
    .runs(async (slug: string, options: DeleteOptions) =>
      (await loadActions()).runWorkspaceDelete(slug, options),
    );
  workspace
    .command('restore')
    .description('Restore a closed workspace before it is deleted.')
    .argument('<slug>', 'slug of the workspace')
    .examples('workspace restore acme')
    .runs(async (slug: string) => (await loadActions()).runWorkspaceRestore(slug));
}
