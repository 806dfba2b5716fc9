import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { formatCount, formatMoney, formatNumber } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import type { RecordsView } from '../address.ts';
import type { FieldDescription, ModelDescription } from '../model.ts';
import type { Measure } from '../pivot/measures.ts';
import { recordStrings } from '../strings.ts';
import { viewStrings } from '../view-strings.ts';
import type { CardPosition, Column } from './board.ts';
import { hasMore } from './board-requests.ts';
import { Card } from './card.tsx';
import { getDraggedCard } from './drag.ts';

interface BoardColumnProps {
  model: ModelDescription;
  view: RecordsView;
  fields: FieldDescription[];
  pictureField: FieldDescription | null;
  figure: Measure | null;
  column: Column;
  /** The card that is the board's tab stop. */
  active: string | null;
  /** True if cards can be reordered within the column. */
  isOrdered: boolean;
  onActive(id: string): void;
  move: ((id: string, to: CardPosition) => Promise<void>) | undefined;
  ask(id: string): void;
  more(column: Column): Promise<void>;
}

/** Shows a column. Dropping a card on it sets the card's field to the column's value. */
export function BoardColumn(props: BoardColumnProps) {
  const { figure, column, active, isOrdered, move } = props;
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const label = column.label || viewStrings.empty;
  const drop = move && {
    onDragOver: (event: DragEvent) => {
      if (!getDraggedCard()) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      const card = getDraggedCard();
      setIsOver(false);
      if (!card) return;
      event.preventDefault();
      const index = isOrdered ? getDropIndex(event, card) : 0;
      void move(card, { column: column.id, at: index });
    },
  };
  return (
    <section className={isOver ? 'kanban-column over' : 'kanban-column'} aria-labelledby={id} {...drop}>
      <header>
        <h2 id={id}>{label}</h2>
        <span className="quiet figures" aria-hidden="true">
          {formatNumber(column.count)}
        </span>
        <span className="sr">{formatCount(column.count, recordStrings.recordCount)}</span>
        <span className="grow" />
        {figure && column.sum !== null && column.count > 0 && (
          <span className="figures" title={viewStrings.fieldSum(figure.field!.label)}>
            <span className="sr">{viewStrings.fieldSum(figure.field!.label)}: </span>
            {formatMoney(column.sum, column.currency)}
          </span>
        )}
      </header>
      <ul>
        {column.cards.map((card) => (
          <Card key={card.id} {...props} card={card} isActive={card.id === active} />
        ))}
        {hasMore(column) && (
          <li>
            <LoadMoreButton key={column.cards.length} column={column} more={props.more} />
          </li>
        )}
      </ul>
    </section>
  );
}

/** Returns the index at which a card is dropped, without counting the card itself. */
function getDropIndex(event: DragEvent, dropped: string): number {
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-card]')];
  const others = cards.filter(({ dataset }) => dataset.card !== dropped);
  const nextIndex = others.findIndex((card) => {
    const { top, height } = card.getBoundingClientRect();
    return event.clientY < top + height / 2;
  });
  return nextIndex < 0 ? others.length : nextIndex;
}

function LoadMoreButton({ column, more }: { column: Column; more(column: Column): Promise<void> }) {
  const button = useRef<HTMLButtonElement>(null);
  const load = useRef(() => {});
  const [isBusy, setIsBusy] = useState(false);
  load.current = () => {
    if (isBusy) return;
    setIsBusy(true);
    void more(column).finally(() => setIsBusy(false));
  };
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load.current());
    observer.observe(button.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <Button ref={button} look="ghost" isBusy={isBusy} onClick={() => load.current()}>
      {viewStrings.moreCount(column.count - column.cards.length)}
    </Button>
  );
}
