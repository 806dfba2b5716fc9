import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { extractAddress } from '../../../src/message/address.ts';
import { getSuppressedRecipients, removeSuppressed } from '../kit/recipients.ts';
import { editEmails } from '../state/move-emails.ts';
import { isSameEmail } from '../state/state-sql.ts';
import { buildSuppressedSql } from '../suppressions/is-suppressed.ts';
import type { ClaimedEmail } from './claim.ts';

/**
 * Removes recipients that were suppressed after acceptance from claimed emails and their rows.
 * @returns the emails by id; null if no recipients remain
 */
export async function dropSuppressedRecipients(
  db: Db,
  workspaceId: number,
  emails: ClaimedEmail[],
): Promise<Map<number, ClaimedEmail | null>> {
  const suppressedByEmail = await findSuppressedAddresses(db, workspaceId, emails);
  const openEmails = new Map<number, ClaimedEmail | null>();
  const narrowedEmails: NarrowedEmail[] = [];
  for (const email of emails) {
    const remainingPart = removeSuppressedRecipients(email, suppressedByEmail);
    openEmails.set(email.id, remainingPart);
    const suppressed = findUnsentSuppressedRecipients(email, suppressedByEmail);
    if (suppressed.length > 0) narrowedEmails.push({ ...(remainingPart ?? email), suppressed });
  }
  if (narrowedEmails.length > 0) await storeNarrowedEmails(db, workspaceId, narrowedEmails);
  return openEmails;
}

const getAllRecipients = ({ to, cc, bcc }: ClaimedEmail): string[] => [...to, ...cc, ...bcc];

async function findSuppressedAddresses(
  db: Db,
  workspaceId: number,
  emails: ClaimedEmail[],
): Promise<Set<string>> {
  const addresses = [...new Set(emails.flatMap(getAllRecipients).map(extractAddress))];
  const rows = await db.rows<{ email: string }>(buildSuppressedSql(workspaceId, addresses));
  return new Set(rows.map((row) => row.email));
}

/** Removes suppressed recipients. If the email was partly sent, removes only pending ones. */
export function removeSuppressedRecipients(
  email: ClaimedEmail,
  suppressedAddresses: ReadonlySet<string>,
): ClaimedEmail | null {
  if (email.pending.length === 0) {
    const lists = removeSuppressed(email, suppressedAddresses);
    return lists && { ...email, ...lists };
  }
  const pendingRecipients = email.pending.filter(
    (address) => !suppressedAddresses.has(extractAddress(address)),
  );
  return pendingRecipients.length > 0 ? { ...email, pending: pendingRecipients } : null;
}

/** Returns the suppressed recipients, or only the pending ones if the email was partly sent. */
function findUnsentSuppressedRecipients(
  email: ClaimedEmail,
  suppressedAddresses: ReadonlySet<string>,
): string[] {
  const all = getSuppressedRecipients(email, suppressedAddresses);
  const pendingAddresses = new Set(email.pending.map(extractAddress));
  return pendingAddresses.size === 0 ? all : all.filter((text) => pendingAddresses.has(extractAddress(text)));
}

type NarrowedEmail = ClaimedEmail & { suppressed: string[] };

/** A retry does not record the same suppressed recipients twice. */
function storeNarrowedEmails(db: Db, workspaceId: number, emails: NarrowedEmail[]) {
  const rows = emails.map(({ id, to, cc, bcc, suppressed }) => ({ id, to, cc, bcc, suppressed }));
  return db.rows(
    editEmails({
      set: sql`"to" = g."to", cc = g.cc, bcc = g.bcc,
        suppressed = m.suppressed || array(select s from unnest(g.suppressed) s where s <> all(m.suppressed))`,
      source: sql`json_to_recordset(${JSON.stringify(rows)}::json)
        g(id bigint, "to" text[], cc text[], bcc text[], suppressed text[])`,
      condition: isSameEmail(workspaceId, 'g'),
    }),
  );
}
