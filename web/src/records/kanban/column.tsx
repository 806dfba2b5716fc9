import { Link } from '@tanstack/react-router';
import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { counted, formatNumber } from '../../i18n/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { RecordsView } from '../address.ts';
import type { RecordValues } from '../document.ts';
import { isPictureFile, PictureShown, type RecordFile } from '../file-value.tsx';
import { type Described, type DescribedField, keyOf } from '../model.ts';
import type { Figure } from '../pivot/figures.ts';
import { ColumnValue, labelOf, textOf } from '../value.tsx';
import { viewWords } from '../view-words.ts';
import { recordWords } from '../words.ts';
import type { Column, Place } from './board.ts';
import { dragged, dragOf } from './drag.ts';
import { hasMore } from './use-board.ts';

interface BoardColumnProps {
  model: Described;
  view: RecordsView;
  fields: DescribedField[];
  /** Of the picture that stands for a record. */
  pictured: DescribedField | null;
  figure: Figure | null;
  column: Column;
  /** The card that is the tab stop of the board. */
  active: string | null;
  /** Whether the place within the column is kept. */
  isOrdered: boolean;
  onActive(id: string): void;
  move: ((id: string, to: Place) => Promise<void>) | undefined;
  ask(id: string): void;
  more(column: Column): Promise<void>;
}

/** One value with its cards; a card that is dropped here gets it. */
export function BoardColumn(props: BoardColumnProps) {
  const { model, fields, figure, column, active, isOrdered, move } = props;
  const id = useId();
  const [isOver, setOver] = useState(false);
  const label = column.label || viewWords.empty;
  const drop = move && {
    onDragOver: (event: DragEvent) => {
      if (!dragged()) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      const card = dragged();
      setOver(false);
      if (!card) return;
      event.preventDefault();
      const at = isOrdered ? placeBelow(event, card) : 0;
      void move(card, { column: column.id, at });
    },
  };
  return (
    <section className={isOver ? 'kanban-column over' : 'kanban-column'} aria-labelledby={id} {...drop}>
      <header>
        <h2 id={id}>{label}</h2>
        <span className="quiet figures" aria-hidden="true">
          {formatNumber(column.count)}
        </span>
        <span className="sr">{counted(column.count, recordWords.count)}</span>
        <span className="grow" />
        {figure && column.sum !== null && column.count > 0 && (
          <span className="figures" title={viewWords.sumOf(figure.field!.label)}>
            <span className="sr">{viewWords.sumOf(figure.field!.label)}: </span>
            {formatNumber(column.sum)}
          </span>
        )}
      </header>
      <ul>
        {column.cards.map((card) => (
          <Card
            key={card.id}
            {...props}
            model={model}
            fields={fields}
            card={card}
            isActive={card.id === active}
          />
        ))}
        {hasMore(column) && (
          <li>
            <More key={column.cards.length} column={column} more={props.more} />
          </li>
        )}
      </ul>
    </section>
  );
}

/** Before how many of the other cards of the column it is dropped. */
function placeBelow(event: DragEvent, dropped: string): number {
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-card]')];
  const others = cards.filter(({ dataset }) => dataset.card !== dropped);
  const below = others.findIndex((card) => {
    const { top, height } = card.getBoundingClientRect();
    return event.clientY < top + height / 2;
  });
  return below < 0 ? others.length : below;
}

interface CardProps extends BoardColumnProps {
  card: RecordValues;
  isActive: boolean;
}

function Card({ model, view, fields, pictured, card, isActive, onActive, move, ask }: CardProps) {
  const name = String(card.displayName ?? card.id);
  const stop = isActive ? 0 : -1;
  const picture = pictured && (card[pictured.graphqlName!] as RecordFile | null);
  return (
    <li
      className="kanban-card"
      data-card={card.id}
      onFocus={() => onActive(card.id)}
      {...dragOf(card.id, name, move !== undefined)}
    >
      <div className="kanban-name">
        {isPictureFile(picture) && <PictureShown file={picture!} label="" size={32} />}
        <Link
          to="/records/$model/$id"
          params={{ model: model.name, id: card.id }}
          search={view}
          draggable={false}
          tabIndex={stop}
        >
          {name}
        </Link>
        {move && (
          <IconButton
            icon="menu"
            label={viewWords.moveNamed(name)}
            tabIndex={stop}
            onClick={() => ask(card.id)}
          />
        )}
      </div>
      {fields.map(
        (field) =>
          textOf(model, field, card) !== '' && (
            <p key={keyOf(field)} className="small">
              <span className={field.type === 'BOOLEAN' ? 'quiet' : 'sr'}>{labelOf(model, field)}: </span>
              <ColumnValue model={model} field={field} record={card} />
            </p>
          ),
      )}
    </li>
  );
}

/** Loads further cards when it comes into sight, or by a click. */
function More({ column, more }: { column: Column; more(column: Column): Promise<void> }) {
  const button = useRef<HTMLButtonElement>(null);
  const load = useRef(() => {});
  const [isBusy, setBusy] = useState(false);
  load.current = () => {
    if (isBusy) return;
    setBusy(true);
    void more(column).finally(() => setBusy(false));
  };
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && load.current());
    seen.observe(button.current!);
    return () => seen.disconnect();
  }, []);
  return (
    <Button ref={button} look="ghost" isBusy={isBusy} onClick={() => load.current()}>
      {viewWords.more(column.count - column.cards.length)}
    </Button>
  );
}
