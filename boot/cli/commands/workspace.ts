import type { Command } from 'commander';
import type { DeleteOptions } from '../actions/workspace.ts';
import { type CommandFinisher, formatExamples } from '../command.ts';

const loadActions = () => import('../actions/workspace.ts');

export function addWorkspaceCommands(program: Command, finish: CommandFinisher): void {
  const workspace = program
    .command('workspace')
    .description('Manage workspaces, the tenants of the installation.');
  addBasicCommands(workspace, finish);
  addArchiveCommands(workspace, finish);
  addDeletionCommands(workspace, finish);
}

function addBasicCommands(workspace: Command, finish: CommandFinisher): void {
  workspace
    .command('create')
    .description('Create a workspace.')
    .argument('<slug>', 'name in URLs and commands: lowercase letters, digits, and hyphens in between')
    .option('--name <name>', 'display name (default: the slug)')
    .option(
      '--apps <names>',
      'apps to install, separated by commas, or none (default: all except optional ones)',
    )
    .addHelpText(
      'after',
      formatExamples('workspace create acme --name "Acme Ltd"', 'workspace create acme --apps crm,project'),
    )
    .action(async (slug: string, { name, apps }: { name?: string; apps?: string }) =>
      finish(await (await loadActions()).runWorkspaceCreate(slug, name, apps)),
    );
  workspace
    .command('list')
    .description('List workspaces and their enabled features.')
    .addHelpText('after', formatExamples('workspace list'))
    .action(async () => finish(await (await loadActions()).runWorkspaceList()));
  workspace
    .command('rename')
    .description(
      'Change the display name or the slug of a workspace. Addresses, Odoo clients and links with the old slug ' +
        'stop working. Keys stay valid. The slug main cannot be changed.',
    )
    .argument('<slug>', 'slug of the workspace')
    .argument('[name]', 'the new display name')
    .option('--slug <slug>', 'the new slug')
    .addHelpText(
      'after',
      formatExamples('workspace rename acme "Acme Holding"', 'workspace rename acme --slug acme-holding'),
    )
    .action(async (slug: string, name: string | undefined, options: { slug?: string }) =>
      finish(await (await loadActions()).runWorkspaceRename(slug, name ?? null, options.slug ?? null)),
    );
  workspace
    .command('seats')
    .description('Set the maximum number of users. Service accounts and portal users do not count.')
    .argument('<slug>', 'slug of the workspace')
    .argument('<seats>', 'maximum number of users, or none for unlimited')
    .addHelpText('after', formatExamples('workspace seats acme 25', 'workspace seats acme none'))
    .action(async (slug: string, seats: string) =>
      finish(await (await loadActions()).setWorkspaceSeats(slug, seats)),
    );
}

function addArchiveCommands(workspace: Command, finish: CommandFinisher): void {
  workspace
    .command('export')
    .description(
      'Export a workspace to an archive. The workspace can stay in use. The archive includes passwords and ' +
        'secrets only if EXPORT_PASSPHRASE is set, which encrypts them.',
    )
    .argument('<slug>', 'slug of the workspace')
    .argument('<file>', 'path of the new archive, such as acme.tar.gz')
    .addHelpText('after', formatExamples('workspace export acme acme.tar.gz'))
    .action(async (slug: string, file: string) =>
      finish(await (await loadActions()).runWorkspaceExport(slug, file)),
    );
  workspace
    .command('import')
    .description(
      'Create a workspace from an archive of the same version of Atrium. Queued emails are cancelled, and domains ' +
        'must be verified again. EXPORT_PASSPHRASE decrypts passwords and secrets.',
    )
    .argument('<file>', 'path of the archive')
    .option('--slug <slug>', 'slug of the new workspace (default: the slug in the archive)')
    .option('--keys', 'keep API keys, which requires the same SECRET_KEY (default: revoke them)')
    .addHelpText('after', formatExamples('workspace import acme.tar.gz --slug acme-copy'))
    .action(async (file: string, options: { slug?: string; keys?: boolean }) =>
      finish(await (await loadActions()).runWorkspaceImport(file, options)),
    );
}

function addDeletionCommands(workspace: Command, finish: CommandFinisher): void {
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
    .addHelpText(
      'after',
      formatExamples('workspace delete acme', 'workspace delete acme --now --confirm acme'),
    )
    .action(async (slug: string, options: DeleteOptions) =>
      finish(await (await loadActions()).runWorkspaceDelete(slug, options)),
    );
  workspace
    .command('restore')
    .description('Restore a closed workspace before it is deleted.')
    .argument('<slug>', 'slug of the workspace')
    .addHelpText('after', formatExamples('workspace restore acme'))
    .action(async (slug: string) => finish(await (await loadActions()).runWorkspaceRestore(slug)));
}
