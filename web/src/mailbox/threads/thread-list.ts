import type { RequestFailure } from '../../graphql/request-error.ts';
import { getShownFailure, type RowSource } from '../../graphql/row-source.ts';

/** Number of rows to load beyond the visible rows. */
const ROWS_AHEAD = 50;

interface LoadedRows<Row> {
  rows: readonly Row[];
  end: string | null;
  hasMore: boolean;
}

export interface ThreadPageResult<Row> {
  page: LoadedRows<Row> | undefined;
  failure: RequestFailure | null;
}

/** Loads pages one after another, as far as the visible rows require. */
export function createThreadList<Row>(
  loadPage: (after: string | null) => Promise<ThreadPageResult<Row>>,
  onChange: () => void,
): RowSource<Row> {
  let shown: LoadedRows<Row> = { rows: [], end: null, hasMore: true };
  let isKnown = false;
  let refusal: RequestFailure | null = null;
  let last = 0;
  let isLoading = false;
  /** True if a reload was requested while loading. */
  let isStale = false;
  let startCount = 0;

  const needsMore = ({ rows, hasMore }: LoadedRows<Row>) => hasMore && rows.length <= last + ROWS_AHEAD;
  const load = async (isFresh: boolean): Promise<void> => {
    if (isLoading) {
      isStale ||= isFresh;
      return;
    }
    isLoading = true;
    const start = startCount;
    let loaded: LoadedRows<Row> = isFresh ? { rows: [], end: null, hasMore: true } : shown;
    while (needsMore(loaded)) {
      const { page, failure } = await loadPage(loaded.end);
      if (start !== startCount) return;
      refusal = getShownFailure(failure, shown.rows.length > 0);
      if (!page) break;
      loaded = { ...page, rows: [...loaded.rows, ...page.rows] };
      // A reload replaces the rows as soon as it has loaded enough of them.
      if (!isFresh || !needsMore(loaded)) {
        shown = loaded;
        isKnown = true;
      }
      onChange();
    }
    isLoading = false;
    onChange();
    if (!isStale) return;
    isStale = false;
    await load(true);
  };

  return {
    getState: () => ({
      total: isKnown ? shown.rows.length : null,
      isAtLeast: shown.hasMore,
      notes: [],
      refusal,
      row: (index) => shown.rows[index],
    }),
    start: () => void load(false),
    stop() {
      startCount += 1;
      isLoading = false;
    },
    look(_first, lastVisible) {
      last = lastVisible;
      void load(false);
    },
    reload: () => void load(true),
  };
}
