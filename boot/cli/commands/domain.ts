import type { CliCommand, WorkspaceOption } from '../command.ts';

const loadActions = () => import('../actions/domain.ts');

export function addDomainCommands(program: CliCommand): void {
  const domain = program.command('domain').description('Manage sending domains.');
  const addCommand = (name: string, description: string): CliCommand =>
    domain
      .command(name)
      .description(description)
      .argument('<name>', 'domain name, such as mail.example.com')
      .requireWorkspace()
      .examples(`domain ${name} mail.example.com --workspace main`);
  addCommand('add', 'Add a sending domain.').runsInWorkspace(async () => (await loadActions()).runDomainAdd);
  domain
    .command('list')
    .description('List sending domains with their status.')
    .allowWorkspace()
    .examples('domain list', 'domain list --workspace main')
    .runs(async ({ workspace }: Partial<WorkspaceOption>) => (await loadActions()).runDomainList(workspace));
  addCommand(
    'verify',
    'Verify a sending domain with the email provider. With `smtp`, this marks the domain as verified.',
  ).runsInWorkspace(async () => (await loadActions()).runDomainVerify);
  addCommand('records', "Show a sending domain's DNS records and their status.").runsInWorkspace(
    async () => (await loadActions()).listDomainRecords,
  );
  addCommand(
    'rotate-key',
    'Create a new DKIM key for a sending domain, and show the DNS records to publish. The key is used as soon as ' +
      'its record is found.',
  ).runsInWorkspace(async () => (await loadActions()).runDomainRotateKey);
  addCommand(
    'remove',
    'Remove a sending domain here and at the email provider. Cancels its queued emails and revokes its API keys.',
  ).runsInWorkspace(async () => (await loadActions()).runDomainRemove);
}
