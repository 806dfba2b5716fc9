import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { addAddresses, liftBounceSuppressions } from './create-mailbox.ts';

interface MovedAddress {
  account_id: number;
  address: string;
  former: string;
}

/**
 * Moves mailboxes that were created before the workspace had a verified domain from their `.localhost` address to that
 * domain. The old address becomes an alias. A mailbox whose new address is taken keeps its old one.
 */
export async function assignDomainAddresses(db: Db, workspaceId: number, domain: string): Promise<void> {
  const addresses = await db.rows<MovedAddress>(
    sql`with local as (
       select id, address from svc_mail_address
       where workspace_id = ${workspaceId} and kind = 'main' and address like '%.localhost' for update)
     update svc_mail_address a set address = split_part(a.address, '@', 1) || ${`@${domain}`}, write_date = now()
     from local
     where a.workspace_id = ${workspaceId} and a.id = local.id
       and not exists (select 1 from svc_mail_address o
         where o.workspace_id = ${workspaceId} and o.address = split_part(a.address, '@', 1) || ${`@${domain}`})
     returning a.account_id, a.address, local.address as former`,
  );
  if (addresses.length === 0) return;
  await db.rows(
    sql`update svc_mail_account a set address = c.address, write_date = now()
     from unnest(${addresses.map((item) => item.account_id)}::int[], ${addresses.map((item) => item.address)}::text[])
       c(id, address)
     where a.workspace_id = ${workspaceId} and a.id = c.id`,
  );
  await liftBounceSuppressions(
    db,
    workspaceId,
    addresses.map(({ address }) => address),
  );
  await addAddresses(
    db,
    workspaceId,
    addresses.map(({ account_id, former }) => ({ accountId: account_id, address: former, kind: 'alias' })),
  );
}
