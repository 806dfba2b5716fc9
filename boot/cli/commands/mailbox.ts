import type { Command } from 'commander';
import type { MailboxOptions, RuleOptions } from '../actions/mailbox.ts';
import { appendValue, type CommandFinisher, formatExamples } from '../command.ts';
import { addMessageCommands } from './mailbox-messages.ts';

const loadActions = () => import('../actions/mailbox.ts');

interface WorkspaceOption {
  workspace: string;
}

export function addMailboxCommands(program: Command, finish: CommandFinisher): void {
  const mailbox = program
    .command('mailbox')
    .description("Manage a workspace's mailboxes and their permissions.");
  addSharedMailboxCommands(mailbox, finish);
  addAddressCommands(mailbox, finish);
  addRuleCommands(mailbox, finish);
  addPolicyCommands(mailbox, finish);
  addFailedMailCommands(mailbox, finish);
  addMessageCommands(mailbox, finish);
}

function addSharedMailboxCommands(mailbox: Command, finish: CommandFinisher): void {
  mailbox
    .command('create')
    .description('Create a shared mailbox. Personal mailboxes are created automatically.')
    .argument('<address>', 'address on a verified domain, such as info@example.com')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .option('--name <name>', 'sender name (default: the part of the address before the @)')
    .option('--member <login>', 'login of a member; can be repeated', appendValue)
    .option('--manager <login>', 'login of the user who manages the members')
    .addHelpText(
      'after',
      formatExamples('mailbox create info@example.com --workspace main --member ann --member bob'),
    )
    .action(async (address: string, options: MailboxOptions) =>
      finish(await (await loadActions()).runMailboxCreate(address, options)),
    );
  mailbox
    .command('list')
    .description("List a workspace's mailboxes, including archived ones, with their sizes in bytes.")
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addHelpText('after', formatExamples('mailbox list --workspace main'))
    .action(async ({ workspace }: WorkspaceOption) =>
      finish(await (await loadActions()).runMailboxList(workspace)),
    );
  mailbox
    .command('quota')
    .description("Set a mailbox's quota.")
    .argument('<address>', 'address of the mailbox')
    .argument('<megabytes>', 'quota in megabytes, or none')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addHelpText(
      'after',
      formatExamples(
        'mailbox quota info@example.com 2048 --workspace main',
        'mailbox quota info@example.com none --workspace main',
      ),
    )
    .action(async (address: string, megabytes: string, { workspace }: WorkspaceOption) =>
      finish(await (await loadActions()).setMailboxQuota(workspace, address, megabytes)),
    );
  mailbox
    .command('archive')
    .description(
      'Archive a mailbox. It keeps its messages, receives no new ones and is hidden from its members.',
    )
    .argument('<address>', 'address of the mailbox')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .option('--restore', 'restore the mailbox from the archive')
    .addHelpText('after', formatExamples('mailbox archive info@example.com --workspace main'))
    .action(async (address: string, options: WorkspaceOption & { restore?: boolean }) =>
      finish(
        await (await loadActions()).setMailboxActive(options.workspace, address, options.restore === true),
      ),
    );
}

function addAddressCommands(mailbox: Command, finish: CommandFinisher): void {
  const alias = mailbox.command('alias').description("Manage a mailbox's aliases.");
  for (const change of ['add', 'remove'] as const)
    alias
      .command(change)
      .description(
        change === 'add'
          ? 'Add an alias to a mailbox. Its members can also send from this address.'
          : 'Remove an alias from a mailbox.',
      )
      .argument('<mailbox>', 'address of the mailbox')
      .argument('<address>', 'alias, an address on a verified domain')
      .requiredOption('--workspace <slug>', 'slug of the workspace')
      .addHelpText(
        'after',
        formatExamples(`mailbox alias ${change} info@example.com help@example.com --workspace main`),
      )
      .action(async (mailboxAddress: string, address: string, { workspace }: WorkspaceOption) =>
        finish(await (await loadActions()).runMailboxAlias(workspace, change, mailboxAddress, address)),
      );
  alias
    .command('list')
    .description("List a mailbox's addresses.")
    .argument('<mailbox>', 'address of the mailbox')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addHelpText('after', formatExamples('mailbox alias list info@example.com --workspace main'))
    .action(async (mailboxAddress: string, { workspace }: WorkspaceOption) =>
      finish(await (await loadActions()).runMailboxAlias(workspace, 'list', mailboxAddress, null)),
    );
  mailbox
    .command('catch-all')
    .description('Set the mailbox that receives mail for unknown addresses on a domain.')
    .argument('<domain>', 'name of a verified domain')
    .argument('<mailbox>', 'address of the mailbox, or none')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addHelpText(
      'after',
      formatExamples(
        'mailbox catch-all example.com info@example.com --workspace main',
        'mailbox catch-all example.com none --workspace main',
      ),
    )
    .action(async (domain: string, mailboxAddress: string, { workspace }: WorkspaceOption) =>
      finish(await (await loadActions()).setCatchAllMailbox(workspace, domain, mailboxAddress)),
    );
}

function addRuleCommands(mailbox: Command, finish: CommandFinisher): void {
  const rule = mailbox
    .command('rule')
    .description("Manage a mailbox's administrator rules, which its members can see but not change.");
  rule
    .command('add')
    .description('Add a rule to a mailbox.')
    .argument('<mailbox>', 'address of the mailbox')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .requiredOption(
      '--when <condition>',
      'condition: field, operator and value; can be repeated',
      appendValue,
    )
    .requiredOption(
      '--then <action>',
      'action: mark_read, star, mark_spam, move inbox, move archive or move trash; can be repeated',
      appendValue,
    )
    .option('--any', 'require only one of the conditions instead of all')
    .option('--name <name>', 'name of the rule')
    .addHelpText(
      'after',
      formatExamples(
        "mailbox rule add info@example.com --when 'subject contains free money' --then mark_spam --workspace main",
      ),
    )
    .action(async (mailboxAddress: string, options: RuleOptions) =>
      finish(await (await loadActions()).runMailboxRuleAdd(mailboxAddress, options)),
    );
  rule
    .command('list')
    .description("List a mailbox's administrator rules.")
    .argument('<mailbox>', 'address of the mailbox')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addHelpText('after', formatExamples('mailbox rule list info@example.com --workspace main'))
    .action(async (mailboxAddress: string, { workspace }: WorkspaceOption) =>
      finish(await (await loadActions()).runMailboxRuleList(workspace, mailboxAddress)),
    );
  rule
    .command('remove')
    .description('Delete an administrator rule.')
    .argument('<mailbox>', 'address of the mailbox')
    .argument('<id>', 'id of the rule')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addHelpText('after', formatExamples('mailbox rule remove info@example.com 3 --workspace main'))
    .action(async (mailboxAddress: string, id: string, { workspace }: WorkspaceOption) =>
      finish(await (await loadActions()).runMailboxRuleRemove(workspace, mailboxAddress, id)),
    );
}

function addPolicyCommands(mailbox: Command, finish: CommandFinisher): void {
  mailbox
    .command('feature')
    .description('Turn a mail feature on or off for a company.')
    .argument('<key>', 'name of the feature, such as mail.search')
    .argument('<state>', 'on or off')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .option('--company <id>', 'id of the company (default: the first one)')
    .addHelpText('after', formatExamples('mailbox feature mail.rules off --workspace main'))
    .action(
      async (key: string, state: string, { workspace, company }: WorkspaceOption & { company?: string }) =>
        finish(
          await (await loadActions()).setMailboxFeature(
            workspace,
            key,
            state,
            company ? Number(company) : null,
          ),
        ),
    );
  mailbox
    .command('policy')
    .description('Set who can import mail or create shared mailboxes.')
    .argument('<key>', 'name of the policy: import_who or shared_create_who')
    .argument('<value>', 'administrators or everyone')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addHelpText('after', formatExamples('mailbox policy shared_create_who everyone --workspace main'))
    .action(async (key: string, value: string, { workspace }: WorkspaceOption) =>
      finish(await (await loadActions()).setMailboxPolicy(workspace, key, value)),
    );
  mailbox
    .command('reserve')
    .description('Reserve a local part for administrators, and list all reserved local parts.')
    .argument('<local>', 'local part, the part before the @')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .option('--free', 'remove the reservation')
    .addHelpText('after', formatExamples('mailbox reserve ceo --workspace main'))
    .action(async (local: string, { workspace, free }: WorkspaceOption & { free?: boolean }) =>
      finish(await (await loadActions()).setLocalPartReservation(workspace, local, !free)),
    );
}

function addFailedMailCommands(mailbox: Command, finish: CommandFinisher): void {
  mailbox
    .command('failed')
    .description('List received messages that could not be filed after days of attempts, oldest first.')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addHelpText('after', formatExamples('mailbox failed --workspace main'))
    .action(async ({ workspace }: WorkspaceOption) =>
      finish(await (await loadActions()).listFailedMail(workspace)),
    );
  mailbox
    .command('retry')
    .description('Retry filing a received message.')
    .argument('<id>', 'id from `mailbox failed`, or all')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addHelpText(
      'after',
      formatExamples('mailbox retry 41 --workspace main', 'mailbox retry all --workspace main'),
    )
    .action(async (id: string, { workspace }: WorkspaceOption) =>
      finish(await (await loadActions()).retryFailedMail(workspace, id)),
    );
}
