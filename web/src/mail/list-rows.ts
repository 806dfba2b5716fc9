import { client } from '../graphql/client.ts';
import { PAGE, type Rows, useRows } from '../graphql/window.ts';
import { say } from '../ui/toasts.tsx';
import type { FoundList } from './actions.ts';
import { MailListDocument, type MailListQuery } from './generated.ts';
import type { Listed } from './message-row.tsx';
import { type Place, searchOf } from './place.ts';
import { MOST_CHOSEN } from './select/chosen.ts';
import { mailWords } from './words.ts';

/** How the server finds what a place shows. Pure. */
export const foundListOf = (place: Place, q: string | undefined): FoundList => ({
  folder: place.folder.id,
  allFolders: place.allFolders,
  label: place.label?.id ?? null,
  search: searchOf(place, q),
});

/** Rows of a place, and the way to those that are not loaded. */
export function useListRows(place: Place, q: string | undefined) {
  const asked = { ...foundListOf(place, q), isAll: place.mailbox === null };
  const rows = useRows(MailListDocument, asked, pageOf);
  /** Null where they are too many, or the server does not answer. */
  async function rowsBetween(first: number, last: number): Promise<Listed[] | null> {
    if (last - first >= MOST_CHOSEN) {
      say(mailWords.tooManyChosen);
      return null;
    }
    const loaded = allThere(rows, first, last);
    if (loaded) return loaded;
    const from = Math.floor(first / PAGE);
    const pages = await Promise.all(
      Array.from({ length: Math.floor(last / PAGE) - from + 1 }, async (_, at) => {
        const page = { ...asked, first: PAGE, offset: (from + at) * PAGE };
        const { data } = await client.query(MailListDocument, page).toPromise();
        return data && pageOf(data).nodes;
      }),
    );
    return pages.every((page) => page !== undefined)
      ? pages.flat().slice(first - from * PAGE, last + 1 - from * PAGE)
      : null;
  }
  return { asked, rows, rowsBetween };
}

function pageOf({ mailEntries, mailUnifiedEntries }: MailListQuery) {
  const { count, entries, countIsAtLeast, notes } = (mailEntries ?? mailUnifiedEntries)!;
  return { totalCount: count, nodes: entries, isAtLeast: countIsAtLeast ?? false, notes: notes ?? [] };
}

/** Rows that are loaded; null where one is not. */
function allThere(rows: Rows<Listed>, first: number, last: number): Listed[] | null {
  const all = Array.from({ length: last - first + 1 }, (_, at) => rows.row(first + at));
  return all.every((row) => row !== undefined) ? all : null;
}
