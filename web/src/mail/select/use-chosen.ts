import { useRef, useState } from 'react';
import type { Rows } from '../../graphql/window.ts';
import { say } from '../../ui/toasts.tsx';
import type { RowChoice } from '../../ui/virtual-list.tsx';
import type { Listed } from '../message-row.tsx';
import { mailWords } from '../words.ts';
import { type Chosen, toggled, withAll } from './chosen.ts';

/** What is chosen in a list: some rows, or all that there are. */
export interface Choosing {
  chosen: Chosen;
  isAll: boolean;
  /** How many messages are chosen. */
  count: number;
  choice: RowChoice;
  clear(): void;
}

interface ChoosingIn {
  /** What the list shows: in another one nothing is chosen. */
  asked: object;
  rows: Rows<Listed>;
  /** How many messages all rows stand for. */
  messages: number | null;
  /** Whether all there are can be chosen, those that are not loaded included. */
  canAll: boolean;
  /** Rows of which some may not be loaded; null where they are too many, or cannot be. */
  rowsBetween(first: number, last: number): Promise<Listed[] | null>;
}

const NONE: Chosen = new Map();

/** Rows of a list that are chosen, one by one, by ranges, or all. */
export function useChosen({ asked, rows, messages, canAll, rowsBetween }: ChoosingIn): Choosing {
  const list = JSON.stringify(asked);
  const [state, setState] = useState({ list, chosen: NONE, isAll: false });
  const isHere = state.list === list;
  const chosen = isHere ? state.chosen : NONE;
  const isAll = isHere && state.isAll;
  const latest = useRef(chosen);
  latest.current = chosen;
  const put = (next: Chosen | null, all = false) => {
    if (!next) return say(mailWords.tooManyChosen);
    latest.current = next;
    setState({ list, chosen: next, isAll: all });
  };
  const range = async (from: number, to: number) => {
    const between = await rowsBetween(Math.min(from, to), Math.max(from, to));
    if (between) put(withAll(latest.current, between));
  };
  const choice: RowChoice = {
    isChosen: (index) => isAll || chosen.has(rows.row(index)?.entryId ?? ''),
    choose(index, from) {
      const row = rows.row(index);
      if (from !== null) void range(from, index);
      else if (row) put(toggled(latest.current, row));
    },
    chooseAll: canAll ? () => put(NONE, true) : undefined,
    chooseNone: () => put(NONE),
  };
  return { chosen, isAll, count: isAll ? (messages ?? 0) : chosen.size, choice, clear: () => put(NONE) };
}
