import './kanban.css';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { Loading } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import type { RecordListProps } from '../address.ts';
import { findPictureField, getBoardFields, getCardFields } from '../board-fields.ts';
import { getRights } from '../document.ts';
import { isEditable } from '../fields.ts';
import { type FieldDescription, getFieldKey, type ModelDescription } from '../model.ts';
import { findMeasures, getMeasures, type Measure } from '../pivot/measures.ts';
import { useColumns } from '../use-columns.ts';
import { viewStrings } from '../view-strings.ts';
import { type CardPosition, findCard } from './board.ts';
import { BoardColumn } from './column.tsx';
import { MoveCard } from './move-card.tsx';
import { useBoard } from './use-board.ts';

export function KanbanView(props: RecordListProps) {
  const { model, view } = props;
  const fields = getBoardFields(model);
  const field = fields.find((field) => getFieldKey(field) === view.group) ?? fields[0];
  return field ? (
    <Kanban {...props} field={field} fields={fields} />
  ) : (
    <EmptyState title={viewStrings.noBoard}>
      <p>{viewStrings.noBoardText}</p>
    </EmptyState>
  );
}

type KanbanProps = RecordListProps & { field: FieldDescription; fields: FieldDescription[] };

function Kanban({ model, view, show, field, fields }: KanbanProps) {
  const sums = getMeasures(model).filter(({ how }) => how === 'sum');
  const figure = findMeasure(model, view.figures, sums);
  const { columns: keys } = useColumns(model, view.cols);
  const cardFields = getCardFields(model, keys, field);
  const pictureField = findPictureField(model);
  const board = useBoard({ model, view, field, figure, fields: cardFields });
  const { columns, refusal } = board;
  const [active, setActive] = useState<string | null>(null);
  const [asking, setAsking] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const canMove = getRights(model).update && isEditable(field);
  const first = columns?.flatMap(({ cards }) => cards)[0]?.id ?? null;
  const at = columns && active && findCard(columns, active) ? active : first;
  useShortcuts([
    ...(canMove ? [{ keys: 'm', label: viewStrings.keys.moveCard, run: () => setAsking(at) }] : []),
    { keys: 'z', label: viewStrings.undo, run: board.undo },
  ]);
  const focus = (id: string) =>
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-card="${id}"] a`)?.focus());
  const onKeyDown = (event: KeyboardEvent) => {
    const id = (event.target as HTMLElement).closest<HTMLElement>('[data-card]')?.dataset.card;
    const next = id && columns && findAdjacentCard(columns, id, event.key);
    if (!next) return;
    event.preventDefault();
    focus(next);
  };
  const move = canMove ? board.move : undefined;
  const movingValues = columns?.flatMap(({ cards }) => cards).find(({ id }) => id === asking);
  return (
    <section className="kanban" aria-label={viewStrings.kanban}>
      <header className="kanban-head">
        <Select
          label={viewStrings.columnsBy}
          value={getFieldKey(field)!}
          options={fields.map((field) => [getFieldKey(field)!, field.label] as const)}
          onChange={({ target }) => show({ group: target.value })}
        />
        {sums.length > 0 && (
          <Select
            label={viewStrings.sum}
            value={figure?.key ?? 'count'}
            options={[
              ['count', viewStrings.noField],
              ...sums.map((sum) => [sum.key, sum.field!.label] as const),
            ]}
            onChange={({ target }) => show({ figures: [target.value] })}
          />
        )}
      </header>
      {refusal && <LoadError refusal={refusal} onAgain={board.load} />}
      {!columns && !refusal && <Loading />}
      {columns?.length === 0 && <EmptyState title={viewStrings.noCards} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the cards */}
      <div ref={box} className="kanban-columns" onKeyDown={onKeyDown}>
        {columns?.map((column) => (
          <BoardColumn
            key={column.id}
            model={model}
            view={view}
            fields={cardFields}
            pictureField={pictureField}
            figure={figure}
            column={column}
            active={at}
            isOrdered={board.isOrdered}
            onActive={setActive}
            move={move}
            ask={setAsking}
            more={board.more}
          />
        ))}
      </div>
      {movingValues && move && (
        <MoveCard
          card={movingValues}
          columns={columns!}
          isOrdered={board.isOrdered}
          onMove={(to) => {
            setAsking(null);
            void move(movingValues.id, to);
            focus(movingValues.id);
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </section>
  );
}

/** Returns the field that columns sum up: from the URL, or the first monetary field. */
function findMeasure(model: ModelDescription, keys: string[] | undefined, sums: Measure[]): Measure | null {
  if (keys) return findMeasures(model, keys).find(({ how }) => how === 'sum') ?? null;
  return sums.find(({ field }) => field!.type === 'MONETARY') ?? null;
}

/** Returns the card that an arrow key moves to. Undefined if none exists. */
function findAdjacentCard(columns: { id: string; cards: { id: string }[] }[], id: string, key: string) {
  const position: CardPosition | null = findCard(columns as never, id);
  if (!position) return undefined;
  const column = columns.findIndex((column) => column.id === position.column);
  if (key === 'ArrowDown' || key === 'ArrowUp')
    return columns[column]!.cards[position.at + (key === 'ArrowDown' ? 1 : -1)]?.id;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  const direction = (key === 'ArrowRight') === (document.dir !== 'rtl') ? 1 : -1;
  const others = direction === 1 ? columns.slice(column + 1) : columns.slice(0, column).reverse();
  const next = others.find(({ cards }) => cards.length > 0)?.cards ?? [];
  return next[Math.min(position.at, next.length - 1)]?.id;
}
