import type pg from 'pg';

/** Domain of the mailboxes that `fillMailboxes` creates. */
export const MAILBOX_DOMAIN = 'bench.example.com';

/** Mailbox ids start after this offset. A folder id is ten times the mailbox id plus a digit, 1 for the Inbox. */
export const FIRST_MAILBOX_OFFSET = 100_000;

const ROLES = ['inbox', 'drafts', 'sent', 'archive', 'spam', 'trash'];

/**
 * Creates shared mailboxes `box1@` and so on in the first workspace, with all users as members, and claims their
 * domain.
 */
export async function fillMailboxes(client: pg.Client, count: number): Promise<void> {
  await client.query('insert into domain_claim (name, workspace_id) values ($1, 1)', [MAILBOX_DOMAIN]);
  await client.query(
    `insert into svc_mail_account (workspace_id, id, name, address, kind, company_id)
     select 1, $1::int + g, 'Box ' || g, 'box' || g || '@' || $3::text, 'shared',
       (select min(id) from res_company where workspace_id = 1)
     from generate_series(1, $2::int) g`,
    [FIRST_MAILBOX_OFFSET, count, MAILBOX_DOMAIN],
  );
  await client.query(
    `insert into svc_mail_address (workspace_id, id, account_id, address, kind)
     select 1, id, id, address, 'main' from svc_mail_account where workspace_id = 1 and id > $1`,
    [FIRST_MAILBOX_OFFSET],
  );
  await client.query(
    'insert into svc_mail_clock (workspace_id, account_id) select 1, id from svc_mail_account where workspace_id = 1 and id > $1',
    [FIRST_MAILBOX_OFFSET],
  );
  await client.query(
    `insert into svc_mail_folder (workspace_id, id, account_id, role, name, sequence)
     select 1, a.id * 10 + n, a.id, r.role, r.role, n
     from svc_mail_account a, unnest($2::text[]) with ordinality r(role, n) where a.workspace_id = 1 and a.id > $1`,
    [FIRST_MAILBOX_OFFSET, ROLES],
  );
  await client.query(
    `insert into svc_mail_member (workspace_id, id, account_id, user_id)
     select 1, a.id * 10 + u.id, a.id, u.id from svc_mail_account a, res_users u
     where a.workspace_id = 1 and a.id > $1 and u.workspace_id = 1 and u.id < 10`,
    [FIRST_MAILBOX_OFFSET],
  );
  await client.query('vacuum analyze');
}
