import { client } from '../graphql/client.ts';
import { PAGE_SIZE } from '../graphql/paged-rows.ts';
import { type Rows, useRows } from '../graphql/use-rows.ts';
import { showToast } from '../ui/toasts.tsx';
import type { FoundList } from './actions.ts';
import { MailListDocument, type MailListQuery } from './generated.ts';
import { buildSearch, type MailLocation } from './mail-location.ts';
import type { ListedMessage } from './message-row.tsx';
import { MAX_SELECTED } from './select/selection.ts';
import { mailStrings } from './strings.ts';

export const toFoundList = (location: MailLocation, q: string | undefined): FoundList => ({
  folder: location.folder.id,
  allFolders: location.allFolders,
  label: location.label?.id ?? null,
  search: buildSearch(location, q),
});

/** Loads a list's rows, including ranges that are not loaded yet. */
export function useListRows(location: MailLocation, q: string | undefined) {
  const variables = { ...toFoundList(location, q), isAll: location.mailbox === null };
  const rows = useRows(MailListDocument, variables, toPage);
  /** Returns null if the range is too large or could not be loaded. */
  async function rowsBetween(first: number, last: number): Promise<ListedMessage[] | null> {
    if (last - first >= MAX_SELECTED) {
      showToast(mailStrings.tooManySelected);
      return null;
    }
    const loadedMessages = getLoadedRows(rows, first, last);
    if (loadedMessages) return loadedMessages;
    const from = Math.floor(first / PAGE_SIZE);
    const pages = await Promise.all(
      Array.from({ length: Math.floor(last / PAGE_SIZE) - from + 1 }, async (_, index) => {
        const page = { ...variables, first: PAGE_SIZE, offset: (from + index) * PAGE_SIZE };
        const { data } = await client.query(MailListDocument, page).toPromise();
        return data && toPage(data).nodes;
      }),
    );
    return pages.every((page) => page !== undefined)
      ? pages.flat().slice(first - from * PAGE_SIZE, last + 1 - from * PAGE_SIZE)
      : null;
  }
  return { queryVariables: variables, rows, rowsBetween };
}

function toPage({ mailEntries, mailUnifiedEntries }: MailListQuery) {
  const { count, entries, countIsAtLeast, notes } = (mailEntries ?? mailUnifiedEntries)!;
  return { totalCount: count, nodes: entries, isAtLeast: countIsAtLeast ?? false, notes: notes ?? [] };
}

/** Returns null if one of the rows is not loaded. */
function getLoadedRows(rows: Rows<ListedMessage>, first: number, last: number): ListedMessage[] | null {
  const all = Array.from({ length: last - first + 1 }, (_, index) => rows.row(first + index));
  return all.every((row) => row !== undefined) ? all : null;
}
