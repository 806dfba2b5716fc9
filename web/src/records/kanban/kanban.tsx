import './kanban.css';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { Loading } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/form/field.tsx';
import type { RecordListProps } from '../address.ts';
import { findPictureField, getBoardFields, getCardFields } from '../board-fields.ts';
import { getRights } from '../document.ts';
import { isEditable } from '../fields.ts';
import { type FieldDescription, getFieldKey, type ModelDescription } from '../model.ts';
import { findMeasures, getMeasures, type Measure } from '../pivot/measures.ts';
import { useColumns } from '../use-columns.ts';
import { viewStrings } from '../view-strings.ts';
import { type Column, findAdjacentCard, findCard } from './board.ts';
import { BoardColumn } from './column.tsx';
import { MoveCardDialog } from './move-card.tsx';
import { useBoard } from './use-board.ts';

export function KanbanView(props: RecordListProps) {
  const { model, view } = props;
  const fields = getBoardFields(model);
  const field = fields.find((field) => getFieldKey(field) === view.group) ?? fields[0];
  return field ? (
    <Kanban {...props} field={field} fields={fields} />
  ) : (
    <EmptyState title={viewStrings.noBoard} text={viewStrings.noBoardText} />
  );
}

type KanbanProps = RecordListProps & { field: FieldDescription; fields: FieldDescription[] };

function Kanban({ model, view, show, field, fields }: KanbanProps) {
  const sums = getMeasures(model).filter(({ how }) => how === 'sum');
  const figure = findMeasure(model, view.figures, sums);
  const { columns: keys } = useColumns(model, view.cols);
  const cardFields = getCardFields(model, keys, field);
  const board = useBoard({ model, view, field, figure, fields: cardFields });
  const { columns, refusal, isOrdered } = board;
  const { box, active, setActive, focus, onKeyDown } = useCardFocus(columns);
  const [asking, setAsking] = useState<string | null>(null);
  const move = getRights(model).update && isEditable(field) ? board.move : undefined;
  useShortcuts([
    ...(move ? [{ keys: 'm', label: viewStrings.keys.moveCard, run: () => setAsking(active) }] : []),
    { keys: 'z', label: viewStrings.undo, run: board.undo },
  ]);
  const movingCard = columns?.flatMap(({ cards }) => cards).find(({ id }) => id === asking);
  return (
    <section className="record-view" aria-label={viewStrings.kanban}>
      <BoardChoices show={show} field={field} fields={fields} figure={figure} sums={sums} />
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
            pictureField={findPictureField(model)}
            figure={figure}
            column={column}
            active={active}
            isOrdered={isOrdered}
            onActive={setActive}
            move={move}
            ask={setAsking}
            more={board.more}
          />
        ))}
      </div>
      {movingCard && move && (
        <MoveCardDialog
          card={movingCard}
          columns={columns!}
          isOrdered={isOrdered}
          onMove={(to) => {
            setAsking(null);
            void move(movingCard.id, to);
            focus(movingCard.id);
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </section>
  );
}

interface BoardChoicesProps extends Pick<KanbanProps, 'show' | 'field' | 'fields'> {
  figure: Measure | null;
  sums: Measure[];
}

const BoardChoices = ({ show, field, fields, figure, sums }: BoardChoicesProps) => (
  <header className="record-view-head kanban-head">
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
        options={[['count', viewStrings.noField], ...sums.map((sum) => [sum.key, sum.field!.label] as const)]}
        onChange={({ target }) => show({ figures: [target.value] })}
      />
    )}
  </header>
);

/** Moves the focus between cards with the arrow keys. Only one card is a tab stop. */
function useCardFocus(columns: Column[] | null) {
  const [lastActive, setActive] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const first = columns?.flatMap(({ cards }) => cards)[0]?.id ?? null;
  const focus = (id: string) =>
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-card="${id}"] a`)?.focus());
  const onKeyDown = (event: KeyboardEvent) => {
    const id = (event.target as HTMLElement).closest<HTMLElement>('[data-card]')?.dataset.card;
    const next = id && columns && findAdjacentCard(columns, id, event.key, document.dir === 'rtl');
    if (!next) return;
    event.preventDefault();
    focus(next);
  };
  const active = columns && lastActive && findCard(columns, lastActive) ? lastActive : first;
  return { box, active, setActive, focus, onKeyDown };
}

/** Returns the measure that columns sum up: the one in the URL, or else the first monetary field. */
function findMeasure(model: ModelDescription, keys: string[] | undefined, sums: Measure[]): Measure | null {
  if (keys) return findMeasures(model, keys).find(({ how }) => how === 'sum') ?? null;
  return sums.find(({ field }) => field!.type === 'MONETARY') ?? null;
}
