import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { allocateId, allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';

interface NewMailbox {
  kind: 'personal' | 'shared';
  name: string;
  /** In lower case. */
  address: string;
  ownerId: number | null;
  companyId: number | null;
  /** Members in addition to the owner. */
  memberIds?: number[];
  managerId?: number | null;
}

/** In display order. */
const SYSTEM_FOLDERS = {
  inbox: 'Inbox',
  drafts: 'Drafts',
  sent: 'Sent',
  archive: 'Archive',
  spam: 'Spam',
  trash: 'Trash',
} as const;

export type SystemFolder = keyof typeof SYSTEM_FOLDERS;

/**
 * Creates a mailbox with its address, folders and members. The caller must check the user's access.
 * @returns its id
 * @throws NOT_UNIQUE if the address is taken
 */
export async function createMailbox(ctx: Ctx, mailbox: NewMailbox): Promise<number> {
  const { kind, name, address, ownerId, companyId } = mailbox;
  const workspace = ctx.workspace.id;
  const author = ctx.principal?.userId ?? null;
  const id = await allocateId(ctx, 'svc_mail_account');
  await ctx.db.rows(
    sql`insert into svc_mail_account (workspace_id, id, name, address, kind, owner_id, company_id, create_uid,
       write_uid)
     values (${workspace}, ${id}, ${name}, ${address}, ${kind}, ${ownerId}, ${companyId}, ${author}, ${author})`,
  );
  await ctx.db.rows(sql`insert into svc_mail_clock (workspace_id, account_id) values (${workspace}, ${id})`);
  if (!(await addAddress(ctx, id, address, 'main')))
    throw errors.notUnique(`The address ${address} is already in use.`);
  await addSystemFolders(ctx, id);
  await addMembers(ctx, id, buildMemberRoles(mailbox));
  return id;
}

function buildMemberRoles({ ownerId, managerId, memberIds = [] }: NewMailbox): Map<number, string> {
  const roles = new Map(memberIds.map((id) => [id, 'member']));
  if (managerId) roles.set(managerId, 'manager');
  if (ownerId) roles.set(ownerId, 'owner');
  return roles;
}

interface NewAddress {
  accountId: number;
  address: string;
  kind: 'main' | 'alias' | 'catch_all';
}

/** @returns false if the address is taken */
export async function addAddress(
  ctx: Ctx,
  accountId: number,
  address: string,
  kind: NewAddress['kind'],
): Promise<boolean> {
  return (await addAddresses(ctx.db, ctx.workspace.id, [{ accountId, address, kind }])) > 0;
}

/**
 * Adds the addresses that are free, and removes their bounce suppressions, because they can receive mail now.
 * @returns the number of added addresses
 */
export async function addAddresses(
  db: Db,
  workspaceId: number,
  newAddresses: readonly NewAddress[],
): Promise<number> {
  const ids = await db.idAllocator.allocate(workspaceId, 'svc_mail_address', newAddresses.length);
  const addresses = newAddresses.map(({ address }) => address);
  const rows = await db.rows<{ address: string }>(
    sql`insert into svc_mail_address (workspace_id, id, account_id, address, kind)
     select m.workspace_id, a.id, m.id, a.address, a.kind
     from unnest(${ids}::int[], ${newAddresses.map(({ accountId }) => accountId)}::int[], ${addresses}::text[],
       ${newAddresses.map(({ kind }) => kind)}::text[]) a(id, account_id, address, kind)
     join svc_mail_account m on m.workspace_id = ${workspaceId} and m.id = a.account_id
     on conflict (workspace_id, address) do nothing returning address`,
  );
  await liftBounceSuppressions(
    db,
    workspaceId,
    rows.map(({ address }) => address),
  );
  return rows.length;
}

/**
 * Removes bounce suppressions of addresses that now have a mailbox. `@domain` stands for all addresses on that domain.
 */
export async function liftBounceSuppressions(
  db: Db,
  workspaceId: number,
  addresses: string[],
): Promise<void> {
  const domains = addresses.filter((address) => address.startsWith('@'));
  if (addresses.length > 0)
    await db.rows(
      sql`delete from svc_suppression where workspace_id = ${workspaceId} and reason in ('HARD_BOUNCE', 'SOFT_BOUNCE')
       and email = any(${addresses}::text[])`,
    );
  if (domains.length > 0)
    await db.rows(
      sql`delete from svc_suppression where workspace_id = ${workspaceId} and reason in ('HARD_BOUNCE', 'SOFT_BOUNCE')
       and '@' || split_part(email, '@', 2) = any(${domains}::text[])`,
    );
}

async function addSystemFolders(ctx: Ctx, accountId: number): Promise<void> {
  const roles = Object.keys(SYSTEM_FOLDERS);
  const names = Object.values(SYSTEM_FOLDERS);
  const ids = await allocateIds(ctx, 'svc_mail_folder', roles.length);
  await ctx.db.rows(
    sql`insert into svc_mail_folder (workspace_id, id, account_id, role, name, sequence)
     select a.workspace_id, f.id, a.id, f.role, f.name, f.sequence
     from svc_mail_account a cross join unnest(${ids}::int[], ${roles}::text[], ${names}::text[],
       ${roles.map((_, i) => i)}::int[]) f(id, role, name, sequence)
     where a.workspace_id = ${ctx.workspace.id} and a.id = ${accountId}`,
  );
}

export async function addMembers(ctx: Ctx, accountId: number, roles: Map<number, string>): Promise<void> {
  if (roles.size === 0) return;
  const ids = await allocateIds(ctx, 'svc_mail_member', roles.size);
  await ctx.db.rows(
    sql`insert into svc_mail_member (workspace_id, id, account_id, user_id, role)
     select a.workspace_id, m.id, a.id, m.user_id, m.role
     from svc_mail_account a cross join unnest(${ids}::int[], ${[...roles.keys()]}::int[],
       ${[...roles.values()]}::text[]) m(id, user_id, role)
     where a.workspace_id = ${ctx.workspace.id} and a.id = ${accountId}
     on conflict (workspace_id, account_id, user_id) do update set role = excluded.role`,
  );
}
