import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { parseAddress } from '../../../src/mail/address.ts';
import { selectMemberships } from '../../base/memberships.ts';
import { foundMailbox, freeAddresses } from './found-mailbox.ts';

// An internal user has one mailbox of their own, founded with the user.

interface Owner {
  id: number;
  login: string;
  name: string;
  company_id: number | null;
}

/** How many users get their mailboxes in one statement's look. */
const BATCH = 500;

/** Founds the mailboxes of those of these users that have none; of all users of the workspace without `ids`. */
export async function foundOwnMailboxes(ctx: Ctx, ids: number[] | null = null): Promise<void> {
  for (let after = 0; ; ) {
    const owners = await ctx.db.rows<Owner>(
      sql`select u.id, u.login, coalesce(p.name, u.login) as name, u.company_id
       from res_users u left join res_partner p on p.workspace_id = ${ctx.workspace.id} and p.id = u.partner_id
       where u.workspace_id = ${ctx.workspace.id} and u.id > ${after}
         and ${ids ? sql`u.id = any(${ids}::int[])` : sql`true`}
         and exists (select 1 from res_groups g where g.workspace_id = ${ctx.workspace.id}
           and g.external_id = 'base.group_user' and g.id in (${selectMemberships(ctx.workspace.id, sql`u.id`)}))
         and not exists (select 1 from svc_mail_account a
           where a.workspace_id = ${ctx.workspace.id} and a.owner_id = u.id and a.kind = 'personal')
       order by u.id limit ${BATCH}`,
    );
    if (owners.length > 0) await foundAll(ctx, owners);
    if (owners.length < BATCH) return;
    after = owners.at(-1)!.id;
  }
}

/** Mailboxes are archived and come back with the users they belong to. */
export async function followUsers(ctx: Ctx, ids: number[]): Promise<void> {
  await foundOwnMailboxes(ctx, ids);
  const changed = await ctx.db.rows<{ id: number; active: boolean }>(
    sql`update svc_mail_account a set active = u.active, write_date = now()
     from res_users u where u.workspace_id = ${ctx.workspace.id} and u.id = any(${ids}::int[])
       and a.workspace_id = ${ctx.workspace.id} and a.owner_id = u.id and a.kind = 'personal' and a.active <> u.active
     returning a.id, a.active`,
  );
  const back = changed.flatMap(({ id, active }) => (active ? [id] : []));
  if (back.length === 0) return;
  const addresses = await ctx.db.rows<{ address: string }>(
    sql`select address from svc_mail_address
     where workspace_id = ${ctx.workspace.id} and account_id = any(${back}::int[])`,
  );
  await freeAddresses(
    ctx.db,
    ctx.workspace.id,
    addresses.map(({ address }) => address),
  );
}

/** Before users are deleted: their mailboxes stay, archived. */
export async function archiveMailboxes(ctx: Ctx, ids: number[]): Promise<void> {
  await ctx.db.rows(
    sql`update svc_mail_account set active = false, write_date = now()
     where workspace_id = ${ctx.workspace.id} and owner_id = any(${ids}::int[]) and kind = 'personal'`,
  );
}

async function foundAll(ctx: Ctx, owners: Owner[]): Promise<void> {
  const domains = await ownDomains(ctx);
  for (const owner of owners) {
    const address = await freeAddress(ctx, wantedAddress(owner.login, domains));
    await foundMailbox(ctx, {
      kind: 'personal',
      name: owner.name,
      address,
      ownerId: owner.id,
      companyId: owner.company_id,
    });
  }
}

/** Verified domains, the oldest first; last those that no mail from outside can be for, or such a name without any. */
async function ownDomains(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.rows<{ name: string }>(
    sql`select name from svc_domain where workspace_id = ${ctx.workspace.id} and status = 'SUCCESS'
     order by name like '%.localhost', id limit 100`,
  );
  return rows.length > 0 ? rows.map(({ name }) => name) : [`${ctx.workspace.slug}.localhost`];
}

/** The login, if that is an address of a domain of the workspace; else what stands before its `@`, at the first one. */
function wantedAddress(login: string, domains: string[]): string {
  const address = parseAddress(login)?.address.toLowerCase();
  const [local, domain] = (address ?? login.toLowerCase()).split('@') as [string, string?];
  const plain = local.replace(/[^a-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '') || 'user';
  return `${plain.slice(0, 60)}@${domain && domains.includes(domain) ? domain : domains[0]}`;
}

/** The address, or with the first number behind its local part that makes one which nothing else has. */
async function freeAddress(ctx: Ctx, wanted: string): Promise<string> {
  const [local, domain] = wanted.split('@') as [string, string];
  const rows = await ctx.db.rows<{ address: string }>(
    sql`select address from svc_mail_address
     where workspace_id = ${ctx.workspace.id} and address like ${`${local.replaceAll('_', '\\_')}%@${domain}`}`,
  );
  const taken = new Set(rows.map(({ address }) => address));
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number++) {
    const address = `${local}${number}@${domain}`;
    if (!taken.has(address)) return address;
  }
}
