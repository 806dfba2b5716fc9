import type { MailboxOptions, RuleOptions } from '../actions/mailbox.ts';
import { appendValue, type CliCommand, type WorkspaceOption } from '../command.ts';
import { addMessageCommands } from './mailbox-messages.ts';

const loadActions = () => import('../actions/mailbox.ts');

export function addMailboxCommands(program: CliCommand): void {
  const mailbox = program
    .command('mailbox')
    .description("Manage a workspace's mailboxes and their permissions.");
  addSharedMailboxCommands(mailbox);
  addAddressCommands(mailbox);
  addRuleCommands(mailbox);
  addPolicyCommands(mailbox);
  addFailedMailCommands(mailbox);
  addMessageCommands(mailbox);
}

function addSharedMailboxCommands(mailbox: CliCommand): void {
  mailbox
    .command('create')
    .description('Create a shared mailbox. Personal mailboxes are created automatically.')
    .argument('<address>', 'address on a verified domain, such as info@example.com')
    .requireWorkspace()
    .option('--name <name>', 'sender name (default: the part of the address before the @)')
    .option('--member <login>', 'login of a member; can be repeated', appendValue)
    .option('--manager <login>', 'login of the user who manages the members')
    .examples('mailbox create info@example.com --workspace main --member ann --member bob')
    .runs(async (address: string, options: MailboxOptions) =>
      (await loadActions()).runMailboxCreate(address, options),
    );
  mailbox
    .command('list')
    .description("List a workspace's mailboxes, including archived ones, with their sizes in bytes.")
    .requireWorkspace()
    .examples('mailbox list --workspace main')
    .runsInWorkspace(async () => (await loadActions()).runMailboxList);
  mailbox
    .command('quota')
    .description("Set a mailbox's quota.")
    .argument('<address>', 'address of the mailbox')
    .argument('<megabytes>', 'quota in megabytes, or none')
    .requireWorkspace()
    .examples(
      'mailbox quota info@example.com 2048 --workspace main',
      'mailbox quota info@example.com none --workspace main',
    )
    .runsInWorkspace(async () => (await loadActions()).setMailboxQuota);
  mailbox
    .command('archive')
    .description(
      'Archive a mailbox. It keeps its messages, receives no new ones and is hidden from its members.',
    )
    .argument('<address>', 'address of the mailbox')
    .requireWorkspace()
    .option('--restore', 'restore the mailbox from the archive')
    .examples('mailbox archive info@example.com --workspace main')
    .runs(async (address: string, options: WorkspaceOption & { restore?: boolean }) =>
      (await loadActions()).setMailboxActive(options.workspace, address, options.restore === true),
    );
}

function addAddressCommands(mailbox: CliCommand): void {
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
      .requireWorkspace()
      .examples(`mailbox alias ${change} info@example.com help@example.com --workspace main`)
      .runs(async (mailboxAddress: string, address: string, { workspace }: WorkspaceOption) =>
        (await loadActions()).runMailboxAlias(workspace, change, mailboxAddress, address),
      );
  alias
    .command('list')
    .description("List a mailbox's addresses.")
    .argument('<mailbox>', 'address of the mailbox')
    .requireWorkspace()
    .examples('mailbox alias list info@example.com --workspace main')
    .runs(async (mailboxAddress: string, { workspace }: WorkspaceOption) =>
      (await loadActions()).runMailboxAlias(workspace, 'list', mailboxAddress, null),
    );
  mailbox
    .command('catch-all')
    .description('Set the mailbox that receives mail for unknown addresses on a domain.')
    .argument('<domain>', 'name of a verified domain')
    .argument('<mailbox>', 'address of the mailbox, or none')
    .requireWorkspace()
    .examples(
      'mailbox catch-all example.com info@example.com --workspace main',
      'mailbox catch-all example.com none --workspace main',
    )
    .runsInWorkspace(async () => (await loadActions()).setCatchAllMailbox);
}

function addRuleCommands(mailbox: CliCommand): void {
  const rule = mailbox
    .command('rule')
    .description("Manage a mailbox's administrator rules, which its members can see but not change.");
  rule
    .command('add')
    .description('Add a rule to a mailbox.')
    .argument('<mailbox>', 'address of the mailbox')
    .requireWorkspace()
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
    .examples(
      "mailbox rule add info@example.com --when 'subject contains free money' --then mark_spam --workspace main",
    )
    .runs(async (mailboxAddress: string, options: RuleOptions) =>
      (await loadActions()).runMailboxRuleAdd(mailboxAddress, options),
    );
  rule
    .command('list')
    .description("List a mailbox's administrator rules.")
    .argument('<mailbox>', 'address of the mailbox')
    .requireWorkspace()
    .examples('mailbox rule list info@example.com --workspace main')
    .runsInWorkspace(async () => (await loadActions()).runMailboxRuleList);
  rule
    .command('remove')
    .description('Delete an administrator rule.')
    .argument('<mailbox>', 'address of the mailbox')
    .argument('<id>', 'id of the rule')
    .requireWorkspace()
    .examples('mailbox rule remove info@example.com 3 --workspace main')
    .runsInWorkspace(async () => (await loadActions()).runMailboxRuleRemove);
}

function addPolicyCommands(mailbox: CliCommand): void {
  mailbox
    .command('feature')
    .description('Turn a mail feature on or off for a company.')
    .argument('<key>', 'name of the feature, such as mail.search')
    .argument('<state>', 'on or off')
    .requireWorkspace()
    .option('--company <id>', 'id of the company (default: the first one)')
    .examples('mailbox feature mail.rules off --workspace main')
    .runs(
      async (key: string, state: string, { workspace, company }: WorkspaceOption & { company?: string }) =>
        (await loadActions()).setMailboxFeature(workspace, key, state, company ? Number(company) : null),
    );
  mailbox
    .command('policy')
    .description('Set who can import mail or create shared mailboxes.')
    .argument('<key>', 'name of the policy: import_who or shared_create_who')
    .argument('<value>', 'administrators or everyone')
    .requireWorkspace()
    .examples('mailbox policy shared_create_who everyone --workspace main')
    .runsInWorkspace(async () => (await loadActions()).setMailboxPolicy);
  mailbox
    .command('reserve')
    .description('Reserve a local part for administrators, and list all reserved local parts.')
    .argument('<local>', 'local part, the part before the @')
    .requireWorkspace()
    .option('--free', 'remove the reservation')
    .examples('mailbox reserve ceo --workspace main')
    .runs(async (local: string, { workspace, free }: WorkspaceOption & { free?: boolean }) =>
      (await loadActions()).setLocalPartReservation(workspace, local, !free),
    );
}

function addFailedMailCommands(mailbox: CliCommand): void {
  mailbox
    .command('failed')
    .description('List received messages that could not be filed after days of attempts, oldest first.')
    .requireWorkspace()
    .examples('mailbox failed --workspace main')
    .runsInWorkspace(async () => (await loadActions()).listFailedMail);
  mailbox
    .command('retry')
    .description('Retry filing a received message.')
    .argument('<id>', 'id from `mailbox failed`, or all')
    .requireWorkspace()
    .examples('mailbox retry 41 --workspace main', 'mailbox retry all --workspace main')
    .runsInWorkspace(async () => (await loadActions()).retryFailedMail);
}
