import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { selectMemberships } from '../../base/memberships.ts';
import { addMembers } from '../accounts/create-mailbox.ts';
import { createMailAccessError } from '../accounts/member-access.ts';
import {
  catchMailError,
  MAIL_READ_POLICY,
  MAIL_WRITE_POLICY,
  MailError,
  returnOutcome,
  returnShape,
} from '../kit/operation.ts';
import { requireFeature, requireFeatureToRead } from '../settings/features.ts';
import { isMailAdmin } from '../settings/policy.ts';

const MAX_MEMBERS = 500;
const MAX_CANDIDATES = 500;

export const mailboxSetMembers = defineOperation('mailboxSetMembers', {
  kind: 'mutation',
  effects: ['writes', 'grants'],
  address: 'svc.mail.account/set_shared_members',
  policy: { ...MAIL_WRITE_POLICY, audit: 'mail.members' },
  description:
    'Sets the members of a shared mailbox. Its owner and manager always remain members. Only they and mail ' +
    'administrators can call this.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Shared mailbox.' }),
    memberUserIds: arg.recordIds({
      required: true,
      description: 'Complete list of users who share the mailbox.',
    }),
  }),
  ...returnOutcome('SharedMembersSet', 'Result of setting the members of a shared mailbox.', {
    memberUserIds: {
      type: ['ID'],
      description: 'Ids of all members, including the owner and the manager. Null if the call was rejected.',
    },
  }),
  run: (ctx, { accountId, memberUserIds }) => catchMailError(() => setMembers(ctx, accountId, memberUserIds)),
});

const MemberShape = defineTypedShape(
  'SharedMailboxPerson',
  'A user who is, or could become, a member of a shared mailbox.',
  {
    userId: { type: 'ID', description: 'Id of the user.' },
    name: { type: 'String', description: 'Name.' },
    login: { type: 'String', description: 'Login.' },
    role: {
      type: 'String',
      nullable: true,
      description: '`owner`, `manager` or `member`. Null for a user who can be added.',
    },
  },
);

export const mailboxMembers = defineOperation('mailboxManageState', {
  kind: 'query',
  effects: ['reads'],
  address: 'svc.mail.account/get_shared_manage_state',
  policy: MAIL_READ_POLICY,
  description:
    'Returns the members of a shared mailbox and the users who can be added. Only users who may manage ' +
    'the members can call this.',
  args: (arg) => ({ accountId: arg.recordId({ required: true, description: 'Shared mailbox.' }) }),
  ...returnShape('SharedMailboxManageState', 'Members of a shared mailbox.', {
    accountId: { type: 'ID', description: 'Id of the mailbox.' },
    name: { type: 'String', description: 'Name of the mailbox.' },
    email: { type: 'String', description: 'Address of the mailbox.' },
    members: { type: [MemberShape], description: 'Members of the mailbox.' },
    candidates: {
      type: [MemberShape],
      description: `The first ${MAX_CANDIDATES} users who can be added, sorted by name.`,
    },
  }),
  run: async (ctx, { accountId }) => {
    const account = await getManagedMailbox(ctx, accountId);
    await requireFeatureToRead(ctx, account.company_id, 'mail.shared');
    return {
      account_id: account.id,
      name: account.name,
      email: account.address,
      members: await loadMembers(ctx, account.id),
      candidates: await findCandidates(ctx, account.id),
    };
  },
});

interface ManagedMailbox {
  id: number;
  name: string;
  address: string;
  company_id: number | null;
}

/** @throws ACCESS_ERROR if the caller may not manage the mailbox's members */
async function getManagedMailbox(ctx: Ctx, id: number): Promise<ManagedMailbox> {
  const [account] = await ctx.db.rows<ManagedMailbox & { kind: string; role: string | null }>(
    sql`select a.id, a.name, a.address, a.company_id, a.kind, m.role from svc_mail_account a
     left join svc_mail_member m on m.workspace_id = ${ctx.workspace.id} and m.account_id = a.id
       and m.user_id = ${ctx.principal?.userId ?? 0}
     where a.workspace_id = ${ctx.workspace.id} and a.id = ${id} and a.active`,
  );
  const chooses = account?.role === 'owner' || account?.role === 'manager' || isMailAdmin(ctx);
  if (account?.kind !== 'shared' || !chooses) throw createMailAccessError(ctx, 'Mailbox', 'svc.mail.account');
  return account;
}

async function setMembers(ctx: Ctx, accountId: number, userIds: number[]) {
  const account = await getManagedMailbox(ctx, accountId);
  await requireFeature(ctx, account.company_id, 'mail.shared');
  const ids = [...new Set(userIds)];
  await checkMemberUsers(ctx, ids);
  const { id: workspace } = ctx.workspace;
  return ctx.tx(async (tx) => {
    await tx.db.rows(
      sql`select 1 from svc_mail_account where workspace_id = ${workspace} and id = ${accountId} for update`,
    );
    await tx.db.rows(
      sql`delete from svc_mail_member where workspace_id = ${workspace} and account_id = ${accountId}
       and role = 'member' and user_id <> all(${ids}::int[])`,
    );
    const memberIds = new Set((await loadMembers(tx, accountId)).map(({ user_id }) => user_id));
    await addMembers(
      tx,
      accountId,
      new Map(ids.filter((id) => !memberIds.has(id)).map((id) => [id, 'member'])),
    );
    return { member_user_ids: (await loadMembers(tx, accountId)).map(({ user_id }) => user_id) };
  });
}

interface Member {
  user_id: number;
  name: string;
  login: string;
  role: string | null;
}

const loadMembers = ({ db, workspace: { id } }: Ctx, accountId: number): Promise<Member[]> =>
  db.rows<Member>(
    sql`select u.id as user_id, coalesce(p.name, u.login) as name, u.login, m.role from svc_mail_member m
     join res_users u on u.workspace_id = ${id} and u.id = m.user_id
     left join res_partner p on p.workspace_id = ${id} and p.id = u.partner_id
     where m.workspace_id = ${id} and m.account_id = ${accountId} order by 2, 1`,
  );

const buildIsInternalSql = (workspace: number) =>
  sql`u.active and exists (select 1 from res_groups g where g.workspace_id = ${workspace}
    and g.external_id = 'base.group_user' and g.id in (${selectMemberships(workspace, sql`u.id`)}))`;

const findCandidates = ({ db, workspace: { id } }: Ctx, accountId: number): Promise<Member[]> =>
  db.rows<Member>(
    sql`select u.id as user_id, coalesce(p.name, u.login) as name, u.login, null as role from res_users u
     left join res_partner p on p.workspace_id = ${id} and p.id = u.partner_id
     where u.workspace_id = ${id} and ${buildIsInternalSql(id)} and not exists (select 1 from svc_mail_member m
       where m.workspace_id = ${id} and m.account_id = ${accountId} and m.user_id = u.id)
     order by 2, 1 limit ${sql.literal(MAX_CANDIDATES)}`,
  );

/** @throws MailError if there are too many users, or one is not an active internal user */
export async function checkMemberUsers(ctx: Ctx, ids: readonly number[]): Promise<void> {
  const distinctIds = [...new Set(ids)];
  if (distinctIds.length > MAX_MEMBERS)
    throw new MailError(`A mailbox may have at most ${MAX_MEMBERS} members.`);
  const { id } = ctx.workspace;
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select u.id from res_users u
     where u.workspace_id = ${id} and u.id = any(${distinctIds}::int[]) and ${buildIsInternalSql(id)}`,
  );
  const userIds = new Set(rows.map((row) => row.id));
  const missingId = distinctIds.find((item) => !userIds.has(item));
  if (missingId !== undefined)
    throw new MailError(
      `User ${missingId} cannot be a member: only active internal users can share a mailbox.`,
    );
}
