import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { collectConsequences } from '../../../src/engine/work/received-mail.ts';
import { findAuthorDomains, isAmbiguous } from '../../../src/message/author-domains.ts';
import type { AutoReplyOutcome } from '../../../src/message/auto-reply/outcome.ts';
import { type RawMail, toRawMail } from '../../../src/message/parse/raw.ts';
import { readRawHeader } from '../../../src/message/parse/raw-header.ts';
import type { EmailEvent } from '../../email/state/email-events.ts';
import { authenticateSender, type UncheckedMail } from '../intake/check-sender.ts';
import { findMailOrigin, type MailOrigin } from '../intake/origin.ts';
import {
  isSenderUnverified,
  UNREAD_VERDICTS,
  type Verdicts,
  violatesDmarcPolicy,
} from '../intake/verdicts.ts';
import { computeMessageKey, type Filing, fileIntoMailboxes } from '../messages/file-entries.ts';
import { loadRawMail } from '../messages/raw.ts';
import { buildUnreadMail, type ReadMail, readMail } from '../messages/read-content.ts';
import { deleteUnfiledContents, storeContents } from '../messages/store-content.ts';
import { forgetRawMessages, storeWithoutFiles } from '../messages/store-without-files.ts';
import { recordSenders } from '../people/correspondents.ts';
import type { ClaimedDelivery } from './claim.ts';
import { isSenderBlocked, type MailboxInfo } from './mailbox-facts.ts';
import { buildInboxPlacement, computePlacement, type EntryPlacement } from './placement.ts';
import { toReceivedMail } from './received-mail.ts';
import { enqueueReceivedWebhooks } from './received-webhooks.ts';
import { readReportedEvents, recordReportedEvents } from './reported-events.ts';
import { type DueAutoReply, prepareAutoReply, sendAutoReply } from './send-auto-reply.ts';
import { checkSpamFilter, isMarkedAsSpam } from './spam-score.ts';

/** `lost` if another worker has taken over the lease. */
export type FilingOutcome = 'filed' | 'duplicate' | 'lost';

export interface PreparedDelivery {
  delivery: ClaimedDelivery;
  mailbox: MailboxInfo;
  placing: EntryPlacement;
  /** The auto-reply, or the reason for not sending one. Null if auto-replies are off. */
  answering: DueAutoReply | AutoReplyOutcome | null;
  /** Bounces, complaints and deliveries that this message reports about the workspace's emails. */
  reported: EmailEvent[];
  consequences: Awaited<ReturnType<typeof collectConsequences>>;
  read: ReadMail;
  words: string[];
}

/** Target mailbox, and the raw message if it has been fetched. */
export interface Destination {
  mailbox: MailboxInfo;
  raw: Buffer | undefined;
}

/** Does all work that does not require a lock on the mailbox. */
export async function prepareDelivery(
  ctx: Ctx,
  delivery: ClaimedDelivery,
  { mailbox, raw: fetched }: Destination,
): Promise<PreparedDelivery> {
  const raw = fetched ? toRawMail(fetched) : await loadRawMail(ctx, delivery.raw_hash, delivery.size);
  const read = await readMail(raw, delivery.raw_hash, ctx.workspace.id);
  const header = await readRawHeader(raw);
  const origin = findMailOrigin(ctx.runtime.config, delivery.client, header.text);
  const unchecked = { raw, header, sender: delivery.sender, from: read.mail.from };
  const verdicts = await authenticateMessage(ctx, delivery, unchecked, origin);
  const placement = await choosePlacement(ctx, delivery, { raw, read, verdicts, mailbox, origin });
  const autoReply = await prepareAutoReply(ctx, mailbox, read.mail, delivery, {
    isSpam: placement.isSpam,
    isUnverified: verdicts !== null && isSenderUnverified(verdicts, delivery.sender),
  });
  const reportedEvents = await readReportedEvents(ctx, delivery, raw, read.mail);
  const consequences = placement.isSpam
    ? []
    : await collectConsequences(ctx, toReceivedMail({ delivery, mailbox, mail: read.mail, raw, verdicts }));
  const keepsFiles = mailbox.features['mail.inbound_attachments'];
  const storedContent = keepsFiles ? read.content : await storeWithoutFiles(ctx, raw, read.content);
  return {
    delivery,
    mailbox,
    placing: placement,
    answering: autoReply,
    reported: reportedEvents,
    consequences,
    read: { ...read, content: { ...storedContent, verdicts } },
    words: await read.words(),
  };
}

/** Builds a delivery that is filed without parsing: a placeholder represents the raw message. */
export async function buildUnreadDelivery(
  delivery: ClaimedDelivery,
  mailbox: MailboxInfo,
): Promise<PreparedDelivery> {
  const read = buildUnreadMail(delivery);
  const verdicts = delivery.source === 'local' ? null : UNREAD_VERDICTS;
  return {
    delivery,
    mailbox,
    placing: buildInboxPlacement(mailbox),
    answering: null,
    reported: [],
    consequences: [],
    read: { ...read, content: { ...read.content, verdicts } },
    words: await read.words(),
  };
}

/**
 * Files messages into their mailboxes in one transaction, together with effects such as reported events, webhook calls
 * and auto-replies. Skips duplicates.
 * @returns the outcome of each delivery, in input order
 */
export const fileDeliveries = (
  ctx: Ctx,
  all: readonly PreparedDelivery[],
  worker: string,
): Promise<FilingOutcome[]> =>
  ctx.tx(async (tx) => {
    const [ownedIds, , contents] = await Promise.all([
      lockOwnedDeliveries(tx, all, worker),
      storeVerdicts(tx, all),
      storeContents(
        tx,
        all.map(({ read }) => read.content),
      ),
    ]);
    const ownedDeliveries = all
      .filter(({ delivery }) => ownedIds.has(delivery.id))
      .map((ready) => ({
        ...ready,
        filing: buildFiling(contents.ids.get(ready.read.content.rawHash)!, ready),
      }));
    if (ownedDeliveries.length === 0) {
      await deleteUnfiledContents(tx, contents.made);
      return all.map(() => 'lost');
    }
    await recordReportedEvents(tx, ownedDeliveries);
    const entries = await fileNewDeliveries(tx, ownedDeliveries);
    const filed = ownedDeliveries.flatMap((ready) => {
      const entryId = entries.get(ready.delivery.id);
      return entryId === undefined ? [] : [{ ...ready, entryId }];
    });
    if (filed.length < all.length) await deleteUnfiledContents(tx, contents.made);
    await Promise.all([
      markDeliveriesDone(tx, ownedDeliveries, entries),
      recordSenders(
        tx,
        filed.flatMap(({ mailbox, placing, read }) =>
          placing.isSpam || read.content.isAutomatic ? [] : [{ accountId: mailbox.id, mail: read.mail }],
        ),
      ),
      enqueueReceivedWebhooks(tx, filed),
    ]);
    await forgetRawMessages(
      tx,
      ownedDeliveries.filter(({ read }) => !read.content.rawWhole).map(({ delivery }) => delivery.intake_id),
    );
    for (const { answering, mailbox, entryId } of filed) {
      if (answering === null || typeof answering === 'string') continue;
      const outcome = await sendAutoReply(tx, mailbox, answering);
      if (outcome !== 'sent') await recordAutoReply(tx, entryId, outcome);
    }
    for (const { consequences } of filed) for (const follow of consequences) await follow(tx);
    return all.map(({ delivery: { id } }) =>
      !ownedIds.has(id) ? 'lost' : entries.has(id) ? 'filed' : 'duplicate',
    );
  });

/**
 * Authenticates an external message. Reuses the verdicts of the receiving server or of an earlier delivery if they
 * include a DMARC result and the author is unambiguous.
 */
async function authenticateMessage(
  ctx: Ctx,
  { source, verdicts: knownVerdicts }: ClaimedDelivery,
  mail: UncheckedMail,
  origin: MailOrigin,
): Promise<Verdicts | null> {
  if (knownVerdicts?.dmarc && !isAmbiguous(findAuthorDomains(mail.header.text, mail.from)))
    return knownVerdicts;
  if (source === 'local') return null;
  const checkedFrom = { ...origin, ...(knownVerdicts?.spf && { spf: knownVerdicts.spf }) };
  const verdicts = await authenticateSender(ctx.runtime.config, mail, checkedFrom);
  return knownVerdicts
    ? { ...verdicts, spf: knownVerdicts.spf, dkim: knownVerdicts.dkim ?? verdicts.dkim }
    : verdicts;
}

async function storeVerdicts(ctx: Ctx, all: readonly PreparedDelivery[]): Promise<void> {
  const judgedNow = all
    .filter(({ delivery, read }) => !delivery.verdicts && read.content.verdicts)
    .sort((a, b) => a.delivery.intake_id - b.delivery.intake_id);
  if (judgedNow.length === 0) return;
  await ctx.db.rows(
    sql`update svc_mail_intake i set verdicts = v.verdicts
     from unnest(${judgedNow.map(({ delivery }) => delivery.intake_id)}::int8[],
       ${judgedNow.map(({ read }) => JSON.stringify(read.content.verdicts))}::jsonb[]) v(id, verdicts)
     where i.workspace_id = ${ctx.workspace.id} and i.id = v.id and i.verdicts is null`,
  );
}

interface ReadDelivery {
  raw: RawMail;
  read: ReadMail;
  verdicts: Verdicts | null;
  mailbox: MailboxInfo;
  origin: MailOrigin;
}

async function choosePlacement(
  ctx: Ctx,
  delivery: ClaimedDelivery,
  { raw, read: { mail, content }, verdicts, mailbox, origin }: ReadDelivery,
): Promise<EntryPlacement> {
  const { config } = ctx.runtime;
  const senders = [delivery.sender, ...mail.from.map(({ address }) => address)].filter(Boolean);
  const url = delivery.source === 'smtp' ? config.rspamdUrl : null;
  return computePlacement(
    mail,
    {
      hasAttachment: content.parts.some(({ role }) => role === 'attachment'),
      isDisowned: config.enforcesDmarc && verdicts !== null && violatesDmarcPolicy(verdicts),
      isBlocked: await isSenderBlocked(ctx, mailbox, senders),
      isSpam:
        delivery.client?.isSpam === true ||
        (delivery.client?.isTrusted && isMarkedAsSpam(mail)) ||
        (await checkSpamFilter(url, raw, delivery, origin)) === true,
    },
    mailbox,
  );
}

interface DeliveryToFile extends PreparedDelivery {
  filing: Filing;
}

/** @returns the entry ids of messages that were new to their mailboxes, by delivery */
async function fileNewDeliveries(
  ctx: Ctx,
  newDeliveries: readonly DeliveryToFile[],
): Promise<Map<number, number>> {
  const deliveriesByMailbox = Map.groupBy(newDeliveries, ({ mailbox }) => mailbox.id);
  const groupFilings = (all: ReadonlyMap<number, readonly DeliveryToFile[]>) =>
    [...all].map(([accountId, deliveries]) => ({
      accountId,
      filings: deliveries.map(({ filing }) => filing),
    }));
  let newByMailbox = deliveriesByMailbox;
  const ids = await fileIntoMailboxes(ctx, groupFilings(deliveriesByMailbox), async (lockedCtx) => {
    const seen = await findDuplicates(lockedCtx, newDeliveries);
    newByMailbox = new Map(
      [...deliveriesByMailbox].map(([id, deliveries]) => [
        id,
        deliveries.filter((ready) => addIfNew(seen, ready)),
      ]),
    );
    return groupFilings(newByMailbox);
  });
  const entries = [...newByMailbox].flatMap(([accountId, deliveries]) =>
    deliveries.map(({ delivery }, i): [number, number] => [delivery.id, ids.get(accountId)![i]!]),
  );
  return new Map(entries);
}

/** Returns false if the set already contained the message. */
function addIfNew(seen: Set<string>, ready: DeliveryToFile): boolean {
  const name = buildDeduplicationKey(ready);
  if (name === null) return true;
  const isNew = !seen.has(name);
  seen.add(name);
  return isNew;
}

const buildFiling = (
  contentId: number,
  { delivery, placing, answering, read, words }: PreparedDelivery,
): Filing => ({
  folderId: placing.folderId,
  contentId,
  size: read.content.size,
  date: new Date(Math.min(Date.parse(delivery.received_at), Date.now())),
  key: computeMessageKey(read.content.messageId, read.content.rawHash),
  threads: read.threads,
  words,
  isRead: placing.isRead,
  isStarred: placing.isStarred,
  source: delivery.source,
  envelope: {
    from: delivery.sender,
    to: delivery.recipients,
    ...(answering && { autoReply: typeof answering === 'string' ? answering : 'sent' }),
  },
  labelIds: placing.labelIds,
});

/** Records that a prepared auto-reply was not sent. */
const recordAutoReply = (ctx: Ctx, entryId: number, outcome: AutoReplyOutcome) =>
  ctx.db.rows(
    sql`update svc_mail_entry set envelope = envelope || jsonb_build_object('autoReply', ${outcome}::text)
     where workspace_id = ${ctx.workspace.id} and id = ${entryId}`,
  );

/**
 * Locks the deliveries whose lease this worker still holds, so that no other worker can claim them. The commit does not
 * wait for the disk, because deliveries lost in a crash are filed again.
 * @returns the ids of the locked deliveries
 */
async function lockOwnedDeliveries(
  ctx: Ctx,
  all: readonly PreparedDelivery[],
  worker: string,
): Promise<Set<number>> {
  const ids = all.map(({ delivery }) => delivery.id);
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select d.id from svc_mail_delivery d, (select set_config('synchronous_commit', 'off', true)) relaxed
     where d.workspace_id = ${ctx.workspace.id} and d.id = any(${ids}::int8[]) and d.lease = ${worker}
       and d.state = 'filing' order by d.id for update of d`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Builds a key that includes the mailbox. Returns null if the content has no hash. */
const buildDeduplicationKey = ({ mailbox, filing, read }: DeliveryToFile): string | null =>
  read.content.belowHash
    ? `${mailbox.id} ${filing.key.toString('hex')} ${read.content.belowHash.toString('hex')}`
    : null;

/**
 * Finds messages that their mailboxes already contain, by Message-ID and content. The Message-ID alone would let anyone
 * who knows it suppress a message, and the copy in Sent would hide a message that users send to themselves.
 */
async function findDuplicates(ctx: Ctx, deliveries: readonly DeliveryToFile[]): Promise<Set<string>> {
  const rows = await ctx.db.rows<{ name: string }>(
    sql`select e.account_id || ' ' || encode(e.message_key, 'hex') || ' ' || encode(c.below_hash, 'hex') as name
     from unnest(${deliveries.map(({ mailbox }) => mailbox.id)}::int[],
       ${deliveries.map(({ filing }) => filing.key)}::bytea[]) k(account_id, message_key)
     join svc_mail_entry e on e.account_id = k.account_id and e.message_key = k.message_key
     join svc_mail_message c on c.workspace_id = ${ctx.workspace.id} and c.id = e.content_id
     where e.workspace_id = ${ctx.workspace.id} and e.source <> 'sent' and c.below_hash is not null`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function markDeliveriesDone(
  ctx: Ctx,
  deliveries: readonly DeliveryToFile[],
  entries: ReadonlyMap<number, number>,
): Promise<void> {
  const ids = deliveries.map(({ delivery }) => delivery.id);
  await ctx.db.rows(
    sql`update svc_mail_delivery d set state = case when s.entry_id is null then 'duplicate' else 'filed' end,
       entry_id = s.entry_id, next_at = null, lease = null, error = null
     from unnest(${ids}::int8[], ${ids.map((id) => entries.get(id) ?? null)}::int8[]) s(id, entry_id)
     where d.workspace_id = ${ctx.workspace.id} and d.id = s.id`,
  );
}

export async function markDeliveryGone(ctx: Ctx, { id }: ClaimedDelivery): Promise<void> {
  await ctx.db.rows(
    sql`update svc_mail_delivery set state = 'gone', next_at = null, lease = null, error = null
     where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
}
