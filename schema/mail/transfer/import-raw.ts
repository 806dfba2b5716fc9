import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { parseReceivedDate } from '../../../src/mail/parse/date.ts';
import type { ParsedMail } from '../../../src/mail/parse/message.ts';
import { toRawMail } from '../../../src/mail/parse/raw.ts';
import { fitting, roomIn } from '../accounts/quota.ts';
import { type Filing, fileEntries, messageKey } from '../messages/file-entries.ts';
import { deleteUnfiled, keepMessages } from '../messages/keep-content.ts';
import { keepRaws } from '../messages/raw.ts';
import { type ReadMail, readMail } from '../messages/read-content.ts';

/** A raw message that is to be filed. */
export interface ImportedMail {
  raw: Buffer;
  /** When it came, where the other server says so; else the date in the message. */
  received?: Date | null;
  isRead?: boolean;
  isStarred?: boolean;
}

/**
 * What became of each message, in order: the id of its entry, null where the mailbox has it already, or `full` where it
 * has no room for it.
 */
export type ImportedEntries = (number | 'full' | null)[];

interface Prepared extends ReadMail {
  filing: Omit<Filing, 'contentId'>;
}

/**
 * Files messages from elsewhere, read and without a notice, in one transaction. A message with the Message-ID of
 * another one in the mailbox, whatever its folder, is not filed again; one without an id is known by its content.
 */
export async function importRaw(
  ctx: Ctx,
  accountId: number,
  folderId: number,
  messages: readonly ImportedMail[],
): Promise<ImportedEntries> {
  const kept = await keepRaws(
    ctx,
    messages.map(({ raw }) => raw),
  );
  const prepared = await Promise.all(
    messages.map((message, i) => prepare(ctx, folderId, message, kept[i]!.hash)),
  );
  const known = await knownKeys(
    ctx,
    accountId,
    prepared.map(({ filing }) => filing.key),
  );
  const wanted = firstOfEach(prepared, known);
  if (wanted.length === 0) return messages.map(() => null);
  return ctx.tx(async (tx) => {
    const contents = await keepMessages(
      tx,
      wanted.map(({ content }) => content),
    );
    const filings = wanted.map(({ filing, content }) => ({
      ...filing,
      contentId: contents.ids.get(content.rawHash)!,
    }));
    let fresh = filings;
    let chosen = filings;
    const ids = await fileEntries(tx, accountId, filings, async (held) => {
      const since = await knownKeys(
        held,
        accountId,
        filings.map(({ key }) => key),
      );
      fresh = filings.filter(({ key }) => !since.has(hex(key)));
      chosen = fitting(fresh, await roomIn(held, accountId));
      return chosen;
    });
    if (chosen.length < filings.length) await deleteUnfiled(tx, contents);
    const filed = new Map<string, number | 'full'>(fresh.map(({ key }) => [hex(key), 'full']));
    for (const [i, { key }] of chosen.entries()) filed.set(hex(key), ids[i]!);
    return prepared.map((each) => (wanted.includes(each) ? (filed.get(hex(each.filing.key)) ?? null) : null));
  });
}

async function prepare(
  ctx: Ctx,
  folderId: number,
  message: ImportedMail,
  rawHash: string,
): Promise<Prepared> {
  const read = await readMail(toRawMail(message.raw), rawHash, ctx.workspace.id);
  const { content, threads } = read;
  return {
    ...read,
    filing: {
      folderId,
      size: content.size,
      date: datedBy(message.received ?? content.dateHeader ?? arrivalOf(read.mail)),
      key: messageKey(content.messageId, rawHash),
      threads,
      words: read.words(),
      isRead: message.isRead ?? true,
      isStarred: message.isStarred ?? false,
      source: 'import',
    },
  };
}

/** When the last server received the message. */
function arrivalOf({ headers }: ParsedMail): Date | null {
  const field = headers.find(({ name }) => name === 'received');
  return field ? parseReceivedDate(field.value) : null;
}

/** Never later than now: a message of the future would stay on top of its folder. */
function datedBy(date: Date | null): Date {
  const now = new Date();
  return date && date < now ? date : now;
}

const hex = (key: Buffer): string => key.toString('hex');

async function knownKeys(ctx: Ctx, accountId: number, keys: Buffer[]): Promise<Set<string>> {
  const rows = await ctx.db.rows<{ message_key: Buffer }>(
    sql`select e.message_key from svc_mail_entry e
     where e.workspace_id = ${ctx.workspace.id} and e.account_id = ${accountId}
       and e.message_key = any(${keys}::bytea[])`,
  );
  return new Set(rows.map(({ message_key }) => hex(message_key)));
}

function firstOfEach(prepared: Prepared[], known: ReadonlySet<string>): Prepared[] {
  const seen = new Set(known);
  return prepared.filter(({ filing }) => {
    const key = hex(filing.key);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
