import { NOW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { parseAddress } from '../../../src/message/address.ts';
import { countSeats } from '../administration/seats.ts';
import { loadGroupIds } from '../ir/group-ids.ts';
import { rejectAgents } from '../reject-agents.ts';
import { validateUserGroups } from '../users/user-groups.ts';
import { sendInvitation } from './invitation-mail.ts';

const INVITATION_TTL_DAYS = 7;
const MAX_PENDING_INVITATIONS = 500;
const MAX_INVITATIONS_PER_DAY = 200;
const MAX_EMAILS_PER_INVITATION = 10;
/** Per invitation. */
const MIN_EMAIL_INTERVAL_MS = 60_000;
const MAX_INVITATION_MAILBOXES = 100;

const returnInvitation = returnRecord('svc.user.invitation', facadeResult.id, (id: number) => id);

export const userInvite = defineOperation('userInvite', {
  effects: ['writes', 'sends', 'grants'],
  policy: { auth: ['ADMIN'], scope: 'write', audit: 'user.invite' },
  description:
    'Invites an email address to become a user. The email contains a single-use link that is valid for ' +
    `${INVITATION_TTL_DAYS} days. The invited person chooses a name and a password.`,
  args: (arg) => ({
    email: arg.string({ required: true, description: 'Email address, which becomes the login.' }),
    name: arg.string({ description: 'Suggested name.' }),
    groupIds: arg.recordIds({
      description: 'Groups to add the user to, in addition to the group for internal or portal users.',
    }),
    mailboxIds: arg.recordIds({ description: 'Shared mailboxes that the user becomes a member of.' }),
  }),
  ...returnInvitation,
  run: (ctx, { email, name, groupIds: groups, mailboxIds }) =>
    ctx.tx(async (tx) => {
      await rejectAgents(tx);
      const invitation = {
        email: parseInvitationAddress(email),
        name: validateInvitationName(name ?? null),
        mailboxes: mailboxIds ?? [],
      };
      await lockInvitations(tx);
      await rejectKnownAddress(tx, invitation.email);
      await rejectTooManyInvitations(tx);
      const grantedGroups = await validateUserGroups(tx, groups ?? []);
      await checkMailboxes(tx, invitation.mailboxes);
      const id = await insert(tx, invitation, grantedGroups);
      await sendInvitationEmail(tx, id);
      await rejectIfNoSeatLeft(tx, id);
      return id;
    }),
});

export const userInvitationResend = defineOperation('userInvitationResend', {
  effects: ['writes', 'sends', 'grants'],
  policy: { auth: ['ADMIN'], scope: 'write', audit: 'user.invite.resend' },
  description:
    'Sends a pending or expired invitation again and extends it. Links in earlier emails stop working.',
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Invitation.' }) }),
  ...returnInvitation,
  run: (ctx, { id }) =>
    ctx.tx(async (tx) => {
      await rejectAgents(tx);
      await lockInvitations(tx);
      const { email, state } = await getResendableInvitation(tx, id);
      if (state === 'expired') {
        await rejectKnownAddress(tx, email);
        await rejectTooManyInvitations(tx);
      }
      await sendInvitationEmail(tx, id);
      await rejectIfNoSeatLeft(tx, id);
      return id;
    }),
});

export const userInvitationRevoke = defineOperation('userInvitationRevoke', {
  effects: ['writes', 'deletes'],
  policy: { auth: ['ADMIN'], scope: 'write', audit: 'user.invite.revoke' },
  description: 'Revokes an invitation. Its link stops working immediately.',
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Invitation.' }) }),
  ...returnInvitation,
  run: async (ctx, { id }) => {
    await rejectAgents(ctx);
    const revokedRows = await ctx.db.rows(
      sql`update svc_user_invitation set state = 'revoked'
       where workspace_id = ${ctx.workspace.id} and id = ${id} and state in ('waiting', 'expired') returning id`,
    );
    if (revokedRows.length === 0) throw errors.notFound('Open invitation');
    return id;
  },
});

function parseInvitationAddress(email: string): string {
  const mailbox = parseAddress(email);
  if (!mailbox || mailbox.name !== undefined) throw errors.badValue('email: must be a single email address');
  return mailbox.address.toLowerCase();
}

function validateInvitationName(name: string | null): string | null {
  if (name && name.length > limits.invitation.name)
    throw errors.badValue(`name: must have at most ${limits.invitation.name} characters`);
  return name?.trim().replaceAll('\0', '\uFFFD') || null;
}

/** Serializes a workspace's invitations, so that concurrent requests cannot exceed the limits. */
const lockInvitations = (ctx: Ctx): Promise<unknown> =>
  ctx.db.rows(sql`select pg_advisory_xact_lock(hashtext('invitations of users'), ${ctx.workspace.id}::int)`);

/** @throws NOT_UNIQUE if the address belongs to a user or a pending invitation */
async function rejectKnownAddress(ctx: Ctx, email: string): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const [existingUser] = await ctx.db.rows<{ active: boolean | null; invited: number | null }>(
    sql`select (select bool_or(u.active) from res_users u
         where u.workspace_id = ${workspace} and lower(u.login) = ${email}) as active,
       (select min(i.id) from svc_user_invitation i
         where i.workspace_id = ${workspace} and i.state = 'waiting' and i.email = ${email}
           and i.expires_at > ${NOW}) as invited`,
  );
  const { active, invited } = existingUser!;
  if (active) throw errors.notUnique(`${email} is already a user. Add the groups to that user instead.`);
  if (active === false) throw errors.notUnique(`${email} is an archived user. Restore that user instead.`);
  if (invited !== null)
    throw errors.notUnique(`${email} has already been invited. Resend or revoke that invitation instead.`);
}

async function rejectTooManyInvitations(ctx: Ctx): Promise<void> {
  const [count] = await ctx.db.rows<{ waiting: number; fresh: number }>(
    sql`select (count(*) filter (where i.state = 'waiting' and i.expires_at > ${NOW}))::int as waiting,
       (count(*) filter (where i.create_date > ${NOW} - interval '24 hours'))::int as fresh
     from svc_user_invitation i where i.workspace_id = ${ctx.workspace.id}`,
  );
  const { waiting, fresh } = count!;
  if (waiting >= MAX_PENDING_INVITATIONS)
    throw errors.user(
      `At most ${MAX_PENDING_INVITATIONS} invitations can be pending at the same time. Revoke some first.`,
    );
  if (fresh >= MAX_INVITATIONS_PER_DAY)
    throw errors.user(
      `At most ${MAX_INVITATIONS_PER_DAY} invitations can be sent within 24 hours. Try again later.`,
    );
}

async function checkMailboxes(ctx: Ctx, ids: number[]): Promise<void> {
  if (ids.length > MAX_INVITATION_MAILBOXES)
    throw errors.badValue(`mailboxIds: must contain at most ${MAX_INVITATION_MAILBOXES} ids`);
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_mail_account
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}::int[]) and kind = 'shared' and active`,
  );
  const missingId = ids.find((id) => !rows.some((row) => row.id === id));
  if (missingId !== undefined) throw errors.notFound(`Shared mailbox ${missingId}`);
}

interface InvitationRequest {
  email: string;
  name: string | null;
  mailboxes: number[];
}

async function insert(
  ctx: Ctx,
  { email, name, mailboxes }: InvitationRequest,
  groups: number[],
): Promise<number> {
  const id = await allocateId(ctx, 'svc_user_invitation');
  const workspace = sql.param(ctx.workspace.id);
  const { userId, companyId } = ctx.principal!;
  await ctx.db.rows(
    sql`insert into svc_user_invitation (workspace_id, id, email, name, company_id, create_uid, sent_at, expires_at)
     values (${workspace}, ${id}, ${email}, ${name}, ${companyId}, ${userId}, ${NOW}, ${NOW})`,
  );
  await ctx.db.rows(
    sql`insert into svc_user_invitation_group_rel (workspace_id, invitation_id, group_id)
     select ${workspace}::int, ${id}::int, g from unnest(${[...new Set(groups)]}::int[]) g`,
  );
  await ctx.db.rows(
    sql`insert into svc_user_invitation_mailbox_rel (workspace_id, invitation_id, account_id)
     select ${workspace}::int, ${id}::int, a from unnest(${[...new Set(mailboxes)]}::int[]) a`,
  );
  return id;
}

/**
 * Rejects an invitation if no seat is left. Other pending invitations count as used seats.
 * @throws USER_ERROR
 */
async function rejectIfNoSeatLeft(ctx: Ctx, id: number): Promise<void> {
  const { used, invited, limit } = await countSeats(ctx);
  if (limit === null || used + invited <= limit) return;
  const [internal] = await loadGroupIds(ctx, ['base.group_user']).then((groups) => [...groups.values()]);
  const takes = await ctx.db.rows(
    sql`with recursive up(id) as (
       select g.id from res_groups g where g.workspace_id = ${ctx.workspace.id} and g.id = ${internal}
       union
       select r.gid from res_groups_implied_rel r join up on up.id = r.hid where r.workspace_id = ${ctx.workspace.id}
     ) select 1 from svc_user_invitation_group_rel i join up on up.id = i.group_id
     where i.workspace_id = ${ctx.workspace.id} and i.invitation_id = ${id} limit 1`,
  );
  if (takes.length > 0)
    throw errors.user(
      `The workspace has ${limit} seats: ${used} are used, and the others are reserved for pending invitations.`,
    );
}

/** @throws NOT_FOUND, or USER_ERROR if the invitation is closed or was just sent */
async function getResendableInvitation(ctx: Ctx, id: number): Promise<{ email: string; state: string }> {
  const [row] = await ctx.db.rows<{ email: string; state: string; mail_count: number; age: number }>(
    sql`select email, case when state = 'waiting' and expires_at < ${NOW} then 'expired' else state end as state,
       mail_count, (extract(epoch from ${NOW} - sent_at) * 1000)::float8 as age
     from svc_user_invitation where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  if (!row) throw errors.notFound('Invitation');
  const { state, mail_count: mails, age } = row;
  if (state !== 'waiting' && state !== 'expired') throw errors.user(`This invitation has been ${state}.`);
  if (mails >= MAX_EMAILS_PER_INVITATION)
    throw errors.user(
      `An invitation can be sent at most ${MAX_EMAILS_PER_INVITATION} times. Create a new one instead.`,
    );
  if (age < MIN_EMAIL_INTERVAL_MS) throw errors.user('The invitation was just sent. Try again in a minute.');
  return row;
}

async function sendInvitationEmail(ctx: Ctx, id: number): Promise<void> {
  const expires = Date.now() + INVITATION_TTL_DAYS * 86_400_000;
  const [row] = await ctx.db.rows<{ id: number; email: string; mail_count: number }>(
    sql`update svc_user_invitation set state = 'waiting', mail_count = mail_count + 1, sent_at = ${NOW},
       expires_at = ${new Date(expires).toISOString().slice(0, 23)}::timestamp
     where workspace_id = ${ctx.workspace.id} and id = ${id} returning id, email, mail_count`,
  );
  await sendInvitation(ctx, { ...row!, expires });
}
