import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { MAIL_ADMIN_READ_POLICY, returnShape } from '../kit/operation.ts';
import { getMailPolicy, loadReservedAddresses } from './policy.ts';

const MAX_ACCESS_MAILBOXES = 500;

const AccessRowShape = defineTypedShape('MailAccessRow', 'Users who may perform a mail action.', {
  action: { type: 'String', description: 'Name of the action.' },
  who: { type: 'String', description: 'Users who may perform the action.' },
});

const AccessMailboxShape = defineTypedShape('MailAccessMailbox', 'Owner and members of a mailbox.', {
  accountId: { type: 'ID', description: 'Id of the mailbox.' },
  name: { type: 'String', description: 'Name.' },
  email: { type: 'String', description: 'Address.' },
  kind: { type: 'String', description: '`personal` or `shared`.' },
  isActive: { type: 'Boolean', description: 'False if the mailbox is archived.' },
  owner: {
    type: 'String',
    nullable: true,
    description: "Login of the mailbox's owner. Null if the mailbox has no owner.",
  },
  members: { type: ['String'], description: "Logins of the mailbox's members, with their roles." },
});

export const mailAccessTable = defineOperation('mailAccessTable', {
  effects: ['reads'],
  address: 'svc.mail.account/get_access_table',
  policy: MAIL_ADMIN_READ_POLICY,
  description:
    "Returns the users who may perform each mail action in the workspace, and the workspace's mailboxes. " +
    'Only mail administrators can call it.',
  args: () => ({}),
  ...returnShape(
    'MailAccessTable',
    'Users who may perform mail actions in the workspace, and the mailboxes.',
    {
      rows: { type: [AccessRowShape], description: 'Actions, and the users who may perform them.' },
      mailboxes: {
        type: [AccessMailboxShape],
        description: `The first ${MAX_ACCESS_MAILBOXES} mailboxes, with their members.`,
      },
      reserved: {
        type: ['String'],
        description: 'Local parts of addresses that only administrators may assign.',
      },
    },
  ),
  run: async (ctx) => ({
    rows: await loadAccessRows(ctx),
    mailboxes: await loadMailboxes(ctx),
    reserved: await loadReservedAddresses(ctx),
  }),
});

const WHO_TEXTS: Record<string, string> = {
  everyone: 'every user with a mailbox',
  administrators: 'mail administrators',
};

async function loadAccessRows(ctx: Ctx): Promise<{ action: string; who: string }[]> {
  const shared = await getMailPolicy(ctx, 'shared_create_who');
  return [
    { action: 'read and organize the messages of a mailbox', who: 'its members' },
    { action: 'send from a mailbox', who: 'its members' },
    { action: 'read a draft', who: 'the user who writes it' },
    { action: 'import messages', who: WHO_TEXTS[await getMailPolicy(ctx, 'import_who')]! },
    {
      action: 'create a shared mailbox',
      who:
        shared === 'everyone'
          ? `${WHO_TEXTS.administrators} and ${WHO_TEXTS.everyone}`
          : WHO_TEXTS.administrators!,
    },
    {
      action: 'choose the members of a shared mailbox',
      who: 'its owner, its manager and mail administrators',
    },
    { action: 'switch features, policies and reserved addresses', who: WHO_TEXTS.administrators! },
  ];
}

const loadMailboxes = ({ db, workspace: { id } }: Ctx): Promise<object[]> =>
  db.rows(
    sql`select a.id as account_id, a.name, a.address as email, a.kind, a.active as is_active, o.login as owner,
       array(select u.login || ' (' || m.role || ')' from svc_mail_member m
         join res_users u on u.workspace_id = ${id} and u.id = m.user_id
         where m.workspace_id = ${id} and m.account_id = a.id order by u.login) as members
     from svc_mail_account a left join res_users o on o.workspace_id = ${id} and o.id = a.owner_id
     where a.workspace_id = ${id} order by a.kind, a.name, a.id
     limit ${sql.literal(MAX_ACCESS_MAILBOXES)}`,
  );
