import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { parseAddress } from '../../../src/message/address.ts';
import { selectMemberships } from '../../base/memberships.ts';
import { createMailbox, liftBounceSuppressions } from './create-mailbox.ts';

// Every internal user has one personal mailbox, which is created with the user.

interface MailboxOwner {
  id: number;
  login: string;
  name: string;
  company_id: number | null;
}

const OWNER_BATCH_SIZE = 500;

/** Creates missing personal mailboxes for these users, or for all users in the workspace if `ids` is null. */
export async function createOwnMailboxes(ctx: Ctx, ids: number[] | null = null): Promise<void> {
  for (let after = 0; ; ) {
    const owners = await ctx.db.rows<MailboxOwner>(
      sql`select u.id, u.login, coalesce(p.name, u.login) as name, u.company_id
       from res_users u left join res_partner p on p.workspace_id = ${ctx.workspace.id} and p.id = u.partner_id
       where u.workspace_id = ${ctx.workspace.id} and u.id > ${after}
         and ${ids ? sql`u.id = any(${ids}::int[])` : sql`true`}
         and exists (select 1 from res_groups g where g.workspace_id = ${ctx.workspace.id}
           and g.external_id = 'base.group_user' and g.id in (${selectMemberships(ctx.workspace.id, sql`u.id`)}))
         and not exists (select 1 from svc_mail_account a
           where a.workspace_id = ${ctx.workspace.id} and a.owner_id = u.id and a.kind = 'personal')
       order by u.id limit ${OWNER_BATCH_SIZE}`,
    );
    if (owners.length > 0) await createMailboxes(ctx, owners);
    if (owners.length < OWNER_BATCH_SIZE) return;
    after = owners.at(-1)!.id;
  }
}

/** Creates, archives and restores personal mailboxes to match their owners. */
export async function syncMailboxesWithUsers(ctx: Ctx, ids: number[]): Promise<void> {
  await createOwnMailboxes(ctx, ids);
  const changedRows = await ctx.db.rows<{ id: number; active: boolean }>(
    sql`update svc_mail_account a set active = u.active, write_date = now()
     from res_users u where u.workspace_id = ${ctx.workspace.id} and u.id = any(${ids}::int[])
       and a.workspace_id = ${ctx.workspace.id} and a.owner_id = u.id and a.kind = 'personal' and a.active <> u.active
     returning a.id, a.active`,
  );
  const returnedIds = changedRows.flatMap(({ id, active }) => (active ? [id] : []));
  if (returnedIds.length === 0) return;
  const addresses = await ctx.db.rows<{ address: string }>(
    sql`select address from svc_mail_address
     where workspace_id = ${ctx.workspace.id} and account_id = any(${returnedIds}::int[])`,
  );
  await liftBounceSuppressions(
    ctx.db,
    ctx.workspace.id,
    addresses.map(({ address }) => address),
  );
}

/** Call it before the users are deleted. Mailboxes are archived, not deleted. */
export async function archiveMailboxes(ctx: Ctx, ids: number[]): Promise<void> {
  await ctx.db.rows(
    sql`update svc_mail_account set active = false, write_date = now()
     where workspace_id = ${ctx.workspace.id} and owner_id = any(${ids}::int[]) and kind = 'personal'`,
  );
}

async function createMailboxes(ctx: Ctx, owners: MailboxOwner[]): Promise<void> {
  const domains = await loadMailDomains(ctx);
  for (const owner of owners) {
    const address = await findFreeAddress(ctx, buildPreferredAddress(owner.login, domains));
    await createMailbox(ctx, {
      kind: 'personal',
      name: owner.name,
      address,
      ownerId: owner.id,
      companyId: owner.company_id,
    });
  }
}

/**
 * Loads the verified domains, oldest first, with names that cannot receive external mail last. Returns the workspace's
 * `.localhost` name if there are none.
 */
async function loadMailDomains(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.rows<{ name: string }>(
    sql`select name from svc_domain where workspace_id = ${ctx.workspace.id} and status = 'SUCCESS'
     order by name like '%.localhost', id limit 100`,
  );
  return rows.length > 0 ? rows.map(({ name }) => name) : [`${ctx.workspace.slug}.localhost`];
}

/** Returns the login if it is an address on one of the domains, or else its local part on the first domain. */
function buildPreferredAddress(login: string, domains: string[]): string {
  const address = parseAddress(login)?.address.toLowerCase();
  const [local, domain] = (address ?? login.toLowerCase()).split('@') as [string, string?];
  const safeLocal = local.replace(/[^a-z0-9._-]+/g, '-').replace(/^[.-]+|(?<![.-])[.-]+$/g, '') || 'user';
  return `${safeLocal.slice(0, 60)}@${domain && domains.includes(domain) ? domain : domains[0]}`;
}

/** Returns the address if it is free, or else appends a number to its local part. */
async function findFreeAddress(ctx: Ctx, preferred: string): Promise<string> {
  const [local, domain] = preferred.split('@') as [string, string];
  const rows = await ctx.db.rows<{ address: string }>(
    sql`select address from svc_mail_address
     where workspace_id = ${ctx.workspace.id} and address like ${`${local.replaceAll('_', '\\_')}%@${domain}`}`,
  );
  const takenAddresses = new Set(rows.map(({ address }) => address));
  if (!takenAddresses.has(preferred)) return preferred;
  for (let number = 2; ; number++) {
    const address = `${local}${number}@${domain}`;
    if (!takenAddresses.has(address)) return address;
  }
}
