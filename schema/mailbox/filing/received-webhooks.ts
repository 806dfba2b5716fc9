import { randomUUID } from 'node:crypto';
import { sql } from '../../../src/db/sql.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { matchesMailboxWebhook, scheduleCallsDue } from '../../email/state/webhook-calls.ts';
import type { ReadMail } from '../messages/read-content.ts';
import type { ClaimedDelivery } from './claim.ts';
import type { MailboxInfo } from './mailbox-facts.ts';
import type { EntryPlacement } from './placement.ts';

interface FiledDelivery {
  entryId: number;
  delivery: ClaimedDelivery;
  mailbox: MailboxInfo;
  placing: EntryPlacement;
  read: ReadMail;
}

/** Queues webhook calls for filed messages, with only the details that the mailbox owners allow. */
export async function enqueueReceivedWebhooks(ctx: Ctx, deliveries: readonly FiledDelivery[]): Promise<void> {
  const announcedDeliveries = deliveries.filter(({ mailbox }) => mailbox.eventDetail !== 'none');
  if (announcedDeliveries.length === 0) return;
  const kind = sql`${'mail.received'}`;
  const webhooks = await ctx.db.rows<{ id: number }>(
    sql`select w.id from svc_webhook w
     where w.workspace_id = ${ctx.workspace.id} and ${matchesMailboxWebhook(kind, sql`null::int`)} order by w.id`,
  );
  if (webhooks.length === 0) return;
  const calls = announcedDeliveries.flatMap((item) =>
    webhooks.map(({ id }) => ({ webhook: id, data: buildPayload(item) })),
  );
  const ids = await allocateIds(ctx, 'svc_webhook_call', calls.length);
  await ctx.db.rows(
    sql`insert into svc_webhook_call (workspace_id, id, webhook_id, public_id, type, data)
     select w.workspace_id, c.id, w.id, c.public_id, ${kind}, c.data
     from unnest(${ids}::int8[], ${calls.map(({ webhook }) => webhook)}::int8[],
       ${calls.map(() => randomUUID())}::text[],
       ${calls.map(({ data }) => JSON.stringify(data))}::jsonb[]) c(id, webhook_id, public_id, data)
     join svc_webhook w on w.workspace_id = ${ctx.workspace.id} and w.id = c.webhook_id`,
  );
  scheduleCallsDue(ctx.db, ctx.workspace.id, calls.length);
}

const buildPayload = ({ entryId, delivery, mailbox, placing, read }: FiledDelivery) => ({
  id: String(entryId),
  accountId: String(mailbox.id),
  entryId: String(entryId),
  folderId: String(placing.folderId),
  folder: mailbox.folders.get(placing.folderId) ?? null,
  sender: read.content.from.email || delivery.sender,
  ...(mailbox.eventDetail === 'subject' && { subject: read.content.subject }),
  isSpam: placing.isSpam,
  occurredAt: delivery.received_at,
});
