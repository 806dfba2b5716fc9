import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { collectConsequences } from '../../../src/engine/work/received.ts';
import { type RawMail, toRawMail } from '../../../src/mail/parse/raw.ts';
import { readRawHeader } from '../../../src/mail/parse/raw-header.ts';
import type { EmailEvent } from '../../send/state/email-events.ts';
import { judgeSender, type UncheckedMail } from '../intake/check-sender.ts';
import { type MailOrigin, mailOriginOf } from '../intake/origin.ts';
import { isDisowned, isUnproved, NOT_JUDGED, type Verdicts } from '../intake/verdicts.ts';
import { type Filing, fileIntoMailboxes, messageKey } from '../messages/file-entries.ts';
import { deleteUnfiled, keepMessages } from '../messages/keep-content.ts';
import { forgetWhole, leaveOutFiles } from '../messages/leave-out-files.ts';
import { heldMail } from '../messages/raw.ts';
import { type ReadMail, readMail, unreadMail } from '../messages/read-content.ts';
import { noteHeard } from '../people/correspondents.ts';
import { type AutoAnswer, answeringOf, sendAnswer } from './auto-answer.ts';
import { eventsReported, settleReported } from './bounce.ts';
import type { ClaimedDelivery } from './claim.ts';
import { isBlocked, type MailboxFacts } from './mailbox-facts.ts';
import { type Placing, placingOf, plainIn } from './placing.ts';
import { callForReceived } from './received-calls.ts';
import { receivedMail } from './received-mail.ts';
import { isMarkedAsSpam, isSpamTo } from './spam-score.ts';

/** What became of a delivery; `lost` when another worker has it. */
export type Filed = 'filed' | 'duplicate' | 'lost';

/** A delivery that has been read and judged, and waits for its mailbox. */
export interface ReadyDelivery {
  delivery: ClaimedDelivery;
  mailbox: MailboxFacts;
  placing: Placing;
  answering: AutoAnswer | null;
  /** What it reports of emails. */
  reported: EmailEvent[];
  /** What apps do for it. */
  consequences: Awaited<ReturnType<typeof collectConsequences>>;
  read: ReadMail;
}

/** Where a delivery goes, and its message if that has been fetched. */
export interface Destination {
  mailbox: MailboxFacts;
  raw: Buffer | undefined;
}

/** All that filing needs to know of a message, found out before its mailbox is held. */
export async function readyToFile(
  ctx: Ctx,
  delivery: ClaimedDelivery,
  { mailbox, raw: fetched }: Destination,
): Promise<ReadyDelivery> {
  const raw = fetched ? toRawMail(fetched) : await heldMail(ctx, delivery.raw_hash, delivery.size);
  const read = await readMail(raw, delivery.raw_hash, ctx.workspace.id);
  const header = await readRawHeader(raw);
  const origin = mailOriginOf(ctx.runtime.config, delivery.client, header.text);
  const unchecked = { raw, header, sender: delivery.sender, from: read.mail.from };
  const verdicts = await judged(ctx, delivery, unchecked, origin);
  const placing = await placed(ctx, delivery, { raw, read, verdicts, mailbox, origin });
  const isDoubted = placing.isSpam || (verdicts !== null && isUnproved(verdicts, delivery.sender));
  const answering = await answeringOf(ctx, mailbox, read.mail, delivery, isDoubted);
  const reported = await eventsReported(ctx, delivery, raw, read.mail);
  const consequences = placing.isSpam
    ? []
    : await collectConsequences(ctx, receivedMail({ delivery, mailbox, mail: read.mail, raw, verdicts }));
  const keepsFiles = mailbox.features['mail.inbound_attachments'];
  const kept = keepsFiles ? read.content : await leaveOutFiles(ctx, raw, read.content);
  return {
    delivery,
    mailbox,
    placing,
    answering,
    reported,
    consequences,
    read: { ...read, content: { ...kept, verdicts } },
  };
}

/** A message of which nothing is read: its raw message is kept, and a placeholder stands for it. */
export const unreadDelivery = (delivery: ClaimedDelivery, mailbox: MailboxFacts): ReadyDelivery => ({
  delivery,
  mailbox,
  placing: plainIn(mailbox),
  answering: null,
  reported: [],
  consequences: [],
  read: unreadWithVerdict(delivery),
});

function unreadWithVerdict(delivery: ClaimedDelivery): ReadMail {
  const read = unreadMail(delivery);
  const verdicts = delivery.source === 'local' ? null : NOT_JUDGED;
  return { ...read, content: { ...read.content, verdicts } };
}

/**
 * Files messages into their mailboxes in one transaction, each once, with all that follows from it.
 * @returns what became of each, in their order
 */
export const fileReady = (ctx: Ctx, all: readonly ReadyDelivery[], worker: string): Promise<Filed[]> =>
  ctx.tx(async (tx) => {
    const [held, , contents] = await Promise.all([
      stillHeld(tx, all, worker),
      keepVerdicts(tx, all),
      keepMessages(
        tx,
        all.map(({ read }) => read.content),
      ),
    ]);
    const mine = all
      .filter(({ delivery }) => held.has(delivery.id))
      .map((ready) => ({ ...ready, filing: filingOf(contents.ids.get(ready.read.content.rawHash)!, ready) }));
    if (mine.length === 0) {
      await deleteUnfiled(tx, contents);
      return all.map(() => 'lost');
    }
    await settleReported(tx, mine);
    const entries = await fileOnce(tx, mine);
    const filed = mine.flatMap((ready) => {
      const entryId = entries.get(ready.delivery.id);
      return entryId === undefined ? [] : [{ ...ready, entryId }];
    });
    if (filed.length < all.length) await deleteUnfiled(tx, contents);
    await Promise.all([
      settleAll(tx, mine, entries),
      noteHeard(
        tx,
        filed.flatMap(({ mailbox, placing, read }) =>
          placing.isSpam || read.content.isAutomatic ? [] : [{ accountId: mailbox.id, mail: read.mail }],
        ),
      ),
      callForReceived(tx, filed),
    ]);
    await forgetWhole(
      tx,
      mine.filter(({ read }) => !read.content.rawWhole).map(({ delivery }) => delivery.intake_id),
    );
    for (const { answering, mailbox } of filed) if (answering) await sendAnswer(tx, mailbox, answering);
    for (const { consequences } of filed) for (const follow of consequences) await follow(tx);
    return all.map(({ delivery: { id } }) =>
      !held.has(id) ? 'lost' : entries.has(id) ? 'filed' : 'duplicate',
    );
  });

/**
 * What comes from outside is judged once, if the mailboxes that it goes to have their turns one after the other. Where
 * the server that brought it could not judge its author, this one does.
 */
async function judged(
  ctx: Ctx,
  { source, verdicts: known }: ClaimedDelivery,
  mail: UncheckedMail,
  origin: MailOrigin,
): Promise<Verdicts | null> {
  if (known?.dmarc) return known;
  if (source === 'local') return null;
  const checkedFrom = { ...origin, ...(known?.spf && { spf: known.spf }) };
  const found = await judgeSender(ctx.runtime.config, mail, checkedFrom);
  return known ? { ...found, spf: known.spf, dkim: known.dkim ?? found.dkim } : found;
}

async function keepVerdicts(ctx: Ctx, all: readonly ReadyDelivery[]): Promise<void> {
  const judgedNow = all
    .filter(({ delivery, read }) => !delivery.verdicts && read.content.verdicts)
    .sort((a, b) => a.delivery.intake_id - b.delivery.intake_id);
  if (judgedNow.length === 0) return;
  await ctx.db.rows(
    VERDICTS({
      workspace: ctx.workspace.id,
      ids: judgedNow.map(({ delivery }) => delivery.intake_id),
      verdicts: judgedNow.map(({ read }) => JSON.stringify(read.content.verdicts)),
    }),
  );
}

const VERDICTS = sql.prepare<{ workspace: number; ids: number[]; verdicts: string[] }>(
  (p) => sql`
  update svc_mail_intake i set verdicts = v.verdicts
  from unnest(${p.ids}::int8[], ${p.verdicts}::jsonb[]) v(id, verdicts)
  where i.workspace_id = ${p.workspace} and i.id = v.id and i.verdicts is null`,
);

interface Read {
  raw: RawMail;
  read: ReadMail;
  verdicts: Verdicts | null;
  mailbox: MailboxFacts;
  origin: MailOrigin;
}

async function placed(
  ctx: Ctx,
  delivery: ClaimedDelivery,
  { raw, read: { mail, content }, verdicts, mailbox, origin }: Read,
): Promise<Placing> {
  const { config } = ctx.runtime;
  const senders = [delivery.sender, ...mail.from.map(({ address }) => address)].filter(Boolean);
  const url = delivery.source === 'smtp' ? config.rspamdUrl : null;
  return placingOf(
    mail,
    {
      hasAttachment: content.parts.some(({ role }) => role === 'attachment'),
      isDisowned: config.honoursDmarc && verdicts !== null && isDisowned(verdicts),
      isBlocked: await isBlocked(ctx, mailbox, senders),
      isSpam:
        delivery.client?.isSpam === true ||
        (delivery.client?.isTrusted && isMarkedAsSpam(mail)) ||
        (await isSpamTo(url, raw, delivery, origin)) === true,
    },
    mailbox,
  );
}

interface ToFile extends ReadyDelivery {
  filing: Filing;
}

/** @returns the entries of those that their mailboxes have not got before, by delivery */
async function fileOnce(ctx: Ctx, mine: readonly ToFile[]): Promise<Map<number, number>> {
  const boxes = Map.groupBy(mine, ({ mailbox }) => mailbox.id);
  const filingsOf = (all: ReadonlyMap<number, readonly ToFile[]>) =>
    [...all].map(([accountId, its]) => ({ accountId, filings: its.map(({ filing }) => filing) }));
  let chosen = boxes;
  const ids = await fileIntoMailboxes(ctx, filingsOf(boxes), async (held) => {
    const seen = await seenBefore(held, mine);
    chosen = new Map([...boxes].map(([id, its]) => [id, its.filter((ready) => isFirst(seen, ready))]));
    return filingsOf(chosen);
  });
  const entries = [...chosen].flatMap(([accountId, its]) =>
    its.map(({ delivery }, i): [number, number] => [delivery.id, ids.get(accountId)![i]!]),
  );
  return new Map(entries);
}

/** Whether none of this name has been seen in its mailbox; it has been, from now on. */
function isFirst(seen: Set<string>, ready: ToFile): boolean {
  const name = nameOf(ready);
  if (name === null) return true;
  const isNew = !seen.has(name);
  seen.add(name);
  return isNew;
}

const filingOf = (contentId: number, { delivery, placing, read }: ReadyDelivery): Filing => ({
  folderId: placing.folderId,
  contentId,
  size: read.content.size,
  date: new Date(Math.min(Date.parse(delivery.received_at), Date.now())),
  key: messageKey(read.content.messageId, read.content.rawHash),
  threads: read.threads,
  words: read.words(),
  isRead: placing.isRead,
  isStarred: placing.isStarred,
  source: delivery.source,
  envelope: { from: delivery.sender, to: delivery.recipients },
  labelIds: placing.labelIds,
});

/**
 * Holds deliveries against those who might take them for those of a worker that died. What a crash undoes is filed
 * again, so the transaction does not wait for the disk.
 * @returns the ids of those that this worker still has
 */
async function stillHeld(ctx: Ctx, all: readonly ReadyDelivery[], worker: string): Promise<Set<number>> {
  const ids = all.map(({ delivery }) => delivery.id);
  const rows = await ctx.db.rows<{ id: number }>(HELD_STILL({ workspace: ctx.workspace.id, ids, worker }));
  return new Set(rows.map(({ id }) => id));
}

const HELD_STILL = sql.prepare<{ workspace: number; ids: number[]; worker: string }>(
  (p) => sql`
  select d.id from svc_mail_delivery d, (select set_config('synchronous_commit', 'off', true)) relaxed
  where d.workspace_id = ${p.workspace} and d.id = any(${p.ids}::int8[]) and d.lease = ${p.worker}
    and d.state = 'filing' order by d.id for update of d`,
);

/** By what a message that comes again into a mailbox is recognised; null where it has none. */
const nameOf = ({ mailbox, filing, read }: ToFile): string | null =>
  read.content.belowHash
    ? `${mailbox.id} ${filing.key.toString('hex')} ${read.content.belowHash.toString('hex')}`
    : null;

/**
 * Those that their mailboxes have got before: the same id and the same content. By the id alone anybody who knows it
 * could suppress a message, and a note to oneself would vanish behind its copy in Sent.
 */
async function seenBefore(ctx: Ctx, mine: readonly ToFile[]): Promise<Set<string>> {
  const rows = await ctx.db.rows<{ name: string }>(
    SEEN({
      workspace: ctx.workspace.id,
      accounts: mine.map(({ mailbox }) => mailbox.id),
      keys: mine.map(({ filing }) => filing.key),
    }),
  );
  return new Set(rows.map(({ name }) => name));
}

const SEEN = sql.prepare<{ workspace: number; accounts: number[]; keys: Buffer[] }>(
  (p) => sql`
  select e.account_id || ' ' || encode(e.message_key, 'hex') || ' ' || encode(c.below_hash, 'hex') as name
  from unnest(${p.accounts}::int[], ${p.keys}::bytea[]) k(account_id, message_key)
  join svc_mail_entry e on e.account_id = k.account_id and e.message_key = k.message_key
  join svc_mail_message c on c.workspace_id = ${p.workspace} and c.id = e.content_id
  where e.workspace_id = ${p.workspace} and e.source <> 'sent' and c.below_hash is not null`,
);

async function settleAll(
  ctx: Ctx,
  mine: readonly ToFile[],
  entries: ReadonlyMap<number, number>,
): Promise<void> {
  const ids = mine.map(({ delivery }) => delivery.id);
  await ctx.db.rows(
    SETTLE({ workspace: ctx.workspace.id, ids, entries: ids.map((id) => entries.get(id) ?? null) }),
  );
}

const SETTLE = sql.prepare<{ workspace: number; ids: number[]; entries: (number | null)[] }>(
  (p) => sql`
  update svc_mail_delivery d set state = case when s.entry_id is null then 'duplicate' else 'filed' end,
    entry_id = s.entry_id, next_at = null, lease = null, error = null
  from unnest(${p.ids}::int8[], ${p.entries}::int8[]) s(id, entry_id)
  where d.workspace_id = ${p.workspace} and d.id = s.id`,
);

/** The mailbox of a delivery is gone. */
export async function settleGone(ctx: Ctx, { id }: ClaimedDelivery): Promise<void> {
  await ctx.db.rows(
    sql`update svc_mail_delivery set state = 'gone', next_at = null, lease = null, error = null
     where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
}
