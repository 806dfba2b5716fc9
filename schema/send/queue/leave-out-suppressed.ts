import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { bareAddress } from '../../../src/mail/address.ts';
import { allowedRecipients, suppressedRecipients } from '../kit/recipients.ts';
import { editEmails } from '../state/move-emails.ts';
import { sameEmail } from '../state/state-sql.ts';
import type { ClaimedEmail } from './claim.ts';

/**
 * Checks claimed emails against the suppression list and leaves out recipients who have been added since acceptance,
 * in the rows as well. @returns the emails by id; null for one without recipients left
 */
export async function leaveOutSuppressed(
  db: Db,
  emails: ClaimedEmail[],
): Promise<Map<number, ClaimedEmail | null>> {
  const closed = await closedIn(db, emails);
  const open = new Map<number, ClaimedEmail | null>();
  const narrowed: Narrowed[] = [];
  for (const email of emails) {
    const theirs = closed.get(email.workspace_id) ?? NO_ADDRESS;
    const left = openPart(email, theirs);
    open.set(email.id, left);
    const suppressed = closedPart(email, theirs);
    if (suppressed.length > 0) narrowed.push({ ...(left ?? email), suppressed });
  }
  if (narrowed.length > 0) await write(db, narrowed);
  return open;
}

const NO_ADDRESS: ReadonlySet<string> = new Set();

const everyone = ({ to, cc, bcc }: ClaimedEmail): string[] => [...to, ...cc, ...bcc];

/** Suppressed ones of the recipients, by workspace. */
async function closedIn(db: Db, emails: ClaimedEmail[]): Promise<Map<number, Set<string>>> {
  const pairs = emails.flatMap((email) =>
    everyone(email).map((text) => [email.workspace_id, bareAddress(text)] as const),
  );
  const rows = await db.rows<{ workspace_id: number; email: string }>(
    sql`select s.workspace_id, s.email
     from unnest(${pairs.map(([id]) => id)}::int[], ${pairs.map(([, email]) => email)}::text[]) r(workspace_id, email)
     join svc_suppression s on s.workspace_id = r.workspace_id and s.email = r.email`,
  );
  const closed = new Map<number, Set<string>>();
  for (const { workspace_id: id, email } of rows) closed.set(id, (closed.get(id) ?? new Set()).add(email));
  return closed;
}

/** Of one that some have received already only the others are asked about: who has it stays named. Pure. */
export function openPart(email: ClaimedEmail, closed: ReadonlySet<string>): ClaimedEmail | null {
  if (email.pending.length === 0) {
    const lists = allowedRecipients(email, closed);
    return lists && { ...email, ...lists };
  }
  const pending = email.pending.filter((address) => !closed.has(bareAddress(address)));
  return pending.length > 0 ? { ...email, pending } : null;
}

/** Of one that some have received already only those it is still for are left out. */
function closedPart(email: ClaimedEmail, closed: ReadonlySet<string>): string[] {
  const all = suppressedRecipients(email, closed);
  const pending = new Set(email.pending.map(bareAddress));
  return pending.size === 0 ? all : all.filter((text) => pending.has(bareAddress(text)));
}

/** An email of which somebody is left out. */
type Narrowed = ClaimedEmail & { suppressed: string[] };

/** An attempt that comes again leaves out the same people, who are noted once. */
function write(db: Db, emails: Narrowed[]) {
  const rows = emails.map(({ workspace_id, id, to, cc, bcc, suppressed }) => ({
    workspace_id,
    id,
    to,
    cc,
    bcc,
    suppressed,
  }));
  return db.rows(
    editEmails({
      set: sql`"to" = g."to", cc = g.cc, bcc = g.bcc,
        suppressed = m.suppressed || array(select s from unnest(g.suppressed) s where s <> all(m.suppressed))`,
      source: sql`json_to_recordset(${JSON.stringify(rows)}::json)
        g(workspace_id int, id int, "to" text[], cc text[], bcc text[], suppressed text[])`,
      which: sameEmail('g'),
    }),
  );
}
