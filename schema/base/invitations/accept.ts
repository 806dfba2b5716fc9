import { NOW } from '../../../src/db/now.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLinkSubject } from '../../../src/engine/identity/signed-link.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { create } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { toSingleLine } from '../../../src/single-line.ts';
import { addMembers } from '../../mailbox/accounts/create-mailbox.ts';
import { checkNewPassword } from '../users/user-password.ts';
import { INVITATION_LINK, readSubject } from './invitation-mail.ts';

const InvitationView = defineTypedShape(
  'UserInvitationShown',
  'An invitation, as shown to the invited person.',
  {
    email: { type: 'String', description: 'Invited address, which becomes the login.' },
    name: { type: 'String', nullable: true, description: 'Suggested name.' },
  },
);

export const userInvitationShown = defineOperation('userInvitationShown', {
  effects: ['reads'],
  policy: { auth: ['LINK'], link: INVITATION_LINK, scope: 'read' },
  description: 'Returns the invitation that a link belongs to, or null if it was used, revoked or replaced.',
  args: () => ({}),
  type: InvitationView.ref as object,
  nullable: true,
  run: async (ctx) => (await findPendingInvitation(ctx, sql.empty)) ?? null,
});

export const userInvitationAccept = defineOperation('userInvitationAccept', {
  effects: ['writes', 'grants'],
  policy: { auth: ['LINK'], link: INVITATION_LINK, scope: 'write', audit: 'user.invite.accept' },
  description:
    'Creates the invited user and returns the login, or null if the link was used, revoked or replaced.',
  args: (arg) => ({
    name: arg.string({ required: true, description: 'Full name.' }),
    password: arg.string({ required: true, description: 'Password to sign in with.' }),
  }),
  type: 'String',
  nullable: true,
  run: (ctx, { name, password }) => ctx.tx((tx) => accept(tx, toSingleLine(name).trim(), password)),
});

interface Invitation {
  id: number;
  email: string;
  name: string | null;
  company_id: number | null;
}

/** Returns the link's pending invitation. @param lock locking clause, such as ` for update` */
async function findPendingInvitation(ctx: Ctx, lock: Sql): Promise<Invitation | undefined> {
  const { id, mail } = readSubject(getLinkSubject(ctx));
  const [row] = await ctx.db.rows<Invitation>(
    sql`select id, email, name, company_id from svc_user_invitation
     where workspace_id = ${ctx.workspace.id} and id = ${id} and mail_count = ${mail} and state = 'waiting'
       and expires_at > ${NOW}${lock}`,
  );
  return row;
}

/** @throws USER_ERROR if the password is too weak or no seat is free */
async function accept(ctx: Ctx, name: string, password: string): Promise<string | null> {
  // Prevents concurrent requests from accepting the same invitation.
  const invitation = await findPendingInvitation(ctx, sql` for update`);
  if (!invitation) return null;
  if (name === '' || name.length > limits.invitation.name)
    throw errors.user(`A name must have 1 to ${limits.invitation.name} characters.`);
  // The stricter password rules for administrators are checked when the user is created.
  await checkNewPassword(ctx, password, false);
  await rejectExistingUser(ctx, invitation.email);
  const { id, email, company_id: company } = invitation;
  const workspace = sql.param(ctx.workspace.id);
  const [storedInvitation] = await ctx.db.rows<{ groups: number[]; mailboxes: number[]; company: number }>(
    sql`select array(select r.group_id from svc_user_invitation_group_rel r
         where r.workspace_id = ${workspace} and r.invitation_id = ${id}) as groups,
       array(select a.id from svc_user_invitation_mailbox_rel r
         join svc_mail_account a on a.workspace_id = ${workspace} and a.id = r.account_id
         where r.workspace_id = ${workspace} and r.invitation_id = ${id} and a.kind = 'shared' and a.active)
         as mailboxes,
       coalesce(${company}::int, (select min(c.id) from res_company c where c.workspace_id = ${workspace})) as company`,
  );
  const { groups, mailboxes, company: companyId } = storedInvitation!;
  const values = { login: email, name, email, password, company_id: companyId, group_ids: [[6, 0, groups]] };
  const [user] = await create(ctx.system(), 'res.users', [values]);
  for (const mailbox of mailboxes) await addMembers(ctx, mailbox, new Map([[user!, 'member']]));
  await ctx.db.rows(
    sql`update svc_user_invitation set state = 'accepted', user_id = ${user}, accepted_at = ${NOW}
     where workspace_id = ${workspace} and id = ${id}`,
  );
  return email;
}

async function rejectExistingUser(ctx: Ctx, email: string): Promise<void> {
  const existingRows = await ctx.db.rows(
    sql`select 1 from res_users u where u.workspace_id = ${ctx.workspace.id} and lower(u.login) = ${email} limit 1`,
  );
  if (existingRows.length > 0) throw errors.notUnique(`${email} is already a user.`);
}
