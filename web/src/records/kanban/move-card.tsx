import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { RecordValues } from '../document.ts';
import { viewStrings } from '../view-strings.ts';
import { type CardPosition, type Column, findCard } from './board.ts';

interface MoveCardDialogProps {
  card: RecordValues;
  columns: Column[];
  isOrdered: boolean;
  onMove(to: CardPosition): void;
  onClose(): void;
}

/** Moves a card with buttons, as an accessible alternative to dragging. */
export function MoveCardDialog({ card, columns, isOrdered, onMove, onClose }: MoveCardDialogProps) {
  const position = findCard(columns, card.id)!;
  const last = columns.find(({ id }) => id === position.column)!.cards.length - 1;
  const step = (index: number) => () => onMove({ column: position.column, at: index });
  return (
    <Dialog title={viewStrings.moveNamed(String(card.displayName ?? card.id))} onClose={onClose}>
      <ul className="kanban-moves">
        {columns.map(({ id, label }) => (
          <li key={id}>
            <Button
              aria-current={id === position.column ? 'true' : undefined}
              disabled={id === position.column}
              onClick={() => onMove({ column: id, at: 0 })}
            >
              {label || viewStrings.empty}
            </Button>
          </li>
        ))}
      </ul>
      {isOrdered && last > 0 && (
        <div className="buttons">
          <Button icon="up" disabled={position.at === 0} onClick={step(position.at - 1)}>
            {viewStrings.moveUp}
          </Button>
          <Button icon="down" disabled={position.at === last} onClick={step(position.at + 1)}>
            {viewStrings.moveDown}
          </Button>
          <Button disabled={position.at === 0} onClick={step(0)}>
            {viewStrings.moveToTop}
          </Button>
        </div>
      )}
      <DialogButtons onClose={onClose} />
    </Dialog>
  );
}
