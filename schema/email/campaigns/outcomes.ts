import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { recordContactEvents } from '../contacts/contact-event.ts';
import { onCampaignEvents, type RecordedEvent } from '../state/email-events.ts';
import { isHardBounce } from '../state/event-addresses.ts';
import { type Counter, countByCampaign } from '../state/usage.ts';

interface CampaignOutcome {
  email_id: number;
  counter: Counter | null;
  change?: number;
  leave: 'BOUNCED' | 'COMPLAINED' | null;
  /** Addresses to unsubscribe; null if the event names none. Cc and Bcc recipients are not contacts. */
  closed: string[] | null;
}

onCampaignEvents(async (db, workspaceId, events) => {
  const outcomes = events.flatMap(computeOutcomes);
  if (outcomes.length === 0) return;
  await db.rows(countByCampaign(workspaceId, outcomes));
  const leavingOutcomes = outcomes.filter((outcome) => outcome.leave !== null);
  if (leavingOutcomes.length > 0) await unsubscribeAddresses(db, workspaceId, leavingOutcomes);
});

function computeOutcomes(event: RecordedEvent): CampaignOutcome[] {
  const { email, firsts, undone, status, data, closed } = event;
  const base = { email_id: email.id, closed };
  const countedFirsts = firsts.filter((counter) => counter !== 'clicked' || !isUnsubscribeLink(data?.link));
  const leave = status === 'COMPLAINED' ? 'COMPLAINED' : isHardBounce(event) ? 'BOUNCED' : null;
  return [
    ...countedFirsts.map((counter) => ({ ...base, counter, leave: null })),
    ...undone.map((counter) => ({ ...base, counter, change: -1, leave: null })),
    ...(leave ? [{ ...base, counter: null, leave } as const] : []),
  ];
}

/** A click on the unsubscribe link does not count as engagement. */
const isUnsubscribeLink = (link: unknown): boolean =>
  typeof link === 'string' && /\/unsubscribe\?id=/.test(link);

/** Unsubscribes the addresses in all books of the workspace. */
async function unsubscribeAddresses(db: Db, workspaceId: number, outcomes: CampaignOutcome[]): Promise<void> {
  const workspace = sql.param(workspaceId);
  const contacts = await db.rows<{ id: number }>(
    sql`update svc_contact c set subscribed = false, unsubscribe_reason = left_by.leave, write_date = now()
     from (
       select distinct on (1) lower(o.email) as email, r.leave
       from json_to_recordset(${JSON.stringify(outcomes)}::json) r(email_id bigint, leave text, closed text[])
       join svc_email e on e.workspace_id = ${workspace} and e.id = r.email_id and e.campaign_id is not null
       join svc_contact o on o.workspace_id = ${workspace} and o.id = e.contact_id
         and (r.closed is null or lower(o.email) = any(r.closed))
       order by 1, 2 desc
     ) left_by
     where c.workspace_id = ${workspace} and lower(c.email) = left_by.email
       and (c.subscribed or c.unsubscribe_reason is distinct from left_by.leave
         and c.unsubscribe_reason is distinct from 'COMPLAINED')
     returning c.id`,
  );
  const ids = contacts.map(({ id }) => id);
  if (ids.length > 0) await recordContactEvents(db, workspaceId, 'contact.updated', ids);
}
