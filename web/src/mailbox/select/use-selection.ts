import { useRef, useState } from 'react';
import type { Rows } from '../../graphql/use-rows.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { RowSelection } from '../../ui/virtual-list.tsx';
import type { ListedMessage } from '../message-row.tsx';
import { mailStrings } from '../strings.ts';
import { addAll, type SelectedMessages, toggleSelected } from './selection.ts';

export interface ListSelection {
  selection: SelectedMessages;
  isAll: boolean;
  count: number;
  choice: RowSelection;
  clear(): void;
}

interface SelectionOptions {
  /** Identifies the list. A different value clears the selection. */
  queryVariables: object;
  rows: Rows<ListedMessage>;
  /** Number of messages in the list, including messages that are not loaded. */
  messages: number | null;
  /** True if all messages can be selected, including messages that are not loaded. */
  canAll: boolean;
  /** Returns a range of rows after loading missing rows, or null if the range is too large or could not be loaded. */
  rowsBetween(first: number, last: number): Promise<ListedMessage[] | null>;
}

const NO_SELECTION: SelectedMessages = new Map();

/** Selects rows individually, by range, or all at once. */
export function useSelection({
  queryVariables,
  rows,
  messages,
  canAll,
  rowsBetween,
}: SelectionOptions): ListSelection {
  const list = JSON.stringify(queryVariables);
  const [state, setState] = useState({ list, chosen: NO_SELECTION, isAll: false });
  const isHere = state.list === list;
  const selection = isHere ? state.chosen : NO_SELECTION;
  const isAll = isHere && state.isAll;
  const latest = useRef(selection);
  latest.current = selection;
  const changeSelection = (next: SelectedMessages | null, all = false) => {
    if (!next) return showToast(mailStrings.tooManySelected);
    latest.current = next;
    setState({ list, chosen: next, isAll: all });
  };
  const range = async (from: number, to: number) => {
    const betweenMessages = await rowsBetween(Math.min(from, to), Math.max(from, to));
    if (betweenMessages) changeSelection(addAll(latest.current, betweenMessages));
  };
  const choice: RowSelection = {
    isSelected: (index) => isAll || selection.has(rows.row(index)?.entryId ?? ''),
    select(index, from) {
      const row = rows.row(index);
      if (from !== null) void range(from, index);
      else if (row) changeSelection(toggleSelected(latest.current, row));
    },
    selectAll: canAll ? () => changeSelection(NO_SELECTION, true) : undefined,
    clear: () => changeSelection(NO_SELECTION),
  };
  return {
    selection,
    isAll,
    count: isAll ? (messages ?? 0) : selection.size,
    choice,
    clear: () => changeSelection(NO_SELECTION),
  };
}
