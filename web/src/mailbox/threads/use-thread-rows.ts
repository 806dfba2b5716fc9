import { useCallback, useEffect, useReducer, useRef } from 'react';
import { client } from '../../graphql/client.ts';
import { type RequestFailure, toRequestFailure } from '../../graphql/request-error.ts';
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

/** Conversations per page, and number of rows loaded beyond the visible ones. */
const PAGE_SIZE = 50;
const ROWS_AHEAD = 50;
const MESSAGE_PAGE_SIZE = 500;

interface ListState {
  folder: string;
  rows: ListedMessage[];
  end: string | null;
  hasMore: boolean;
  isKnown: boolean;
  refusal: RequestFailure | null;
  /** Index of the last visible row. */
  last: number;
  isLoading: boolean;
  /** True if a reload was requested while loading. */
  isStale: boolean;
}

const createListState = (folder: string): ListState => ({
  folder,
  rows: [],
  end: null,
  hasMore: true,
  isKnown: false,
  refusal: null,
  last: 0,
  isLoading: false,
  isStale: false,
});

type Thread = MailThreadsQuery['mailThreads']['nodes'][number];
type Person = Thread['participants'][number];

const formatNames = (people: readonly Person[]): string =>
  people.map(({ name, email }) => name || email).join(', ');

/** Converts a conversation to a row: its newest message, with flags that apply to the whole conversation. */
function toRows({ id, mailboxId, newest, participants, ...thread }: Thread): ListedMessage[] {
  if (!newest) return [];
  return [
    {
      entryId: newest.id,
      draftId: null,
      accountId: mailboxId,
      folderId: newest.folderId,
      subject: newest.subject ?? '',
      // The author of the first message comes first.
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

/** Loads the conversations of a folder, and finds their messages. */
export function useThreadRows(mailbox: string, folder: string) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const state = useRef(createListState(folder));
  if (state.current.folder !== folder) state.current = createListState(folder);
  const loadRows = useCallback(
    async (isFresh: boolean): Promise<void> => {
      const list = state.current;
      if (list.isLoading) {
        list.isStale ||= isFresh;
        return;
      }
      list.isLoading = true;
      let { rows, end, hasMore } = isFresh ? createListState(folder) : list;
      while (hasMore && rows.length <= list.last + ROWS_AHEAD) {
        const page = { mailbox, folder: list.folder, first: PAGE_SIZE, after: end };
        const query = client.query(MailThreadsDocument, page, { requestPolicy: 'network-only' });
        const { data, error } = await query.toPromise();
        if (state.current !== list) return;
        const rejection = error ? toRequestFailure(error) : null;
        // Loaded rows remain visible while the server is unreachable.
        list.refusal = rejection?.code === 'OFFLINE' && list.rows.length > 0 ? null : rejection;
        if (!data) break;
        const { nodes, pageInfo } = data.mailThreads;
        rows = [...rows, ...nodes.flatMap(toRows)];
        end = pageInfo.endCursor;
        hasMore = pageInfo.hasNextPage;
        if (!isFresh || !hasMore || rows.length > list.last + ROWS_AHEAD)
          Object.assign(list, { rows, end, hasMore, isKnown: true });
        redraw();
      }
      list.isLoading = false;
      redraw();
      if (list.isStale) {
        list.isStale = false;
        await loadRows(true);
      }
    },
    [mailbox, folder],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the folder resets the rows
  useEffect(() => void loadRows(false), [folder, loadRows]);
  const check = useCallback(
    (_first: number, last: number) => {
      state.current.last = last;
      void loadRows(false);
    },
    [loadRows],
  );
  const reload = useCallback(() => void loadRows(true), [loadRows]);
  const { rows, hasMore, isKnown, refusal } = state.current;
  const list: Rows<ListedMessage> = {
    total: isKnown ? rows.length : null,
    isAtLeast: hasMore,
    notes: [],
    refusal,
    row: (index) => rows[index],
    look: check,
    reload,
  };
  const rowsBetween = async (first: number, last: number) => rows.slice(first, last + 1);
  /** Returns all messages in the folder that share a conversation with the given messages. */
  const whole = async (selection: SelectedMessages): Promise<SelectedMessages> => {
    const threads = await Promise.all([...selection.keys()].map(findThread));
    return loadMessages([...new Set(threads.filter((id) => id !== undefined))], folder);
  };
  const findThread = async (message: string): Promise<string | undefined> => {
    const row = state.current.rows.find(({ entryId }) => entryId === message);
    if (row?.thread) return row.thread.id;
    const { data } = await client.query(MailMessageDocument, { id: message }).toPromise();
    return data?.mailMessage?.thread?.id;
  };
  return { queryVariables: { folder, isByThread: true }, rows: list, rowsBetween, whole };
}

const NO_SELECTION: SelectedMessages = new Map();

/**
 * Returns the messages of conversations in a folder. If there are too many for one change, shows a toast and returns an
 * empty map.
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
