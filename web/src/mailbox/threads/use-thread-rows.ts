import { client } from '../../graphql/client.ts';
import { toRequestFailure } from '../../graphql/request-error.ts';
import { useRowSource } from '../../graphql/row-source.ts';
import type { Rows } from '../../graphql/use-rows.ts';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import { MailMessageDocument } from '../generated.ts';
import type { ListedMessage } from '../message-row.tsx';
import { MAX_SELECTED, type SelectedMessages } from '../select/selection.ts';
import { mailStrings } from '../strings.ts';
import {
  MailOfThreadsDocument,
  type MailOfThreadsQueryVariables,
  MailThreadsDocument,
  type MailThreadsQuery,
} from './generated.ts';
import { createThreadList, type ThreadPageResult } from './thread-list.ts';

/** Conversations and messages per page. */
const PAGE_SIZE = 50;
const MESSAGE_PAGE_SIZE = 500;

type Thread = MailThreadsQuery['mailThreads']['nodes'][number];
type Person = Thread['participants'][number];

const formatNames = (people: readonly Person[]): string =>
  people.map(({ name, email }) => name || email).join(', ');

/** Converts a conversation to a row: its newest message with the flags of the whole conversation. */
function toRows({ id, mailboxId, newest, participants, ...thread }: Thread): ListedMessage[] {
  if (!newest) return [];
  return [
    {
      entryId: newest.id,
      draftId: null,
      accountId: mailboxId,
      folderId: newest.folderId,
      subject: newest.subject ?? '',
      // The first message's author comes first.
      fromName: formatNames([...participants].reverse()),
      fromEmail: '',
      to: formatNames(newest.to),
      date: newest.date,
      isRead: thread.unread === 0,
      isStarred: thread.isStarred,
      snippet: newest.preview ?? '',
      labelIds: thread.labelIds,
      attachmentCount: newest.attachmentCount,
      thread: { id, count: thread.count },
    },
  ];
}

export function useThreadRows(mailbox: string, folder: string) {
  const rows: Rows<ListedMessage> = useRowSource(folder, (onChange) =>
    createThreadList((after) => loadThreads(mailbox, folder, after), onChange),
  );
  const rowsBetween = async (first: number, last: number) => getLoadedRows(rows).slice(first, last + 1);
  /** Returns all messages in the folder that share a conversation with the selection. */
  const whole = async (selection: SelectedMessages): Promise<SelectedMessages> => {
    const loaded = getLoadedRows(rows);
    const threads = await Promise.all([...selection.keys()].map((message) => findThread(message, loaded)));
    return loadMessages([...new Set(threads.filter((id) => id !== undefined))], folder);
  };
  return { queryVariables: { folder, isByThread: true }, rows, rowsBetween, whole };
}

async function loadThreads(
  mailbox: string,
  folder: string,
  after: string | null,
): Promise<ThreadPageResult<ListedMessage>> {
  const variables = { mailbox, folder, first: PAGE_SIZE, after };
  const query = client.query(MailThreadsDocument, variables, { requestPolicy: 'network-only' });
  const { data, error } = await query.toPromise();
  const failure = error ? toRequestFailure(error) : null;
  if (!data) return { page: undefined, failure };
  const { nodes, pageInfo } = data.mailThreads;
  const page = { rows: nodes.flatMap(toRows), end: pageInfo.endCursor, hasMore: pageInfo.hasNextPage };
  return { page, failure };
}

const getLoadedRows = ({ total, row }: Rows<ListedMessage>): ListedMessage[] =>
  Array.from({ length: total ?? 0 }, (_, index) => row(index)!);

async function findThread(message: string, rows: readonly ListedMessage[]): Promise<string | undefined> {
  const row = rows.find(({ entryId }) => entryId === message);
  if (row?.thread) return row.thread.id;
  const { data } = await client.query(MailMessageDocument, { id: message }).toPromise();
  return data?.mailMessage?.thread?.id;
}

const NO_SELECTION: SelectedMessages = new Map();

/**
 * Loads the messages of conversations in a folder. If there are too many to change at once, shows a toast and returns
 * an empty map.
 */
async function loadMessages(threads: readonly string[], folder: string): Promise<SelectedMessages> {
  const threadByMessage = new Map<string, string>();
  if (threads.length === 0) return threadByMessage;
  const page: MailOfThreadsQueryVariables = { threads: [...threads], folder, first: MESSAGE_PAGE_SIZE };
  for (let isLast = false; !isLast; ) {
    const query = client.query(MailOfThreadsDocument, { ...page }, { requestPolicy: 'network-only' });
    const { data, error } = await query.toPromise();
    if (!data) {
      if (error) showErrorToast(toRequestFailure(error).message);
      return NO_SELECTION;
    }
    const { nodes, pageInfo } = data.mailMessages;
    for (const { id, mailboxId } of nodes) threadByMessage.set(id, mailboxId);
    if (threadByMessage.size > MAX_SELECTED) {
      showToast(mailStrings.tooManyInThreads);
      return NO_SELECTION;
    }
    page.after = pageInfo.endCursor;
    isLast = !pageInfo.hasNextPage;
  }
  return threadByMessage;
}
