import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { parseReceivedDate } from '../../../src/message/parse/date.ts';
import type { ParsedMail } from '../../../src/message/parse/message.ts';
import { toRawMail } from '../../../src/message/parse/raw.ts';
import { getFreeBytes, selectFittingFilings } from '../accounts/quota.ts';
import { computeMessageKey, type Filing, fileEntries } from '../messages/file-entries.ts';
import { storeRaws } from '../messages/raw.ts';
import { type ReadMail, readMail } from '../messages/read-content.ts';
import { deleteUnfiledContents, storeContents } from '../messages/store-content.ts';

export interface ImportedMail {
  raw: Buffer;
  /** Time of receipt on the remote server. Defaults to the message's date. */
  received?: Date | null;
  isRead?: boolean;
  isStarred?: boolean;
}

/**
 * The result of each message, in input order: its entry id, null if the mailbox already contains it, or `full` if it
 * exceeds the quota.
 */
type ImportedEntries = (number | 'full' | null)[];

interface PreparedImport extends ReadMail {
  filing: Omit<Filing, 'contentId'>;
}

/**
 * Files imported messages without notifications, in one transaction. Skips messages whose Message-ID (or, without one,
 * content) already exists in any folder of the mailbox.
 */
export async function importRaw(
  ctx: Ctx,
  accountId: number,
  folderId: number,
  messages: readonly ImportedMail[],
): Promise<ImportedEntries> {
  const raws = messages.map(({ raw }) => raw);
  const storedRaws = await storeRaws(ctx, raws);
  const imports = await Promise.all(
    messages.map((message, i) => prepareImport(ctx, folderId, message, storedRaws[i]!.hash)),
  );
  const knownKeys = await findKnownKeys(
    ctx,
    accountId,
    imports.map(({ filing }) => filing.key),
  );
  const newMessages = dropDuplicates(imports, knownKeys);
  if (newMessages.length === 0) return messages.map(() => null);
  return ctx.tx(async (tx) => {
    const contents = await storeContents(
      tx,
      newMessages.map(({ content }) => content),
    );
    const filings = newMessages.map(({ filing, content }) => ({
      ...filing,
      contentId: contents.ids.get(content.rawHash)!,
    }));
    let fresh = filings;
    let newFilings = filings;
    const ids = await fileEntries(tx, accountId, filings, async (lockedCtx) => {
      const keys = filings.map(({ key }) => key);
      const since = await findKnownKeys(lockedCtx, accountId, keys);
      fresh = filings.filter(({ key }) => !since.has(toHex(key)));
      newFilings = selectFittingFilings(fresh, await getFreeBytes(lockedCtx, accountId));
      return newFilings;
    });
    if (newFilings.length < filings.length) await deleteUnfiledContents(tx, contents.made);
    const filed = new Map<string, number | 'full'>(fresh.map(({ key }) => [toHex(key), 'full']));
    for (const [i, { key }] of newFilings.entries()) filed.set(toHex(key), ids[i]!);
    return imports.map((item) =>
      newMessages.includes(item) ? (filed.get(toHex(item.filing.key)) ?? null) : null,
    );
  });
}

async function prepareImport(
  ctx: Ctx,
  folderId: number,
  message: ImportedMail,
  rawHash: string,
): Promise<PreparedImport> {
  const mail = await readMail(toRawMail(message.raw), rawHash, ctx.workspace.id);
  const { content, threads } = mail;
  return {
    ...mail,
    filing: {
      folderId,
      size: content.size,
      date: findPastDate([message.received, content.dateHeader, ...listReceivedDates(mail.mail)]),
      key: computeMessageKey(content.messageId, rawHash),
      threads,
      words: await mail.words(),
      isRead: message.isRead ?? true,
      isStarred: message.isStarred ?? false,
      source: 'import',
    },
  };
}

const listReceivedDates = ({ headers }: ParsedMail): (Date | null)[] =>
  headers.filter(({ name }) => name === 'received').map(({ value }) => parseReceivedDate(value));

/** Returns the current time if there is no past date, because a message from the future would stay on top. */
function findPastDate(dates: readonly (Date | null | undefined)[]): Date {
  const now = new Date();
  return dates.find((date) => date && date < now) ?? now;
}

const toHex = (key: Buffer): string => key.toString('hex');

async function findKnownKeys(ctx: Ctx, accountId: number, keys: Buffer[]): Promise<Set<string>> {
  const rows = await ctx.db.rows<{ message_key: Buffer }>(
    sql`select e.message_key from svc_mail_entry e
     where e.workspace_id = ${ctx.workspace.id} and e.account_id = ${accountId}
       and e.message_key = any(${keys}::bytea[])`,
  );
  return new Set(rows.map(({ message_key }) => toHex(message_key)));
}

function dropDuplicates(imports: PreparedImport[], knownKeys: ReadonlySet<string>): PreparedImport[] {
  const usedKeys = new Set(knownKeys);
  return imports.filter(({ filing }) => {
    const key = toHex(filing.key);
    if (usedKeys.has(key)) return false;
    usedKeys.add(key);
    return true;
  });
}
