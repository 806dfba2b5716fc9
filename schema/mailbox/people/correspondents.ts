import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { ParsedMail } from '../../../src/message/parse/message.ts';

/** Unique recipients of a message, by lower-case address. */
type RecipientMap = ReadonlyMap<string, { name?: string | null }>;

export async function recordRecipients(ctx: Ctx, accountId: number, people: RecipientMap): Promise<void> {
  // Sorted, so that concurrent sends lock the rows in the same order and cannot deadlock.
  const sortedPeople = [...people].sort(([a], [b]) => (a < b ? -1 : 1));
  await ctx.db.rows(
    sql`insert into svc_mail_correspondent (workspace_id, account_id, email, name, uses, last_at)
     select a.workspace_id, a.id, c.email, c.name, 1, ${new Date().toISOString()}::timestamp
     from svc_mail_account a cross join unnest(${sortedPeople.map(([email]) => email)}::text[],
       ${sortedPeople.map(([, { name }]) => name ?? '')}::text[]) c(email, name)
     where a.workspace_id = ${ctx.workspace.id} and a.id = ${accountId}
     on conflict (workspace_id, account_id, email) do update
       set uses = svc_mail_correspondent.uses + 1, last_at = excluded.last_at,
         name = coalesce(nullif(excluded.name, ''), svc_mail_correspondent.name)`,
  );
}

interface ReceivedMessage {
  accountId: number;
  mail: ParsedMail;
}

/**
 * Records the senders of received messages, for suggestions. They rank below people to whom the mailbox has written.
 */
export async function recordSenders(ctx: Ctx, all: readonly ReceivedMessage[]): Promise<void> {
  const people = new Map<string, { accountId: number; email: string; name: string }>();
  for (const { accountId, mail } of all) {
    const [from] = mail.from;
    if (!from?.address.includes('@') || from.address.length > MAX_FIELD_LENGTH) continue;
    const email = from.address.toLowerCase();
    people.set(`${accountId} ${email}`, { accountId, email, name: from.name.slice(0, MAX_FIELD_LENGTH) });
  }
  if (people.size === 0) return;
  const rows = [...people.values()];
  await ctx.db.rows(
    sql`insert into svc_mail_correspondent (workspace_id, account_id, email, name, uses, last_at)
     select a.workspace_id, a.id, c.email, c.name, 0, ${new Date().toISOString()}::timestamp
     from unnest(${rows.map(({ accountId }) => accountId)}::int[], ${rows.map(({ email }) => email)}::text[],
       ${rows.map(({ name }) => name)}::text[]) c(account_id, email, name)
     join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = c.account_id
     on conflict (workspace_id, account_id, email) do update set last_at = excluded.last_at,
       name = coalesce(nullif(svc_mail_correspondent.name, ''), excluded.name)`,
  );
}

const MAX_FIELD_LENGTH = 254;
