import { useCallback, useEffect, useRef, useState } from 'react';
import { ask, change } from '../../graphql/client.ts';
import { useFresh } from '../../graphql/live.ts';
import { type Refusal, Refused } from '../../graphql/refusal.ts';
import { say, sayWrong } from '../../ui/toasts.tsx';
import { type RecordsView, recordsAsked } from '../address.ts';
import { pictureField, sequenceField, stageField } from '../board-fields.ts';
import {
  enumNameOf,
  type ListAnswer,
  listDocument,
  type Named,
  type RecordValues,
  writeDocument,
} from '../document.ts';
import { RecordNamesDocument, RecordResequenceDocument } from '../generated.ts';
import { type Described, type DescribedField, inputKeyOf, keyOf } from '../model.ts';
import { type Figure, figureSelection } from '../pivot/figures.ts';
import { viewWords } from '../view-words.ts';
import {
  type BoardGroup,
  boardDocument,
  boardOf,
  type Column,
  cardSelection,
  columnFacet,
  firstNumber,
  type Place,
  placeOf,
  withMoved,
} from './board.ts';

/** Cards of a column that are loaded at first and with each further look, and at most. */
const STEP = 20;
const MOST = 500;
/** Stages of which those are shown, too, that no record has. */
const STAGES = 30;

export interface BoardProps {
  model: Described;
  view: RecordsView;
  field: DescribedField;
  figure: Figure | null;
  /** What cards show below their names. */
  fields: DescribedField[];
}

/** The cards of a board: loaded by column, moved at once and put back where the server refuses. */
export function useBoard({ model, view, field, figure, fields }: BoardProps) {
  const [columns, setColumns] = useState<Column[] | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const sequence = sequenceField(model);
  const numbered = sequence && view.order === undefined ? sequence : null;
  const asked = questionOf(model, view, numbered);
  const besides = [figure?.field, sequence, pictureField(model)].filter((each) => each != null);
  const shown = [...new Set([...fields, ...besides])];
  const props = { model, view, field, figure, shown, asked };
  const latest = useRef(props);
  latest.current = props;
  const board = useRef<Column[]>([]);
  const round = useRef(0);
  const moving = useRef(0);
  const show = useCallback((next: Column[]) => {
    board.current = next;
    setColumns(next);
  }, []);
  const load = useCallback(async () => {
    const mine = ++round.current;
    try {
      const next = await wholeBoard(latest.current, board.current);
      // What was asked before a card was moved, or for something else, is out of date.
      if (round.current !== mine || moving.current > 0) return;
      show(next);
      setRefusal(null);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (round.current === mine) setRefusal(error.refusal);
    }
  }, [show]);
  const key = JSON.stringify([asked, keyOf(field), figure?.key, shown.map(keyOf)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another board has another key
  useEffect(() => {
    board.current = [];
    setColumns(null);
    void load();
  }, [key, load]);
  useFresh(model.name, () => void load());
  const more = async (column: Column) => {
    const { nodes } = await cardsOf(latest.current, column, STEP, column.cards.length);
    const add = (old: Column) => {
      const known = new Set(old.cards.map(({ id }) => id));
      return { ...old, cards: [...old.cards, ...nodes.filter(({ id }) => !known.has(id))] };
    };
    show(board.current.map((each) => (each.id === column.id ? add(each) : each)));
  };
  /** Whether the server took it. */
  const put = async (id: string, to: Place): Promise<boolean> => {
    const from = placeOf(board.current, id);
    if (!from || (from.column === to.column && from.at === to.at)) return false;
    const amount = amountOf(figure, board.current, from);
    show(withMoved(board.current, id, to, amount));
    moving.current += 1;
    try {
      await write(latest.current, id, from, to, numbered && board.current);
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      show(withMoved(board.current, id, from, amount));
      sayWrong(error.refusal.message);
      return false;
    } finally {
      moving.current -= 1;
      void load();
    }
  };
  const last = useRef<{ id: string; from: Place } | null>(null);
  const undo = () => {
    const moved = last.current;
    last.current = null;
    if (moved) void put(moved.id, moved.from);
  };
  const move = async (id: string, to: Place) => {
    const from = placeOf(board.current, id);
    if (!from || !(await put(id, to))) return;
    last.current = { id, from };
    say(viewWords.moved, { label: viewWords.undo, run: undo });
  };
  return { columns, refusal, isOrdered: numbered !== null, load, more, move, undo };
}

interface Asked {
  model: Described;
  view: RecordsView;
  field: DescribedField;
  figure: Figure | null;
  shown: DescribedField[];
  asked: ReturnType<typeof recordsAsked>;
}

/** In the order that people have chosen by hand, where the model keeps one and no other is wanted. */
function questionOf(model: Described, view: RecordsView, numbered: DescribedField | null) {
  const asked = recordsAsked(model, view);
  if (!numbered) return asked;
  return {
    ...asked,
    orderBy: [
      { field: enumNameOf(numbered), direction: 'ASC' },
      { field: 'ID', direction: 'ASC' },
    ],
  };
}

async function wholeBoard(question: Asked, before: readonly Column[]): Promise<Column[]> {
  const { model, field, figure, shown, asked } = question;
  const figures = figureSelection(figure ? [figure] : []);
  const document = boardDocument(model, field, figures, cardSelection(model, shown));
  const [{ groups }, known] = await Promise.all([
    ask<{ groups: BoardGroup[] }, object>(document, { ...asked, cards: STEP }),
    knownOf(model, field),
  ]);
  const columns = boardOf(model, field, figure, groups, known);
  return Promise.all(
    columns.map(async (column) => {
      const wanted = before.find(({ id }) => id === column.id)?.cards.length ?? 0;
      if (wanted <= STEP || column.count <= STEP) return column;
      return { ...column, cards: (await cardsOf(question, column, Math.min(wanted, MOST), 0)).nodes };
    }),
  );
}

async function cardsOf(
  { model, view, field, shown, asked }: Asked,
  column: Column,
  first: number,
  offset: number,
) {
  const where = [...(view.where ?? []), columnFacet(field, column)];
  const variables = { ...asked, where: recordsAsked(model, { ...view, where }).where, first, offset };
  return (await ask<ListAnswer, object>(listDocument(model, shown)!, variables)).list;
}

/** Values that a column is shown for even if no record has them: options, and stages. */
async function knownOf(model: Described, field: DescribedField): Promise<Named[]> {
  if (field.selection)
    return field.selection.map(({ graphqlName, value, label }) => ({
      id: graphqlName ?? value,
      displayName: label,
    }));
  if (field !== stageField(model)) return [];
  const asked = { model: field.relation!, name: '', limit: STAGES + 1 };
  const { recordNameSearch } = await ask(RecordNamesDocument, asked);
  return recordNameSearch.length > STAGES ? [] : recordNameSearch;
}

function amountOf(figure: Figure | null, columns: Column[], { column, at }: Place): number {
  const card: RecordValues | undefined = columns.find(({ id }) => id === column)?.cards[at];
  return figure?.field && card ? Number(card[keyOf(figure.field)!] ?? 0) : 0;
}

/** @param numbered the columns as they are to be, where their order is kept */
async function write({ model, field }: Asked, id: string, from: Place, to: Place, numbered: Column[] | null) {
  if (from.column !== to.column) {
    const input = { [inputKeyOf(field)!]: to.column === '' ? null : to.column };
    await change(writeDocument(model, [field]), { where: { id: { eq: id } }, input, count: 1 });
  }
  const column = numbered?.find((each) => each.id === to.column);
  const sequence = sequenceField(model);
  if (!column || !sequence || column.cards.length < 2) return;
  const numbers = column.cards.map((card) => Number(card[keyOf(sequence)!] ?? 0));
  const isWhole = column.cards.length >= column.count;
  await change(RecordResequenceDocument, {
    model: model.name,
    ids: column.cards.map((card) => card.id),
    offset: firstNumber(numbers, isWhole),
  });
}

/** Whether a column has cards that are not loaded, and may have more of them. Pure. */
export const hasMore = ({ cards, count }: Column): boolean => cards.length < count && cards.length < MOST;
