import type { FetchMessageObject, ImapFlow, MailboxObject } from 'imapflow';
import { limits } from '../../../src/limits.ts';
import { limitCount } from './imap-list.ts';
import type { ImportedMail } from './import-raw.ts';
import { RemoteError } from './remote-error.ts';

export interface ImapSource {
  folder: string;
  from: number;
  /** UIDVALIDITY that `from` belongs to; null if unknown. */
  uidvalidity: number | null;
  limit: number;
  /** Reports the first message as failed if the connection breaks while it is read. */
  skipsBreaking?: boolean;
}

export interface FetchedMail extends ImportedMail {
  uid: number;
}

export interface ImapFailure {
  uid: number;
  error: string;
}

export interface FetchResult {
  mails: FetchedMail[];
  failures: ImapFailure[];
  done: boolean;
  nextUid: number;
  uidvalidity: number;
  messages: number;
}

const UID_OPTION = { uid: true };

/**
 * Reads a folder's next messages without changing it. Returns the messages read so far if time or memory runs out, or
 * the server disconnects.
 */
export async function fetchNextMessages(
  client: ImapFlow,
  until: number,
  source: ImapSource,
): Promise<FetchResult> {
  const folder = await openFolder(client, source.folder);
  const uidvalidity = Number(folder.uidValidity);
  const from = source.uidvalidity === null || source.uidvalidity === uidvalidity ? source.from : 1;
  const uids = await findNextUids(client, folder, from, source.limit + 1);
  const batchUids = uids.slice(0, source.limit);
  const { skipsBreaking = false } = source;
  const progress: FetchProgress = { mails: [], failures: [], next: batchUids[0] ?? from, skipsBreaking };
  await readMessages(client, until, batchUids, progress);
  const isFinished = batchUids.every((uid) => uid < progress.next) && uids.length === batchUids.length;
  return {
    mails: progress.mails,
    failures: progress.failures,
    done: isFinished,
    nextUid: isFinished
      ? Math.max(progress.next, folder.uidNext || 0)
      : Math.max(progress.next, getNextUid(uids, progress.next)),
    uidvalidity,
    messages: limitCount(folder.exists),
  };
}

const getNextUid = (uids: number[], from: number): number => uids.find((uid) => uid >= from) ?? from;

async function openFolder(client: ImapFlow, path: string): Promise<MailboxObject> {
  try {
    return await client.mailboxOpen(path, { readOnly: true });
  } catch (error) {
    const { mailboxMissing, responseStatus } = error as { mailboxMissing?: boolean; responseStatus?: string };
    if (mailboxMissing || responseStatus === 'NO')
      throw new RemoteError('folder_missing', 'The folder does not exist on the server or cannot be opened.');
    throw error;
  }
}

/** Searches growing ranges, so that a folder with a million messages is not listed completely. */
async function findNextUids(
  client: ImapFlow,
  { uidNext, exists }: MailboxObject,
  from: number,
  limit: number,
): Promise<number[]> {
  if (exists === 0) return [];
  const nextUids: number[] = [];
  const end = uidNext || (await findLastUid(client)) + 1;
  let low = from;
  let window = 500;
  while (low < end && nextUids.length < limit) {
    const high = Math.min(low + window, end) - 1;
    const uids = await client.search({ uid: `${low}:${high}` }, UID_OPTION);
    // An empty list would end the import of the folder.
    if (!uids) throw createSearchError();
    // For a range after the last message, servers return the last message.
    const found = uids.filter((uid) => uid >= low && uid <= high).sort((a, b) => a - b);
    nextUids.push(...found.slice(0, limit - nextUids.length));
    low = high + 1;
    window = Math.min(window * 4, MAX_SEARCHED_UIDS);
  }
  return nextUids;
}

/** The client parses a response with this many UIDs within a second and 100 MB of memory. */
const MAX_SEARCHED_UIDS = 200_000;

async function findLastUid(client: ImapFlow): Promise<number> {
  const last = await client.fetchOne('*', UID_OPTION);
  if (!last) throw createSearchError();
  return last.uid;
}

/** The client library reports no reason. */
const createSearchError = () => new RemoteError('protocol_error', 'The server could not search the folder.');

interface FetchProgress {
  mails: FetchedMail[];
  failures: ImapFailure[];
  /** First UID that has not been processed yet. */
  next: number;
  skipsBreaking: boolean;
}

async function readMessages(
  client: ImapFlow,
  deadline: number,
  uids: number[],
  progress: FetchProgress,
): Promise<void> {
  if (uids.length === 0) return;
  const heads = await client.fetchAll(
    uids.join(','),
    { ...UID_OPTION, size: true, flags: true, internalDate: true },
    UID_OPTION,
  );
  const byUid = new Map(heads.map((head) => [head.uid, head]));
  let bytes = 0;
  for (const uid of uids) {
    const head = byUid.get(uid);
    bytes += Math.min(head?.size ?? 0, limits.mail.importedBytes);
    const isFull = bytes > limits.mail.importBytes || Date.now() > deadline - CALL_RESERVE_MS;
    if (isFull && progress.next > uids[0]!) return;
    if (!(await readMessage(client, uid, head, progress))) return;
    progress.next = uid + 1;
  }
}

/** Fetching stops this long before the deadline. */
const CALL_RESERVE_MS = 15_000;

/**
 * Reads one message. Rethrows an error only if the connection broke before anything was read. @returns false if the
 * message must be read again
 */
async function readMessage(
  client: ImapFlow,
  uid: number,
  head: FetchMessageObject | undefined,
  progress: FetchProgress,
): Promise<boolean> {
  const addFailure = (error: string) => progress.failures.push({ uid, error });
  const maxBytes = limits.mail.importedBytes;
  const large = `It is larger than ${maxBytes / 1024 / 1024} MB.`;
  // A message that was deleted in the meantime is not a failure.
  if (!head) return true;
  if ((head.size ?? 0) > maxBytes) return Boolean(addFailure(large));
  try {
    const message = await client.fetchOne(
      String(uid),
      { ...UID_OPTION, source: { maxLength: maxBytes + 1 } },
      UID_OPTION,
    );
    const raw = message ? message.source : undefined;
    if (!raw?.length) return Boolean(addFailure('The server did not return the message.'));
    if (raw.length > maxBytes) return Boolean(addFailure(large));
    progress.mails.push({ uid, raw, received: toDate(head), ...toFlags(head) });
    return true;
  } catch (error) {
    const isFirst = progress.mails.length + progress.failures.length === 0;
    if (client.usable || (isFirst && progress.skipsBreaking))
      return Boolean(addFailure('The server did not return the message.'));
    if (isFirst) throw error;
    return false;
  }
}

const toFlags = ({ flags }: FetchMessageObject) => ({
  isRead: flags?.has('\\Seen') ?? false,
  isStarred: flags?.has('\\Flagged') ?? false,
});

function toDate({ internalDate }: FetchMessageObject): Date | null {
  const date = internalDate ? new Date(internalDate) : null;
  return date && !Number.isNaN(date.getTime()) ? date : null;
}
