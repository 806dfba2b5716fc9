import { DialogButtons } from '../../shell/dialog-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { RecordValues } from '../document.ts';
import { viewStrings } from '../view-strings.ts';
import { type CardPosition, type Column, findCard } from './board.ts';

interface MoveCardProps {
  card: RecordValues;
  columns: Column[];
  /** True if cards can be reordered within a column. */
  isOrdered: boolean;
  onMove(to: CardPosition): void;
  onClose(): void;
}

/** Moves a card with buttons, as an accessible alternative to dragging. */
export function MoveCard({ card, columns, isOrdered, onMove, onClose }: MoveCardProps) {
  const place = findCard(columns, card.id)!;
  const last = columns.find(({ id }) => id === place.column)!.cards.length - 1;
  const step = (at: number) => () => onMove({ column: place.column, at });
  return (
    <Dialog title={viewStrings.moveNamed(String(card.displayName ?? card.id))} onClose={onClose}>
      <ul className="kanban-moves">
        {columns.map(({ id, label }) => (
          <li key={id}>
            <Button
              aria-current={id === place.column ? 'true' : undefined}
              disabled={id === place.column}
              onClick={() => onMove({ column: id, at: 0 })}
            >
              {label || viewStrings.empty}
            </Button>
          </li>
        ))}
      </ul>
      {isOrdered && last > 0 && (
        <div className="buttons">
          <Button icon="up" disabled={place.at === 0} onClick={step(place.at - 1)}>
            {viewStrings.up}
          </Button>
          <Button icon="down" disabled={place.at === last} onClick={step(place.at + 1)}>
            {viewStrings.down}
          </Button>
          <Button disabled={place.at === 0} onClick={step(0)}>
            {viewStrings.toTop}
          </Button>
        </div>
      )}
      <DialogButtons onClose={onClose} />
    </Dialog>
  );
}
