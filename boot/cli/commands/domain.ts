import type { Command } from 'commander';
import { addExamples } from '../example.ts';
import type { FinishCommand } from '../finish-command.ts';

const loadActions = () => import('../actions/domain.ts');

interface WorkspaceOption {
  workspace: string;
}

export function addDomainCommands(program: Command, finish: FinishCommand): void {
  const domain = program.command('domain').description('Manage sending domains.');
  addExamples(
    domain
      .command('add')
      .description('Add a sending domain.')
      .argument('<name>', 'domain name, such as mail.example.com')
      .requiredOption('--workspace <slug>', 'slug of the workspace')
      .action(async (name: string, { workspace }: WorkspaceOption) =>
        finish(await (await loadActions()).runDomainAdd(workspace, name)),
      ),
    'domain add mail.example.com --workspace main',
  );
  addExamples(
    domain
      .command('list')
      .description('List sending domains and their status.')
      .option('--workspace <slug>', 'limit to one workspace')
      .action(async ({ workspace }: Partial<WorkspaceOption>) =>
        finish(await (await loadActions()).runDomainList(workspace)),
      ),
    'domain list',
    'domain list --workspace main',
  );
  addExamples(
    domain
      .command('verify')
      .description(
        'Verify a sending domain with the email provider. With `smtp`, mark the domain as verified.',
      )
      .argument('<name>', 'domain name, such as mail.example.com')
      .requiredOption('--workspace <slug>', 'slug of the workspace')
      .action(async (name: string, { workspace }: WorkspaceOption) =>
        finish(await (await loadActions()).runDomainVerify(workspace, name)),
      ),
    'domain verify mail.example.com --workspace main',
  );
  addExamples(
    domain
      .command('records')
      .description('Show the DNS records of a sending domain and the status of each.')
      .argument('<name>', 'domain name, such as mail.example.com')
      .requiredOption('--workspace <slug>', 'slug of the workspace')
      .action(async (name: string, { workspace }: WorkspaceOption) =>
        finish(await (await loadActions()).runDomainRecords(workspace, name)),
      ),
    'domain records mail.example.com --workspace main',
  );
  addExamples(
    domain
      .command('rotate-key')
      .description(
        'Create a new DKIM key for a sending domain and show the DNS records to publish. The key is used as soon as ' +
          'its record is found.',
      )
      .argument('<name>', 'domain name, such as mail.example.com')
      .requiredOption('--workspace <slug>', 'slug of the workspace')
      .action(async (name: string, { workspace }: WorkspaceOption) =>
        finish(await (await loadActions()).runDomainRotateKey(workspace, name)),
      ),
    'domain rotate-key mail.example.com --workspace main',
  );
  addExamples(
    domain
      .command('remove')
      .description(
        'Remove a sending domain, also at the email provider. Cancels its queued emails and revokes its API keys.',
      )
      .argument('<name>', 'domain name, such as mail.example.com')
      .requiredOption('--workspace <slug>', 'slug of the workspace')
      .action(async (name: string, { workspace }: WorkspaceOption) =>
        finish(await (await loadActions()).runDomainRemove(workspace, name)),
      ),
    'domain remove mail.example.com --workspace main',
  );
}
