import { useRef, useState } from 'react';
import { useAct } from '../../shell/act.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { say } from '../../ui/toasts.tsx';
import type { RowChoice } from '../../ui/virtual-list.tsx';
import type { recordsAsked } from '../address.ts';
import { bulkWords } from '../bulk-words.ts';
import { type Chosen, chosenOf, MOST_CHOSEN, toggled, versionOf, withAll } from '../chosen.ts';
import type { RecordValues } from '../document.ts';
import type { Described } from '../model.ts';

/** What is chosen in a list of records. */
export interface Choosing {
  chosen: Chosen;
  choice: RowChoice;
  /** Chooses what the list holds, loaded or not. */
  chooseAll(): void;
  put(chosen: Chosen): void;
}

interface ChoosingIn {
  model: Described;
  /** What the list shows: in another one nothing is chosen. */
  asked: ReturnType<typeof recordsAsked>;
  total: number | null;
  row(index: number): RecordValues | undefined;
  /** The row that keys are about. */
  active: number;
}

const NONE: Chosen = new Map();

/** Rows of a list that are chosen, one by one, by ranges, or all. */
export function useChosen({ model, asked, total, row, active }: ChoosingIn): Choosing {
  const list = JSON.stringify(asked);
  const [state, setState] = useState({ list, chosen: NONE });
  const chosen = state.list === list ? state.chosen : NONE;
  const latest = useRef(chosen);
  latest.current = chosen;
  const { act } = useAct();
  const put = (next: Chosen | null) => {
    if (!next) return say(bulkWords.tooMany);
    latest.current = next;
    setState({ list, chosen: next });
  };
  const addRows = (first: number, count: number) => {
    if (count > MOST_CHOSEN) return say(bulkWords.tooMany);
    const loaded = Array.from({ length: count }, (_, at) => row(first + at)).filter(
      (each) => each !== undefined,
    );
    if (loaded.length === count)
      return put(withAll(latest.current, new Map(loaded.map((each) => [each.id, versionOf(model, each)]))));
    void act(async () => {
      const rows = await chosenOf(model, asked, first, count);
      put(withAll(latest.current, rows));
    });
  };
  const choose = (index: number, from: number | null) => {
    const record = row(index);
    if (from !== null) addRows(Math.min(from, index), Math.abs(from - index) + 1);
    else if (record) put(toggled(latest.current, record.id, versionOf(model, record)));
  };
  const chooseAll = () => addRows(0, total ?? 0);
  useShortcuts([{ keys: 'x', label: bulkWords.keys.choose, run: () => choose(active, null) }]);
  const choice: RowChoice = {
    isChosen: (index) => chosen.has(row(index)?.id ?? ''),
    choose,
    chooseAll,
    chooseNone: () => put(NONE),
  };
  return { chosen, choice, chooseAll, put };
}
