import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { limits } from '../../../src/limits.ts';
import { createMailbox } from '../accounts/create-mailbox.ts';
import { createMailAccessError } from '../accounts/member-access.ts';
import { parseName } from '../kit/name.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { requireFeature } from '../settings/features.ts';
import { getMailPolicy, isMailAdmin, isReserved } from '../settings/policy.ts';
import { checkMemberUsers } from './shared-members.ts';

/** Maximum number of shared mailboxes that a user who is not an administrator can own. */
const MAX_OWNED_MAILBOXES = 10;

export const mailboxCreateShared = defineOperation('mailboxCreateShared', {
  effects: ['writes', 'grants'],
  address: 'svc.mail.account/create_shared_mailbox',
  policy: { ...MAIL_WRITE_POLICY, audit: 'mail.mailbox' },
  description:
    'Creates a mailbox on a verified domain for several users. Requires a mail administrator. If the ' +
    'policy `shared_create_who` is `everyone`, any user with a personal mailbox can also create one, ' +
    'and becomes the owner.',
  args: (arg) => ({
    local: arg.string({ required: true, description: 'Part of the address before the `@`.' }),
    name: arg.string({ required: true, description: 'Sender name for messages from the mailbox.' }),
    domainId: arg.recordId({
      required: true,
      description: "Verified sending domain for the mailbox's address.",
    }),
    memberUserIds: arg.recordIds({ description: 'Users who share the mailbox.' }),
    managerUserId: arg.recordId({ description: "User who manages the mailbox's members." }),
  }),
  ...returnOutcome('SharedMailboxCreated', 'The shared mailbox that was created.', {
    accountId: { type: 'ID', description: 'Id of the mailbox. Null if the call was rejected.' },
    email: { type: 'String', description: 'Address of the mailbox.' },
  }),
  run: (ctx, args) =>
    catchMailError(() =>
      createSharedMailbox(ctx, {
        ...args,
        memberUserIds: args.memberUserIds ?? [],
        managerUserId: args.managerUserId ?? null,
      }),
    ),
});

interface NewSharedMailbox {
  local: string;
  name: string;
  domainId: number;
  memberUserIds: number[];
  managerUserId: number | null;
}

async function createSharedMailbox(ctx: Ctx, input: NewSharedMailbox) {
  const isAdmin = isMailAdmin(ctx);
  const { companyId, userId } = ctx.principal!;
  if (!isAdmin) await checkCanCreate(ctx);
  await requireFeature(ctx, companyId, 'mail.shared');
  const name = parseName(input.name, limits.mail.senderName, 'mailbox');
  const local = parseLocalPart(input.local);
  if (!isAdmin && (await isReserved(ctx, local)))
    throw new MailError(`The address ${local}@… is reserved for administrators.`);
  const email = `${local}@${await getVerifiedDomain(ctx, input.domainId)}`;
  const { memberUserIds: memberIds, managerUserId: managerId } = input;
  await checkMemberUsers(ctx, managerId ? [...memberIds, managerId] : memberIds);
  if (await isAddressTaken(ctx, email)) throw new MailError(`The address ${email} is already in use.`);
  return ctx.tx(async (tx) => {
    if (!isAdmin) await checkOwnedCount(tx, userId!);
    const ownerId = isAdmin ? null : userId;
    const mailbox = {
      kind: 'shared' as const,
      name,
      address: email,
      ownerId,
      companyId,
      memberIds,
      managerId,
    };
    return { account_id: await createMailbox(tx, mailbox), email };
  });
}

/** @throws ACCESS_ERROR if the user may not create shared mailboxes */
async function checkCanCreate(ctx: Ctx): Promise<void> {
  const ownedMailboxes = await ctx.db.rows(
    sql`select 1 from svc_mail_account where workspace_id = ${ctx.workspace.id}
     and owner_id = ${ctx.principal!.userId} and kind = 'personal' and active`,
  );
  if (ownedMailboxes.length === 0 || (await getMailPolicy(ctx, 'shared_create_who')) !== 'everyone')
    throw createMailAccessError(ctx, 'Mailbox', 'svc.mail.account');
}

/** @throws MailError if the string is not a valid local part */
export function parseLocalPart(text: string): string {
  const local = text.trim().toLowerCase();
  if (!/^[a-z0-9](?:[a-z0-9_-]|\.(?!\.))*(?<!\.)$/.test(local) || local.length > 64)
    throw new MailError('local: must have 1 to 64 letters, digits, dots, hyphens and underscores.');
  return local;
}

async function getVerifiedDomain(ctx: Ctx, id: number): Promise<string> {
  const [domain] = await ctx.db.rows<{ name: string }>(
    sql`select name from svc_domain where workspace_id = ${ctx.workspace.id} and id = ${id} and status = 'SUCCESS'`,
  );
  if (!domain) throw new MailError('domain_id: not a verified domain of the workspace.');
  return domain.name;
}

export async function isAddressTaken(ctx: Ctx, email: string): Promise<boolean> {
  const rows = await ctx.db.rows(
    sql`select 1 from svc_mail_address where workspace_id = ${ctx.workspace.id} and address = ${email}`,
  );
  return rows.length > 0;
}

/** Locks the owner, so that concurrent calls cannot exceed the limit. */
async function checkOwnedCount(ctx: Ctx, userId: number): Promise<void> {
  await ctx.db.rows(
    sql`select 1 from res_users where workspace_id = ${ctx.workspace.id} and id = ${userId} for update`,
  );
  const count = await ctx.db.value<number>(
    sql`select count(*)::int from svc_mail_account
     where workspace_id = ${ctx.workspace.id} and owner_id = ${userId} and kind = 'shared'`,
  );
  if (count >= MAX_OWNED_MAILBOXES)
    throw new MailError(
      `You already own ${MAX_OWNED_MAILBOXES} shared mailboxes, including archived ones (the maximum).`,
    );
}
