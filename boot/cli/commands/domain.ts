import type { Command } from 'commander';
import { addExamples } from '../example.ts';
import type { FinishCommand } from '../finish-command.ts';

const loadActions = () => import('../actions/domain.ts');

interface WorkspaceOption {
  workspace: string;
}

export function addDomainCommands(program: Command, done: FinishCommand): void {
  const domain = program.command('domain').description('Domains that email is sent from.');
  addExamples(
    domain
      .command('add')
      .description('Add a sending domain.')
      .argument('<name>', 'such as mail.example.com')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (name: string, { workspace }: WorkspaceOption) =>
        done(await (await loadActions()).runDomainAdd(workspace, name)),
      ),
    'domain add mail.example.com --workspace main',
  );
  addExamples(
    domain
      .command('list')
      .description('List sending domains and their status.')
      .option('--workspace <slug>', 'the domains of one workspace only')
      .action(async ({ workspace }: Partial<WorkspaceOption>) =>
        done(await (await loadActions()).runDomainList(workspace)),
      ),
    'domain list',
    'domain list --workspace main',
  );
  addExamples(
    domain
      .command('verify')
      .description(
        'Check a sending domain with the provider. `smtp` cannot check, so this confirms the domain.',
      )
      .argument('<name>', 'such as mail.example.com')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (name: string, { workspace }: WorkspaceOption) =>
        done(await (await loadActions()).runDomainVerify(workspace, name)),
      ),
    'domain verify mail.example.com --workspace main',
  );
  addExamples(
    domain
      .command('records')
      .description('Show the DNS records to publish for a sending domain, and what was found of each.')
      .argument('<name>', 'such as mail.example.com')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (name: string, { workspace }: WorkspaceOption) =>
        done(await (await loadActions()).runDomainRecords(workspace, name)),
      ),
    'domain records mail.example.com --workspace main',
  );
  addExamples(
    domain
      .command('rotate-key')
      .description(
        'Give a sending domain a new DKIM key, and show the records to publish. Mail is signed with the key once its ' +
          'record is found.',
      )
      .argument('<name>', 'such as mail.example.com')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (name: string, { workspace }: WorkspaceOption) =>
        done(await (await loadActions()).runDomainRotateKey(workspace, name)),
      ),
    'domain rotate-key mail.example.com --workspace main',
  );
  addExamples(
    domain
      .command('remove')
      .description(
        'Remove a sending domain, here and at the provider. Cancels its queued emails and revokes keys bound to it.',
      )
      .argument('<name>', 'such as mail.example.com')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (name: string, { workspace }: WorkspaceOption) =>
        done(await (await loadActions()).runDomainRemove(workspace, name)),
      ),
    'domain remove mail.example.com --workspace main',
  );
}
