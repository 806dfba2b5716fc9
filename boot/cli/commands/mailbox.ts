import type { Command } from 'commander';
import type { MailboxOptions, RuleOptions } from '../actions/mailbox.ts';
import { addExamples } from '../example.ts';
import type { FinishCommand } from '../finish-command.ts';

const loadActions = () => import('../actions/mailbox.ts');

interface WorkspaceOption {
  workspace: string;
}

export function addMailboxCommands(program: Command, done: FinishCommand): void {
  const mailbox = program
    .command('mailbox')
    .description('Mailboxes of a workspace, and who may do what in them.');
  addMailboxes(mailbox, done);
  addAddresses(mailbox, done);
  addMailRules(mailbox, done);
  addRules(mailbox, done);
  addFailed(mailbox, done);
}

function addMailboxes(mailbox: Command, done: FinishCommand): void {
  addExamples(
    mailbox
      .command('create')
      .description('Create a mailbox that users share. Users have a mailbox of their own from the start.')
      .argument('<address>', 'on a verified domain, such as info@example.com')
      .requiredOption('--workspace <slug>', 'the workspace')
      .option('--name <name>', 'name that its mail is sent with; the beginning of the address by default')
      .option('--member <login>', 'a user who shares it; may be repeated', collect)
      .option('--manager <login>', 'a user who chooses its members')
      .action(async (address: string, options: MailboxOptions) =>
        done(await (await loadActions()).mailboxCreate(address, options)),
      ),
    'mailbox create info@example.com --workspace main --member ann --member bob',
  );
  addExamples(
    mailbox
      .command('list')
      .description('List the mailboxes of a workspace, archived ones too, and the bytes they take.')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async ({ workspace }: WorkspaceOption) =>
        done(await (await loadActions()).mailboxList(workspace)),
      ),
    'mailbox list --workspace main',
  );
  addExamples(
    mailbox
      .command('quota')
      .description('Limit the bytes that the messages of a mailbox may take.')
      .argument('<address>', 'an address of the mailbox')
      .argument('<megabytes>', 'the limit, or none')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (address: string, megabytes: string, { workspace }: WorkspaceOption) =>
        done(await (await loadActions()).mailboxQuota(workspace, address, megabytes)),
      ),
    'mailbox quota info@example.com 2048 --workspace main',
    'mailbox quota info@example.com none --workspace main',
  );
  addExamples(
    mailbox
      .command('archive')
      .description(
        'Archive a mailbox: it keeps its messages, receives no more and is shown to none of its members.',
      )
      .argument('<address>', 'an address of the mailbox')
      .requiredOption('--workspace <slug>', 'the workspace')
      .option('--restore', 'take it out of the archive')
      .action(async (address: string, options: WorkspaceOption & { restore?: boolean }) =>
        done(
          await (await loadActions()).mailboxArchive(options.workspace, address, options.restore === true),
        ),
      ),
    'mailbox archive info@example.com --workspace main',
  );
}

function addAddresses(mailbox: Command, done: FinishCommand): void {
  const alias = mailbox.command('alias').description('Further addresses of a mailbox.');
  for (const change of ['add', 'remove'] as const)
    addExamples(
      alias
        .command(change)
        .description(
          change === 'add'
            ? 'Give a mailbox a further address, from which its members may send too.'
            : 'Take a further address from a mailbox.',
        )
        .argument('<mailbox>', 'an address of the mailbox')
        .argument('<address>', 'the further address, on a verified domain')
        .requiredOption('--workspace <slug>', 'the workspace')
        .action(async (of: string, address: string, { workspace }: WorkspaceOption) =>
          done(await (await loadActions()).mailboxAlias(workspace, change, of, address)),
        ),
      `mailbox alias ${change} info@example.com help@example.com --workspace main`,
    );
  addExamples(
    alias
      .command('list')
      .description('List the addresses of a mailbox.')
      .argument('<mailbox>', 'an address of the mailbox')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (of: string, { workspace }: WorkspaceOption) =>
        done(await (await loadActions()).mailboxAlias(workspace, 'list', of, null)),
      ),
    'mailbox alias list info@example.com --workspace main',
  );
  addExamples(
    mailbox
      .command('catch-all')
      .description('Choose the mailbox that gets mail for unknown addresses of a domain.')
      .argument('<domain>', 'a verified domain')
      .argument('<mailbox>', 'an address of the mailbox, or none')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (domain: string, of: string, { workspace }: WorkspaceOption) =>
        done(await (await loadActions()).mailboxCatchAll(workspace, domain, of)),
      ),
    'mailbox catch-all example.com info@example.com --workspace main',
    'mailbox catch-all example.com none --workspace main',
  );
}

function addMailRules(mailbox: Command, done: FinishCommand): void {
  const rule = mailbox.command('rule').description('Rules that the members of a mailbox cannot change.');
  addExamples(
    rule
      .command('add')
      .description('Set up a rule in a mailbox.')
      .argument('<mailbox>', 'an address of the mailbox')
      .requiredOption('--workspace <slug>', 'the workspace')
      .requiredOption('--when <condition>', 'field, operator and value; may be repeated', collect)
      .requiredOption(
        '--then <action>',
        'mark_read, star, mark_spam, or move inbox, archive or trash; may be repeated',
        collect,
      )
      .option('--any', 'one of the conditions is enough')
      .option('--name <name>', 'what lists show it as')
      .action(async (of: string, options: RuleOptions) =>
        done(await (await loadActions()).mailboxRuleAdd(of, options)),
      ),
    "mailbox rule add info@example.com --when 'subject contains free money' --then mark_spam --workspace main",
  );
  addExamples(
    rule
      .command('list')
      .description('List the rules of administrators in a mailbox.')
      .argument('<mailbox>', 'an address of the mailbox')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (of: string, { workspace }: WorkspaceOption) =>
        done(await (await loadActions()).mailboxRuleList(workspace, of)),
      ),
    'mailbox rule list info@example.com --workspace main',
  );
  addExamples(
    rule
      .command('remove')
      .description('Delete a rule of an administrator.')
      .argument('<mailbox>', 'an address of the mailbox')
      .argument('<id>', 'id of the rule')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (of: string, id: string, { workspace }: WorkspaceOption) =>
        done(await (await loadActions()).mailboxRuleRemove(workspace, of, id)),
      ),
    'mailbox rule remove info@example.com 3 --workspace main',
  );
}

function addRules(mailbox: Command, done: FinishCommand): void {
  addExamples(
    mailbox
      .command('feature')
      .description('Switch a feature of mail on or off in a company.')
      .argument('<key>', 'such as mail.search')
      .argument('<state>', 'on or off')
      .requiredOption('--workspace <slug>', 'the workspace')
      .option('--company <id>', 'id of the company; the first one by default')
      .action(
        async (key: string, state: string, { workspace, company }: WorkspaceOption & { company?: string }) =>
          done(
            await (await loadActions()).mailboxFeature(
              workspace,
              key,
              state,
              company ? Number(company) : null,
            ),
          ),
      ),
    'mailbox feature mail.rules off --workspace main',
  );
  addExamples(
    mailbox
      .command('policy')
      .description('Say who may do something with mail.')
      .argument('<key>', 'import_who or shared_create_who')
      .argument('<value>', 'administrators or everyone')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (key: string, value: string, { workspace }: WorkspaceOption) =>
        done(await (await loadActions()).mailboxPolicy(workspace, key, value)),
      ),
    'mailbox policy shared_create_who everyone --workspace main',
  );
  addExamples(
    mailbox
      .command('reserve')
      .description('Reserve the first part of addresses for administrators, and show all that are reserved.')
      .argument('<local>', 'what stands before the @')
      .requiredOption('--workspace <slug>', 'the workspace')
      .option('--free', 'give it free')
      .action(async (local: string, { workspace, free }: WorkspaceOption & { free?: boolean }) =>
        done(await (await loadActions()).mailboxReserve(workspace, local, !free)),
      ),
    'mailbox reserve ceo --workspace main',
  );
}

function addFailed(mailbox: Command, done: FinishCommand): void {
  addExamples(
    mailbox
      .command('failed')
      .description(
        'List received messages that could not be filed for days and wait for you, the oldest first.',
      )
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async ({ workspace }: WorkspaceOption) =>
        done(await (await loadActions()).mailboxFailed(workspace)),
      ),
    'mailbox failed --workspace main',
  );
  addExamples(
    mailbox
      .command('retry')
      .description('File a received message that could not be filed once more.')
      .argument('<id>', 'id from `mailbox failed`, or all')
      .requiredOption('--workspace <slug>', 'the workspace')
      .action(async (id: string, { workspace }: WorkspaceOption) =>
        done(await (await loadActions()).mailboxRetry(workspace, id)),
      ),
    'mailbox retry 41 --workspace main',
    'mailbox retry all --workspace main',
  );
}

const collect = (value: string, before: string[] = []): string[] => [...before, value];
