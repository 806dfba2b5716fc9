import type { Command } from 'commander';
import type { Done } from '../done.ts';
import { examples } from '../example.ts';

const actions = () => import('../actions/domain.ts');

interface OfWorkspace {
  workspace: string;
}

export function addDomainCommands(program: Command, done: Done): void {
  const domain = program.command('domain').description('Domains that email is sent from.');
  examples(
    domain
      .command('add')
      .description('Add a sending domain.')
      .argument('<name>', 'such as mail.example.com')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (name: string, { workspace }: OfWorkspace) =>
        done(await (await actions()).domainAdd(workspace, name)),
      ),
    'domain add mail.example.com --workspace main',
  );
  examples(
    domain
      .command('list')
      .description('List sending domains and their status.')
      .option('--workspace <slug>', 'the domains of one workspace only')
      .action(async ({ workspace }: Partial<OfWorkspace>) =>
        done(await (await actions()).domainList(workspace)),
      ),
    'domain list',
    'domain list --workspace main',
  );
  examples(
    domain
      .command('verify')
      .description(
        'Check a sending domain with the provider. `smtp` cannot check, so this confirms the domain.',
      )
      .argument('<name>', 'such as mail.example.com')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (name: string, { workspace }: OfWorkspace) =>
        done(await (await actions()).domainVerify(workspace, name)),
      ),
    'domain verify mail.example.com --workspace main',
  );
  examples(
    domain
      .command('records')
      .description('Show the DNS records to publish for a sending domain, and what was found of each.')
      .argument('<name>', 'such as mail.example.com')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (name: string, { workspace }: OfWorkspace) =>
        done(await (await actions()).domainRecords(workspace, name)),
      ),
    'domain records mail.example.com --workspace main',
  );
  examples(
    domain
      .command('rotate-key')
      .description(
        'Give a sending domain a new DKIM key, and show the records to publish. Mail is signed with the key once its ' +
          'record is found.',
      )
      .argument('<name>', 'such as mail.example.com')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (name: string, { workspace }: OfWorkspace) =>
        done(await (await actions()).domainRotateKey(workspace, name)),
      ),
    'domain rotate-key mail.example.com --workspace main',
  );
  examples(
    domain
      .command('remove')
      .description(
        'Remove a sending domain, here and at the provider. Cancels its queued emails and revokes keys bound to it.',
      )
      .argument('<name>', 'such as mail.example.com')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (name: string, { workspace }: OfWorkspace) =>
        done(await (await actions()).domainRemove(workspace, name)),
      ),
    'domain remove mail.example.com --workspace main',
  );
}
