import type { Command } from 'commander';
import { type CommandFinisher, formatExamples } from '../command.ts';

type DomainActions = typeof import('../actions/domain.ts');

const loadActions = (): Promise<DomainActions> => import('../actions/domain.ts');

interface WorkspaceOption {
  workspace: string;
}

export function addDomainCommands(program: Command, finish: CommandFinisher): void {
  const domain = program.command('domain').description('Manage sending domains.');
  const addCommand = (
    name: string,
    description: string,
    run: (actions: DomainActions, workspace: string, domainName: string) => Promise<unknown>,
  ) =>
    domain
      .command(name)
      .description(description)
      .argument('<name>', 'domain name, such as mail.example.com')
      .requiredOption('--workspace <slug>', 'slug of the workspace')
      .addHelpText('after', formatExamples(`domain ${name} mail.example.com --workspace main`))
      .action(async (domainName: string, { workspace }: WorkspaceOption) =>
        finish(await run(await loadActions(), workspace, domainName)),
      );
  addCommand('add', 'Add a sending domain.', ({ runDomainAdd }, ...args) => runDomainAdd(...args));
  addListCommand(domain, finish);
  addCommand(
    'verify',
    'Verify a sending domain with the email provider. With `smtp`, this marks the domain as verified.',
    ({ runDomainVerify }, ...args) => runDomainVerify(...args),
  );
  addCommand(
    'records',
    "Show a sending domain's DNS records and their status.",
    ({ listDomainRecords }, ...args) => listDomainRecords(...args),
  );
  addCommand(
    'rotate-key',
    'Create a new DKIM key for a sending domain, and show the DNS records to publish. The key is used as soon as ' +
      'its record is found.',
    ({ runDomainRotateKey }, ...args) => runDomainRotateKey(...args),
  );
  addCommand(
    'remove',
    'Remove a sending domain here and at the email provider. Cancels its queued emails and revokes its API keys.',
    ({ runDomainRemove }, ...args) => runDomainRemove(...args),
  );
}

function addListCommand(domain: Command, finish: CommandFinisher): void {
  domain
    .command('list')
    .description('List sending domains with their status.')
    .option('--workspace <slug>', 'limit to one workspace')
    .addHelpText('after', formatExamples('domain list', 'domain list --workspace main'))
    .action(async ({ workspace }: Partial<WorkspaceOption>) =>
      finish(await (await loadActions()).runDomainList(workspace)),
    );
}
