import { useRef, useState } from 'react';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { useAction } from '../../shell/use-action.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { RowSelection } from '../../ui/virtual-list.tsx';
import type { toRecordsVariables } from '../address.ts';
import { bulkStrings } from '../bulk-strings.ts';
import { getVersion, type RecordValues } from '../document.ts';
import type { ModelDescription } from '../model.ts';
import {
  addAll,
  countSelectable,
  loadSelected,
  MAX_SELECTED,
  type SelectedRecords,
  toggleSelected,
} from './selection.ts';

export interface RecordSelection {
  selection: SelectedRecords;
  choice: RowSelection;
  /** Selects the list's records up to the maximum, including records that are not loaded. */
  chooseAll(): void;
  replace(selection: SelectedRecords): void;
}

interface SelectionOptions {
  model: ModelDescription;
  /** Identifies the list. A different value clears the selection. */
  queryVariables: ReturnType<typeof toRecordsVariables>;
  total: number | null;
  row(index: number): RecordValues | undefined;
  active: number;
}

const NO_SELECTION: SelectedRecords = new Map();

/** Selects rows individually, by range, or all at once. */
export function useSelection({
  model,
  queryVariables,
  total,
  row,
  active,
}: SelectionOptions): RecordSelection {
  const list = JSON.stringify(queryVariables);
  const [state, setState] = useState({ list, chosen: NO_SELECTION });
  const selection = state.list === list ? state.chosen : NO_SELECTION;
  const latest = useRef(selection);
  latest.current = selection;
  const { act } = useAction();
  const changeSelection = (next: SelectedRecords | null) => {
    if (!next) return showToast(bulkStrings.tooMany);
    latest.current = next;
    setState({ list, chosen: next });
  };
  const addRows = (first: number, count: number, getSelection = () => latest.current) => {
    if (count > MAX_SELECTED) return showToast(bulkStrings.tooMany);
    const loadedRows = Array.from({ length: count }, (_, index) => row(first + index)).filter(
      (item) => item !== undefined,
    );
    if (loadedRows.length === count)
      return changeSelection(
        addAll(getSelection(), new Map(loadedRows.map((item) => [item.id, getVersion(model, item)]))),
      );
    void act(async () => {
      const rows = await loadSelected(model, queryVariables, first, count);
      changeSelection(addAll(getSelection(), rows));
    });
  };
  const choose = (index: number, from: number | null) => {
    const record = row(index);
    if (from !== null) addRows(Math.min(from, index), Math.abs(from - index) + 1);
    else if (record) changeSelection(toggleSelected(latest.current, record.id, getVersion(model, record)));
  };
  const chooseAll = () => addRows(0, countSelectable(total ?? 0), () => NO_SELECTION);
  useShortcuts([{ keys: 'x', label: bulkStrings.keys.choose, run: () => choose(active, null) }]);
  const choice: RowSelection = {
    isSelected: (index) => selection.has(row(index)?.id ?? ''),
    select: choose,
    selectAll: chooseAll,
    clear: () => changeSelection(NO_SELECTION),
  };
  return { selection, choice, chooseAll, replace: changeSelection };
}
