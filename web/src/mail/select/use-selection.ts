import { useRef, useState } from 'react';
import type { Rows } from '../../graphql/use-rows.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { RowSelection } from '../../ui/virtual-list.tsx';
import type { ListedMessage } from '../message-row.tsx';
import { mailStrings } from '../strings.ts';
import { addAll, type SelectedMessages, toggleSelected } from './selection.ts';

/** What is chosen in a list: some rows, or all that there are. */
export interface ListSelection {
  chosen: SelectedMessages;
  isAll: boolean;
  /** How many messages are chosen. */
  count: number;
  choice: RowSelection;
  clear(): void;
}

interface SelectionOptions {
  /** What the list shows: in another one nothing is chosen. */
  asked: object;
  rows: Rows<ListedMessage>;
  /** How many messages all rows stand for. */
  messages: number | null;
  /** Whether all there are can be chosen, those that are not loaded included. */
  canAll: boolean;
  /** Rows of which some may not be loaded; null where they are too many, or cannot be. */
  rowsBetween(first: number, last: number): Promise<ListedMessage[] | null>;
}

const NO_SELECTION: SelectedMessages = new Map();

/** Rows of a list that are chosen, one by one, by ranges, or all. */
export function useSelection({
  asked,
  rows,
  messages,
  canAll,
  rowsBetween,
}: SelectionOptions): ListSelection {
  const list = JSON.stringify(asked);
  const [state, setState] = useState({ list, chosen: NO_SELECTION, isAll: false });
  const isHere = state.list === list;
  const chosen = isHere ? state.chosen : NO_SELECTION;
  const isAll = isHere && state.isAll;
  const latest = useRef(chosen);
  latest.current = chosen;
  const put = (next: SelectedMessages | null, all = false) => {
    if (!next) return showToast(mailStrings.tooManyChosen);
    latest.current = next;
    setState({ list, chosen: next, isAll: all });
  };
  const range = async (from: number, to: number) => {
    const between = await rowsBetween(Math.min(from, to), Math.max(from, to));
    if (between) put(addAll(latest.current, between));
  };
  const choice: RowSelection = {
    isSelected: (index) => isAll || chosen.has(rows.row(index)?.entryId ?? ''),
    select(index, from) {
      const row = rows.row(index);
      if (from !== null) void range(from, index);
      else if (row) put(toggleSelected(latest.current, row));
    },
    selectAll: canAll ? () => put(NO_SELECTION, true) : undefined,
    clear: () => put(NO_SELECTION),
  };
  return {
    chosen,
    isAll,
    count: isAll ? (messages ?? 0) : chosen.size,
    choice,
    clear: () => put(NO_SELECTION),
  };
}
