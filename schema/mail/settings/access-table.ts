import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineTypedShape } from '../../../src/engine/verb/shape.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { limits } from '../../../src/limits.ts';
import { notYours } from '../accounts/member-of.ts';
import { answersShape } from '../kit/answer.ts';
import { mailReads } from '../kit/policies.ts';
import { isMailAdmin, policyOf, reservedOf } from './policy.ts';

const Row = defineTypedShape('MailAccessRow', 'Who may do something with mail.', {
  action: { type: 'String', description: 'What is done.' },
  who: { type: 'String', description: 'Who may.' },
});

const Mailbox = defineTypedShape('MailAccessMailbox', 'Whose a mailbox is.', {
  accountId: { type: 'ID', description: 'Id of the mailbox.' },
  name: { type: 'String', description: 'Name.' },
  email: { type: 'String', description: 'Address.' },
  kind: { type: 'String', description: '`personal` or `shared`.' },
  isActive: { type: 'Boolean', description: 'False when it is archived.' },
  owner: { type: 'String', nullable: true, description: 'Login of its owner; null for none.' },
  members: { type: ['String'], description: 'Logins of its members, with what they are in it.' },
});

export const mailAccessTableVerb = verb('mailAccessTable', {
  kind: 'query',
  effects: ['reads'],
  address: 'svc.mail.account/get_access_table',
  policy: mailReads,
  description: 'Who may do what with mail in the workspace. Mail administrators only.',
  args: () => ({}),
  ...answersShape('MailAccessTable', 'Who may do what with mail in the workspace.', {
    rows: { type: [Row], description: 'What is done, and who may.' },
    mailboxes: {
      type: [Mailbox],
      description: `The mailboxes and their members, the first ${limits.mail.accessMailboxes}.`,
    },
    reserved: { type: ['String'], description: 'First parts of addresses that only administrators take.' },
  }),
  run: async (ctx) => {
    if (!isMailAdmin(ctx)) throw notYours(ctx, 'Mailbox', 'svc.mail.account');
    return { rows: await rowsOf(ctx), mailboxes: await mailboxesOf(ctx), reserved: await reservedOf(ctx) };
  },
});

const WHO: Record<string, string> = {
  everyone: 'every user with a mailbox',
  administrators: 'mail administrators',
};

async function rowsOf(ctx: Ctx): Promise<{ action: string; who: string }[]> {
  const shared = await policyOf(ctx, 'shared_create_who');
  return [
    { action: 'read and organize the messages of a mailbox', who: 'its members' },
    { action: 'send from a mailbox', who: 'its members' },
    { action: 'read a draft', who: 'the user who writes it' },
    { action: 'import messages', who: WHO[await policyOf(ctx, 'import_who')]! },
    {
      action: 'create a shared mailbox',
      who: shared === 'everyone' ? `${WHO.administrators} and ${WHO.everyone}` : WHO.administrators!,
    },
    {
      action: 'choose the members of a shared mailbox',
      who: 'its owner, its manager and mail administrators',
    },
    { action: 'switch features, policies and reserved addresses', who: WHO.administrators! },
  ];
}

const mailboxesOf = ({ db, workspace: { id } }: Ctx): Promise<object[]> =>
  db.rows(
    sql`select a.id as account_id, a.name, a.address as email, a.kind, a.active as is_active, o.login as owner,
       array(select u.login || ' (' || m.role || ')' from svc_mail_member m
         join res_users u on u.workspace_id = ${id} and u.id = m.user_id
         where m.workspace_id = ${id} and m.account_id = a.id order by u.login) as members
     from svc_mail_account a left join res_users o on o.workspace_id = ${id} and o.id = a.owner_id
     where a.workspace_id = ${id} order by a.kind, a.name, a.id
     limit ${sql.literal(limits.mail.accessMailboxes)}`,
  );
