import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { ParsedMail } from '../../../src/mail/parse/message.ts';

/** Whom a message goes to, each once, by address in lower case. */
export type Written = ReadonlyMap<string, { name?: string | null }>;

/** Remembers whom a mailbox has written to, for suggestions. */
export async function noteWritten(ctx: Ctx, accountId: number, people: Written): Promise<void> {
  // In one order, so that two who write to the same people do not wait for each other.
  const sorted = [...people].sort(([a], [b]) => (a < b ? -1 : 1));
  await ctx.db.rows(
    WRITTEN({
      workspace: ctx.workspace.id,
      account: accountId,
      emails: sorted.map(([email]) => email),
      names: sorted.map(([, { name }]) => name ?? ''),
      at: new Date().toISOString(),
    }),
  );
}

interface WrittenRows {
  workspace: number;
  account: number;
  emails: string[];
  names: string[];
  at: string;
}

const WRITTEN = sql.prepare<WrittenRows>(
  (p) => sql`
  insert into svc_mail_correspondent (workspace_id, account_id, email, name, uses, last_at)
  select ${p.workspace}, ${p.account}, c.email, c.name, 1, ${p.at}::timestamp
  from unnest(${p.emails}::text[], ${p.names}::text[]) c(email, name)
  on conflict (workspace_id, account_id, email) do update
    set uses = svc_mail_correspondent.uses + 1, last_at = excluded.last_at,
      name = coalesce(nullif(excluded.name, ''), svc_mail_correspondent.name)`,
);

/** A message that came to a mailbox. */
interface Heard {
  accountId: number;
  mail: ParsedMail;
}

/** Remembers who has written to mailboxes, for suggestions; they rank behind those these have written to. */
export async function noteHeard(ctx: Ctx, all: readonly Heard[]): Promise<void> {
  const people = new Map<string, { accountId: number; email: string; name: string }>();
  for (const { accountId, mail } of all) {
    const [from] = mail.from;
    if (!from?.address.includes('@') || from.address.length > LONGEST) continue;
    const email = from.address.toLowerCase();
    people.set(`${accountId} ${email}`, { accountId, email, name: from.name.slice(0, LONGEST) });
  }
  if (people.size === 0) return;
  const rows = [...people.values()];
  await ctx.db.rows(
    HEARD({
      workspace: ctx.workspace.id,
      accounts: rows.map(({ accountId }) => accountId),
      emails: rows.map(({ email }) => email),
      names: rows.map(({ name }) => name),
      at: new Date().toISOString(),
    }),
  );
}

/** Characters. */
const LONGEST = 254;

interface HeardRows {
  workspace: number;
  accounts: number[];
  emails: string[];
  names: string[];
  at: string;
}

const HEARD = sql.prepare<HeardRows>(
  (p) => sql`
  insert into svc_mail_correspondent (workspace_id, account_id, email, name, uses, last_at)
  select ${p.workspace}, c.account_id, c.email, c.name, 0, ${p.at}::timestamp
  from unnest(${p.accounts}::int[], ${p.emails}::text[], ${p.names}::text[]) c(account_id, email, name)
  on conflict (workspace_id, account_id, email) do update set last_at = excluded.last_at,
    name = coalesce(nullif(svc_mail_correspondent.name, ''), excluded.name)`,
);
